/*
 * partial.h - sums of a part of the input, to be merged with others.
 *
 * What is wrong with a partial is printed, as reader.h does it for streams.
 */
#ifndef PARTIAL_H
#define PARTIAL_H

#include "report.h"

enum { PARTIAL_VERSION = 1 };

struct partial {
	struct settings *settings;
	struct known *known; /* its wall; may be NULL */
	struct report *reports;
	size_t count;
	bool chosen;         /* reports are those that were asked for */
	bool correlated;     /* the stream went through tq-correlate */
	int status;          /* 1 once a partial was cut short */
	struct merge *merge; /* while partials are read */
};

/* The groups of the reports, all of which have some, as lines. */
void partial_write(struct output *o, const struct partial *p);

/*
 * Read the partials of the operands into the reports, which are opened; those
 * of the first partial where none were chosen.  The other partials have to have
 * them too.  Of reports that differ in columns only the first has the groups.
 * What settings leave open is what the partials were made with; once one of
 * them is approximate, all is.
 */
void partial_read(struct partial *p, char **operands);

/* All that reading takes; partial_read does it, where it comes back. */
void partial_read_free(struct partial *p);

/* The report with that index is done: give its groups to the next such. */
void partial_hand_on(const struct partial *p, size_t i);

/* ---- for both directions ---- */

/* The first report that has the groups of r; p->count if none has. */
size_t partial_first(const struct partial *p, const struct report *r);

/* The argument of --compat; empty without. */
const char *partial_compat(const struct settings *settings);

/* Append a list of keys as -g takes it; keys may be NULL. */
void partial_keys(struct text *t, const enum key *keys);

#endif
