/*
 * start_up.h - how much of a recording is start-up: the time before the first
 * operation of each section, and what rules of the group one-time claim, of the
 * device of the section that has most of it.
 *
 * Nothing is known of a window or of steps that were chosen, nor where the
 * evidence takes the verdict away.
 */
#ifndef TQ_ADVICE_START_UP_H
#define TQ_ADVICE_START_UP_H

#include "tq/advice/engine.h"
#include "tq/base/text.h"
#include "tq/evidence/evidence.h"

/* ns; {0}: unknown */
struct start_up {
	int64_t recorded;   /* of all sections, see account/wall.h */
	int64_t before;     /* the first operation */
	int64_t once;       /* behind it */
	int64_t until;      /* when it is over, as the records of the section
			     * count; NO_ID: nothing is behind it, or there are
			     * several sections */
	bool few;           /* too few operations that anything repeats */
	struct span source; /* that recorded it: nsys */
};

/* once: ns of each of engine.devices that rules of the group claimed */
void start_up_find(struct start_up *s, const struct engine *e,
    const struct recording_evidence *evidence, const int64_t *once);

static inline int64_t
start_up_all(const struct start_up *s)
{
	return time_end(s->before, s->once);
}

/* True if it is more than half of the recording. */
static inline bool
start_up_leads(const struct start_up *s)
{
	return s->recorded / 2 < start_up_all(s) && s->recorded > 0;
}

/* "85.0 % of the 2.20 s recorded is start-up" */
void start_up_add(struct text *t, const struct start_up *s);

/* What to do: record later, or longer, with the command of the source. */
void start_up_add_do(struct text *t, const struct start_up *s);

/* A command for the word FILE: for what is behind it, if something is. */
void start_up_add_look(struct text *t, const struct start_up *s);

#endif
