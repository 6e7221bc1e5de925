/*
 * stats_rules.h - what rules find in the stream of the reports
 *
 * Rules read the stream twice.  With one thread the first of their passes is
 * the one of the reports.  With two, rules survey the stream alone; behind that
 * the reports and the rules read it at the same time, each with a reader and a
 * model of its own.
 */
#ifndef STATS_RULES_H
#define STATS_RULES_H

#include <pthread.h>
#include <stdalign.h>

#include "tq/advice/adviser.h"
#include "tq/io/reader.h"
#include "tq/names/model.h"

#include "nsys_filter.h"
#include "report.h"

enum { STATS_RULES_APART = 128 }; /* bytes */

struct stats_rules {
	struct keyset first[KIND_COUNT + 1], second[KIND_COUNT + 1];
	bool beside;   /* rules survey the stream before the reports read it, */
	bool threaded; /* and read it again in a thread beside them */
	pthread_t thread;

	/* What the thread writes has cache lines of its own: else reports and
	   rules wait for each other at each record. */
	alignas(STATS_RULES_APART) struct reader in;
	struct model model;
	struct adviser adviser; /* open if settings.adviser is set */
};

/* Open the adviser of the settings, with their steps and the filter's time. */
void stats_rules_open(struct stats_rules *r, struct report_settings *settings,
    const struct nsys_filter *filter);

/*
 * Before the first record: let the rules survey the stream of in, which keeps
 * it, and begin their second pass in a thread, if there may be two; in begins
 * with the first record again.  A message of the second pass waits until
 * stats_rules_end().
 */
void stats_rules_begin(struct stats_rules *r, struct reader *in);

/* A record of the reports, which is one of the first pass, if no thread is. */
static inline void
stats_rules_record(struct stats_rules *r, const struct event *ev)
{
	if (!r->beside)
		adviser_first(&r->adviser, ev);
}

/*
 * After the last record of in: what rules find is known.  Without a thread the
 * second pass reads in once more, of a range the records that the filter keeps.
 */
void stats_rules_end(
    struct stats_rules *r, struct reader *in, struct nsys_filter *filter);

void stats_rules_free(struct stats_rules *r);

#endif
