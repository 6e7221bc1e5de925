/*
 * self.h - operations by the range that they were launched in, each once.
 *
 * What a section holds is kept until it ends, 32 bytes for an operation and 16
 * for a range: where the clock of a device is behind, an operation stands
 * before its range.
 */
#ifndef SELF_H
#define SELF_H

#include "sums/groups.h"
#include "nvtx.h"

/* how ranges are spelt */
struct self_style {
	const char *separator; /* of a path; NULL: the innermost alone */
	bool folded;           /* no ';' within a name, and no name is empty */
};

struct self_op {
	int64_t ts, dur, range;
	uint32_t path; /* number + 1, or 0 */
	uint32_t name; /* for the reports */
};

struct self_range {
	int64_t parent;
	uint32_t name;
	uint32_t place; /* number + 1, or 0: not looked up yet */
};

struct self_ops {
	struct self_style style;
	struct nvtx_names names;  /* of ranges, of all sections */
	struct nvtx_names places; /* names or paths, as style says; the same */
	struct map ids;           /* of ranges -> index + 1 */
	struct self_range *ranges;
	size_t range_count, range_cap;
	struct self_op *all;
	size_t count, cap;
	struct nvtx_stack chain; /* indices of ranges */
	struct text scratch, path;
	bool correlated;
};

/* Did what wrote this record know of calls and ranges? */
bool self_correlated(const struct event *ev);

/* Is the record at hand an operation with a duration? */
bool self_is_op(const struct event *ev);

/* Keep the record at hand; NULL where it is no such operation. */
struct self_op *self_ops_add(struct self_ops *s, const struct event *ev);

/*
 * All of the section is there: where an operation belongs to, a number in
 * places.  In no range, or one that is not in the stream: an empty text.
 */
uint32_t self_ops_place(struct self_ops *s, const struct self_op *op);

/* A new section: keep names and places. */
void self_ops_reset(struct self_ops *s);

void self_ops_free(struct self_ops *s);

/* Add a name in the folded style. */
void self_add_folded(struct text *t, struct span name);

/* as nobody asks for reports of nsys here: names are those of all versions */
extern const struct ask self_ask;

/* ---- self_folded.c: a row of report_self ---- */

struct self_folded {
	struct self_ops ops;
	struct nvtx_names threads; /* of samples */
	struct nvtx_names inner;   /* operations, or frames of a stack */
	struct map stacks;         /* ids of the section -> number + 1 */
	struct map lines;          /* (outer, inner) -> group */
	struct groups groups;      /* key: a line; its number, no values */
	struct text scratch;
};

void folded_open(struct report *r);
void folded_event(struct report *r, const struct event *ev);
void folded_section_end(struct report *r);
bool folded_text(struct report *r, struct output *o);
struct groups *folded_groups(const struct report *r);
void folded_close(struct report *r);

/* ---- self_averages.c: likewise ---- */

struct self_averages {
	struct nvtx_ranges ranges;
	struct map ids; /* of ranges -> index in charges + 1 */
	struct self_charge *charges;
	size_t charge_count, charge_cap;
	struct average *all; /* by name */
	size_t cap;
	struct groups groups;
	uint64_t visited; /* ranges of the sections before */
	struct text key;
	bool correlated;
};

void averages_open(struct report *r);
void averages_event(struct report *r, const struct event *ev);
void averages_section_end(struct report *r);
void averages_table(struct report *r, struct table *t);
struct groups *averages_groups(const struct report *r);
void averages_close(struct report *r);

#endif
