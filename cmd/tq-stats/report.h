/*
 * report.h - what the reports have in common: each looks at the records as they
 * go by, and makes a table when all have.
 */
#ifndef REPORT_H
#define REPORT_H

#include "tq/line/event.h"
#include "tq/io/output.h"
#include "tq/base/time.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

#include "known.h"
#include "table/table.h"

/* what the command line asks of all reports */
struct ask {
	bool compat;     /* reproduce what nsys does wrong */
	int version;     /* of the names of ranges: 2023 or 2024 */
	enum key *group; /* keys of the report group; KEY_NONE ends them */
	struct range_spec step; /* what is a step; no name: the default */
	bool approx; /* medians and percentiles of what can be merged */
};

struct report;
struct groups;

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
			      * and one NAME=NUMBER with what goes without it */
	const char *missing; /* "no kernel in the stream", when it is empty */
	bool correlated;     /* it needs what tq-correlate adds */
	bool grouped;        /* it has the keys of ask->group too */
	uint64_t kinds;      /* it looks at, a bit each */
	const enum key
	    *keys;   /* it looks at, of all these; KEY_NONE ends them */
	size_t size; /* of its state, zeroed at first */
	void (*open)(struct report *r); /* may be NULL */
	void (*event)(struct report *r, const struct event *ev);
	void (*section_end)(struct report *r);            /* may be NULL */
	void (*table)(struct report *r, struct table *t); /* none: no row */
	void (*close)(struct report *r);
	const enum key *work_keys; /* also of operations; may be NULL */
	void (*wanted)(struct keyset *want); /* more, by kind; may be NULL */
	/* instead of table: lines of text; false where there is none */
	bool (*text)(struct report *r, struct output *o);
	/* all that the table is made of, where sums of parts can be merged */
	struct groups *(*groups)(const struct report *r);
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
	char *name;      /* as it was asked for, with its arguments */
	char *arg;       /* of args, or NULL */
	int64_t number;  /* of NAME=NUMBER; -1 where it is to be all */
	bool pct;        /* more columns */
	bool correlated; /* it saw what tq-correlate adds */
	bool page;       /* a part of one: nobody misses it where it is empty */
	size_t rows;     /* of its table that are shown; 0: all */
	const struct ask *ask;
	const struct known *known; /* definitions of the section at hand */
	const struct reports *set; /* that it is one of */
	const char *missing;       /* better than that of its kind, or NULL */
	void *state;
	struct text title; /* of the table, where it is not that of its kind */
	struct table made; /* what came of it, when those before it are made */
};

#define KINDS(k) ((uint64_t)1 << KIND_##k)

/* all that have a time */
#define REPORT_EVENTS (~(KINDS(trace) | KINDS(end)))

/*
 * What text asks for, NAME[:ARGUMENT]..., into *r, where it is; false with
 * *bad, and r->kind NULL where that is no name, else it is no argument.
 */
bool report_parse(struct report *r, struct span text, struct span *bad);

/* Do they differ in what is shown only? */
bool report_same(const struct report *a, const struct report *b);

/* The section is over. */
void report_section_end(struct report *r);

/* Give it its state; what can be merged is approximate where ask says so. */
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

/* All that it holds, its state too where it has one. */
void report_free(struct report *r);

/*
 * The keys of a comma separated list; NULL, or where in list one begins that is
 * none, *len bytes long.
 */
const char *group_parse(const char *list, enum key **keys, size_t *len);

/* text says what is a step; ends the program where it is wrong. */
void step_choose(struct ask *ask, const char *text);

/* All of them; a row without a name ends them. */
extern const struct report_kind *const report_kinds[];

/* each family of reports has a list, ended by a row without a name */
extern const struct report_kind report_cuda[], report_cuda_trace[],
    report_nvtx[], report_nvtx_gpu[], report_host[], report_group[],
    report_device[], report_gaps[], report_launch[], report_self[],
    report_step[], report_memory[], report_mpi[], report_um[], report_hist[],
    report_overview[];

#endif
