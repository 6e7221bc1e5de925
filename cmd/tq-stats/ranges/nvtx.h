/*
 * nvtx.h - ranges of a section, and what encloses what.
 *
 * The reports that need more than sums hold all ranges of a section, about
 * 100 bytes each, since a range tells its end before its children are known.
 */
#ifndef NVTX_H
#define NVTX_H

#include "tq/base/map.h"
#include "tq/base/time.h"

#include "report.h"

/* numbers by the hash of what they stand for */
struct nvtx_slots {
	struct nvtx_slot {
		uint32_t hash, number; /* number: and 1; 0 is none */
	} * all;
	size_t size; /* 0 or a power of two */
};

/* texts by number, from 0, about 25 bytes each and their stems; {0} has none */
struct nvtx_names {
	struct nvtx_slots stem_slots, slots;
	struct nvtx_stem {
		size_t at, len; /* in texts */
		unsigned char tag;
	} * stems;
	size_t stem_count, stem_cap;
	struct nvtx_numbered {
		uint32_t stem, low, high; /* words of a number */
	} * all;
	size_t count, cap;
	struct text texts, *scratch;
};

uint32_t nvtx_name(struct nvtx_names *names, struct span s);

/*
 * The same in two steps, between which memory is fetched: the next call is for
 * the key.  A text is another one with another tag.
 */
struct nvtx_key {
	struct nvtx_numbered name;
	uint64_t hash;
};

struct nvtx_key nvtx_name_key(
    struct nvtx_names *names, struct span s, unsigned char tag);
uint32_t nvtx_name_number(struct nvtx_names *names, const struct nvtx_key *key);

/* Good until the next nvtx_name or nvtx_name_text of these names. */
struct span nvtx_name_text(const struct nvtx_names *names, uint32_t name);

unsigned char nvtx_name_tag(const struct nvtx_names *names, uint32_t name);

/* In order of the texts, as span_cmp has it; of the tags where they are equal.
 */
int nvtx_name_cmp(const struct nvtx_names *names, uint32_t a, uint32_t b);

void nvtx_names_free(struct nvtx_names *names);

enum nvtx_style { NVTX_PUSH, NVTX_START, NVTX_NONE };

/* PushPop, StartEnd, nothing */
struct span nvtx_style_text(enum nvtx_style style);

/* The style of the range at hand. */
enum nvtx_style nvtx_style(const struct event *ev);

/*
 * The name of the range or gpu-range at hand, as the reports print it, at the
 * end of *t, which is emptied before.  False: for nsys it is NULL.
 */
bool nvtx_event_name(
    struct text *t, const struct ask *ask, const struct event *ev);

/* from start to end, 64 bits at most */
int64_t nvtx_duration(int64_t from, int64_t to);

/* a word for each id of a range, 0 at first; {0} has none */
struct nvtx_ids {
	struct map pages;
	uint64_t *words, last;
	size_t count, cap, last_page;
};

/* Good until the next. */
uint64_t *nvtx_ids_get(struct nvtx_ids *ids, int64_t id);

void nvtx_ids_free(struct nvtx_ids *ids);

/* how far the section at hand has come; {0} is none, and at 0 */
struct nvtx_time {
	int64_t ranges; /* the last start or end of a range */
	int64_t all;    /* of anything that was seen, the trace included */
	bool any, any_range;
};

/* Where the record at hand is, or ends. */
void nvtx_time_see(struct nvtx_time *t, const struct event *ev);

/* Where a range ends that was never closed. */
int64_t nvtx_time_end(const struct nvtx_time *t, const struct ask *ask);

struct nvtx_range {
	int64_t ts, end, pid, tid, id;
	uint32_t name, domain, order; /* order: in the stream */
	uint32_t parent;              /* index + 1, or 0 */
	uint32_t children;            /* for the reports, as the next */
	int32_t depth;                /* -1: nsys lost it */
	int64_t inside;
	unsigned char style;
	bool named, open, elsewhere; /* elsewhere: another thread ended it */
};

struct nvtx_ranges {
	struct nvtx_range *all;
	size_t count, cap;
	struct nvtx_names names; /* of all sections */
	struct nvtx_time time;
	struct text scratch;
	bool parents; /* are asked for */
};

/* Keep the range at hand. */
struct nvtx_range *nvtx_ranges_add(
    struct nvtx_ranges *rs, const struct ask *ask, const struct event *ev);

/*
 * The section is over: ranges get their ends, are sorted by process, thread
 * and start, and where rs->parents is set learn of parents and depths (and are
 * sorted by domain before start).  A parent is of the same thread and domain
 * and encloses the range most closely.  What was never closed or ended on
 * another thread has none, and is none.
 *
 * With ask->compat as nsys has it: of any domain; equal ranges, and all below
 * them, are lost; and what was never closed is like any other.
 */
void nvtx_ranges_finish(struct nvtx_ranges *rs, const struct ask *ask);

/* RangeStack: ids of ranges; {0} is an empty one */
struct nvtx_stack {
	int64_t *ids;
	size_t count, cap;
	struct text text;
};

/* From the innermost to the outermost. */
void nvtx_stack_add(struct nvtx_stack *s, int64_t id);

/* As :1:2:3, the outermost first; good until the next.  It is empty then. */
struct span nvtx_stack_text(struct nvtx_stack *s);

/* That of a range which has a depth. */
struct span nvtx_ranges_stack(const struct nvtx_ranges *rs,
    const struct nvtx_range *r, struct nvtx_stack *s);

void nvtx_stack_free(struct nvtx_stack *s);

/* A new section: keep the names. */
void nvtx_ranges_reset(struct nvtx_ranges *rs);

void nvtx_ranges_free(struct nvtx_ranges *rs);

/* t becomes what rows is, which is empty then. */
void nvtx_table_take(struct table *t, struct table *rows);

/* an operation and the call that launched it */
struct nvtx_op {
	int64_t pid, tid, api_ts, api_end, corr; /* of the call */
	int64_t ts, end;                         /* of the operation */
	uint32_t kernel;                         /* its name */
	bool used;                               /* the call is in a range */
};

/* {0} has none */
struct nvtx_ops {
	struct nvtx_op *all;
	size_t count, cap;
};

/* Keep the operation at hand; NULL where it has no call. */
struct nvtx_op *nvtx_ops_add(struct nvtx_ops *ops, const struct event *ev);

/* By process, thread, start and end of the call, and corr. */
void nvtx_ops_sort(struct nvtx_ops *ops);

/*
 * The first operation, from i on, of the thread of r whose call does not start
 * before r, or of a thread behind it; ranges are asked for in order.
 */
size_t nvtx_ops_from(
    const struct nvtx_ops *ops, size_t i, const struct nvtx_range *r);

/* Does the call at i start within r? */
bool nvtx_ops_in(
    const struct nvtx_ops *ops, size_t i, const struct nvtx_range *r);

void nvtx_ops_free(struct nvtx_ops *ops);

#endif
