/*
 * advice.h - what rules find in the stream of the reports
 *
 * Rules read the stream twice.  With one thread the first of their passes is
 * the one of the reports.  With two, rules survey the stream alone; behind that
 * the reports and the rules read it at the same time, each with a reader and a
 * model of its own.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include <pthread.h>

#include "tq/advice/adviser.h"
#include "tq/io/reader.h"
#include "tq/names/model.h"

#include "nsys_filter.h"
#include "report.h"

struct advice {
	struct adviser adviser; /* open if settings.adviser is set */
	struct keyset first[KIND_COUNT + 1], second[KIND_COUNT + 1];

	bool beside;   /* the rules have read the stream before the reports */
	bool threaded; /* and read it again beside them: */
	pthread_t thread;
	struct reader in;
	struct model model;
};

/* Open the adviser of the settings, with their steps and the filter's time. */
void advice_open(struct advice *a, struct report_settings *settings,
    const struct nsys_filter *filter);

/*
 * Before the first record: let the rules survey the stream of in, which keeps
 * it, and begin their second pass in a thread, if there may be two; in begins
 * with the first record again.  A message of the second pass waits until
 * advice_end().
 */
void advice_begin(struct advice *a, struct reader *in);

/* A record of the reports, which is one of the first pass, if no thread is. */
static inline void
advice_record(struct advice *a, const struct event *ev)
{
	if (!a->beside)
		adviser_first(&a->adviser, ev);
}

/*
 * After the last record of in: what rules find is known.  Without a thread the
 * second pass reads in once more, with the records that the filter keeps.
 */
void advice_end(
    struct advice *a, struct reader *in, struct nsys_filter *filter);

void advice_free(struct advice *a);

#endif
