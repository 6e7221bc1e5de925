/*
 * page.h - the page of tq-stats without -r: a verdict, findings, the time of
 * each GPU, a few rows of the tables that matter, the recording.
 *
 * page_fill() makes a struct page of reports that have read the stream;
 * renderers turn it into text, page/text/, and into HTML, page/html/.  All
 * counts and times are numbers here, and a renderer gives them digits and a
 * unit, see page/amount.h.  A section without rows has rows.count 0, and is
 * left out with its header.
 *
 * Texts are of the stream and may have any bytes: renderers escape them.  They
 * live until page_free().
 */
#ifndef PAGE_H
#define PAGE_H

#include "report.h"

/* Rows of a table that the model has at most; a terminal shows fewer. */
enum { PAGE_ROWS = 8, PAGE_GAPS = 3 };

/*
 * The class of a GPU at a moment, the first that is true; the last three are
 * idle time: the host launches late, the host waits for a GPU, all other.
 */
enum page_class {
	PAGE_COMPUTE,
	PAGE_COMMUNICATION,
	PAGE_COPY,
	PAGE_HOST,
	PAGE_SYNC,
	PAGE_OTHER,
	PAGE_CLASSES
};

/* ---- tables ---- */

enum page_cell_type {
	PAGE_EMPTY,
	PAGE_COUNT,  /* v */
	PAGE_TIME,   /* v ns */
	PAGE_SIZE,   /* v bytes */
	PAGE_RATE,   /* v bytes per second */
	PAGE_SHARE,  /* v of of, as a percentage without the sign */
	PAGE_BAR,    /* v of of, as a bar: the same numbers as the share */
	PAGE_STACK,  /* classes[], ns: a bar of parts */
	PAGE_SPREAD, /* times */
	PAGE_TEXT,   /* text */
	PAGE_KERNEL, /* the kernel of that number: page->kernels[v] */
};

struct page_cell {
	enum page_cell_type type;
	bool approximate; /* shown with a ~ */
	int64_t v, of;
	struct span text;
	const int64_t *classes;
	const struct dist *times; /* sorted; what duration_bins.h draws */
};

struct page_column {
	const char *title; /* "" of a bar */
	unsigned goes;     /* 0: stays, else the rank in which columns go where
			    * the width does not do: 1 is the first */
	bool left;         /* aligned so; the last column is, too */
};

enum { PAGE_COLUMNS = 9 };

struct page_table {
	const char *title; /* KERNELS */
	struct span of;    /* behind the title: of 535 ms of kernel time; or
			    * empty */
	struct page_column columns[PAGE_COLUMNS];
	size_t column_count;
	struct page_cell (*rows)[PAGE_COLUMNS]; /* the largest first */
	size_t count;                           /* of rows, at most PAGE_ROWS */
	size_t shown;     /* on a terminal, at most; HTML: all of count */
	int64_t *weights; /* per row, its share of the whole */
	int64_t whole;    /* the sum of the weights of all rows; 0: rows are
			   * nested, and have no sum */
	int64_t base;     /* ns, or samples, that shares of rows are of */
	const enum page_class *colors; /* of the bars of rows, or NULL */
	size_t total;                  /* rows that there are */
	struct span more;              /* the command that shows them all */
};

/*
 * The sum of the weights of all rows but the first so many; sums that did not
 * fit leave 0.
 */
static inline int64_t
page_table_rest(const struct page_table *t, size_t rows)
{
	int64_t rest = t->whole;

	for (size_t i = 0; i < rows; i++)
		if (t->weights[i] > 0)
			rest = time_between(t->weights[i], rest);
	return rest;
}

/* a gap of the GPUs */
struct page_gap {
	int64_t dur, at; /* at: its beginning */
	struct span gpu; /* GPU 0 */
	const char *cause;
	struct span thing;  /* that it is of; or empty */
	struct span before; /* the operation that ended it */
	struct span range;  /* of its launch; or empty */
};

/* ---- findings ---- */

enum page_part_kind {
	PAGE_WORDS,
	PAGE_NUMBER, /* with its unit: HTML has it bold */
	PAGE_NAME,   /* of a kernel, range or GPU: it may be cut */
};

/* Parts follow one another; blanks are in the words. */
struct page_part {
	enum page_part_kind kind;
	struct span text;
};

enum page_confidence { PAGE_SURE, PAGE_LIKELY, PAGE_HINT };

struct page_finding {
	struct span name;        /* of the rule: host-late */
	struct span title;       /* the problem, without a period */
	struct page_part *parts; /* the sentences; (likely) is in the words */
	size_t count, cap;
	bool note;        /* it costs nothing measurable: no share */
	bool evidence;    /* of the recording itself: before all others */
	bool loss;        /* red, whatever its share */
	bool once;        /* of the group one-time */
	bool behind;      /* of the group that does not lead */
	unsigned order;   /* of the rule */
	int64_t cost, of; /* ns of the time of all GPUs, not of a note */
	unsigned most;    /* 3: red from 20 %, yellow from 5 %; 2: yellow at
			   * most */
	enum page_confidence confidence;
	struct span command; /* with " | " between filters; or empty */
};

/* the findings that a line stands above */
struct page_group {
	const char *title; /* NULL: no line */
	int64_t cost, of;  /* of all of them, ns; of 0: notes */
};

/* ---- the GPUs ---- */

struct page_gpu {
	struct span name;  /* GPU 0, rank 3 GPU 0 */
	struct span model; /* or empty */
	size_t trace;      /* the section of the stream, from 0 */
	int64_t from, to;  /* its time: of the recording or of the active span
			    * of its trace, see page->active_only */
	int64_t first, until;       /* first and last operation */
	int64_t time[PAGE_CLASSES]; /* they add up to to - from */
	int64_t operations;
	/*
	 * Made by account.c, which gives them all times as they come; both are
	 * NULL where no operation is.
	 */
	struct class_bins *strip; /* page/class_bins.h: busy over time */
	struct thread_intervals
	    *lane;  /* page/thread_intervals.h: steps, or ranges, below it */
	bool steps; /* the lane has steps */
	const struct span *lane_names; /* by number of the lane */
};

/* "compute", "idle: host late" */
const char *page_class_name(enum page_class c);

/* Sums and lengths of times end at INT64_MAX. */
static inline int64_t
page_gpu_length(const struct page_gpu *g)
{
	return time_between(g->from, g->to);
}

static inline int64_t
page_busy(const int64_t time[PAGE_CLASSES])
{
	return time_end(time_end(time[PAGE_COMPUTE], time[PAGE_COMMUNICATION]),
	    time[PAGE_COPY]);
}

static inline int64_t
page_idle(const int64_t time[PAGE_CLASSES])
{
	return time_end(
	    time_end(time[PAGE_HOST], time[PAGE_SYNC]), time[PAGE_OTHER]);
}

/* ---- the page ---- */

struct page_line {
	const char *label; /* of HTML: Events */
	struct span text;
	struct span command; /* behind a text that ends with ": "; or empty */
};

struct page_command {
	struct span command;
	const char *says; /* its purpose */
	bool page;        /* it makes a page in HTML, which leaves it out */
};

/* a part of the verdict: compute 85.0 % */
struct page_verb {
	enum page_class class; /* PAGE_HOST stands for idle time */
	const char *verb;      /* compute, or computes of one GPU */
	int64_t time;          /* of page->time_of */
};

struct page {
	/* the header */
	struct span title;   /* name of the file, else of the command, else of
			      * what recorded it */
	struct span file;    /* base name of the first, and how many more;
			      * empty where the files are unknown */
	struct span command; /* paths are base names; or empty */
	int64_t recorded;    /* ns of all traces together */
	bool untimed;        /* they have counts in place of times */
	int64_t active;      /* from first to last operation of any GPU */
	bool active_only;    /* shares are of the active span, and not of the
			      * recording */
	bool any;            /* an event, and not names alone */
	size_t traces;
	struct span model; /* of all GPUs if it is one; or empty */
	int64_t operations;
	int64_t lost;         /* events */
	bool cut;             /* a trace has no end */
	const char *unproved; /* why shares of GPUs are not proved; or NULL */
	const char *doubt; /* where it is whole but not sound, why; or NULL */
	struct span producer, utc; /* nsys 2026.2.1.210, 2026-05-26 07:58 UTC */

	/*
	 * The verdict: verbs behind "The GPUs" or "The GPU", or if there are
	 * none the sentence.  Parts below 0.5 % are left out.
	 */
	const char *subject;
	struct page_verb verbs[4];
	size_t verb_count;
	struct span sentence;
	struct span start_up; /* behind it, without a period; or empty */

	struct page_finding *findings; /* in order, at most 7 */
	size_t finding_count;
	struct span all_findings; /* the command that has them; or empty */
	struct span base; /* what their shares are of; empty if none has one */

	/* GPU TIME; of is what its shares are of */
	struct span time_of_text;
	struct page_gpu *gpus; /* in order of rank, process, number */
	size_t gpu_count;
	size_t shown_gpus[8]; /* all up to 8; else of the least, median and
			       * largest busy time */
	size_t shown_gpu_count;
	int64_t time[PAGE_CLASSES], time_of; /* of all GPUs together */

	struct page_table graphs, kernels, waits, copies, calls, steps, ranges;
	/* of several ranks on one clock: for whom the others wait, that rank
	 * beside the median one, what each collective costs */
	struct page_table stragglers, beside, collectives;
	struct page_table serving; /* steps of an inference server */
	struct page_table operators, functions, os_calls; /* where no GPU is */
	struct page_gap gaps[PAGE_GAPS];                  /* below waits */
	size_t gap_count;

	/* RECORDED */
	struct page_line *recorded_lines;
	size_t recorded_count;
	size_t listed; /* lines, the first ones, that name recordings */

	/* GO ON */
	struct page_command *go_on;
	size_t go_on_count;

	/*
	 * Full names of all kernels, the largest first: what short_names()
	 * shortens.  times[i] is the distribution of kernels[i].
	 */
	struct span *kernel_names;
	size_t kernel_count;

	bool saturated; /* a sum did not fit */
	struct region life;
};

/*
 * The group that the finding of that number is the first of, if some findings
 * happen once and have a share; facts of the recording are of none.
 */
struct page_group findings_group(const struct page *p, size_t finding);

/*
 * Make *p of the reports of the page, which have read the stream.  Commands
 * have the operands of the tool, see printed_command.h.  False if there is
 * nothing: not even a trace record.
 */
bool page_fill(struct page *p, const struct reports *rs);

void page_free(struct page *p);

#endif
