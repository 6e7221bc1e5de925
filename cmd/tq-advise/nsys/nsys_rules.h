/*
 * nsys_rules.h - the expert rules of nsys analyze, under their names, with
 * the rows and columns of 2023.4.4.
 *
 * A call and its operation are joined by process and correlation id; nsys
 * joins by the correlation id alone, and mixes processes.
 */
#ifndef NSYS_RULES_H
#define NSYS_RULES_H

#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/names/api_call.h"

#include "tq/show/col.h"

#include "print/sheet.h"

struct nsys_rules;

/* the arguments of a rule, "gpu_gaps:gap=1:rows=-1" */
struct nsys_args {
	int64_t rows;            /* at most; -1: all */
	int64_t gap;             /* ms */
	int64_t chunks;          /* of the span of a device */
	int64_t threshold;       /* percent */
	int64_t process, thread; /* NO_ID: all */
};

/* a copy, a fill, or a call; its rule decides which members are set */
struct nsys_row {
	int64_t dur, ts, pid, tid, device, context, green, stream, bytes;
	uint32_t src, dst, call; /* texts */
};

/* a time of a device */
struct nsys_time {
	int64_t dur, ts, pid, device, context;
	int64_t used; /* tenths of a percent */
};

struct nsys_work {
	int64_t ts, end;
};

/* time that the profiler took, which counts as work */
struct nsys_overhead {
	int64_t pid, ts, end;
};

/* the operations of a device in a section, in order of ts */
struct nsys_device {
	int64_t pid, device, context, until;
	size_t overhead;        /* records of overhead that it has met */
	struct nsys_work *work; /* for gpu_time_util */
	size_t count, cap;
};

/* a rule of the command line */
struct nsys_rule {
	const struct nsys_rule_kind *kind;
	struct nsys_args args;
	struct nsys_row *rows;
	size_t row_count, row_cap;
	struct nsys_time *times;
	size_t time_count, time_cap;
	/* of the section: */
	KEYED(struct nsys_device) devices;
	struct nsys_overhead *overhead;
	size_t overhead_count, overhead_cap;
};

struct nsys_rule_kind {
	const char *name;
	const char *args; /* names of arguments that it takes, between blanks */
	uint64_t kinds;   /* of records that it needs, a bit each */
	uint64_t events;  /* of arguments that it gets */
	void (*event)(struct nsys_rules *all, struct nsys_rule *r,
	    const struct event *ev);
	void (*section_end)(struct nsys_rule *r); /* or NULL */
	/* columns and rows */
	void (*write)(
	    const struct nsys_rules *all, struct nsys_rule *r, struct table *t);
};

extern const struct nsys_rule_kind nsys_copies_async, nsys_copies_sync,
    nsys_copies_memset, nsys_calls_sync, nsys_idle_gaps, nsys_idle_util;

/* {0} is no rule */
struct nsys_rules {
	struct nsys_rule *all;
	size_t count, cap;
	struct intern texts;
	struct named_call *named; /* of each text that is a call */
	size_t named_count, named_cap;
	struct map calls; /* (pid, corr) of copies and fills -> text + 1 */
	struct text scratch;
};

/* True if name, up to a ":" or ",", is one of a rule or "nsys", all of them. */
bool nsys_rules_known(const char *name);

/* Add the rules of a list, or exit; "nsys:rows=5" is all with an argument. */
void nsys_rules_choose(struct nsys_rules *all, const char *list);

/* Add the keys that the rules need. */
void nsys_rules_keys(const struct nsys_rules *all, struct keyset *want);

void nsys_rules_event(struct nsys_rules *all, const struct event *ev);
void nsys_rules_section_end(struct nsys_rules *all);
void nsys_rules_write(
    struct nsys_rules *all, struct output *o, enum sheet_format format);
void nsys_rules_free(struct nsys_rules *all);

/* ---- for the rules ---- */

/* Add a row, of which so many of the longest stay. */
void nsys_rules_add_row(struct nsys_rule *r, const struct nsys_row *row);

/* The number of the text of a STR key; of "" where it is absent. */
uint32_t nsys_rules_text(
    struct nsys_rules *all, const struct event *ev, enum key key);

/* A column with a text of the rules. */
void nsys_rules_text_column(struct table *t, const char *name,
    const struct nsys_rules *all, uint32_t text);

/* The name of a call as the producer spells it. */
uint32_t nsys_rules_call(struct nsys_rules *all, const struct event *ev);

#endif
