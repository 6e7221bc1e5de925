/*
 * report.h - reports: each reads the records of some kinds as they go by, and
 * makes a table at the end.
 */
#ifndef REPORT_H
#define REPORT_H

#include "tq/ask/range_spec.h"
#include "tq/base/keyed.h"
#include "tq/base/numbered.h"
#include "tq/base/region.h"
#include "tq/base/time.h"
#include "tq/io/output.h"
#include "tq/line/event.h"
#include "tq/names.h"

#include "naming/families.h"
#include "sums/groups.h"
#include "tq/show/table.h"
#include "tq/account/wall.h"

struct adviser;

/* settings of the command line for all reports */
struct report_settings {
	bool compat;     /* reproduce the output of nsys, errors included */
	int version;     /* of nsys, for names of ranges: 2023 or 2024 */
	enum key *group; /* keys of the report group; KEY_NONE ends them */
	unsigned folded; /* of these keys: a bit each */
	unsigned named;  /* of these, too: ids of ranges, which are named */
	struct range_spec
	    step; /* which ranges are steps; no name: the default */
	const char *step_text;    /* the same as text, or NULL */
	const char *per;          /* the units of an account, or NULL */
	const char *serve_rules;  /* a file, or NULL: the built-in ones */
	const char *const *input; /* the name of the input at hand */
	char *const *operands;    /* NULL ends them */
	const char *window;       /* of --time, or NULL */
	bool approx;    /* medians and percentiles of sums are approximate */
	bool profile;   /* reports make profiles of pprof, not tables */
	int64_t origin; /* ns since 1970 of time 0 of the first section that
			 * has one, or NO_ID */
	const struct adviser *adviser; /* its findings, or NULL: none */
};

struct report;
struct sum;

/* a report of a page */
struct report_part {
	const char *report; /* its name, with arguments; NULL ends them */
	size_t rows;        /* of its table that are shown; 0: all */
	const struct report_kind *kind; /* or NULL: the one of that name */
	bool hidden; /* it has no table: reports behind it read it */
};

/* Lines of a partial that several reports share: all kinds with the same. */
struct part_lines {
	/* Writes them, by the name of the report. */
	void (*write)(struct report *r, struct output *o);
	/* Reads the members of one; returns what is wrong with it, or NULL. */
	const char *(*read)(struct report *r, struct span line);
};

/* what a report answers, in the order of --help-reports: see choose.c */
enum report_question {
	ASKS_NOTHING,
	ASKS_WHOLE,
	ASKS_FIRST,
	ASKS_DEVICES,
	ASKS_HOST,
	ASKS_RANGES,
	ASKS_IDLE,
	ASKS_LATE,
	ASKS_STEPS,
	ASKS_MEMORY,
	ASKS_RANKS,
	ASKS_KEYS
};

/* a kind of report; members that are absent are NULL or 0 */
struct report_kind {
	const char *name, *old; /* old: the name before nsys 2023 */
	enum report_question question;
	const char *title;
	const char *args;    /* words separated by '|', and one NAME=NUMBER with
			      * the default, or NAME=TIME with one that has a
			      * unit */
	const char *more;    /* words that may stand beside one of args, */
	const char *more_of; /* of that one only, or NULL: of any and none */
	const char *missing; /* the message where it is empty */
	const char *shares;  /* what its percentages are of, on a page */
	const char *kernels; /* the column that has names of kernels */
	bool correlated;     /* it needs the keys of tq-correlate */
	bool grouped;        /* it reads the keys of settings->group, too */
	bool wall;           /* it reads the wall */
	bool wall_title;     /* its title has the definition of the wall */
	bool whole;          /* it reads records that the filters drop, too */
	bool stacks;         /* it reads the call stacks of names */
	bool advice;         /* it has what rules find, see settings.adviser */
	bool all_ranks;      /* it compares ranks: --by-rank excludes it */
	bool as_recorded;    /* it shows recordings with their own clocks */
	uint64_t rows;  /* kinds of which each record makes a row, or ROWS_* ;
			 * a sum without open and event needs none */
	uint64_t kinds; /* of its records, a bit each */
	uint64_t compat_kinds;     /* more of them with --compat */
	const enum key *keys;      /* of all its records; KEY_NONE ends them */
	const enum key *work_keys; /* of operations, too */
	void (*wanted)(struct keyset *want); /* adds more, by kind */
	const struct sum *sum; /* if its table is made of r->groups alone: sums
				* of parts of the input can be merged then */
	const char *unmerged;  /* why sums of parts cannot be merged, or NULL */
	/* its lines of a partial, where it has neither groups nor rows */
	const struct part_lines *part_lines;
	bool row_parts; /* if each row of its table is of one section: rows of
			 * parts of the input stand behind each other then */
	/* the rows of a partial, instead of table */
	void (*part_table)(struct report *r, struct table *t);
	/* Adds such a row to its state, of which its table is made then; false
	 * if it has none like that. */
	bool (*part_row)(struct report *r, const struct table *t,
	    const struct table_cell *cells);
	const char *largest; /* of them those with the most in this column, */
	size_t most;         /* and how many */
	size_t size;         /* of its state, zeroed at first */

	/*
	 * A sum without event or table uses sums/sums.h; without a sum, no
	 * table means that r->rows are the table.
	 */
	void (*open)(struct report *r);  /* may replace r->kind */
	void (*begin)(struct report *r); /* all of r->set are open */
	void (*event)(struct report *r, const struct event *ev);
	void (*section_end)(struct report *r);
	void (*table)(struct report *r, struct table *t);
	/* Instead of table, or of a table for people: writes lines; false if
	 * there are none. */
	bool (*text)(struct report *r, struct output *o);
	/* instead of both, with settings->profile: adds the profile; false if
	 * it would be empty */
	bool (*profile)(struct report *r, struct text *to);
	const char *profiled; /* the report with the profile of this one */
	/* instead of groups, with --partial: it is alone then */
	void (*lines)(struct report *r, struct output *o);
	/* Adds to r->groups what its state has: before a partial is written;
	 * table makes rows of the groups then. */
	void (*to_groups)(struct report *r);
	/* its names that may be folded, where it has no groups */
	const struct numbered_texts *(*names)(const struct report *r);
	void (*close)(struct report *r); /* frees all but r->life */
	/* instead of all: it is a page of these reports */
	const struct report_part *parts;
	/* its table is made of these reports, as on a page */
	const struct report_part *reads;
};

/* reports of the same records, in order */
struct reports {
	struct report *all;
	size_t count;
};

struct report {
	/* of the command line */
	const struct report_kind *kind;
	char *name;     /* with arguments */
	char *arg;      /* a word of args, or NULL */
	char *more;     /* a word of more, or NULL */
	int64_t number; /* of NAME=NUMBER; -1: all; of NAME=TIME: ns */
	bool pct;       /* add columns of percentiles */
	bool page;      /* it is part of a page, and may be empty */
	bool hidden;    /* its table is not shown */
	size_t limit;   /* of the rows that its table shows; 0: all */
	const struct report_settings *settings;

	/* of the input */
	const struct names *names; /* definitions of the section */
	const struct wall *wall;
	int64_t wall_elsewhere;    /* ns of it in sections without its rank */
	const bool *dropped;       /* the filters drop the record */
	const struct reports *set; /* the reports beside it */
	bool correlated;           /* it read a key of tq-correlate */
	bool merged;               /* its rows are of partials */

	/* its own */
	void (*event)(struct report *r, const struct event *ev);
	void *state;              /* in life */
	struct table rows;        /* that it makes while it reads */
	struct groups groups;     /* of a sum */
	struct families families; /* of groups, if names are folded */
	/* of a sum, in the section: by symbol, or by two words */
	NUMBERED(struct group *) symbol_groups;
	KEYED(struct group *) known_groups;
	struct text key, scratch; /* for the record that it reads */
	struct region life;       /* freed by report_close */
	struct region section;    /* freed at the end of a section */

	/* the result */
	const char *missing; /* instead of the message of the kind, or NULL */
	struct text title;   /* of the table, if not the title of the kind */
	const char *kept_title; /* of a table that was finished, or NULL */
	struct text folded;     /* of report_folded() */
	struct table made;      /* the table, for reports behind it */
};

#define KINDS(k) ((uint64_t)1 << KIND_##k)

/* for the member rows, in places that kinds leave free */
#define ROWS_FAILURE ((uint64_t)1 << 57) /* a call that failed */
#define ROWS_CALL ((uint64_t)1 << 58)    /* a call of CUDA or HIP */
#define ROWS_STEP ((uint64_t)1 << 59)    /* a range that is a step */
#define ROWS_PUSHED ((uint64_t)1 << 60)  /* a range that was pushed */
#define ROWS_JOINED ((uint64_t)1 << 61)  /* a kernel with its call */
#define ROWS_GAP ((uint64_t)1 << 62)     /* a device idles between operations */
#define ROWS_COMMUNICATION ((uint64_t)1 << 63) /* of a kernel */

/* For the member keys of a struct report_kind. */
#define KEYS(...) ((const enum key[]){__VA_ARGS__, KEY_NONE})

/* the kinds of all records that have a time */
#define REPORT_EVENTS (~(KINDS(trace) | KINDS(end)))

/*
 * Set the report that text names, NAME[:ARGUMENT]..., in *r.  False if *bad is
 * no name, when r->kind is NULL, or no argument of the report.
 */
bool report_parse(struct report *r, struct span text, struct span *bad);

/* True if they have the same groups: at most their columns differ. */
bool report_same(const struct report *a, const struct report *b);

/* The kinds of its records, a bit each. */
static inline uint64_t
report_kinds_read(const struct report *r)
{
	return r->kind->kinds | (r->kind->stacks ? KINDS(stack) : 0) |
	       (r->settings->compat ? r->kind->compat_kinds : 0);
}

/*
 * True for a gpu-range of tq-correlate, which has KEY_range: records of PyTorch
 * itself are of no range.
 */
static inline bool
report_projected(const struct event *ev)
{
	return ev->kind == KIND_gpu_range && event_has(ev, KEY_range);
}

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

/* Of rows that were merged, keep those that its table has. */
void report_keep_largest(struct report *r);

/* True if parts of the input can be merged. */
static inline bool
report_merges(const struct report *r)
{
	return r->kind->sum != NULL || r->kind->row_parts ||
	       r->kind->part_lines != NULL;
}

/* True if all of it is a table that can be written and read again. */
static inline bool
report_finishes(const struct report *r)
{
	return report_merges(r) && r->kind->text == NULL;
}

/* The rows that it made while it read become the table. */
void report_rows(struct report *r, struct table *t);

/* Make its state; before the first record. */
void report_open(struct report *r);

/* It is one of a set, which are all open; before the first record, too. */
void report_begin(struct report *r, const struct reports *set);

/* *r becomes an open report with the command line of another. */
void report_copy(struct report *r, const struct report *of);

/*
 * The option that folds its names, as "-r nvtx_sum:folded", where that has at
 * most half of the rows, and is not given; or NULL.
 */
const char *report_folded(struct report *r);

/* Free the state of a written report, unless reports of its page read it. */
void report_close(struct report *r);

/* True if numbers of it are approximate; a message with the bound. */
bool report_approximated(const struct report *r);
extern const char report_approximation[];

/* The title of its table, which may be made in *t. */
const char *report_title(const struct report *r, struct text *t);

/* True if its argument is mangled. */
bool report_wants_mangled(const struct report *r);

/* True if its argument is folded. */
bool report_wants_folded(const struct report *r);

/* Free all that it holds, open or not. */
void report_free(struct report *r);

/*
 * Set the keys of a comma separated list, KEY, KEY:folded of a key that is
 * text, range:name and range:folded.  NULL, or the part of list, *len bytes
 * long, that is no key of a record.
 */
const char *group_parse(
    const char *list, struct report_settings *settings, size_t *len);

/* Add the keys that records of a kind have for these. */
void group_keys(
    struct keyset *want, enum kind k, const struct report_settings *settings);

/* Append the keys as such a list; folded: all that are names. */
void group_spell(
    struct text *t, const struct report_settings *settings, bool folded);

/* True if a key is of names, and none is folded. */
bool group_may_fold(const struct report_settings *settings);

/* Set the ranges that are steps; a wrong text ends the program. */
void step_choose(struct report_settings *settings, const char *text);

/*
 * The lists of kinds, each ended by a row without a name.  --help-reports has
 * the answers to a question in this order.
 */
/* clang-format off */
#define REPORT_LISTS(ROW) \
	ROW(reports_cuda) ROW(cuda_trace_reports) ROW(exec_reports) \
	ROW(pushpop_reports) ROW(projected_reports) ROW(kernels_reports) \
	ROW(reports_host) ROW(device_reports) ROW(step_reports) \
	ROW(gaps_reports) ROW(account_table_reports) ROW(launch_reports) \
	ROW(queue_reports) ROW(self_reports) ROW(modules_reports) \
	ROW(folded_reports) ROW(averages_reports) ROW(memory_reports) \
	ROW(io_reports) ROW(failed_calls_reports) ROW(overhead_sum_reports) \
	ROW(sync_sum_reports) ROW(phases_reports) ROW(program_lines_reports) \
	ROW(samples_reports) ROW(cpu_reports) ROW(open_waits_reports) \
	ROW(python_lock_reports) ROW(alloc_reports) ROW(memory_peak_reports) \
	ROW(mpi_reports) ROW(um_reports) ROW(hist_reports) ROW(group_reports) \
	ROW(overview_reports) ROW(run_report_reports) \
	ROW(finding_table_reports) ROW(rocpd_views) ROW(torch_steps) \
	ROW(serve_steps) ROW(collectives_reports) ROW(waiting_reports)
/* clang-format on */

#define REPORT_LIST(name) extern const struct report_kind name[];
REPORT_LISTS(REPORT_LIST)
#undef REPORT_LIST

/* All of them; NULL ends it. */
extern const struct report_kind *const report_kinds[];

#endif
