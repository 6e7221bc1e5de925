/*
 * report.h - what the reports have in common: each looks at the records as they
 * go by, and makes a table when all have.
 */
#ifndef REPORT_H
#define REPORT_H

#include "tq/line/event.h"
#include "tq/names.h"
#include "tq/io/output.h"
#include "tq/base/time.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

#include "tq/base/region.h"

#include "sums/groups.h"
#include "table/table.h"
#include "wall.h"

/* what the command line asks of all reports */
struct report_settings {
	bool compat;     /* reproduce what nsys does wrong */
	int version;     /* of the names of ranges: 2023 or 2024 */
	enum key *group; /* keys of the report group; KEY_NONE ends them */
	struct range_spec step; /* what is a step; no name: the default */
	bool approx; /* medians and percentiles of what can be merged */
};

struct report;
struct sum;

/* a report of a page */
struct report_part {
	const char *report; /* its name, with arguments; NULL ends them */
	size_t rows;        /* of its table that are shown; 0: all */
};

/* a sort of report */
struct report_kind {
	const char *name, *old; /* old: before 2023, or NULL */
	const char *title;
	const char *args;    /* that it takes, separated by '|', or NULL: words,
			      * and one NAME=NUMBER with the default */
	const char *missing; /* "no kernel in the stream", when it is empty */
	bool correlated;     /* it needs what tq-correlate adds */
	bool grouped;        /* it has the keys of settings->group too */
	uint64_t kinds;      /* of its records, a bit each */
	const enum key *keys;      /* of all its records; KEY_NONE ends them */
	const enum key *work_keys; /* also of operations; may be NULL */
	void (*wanted)(struct keyset *want); /* more, by kind; may be NULL */
	const struct sum *sum; /* its table is made of r->groups alone, so that
				* those of parts of the input can be merged:
				* see sums/sums.h */
	size_t size;           /* of its state, zeroed at first */

	/*
	 * All may be NULL.  A sum without event and table has those of sums;
	 * other reports without table have r->rows.
	 */
	void (*open)(struct report *r);
	void (*event)(struct report *r, const struct event *ev);
	void (*section_end)(struct report *r);
	void (*table)(struct report *r, struct table *t); /* none: no row */
	/* instead of table: lines of text; false where there is none */
	bool (*text)(struct report *r, struct output *o);
	void (*close)(struct report *r); /* frees what is not in r->life */
	/* instead of all: it is a page, made of these */
	const struct report_part *parts;
};

/* reports of the same records, in order */
struct reports {
	struct report *all;
	size_t count;
};

struct report {
	const struct report_kind *kind;
	void (*event)(struct report *r, const struct event *ev);
	char *name;      /* as it was asked for, with its arguments */
	char *arg;       /* of args, or NULL */
	int64_t number;  /* of NAME=NUMBER; -1 where it is to be all */
	bool pct;        /* more columns */
	bool correlated; /* it saw what tq-correlate adds */
	bool page;       /* a part of one: nobody misses it where it is empty */
	size_t limit;    /* of the rows that its table shows; 0: all */
	const struct report_settings *settings;
	const struct names *names; /* definitions of the section */
	const struct wall *wall;
	const struct reports *set; /* that it is one of */
	const char *missing;       /* better than that of its kind, or NULL */
	void *state;
	struct table rows;        /* that it makes while it reads */
	struct groups groups;     /* of a sum */
	struct map known_groups;  /* of a sum: words of known_by -> group */
	struct text key, scratch; /* for the record that it reads */
	struct region life;       /* freed when it is closed */
	struct region section;    /* freed at the end of a section */
	struct text title; /* of the table, where it is not that of its kind */
	struct table made; /* what came of it, when those before it are made */
};

#define KINDS(k) ((uint64_t)1 << KIND_##k)

/* For the member keys of a struct report_kind. */
#define KEYS(...) ((const enum key[]){__VA_ARGS__, KEY_NONE})

/* all that have a time */
#define REPORT_EVENTS (~(KINDS(trace) | KINDS(end)))

/*
 * What text asks for, NAME[:ARGUMENT]..., into *r, where it is; false with
 * *bad, and r->kind NULL where that is no name, else it is no argument.
 */
bool report_parse(struct report *r, struct span text, struct span *bad);

/* Do they differ in what is shown only? */
bool report_same(const struct report *a, const struct report *b);

/* A record of one of its kinds. */
static inline void
report_event(struct report *r, const struct event *ev)
{
	r->event(r, ev);
}

/* The section is over. */
void report_section_end(struct report *r);

/* Make the table; not of a report of text. */
void report_table(struct report *r, struct table *t);

/* The rows that it made while it read become the table. */
void report_rows(struct report *r, struct table *t);

/* Give it its state; what can be merged is approximate where the settings say
 * so. */
void report_open(struct report *r);

/* What the command line says of one, which has no state yet. */
void report_copy(struct report *r, const struct report *of);

/* It is written: what it holds goes, unless others of a page look at it. */
void report_close(struct report *r);
/* Are numbers of it such as this says? */
bool report_approximated(const struct report *r);
extern const char report_approximation[];

/* What stands above its table; *t is room for it. */
const char *report_title(const struct report *r, struct text *t);

/* True if its argument is mangled. */
bool report_wants_mangled(const struct report *r);

/* All that it holds, its state too where it has one. */
void report_free(struct report *r);

/*
 * The keys of a comma separated list; NULL, or where in list one begins that is
 * none, *len bytes long.
 */
const char *group_parse(const char *list, enum key **keys, size_t *len);

/* text says what is a step; ends the program where it is wrong. */
void step_choose(struct report_settings *settings, const char *text);

/* All of them; a row without a name ends them. */
extern const struct report_kind *const report_kinds[];

/* each family of reports has a list, ended by a row without a name */
extern const struct report_kind reports_cuda[], cuda_trace_reports[],
    exec_reports[], pushpop_reports[], projected_reports[], kernels_reports[],
    reports_host[], device_reports[], step_reports[], gaps_reports[],
    launch_reports[], queue_reports[], self_reports[], folded_reports[],
    averages_reports[], memory_reports[], alloc_reports[], mpi_reports[],
    um_reports[], hist_reports[], group_reports[], overview_reports[],
    recorded_reports[], advice_reports[];

#endif
