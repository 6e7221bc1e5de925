/*
 * long_way.h - how much of a recording passes before the first operation and
 * after the last one, and what the host does before.
 */
#ifndef TQ_ADVICE_LONG_WAY_H
#define TQ_ADVICE_LONG_WAY_H

#include "tq/advice/host_before.h"
#include "tq/advice/start_up.h"

/* the rule that has it; its words are of the time before */
#define LONG_WAY_RULE "long-way"

/* {0} is empty */
struct long_way {
	int64_t before, after, recorded; /* ns of all sections */
	bool leads; /* it is most of a start-up that leads */
	struct text text, look;
	struct evidence_fact fact; /* its words; of none of the checks */
};

/*
 * True if 10 % of the recording or more pass before the first operation, or
 * after the last one: then *w is filled.  Nothing is known of a window or of
 * steps that were chosen.
 */
bool long_way_find(struct long_way *w, const struct engine *e,
    const struct start_up *s, const struct host_before *h);

void long_way_free(struct long_way *w);

#endif
