/*
 * partial.h - sums of a part of the input, to be merged with others.
 *
 * A wrong partial ends the program with a message, as a wrong stream does.
 */
#ifndef PARTIAL_H
#define PARTIAL_H

#include "recordings.h"
#include "report.h"

enum { PARTIAL_VERSION = 2 };

struct partial {
	struct report_settings *settings;
	const struct names *names;     /* definitions: a partial has none */
	struct wall *wall;             /* may be NULL */
	struct recordings *recordings; /* may be NULL */
	struct report *reports;
	size_t count;
	struct reports *set; /* becomes these while partials are read */
	bool chosen;         /* the command line has chosen the reports */
	bool merged;         /* the reports are of partials */
	bool tables;         /* finished tables are written */
	bool correlated;     /* the stream went through tq-correlate */
	int status;          /* 1 once a partial was cut short */
	struct partial_merge *merge; /* while partials are read */
};

/* What can be merged of the reports, as lines; or their tables. */
void partial_write(struct output *o, const struct partial *p);

/*
 * Read the partials of the operands into the reports, which are opened: the
 * chosen ones, else all of the first partial.  All partials must have them.
 * Of reports that differ in columns only the first has the groups.  The
 * partials complete the settings; one approximate partial makes all reports
 * approximate.
 */
void partial_read(struct partial *p, char **operands);

/* Free what partial_read holds, if it ended the program. */
void partial_read_free(struct partial *p);

/* The report with that index is done: move its groups to the next such. */
void partial_hand_on(const struct partial *p, size_t i);

/* ---- for both directions ---- */

/* True if a line of one report is of the other, too: reports that differ in
   columns share their groups; finished tables are of one report each. */
bool partial_same(const struct report *a, const struct report *b, bool tables);

/* The first report that has the lines of r; p->count if none has. */
size_t partial_first(
    const struct partial *p, const struct report *r, bool tables);

/* The argument of --compat; empty without. */
const char *partial_compat(const struct report_settings *settings);

/* A JSON string.  Bytes that are no UTF-8 stay: two names stay two. */
void partial_add_string(struct text *t, struct span s);

/* A record, with its report; members of args stand between the two. */
void partial_open(struct output *o, const char *report);
void partial_close(struct output *o);

#endif
