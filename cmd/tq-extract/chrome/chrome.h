/*
 * chrome.h - a file in the Chrome trace event format, while it becomes records
 *
 * Events have no order, and facts about the whole file, the origin of time and
 * the process of device records, are known at its end only: records are sorted,
 * see chrome_records.h.
 */
#ifndef CHROME_H
#define CHROME_H

#include "chrome_ids.h"
#include "tq/base/keyed.h"
#include "trace_reader.h"
#include "write/sorted_section.h"

enum {
	CHROME_PHASES = 128, /* a phase is an ASCII character */
	CHROME_NO_PHASE = 0
};

/* the meaning of an event's category */
enum chrome_class {
	CLASS_OTHER,
	CLASS_CPU_OP,
	CLASS_USER_ANNOTATION,
	CLASS_PYTHON,
	CLASS_GPU_ANNOTATION,
	CLASS_OVERHEAD,
	CLASS_INSTANT,
	CLASS_API,
	CLASS_KERNEL,
	CLASS_MEMCPY,
	CLASS_MEMSET,
	CLASS_SYNC,
	CLASS_IMPLIED /* arrows that repeat correlation ids */
};

/* how many events of a phase and category became what */
struct chrome_count {
	int64_t phase, category; /* the latter a number of categories */
	struct event_count n;
};

struct chrome_category {
	enum chrome_class class;
	const char *api;       /* of CLASS_API */
	struct span name, now; /* as it is spelt, and is called today */
};

struct chrome_symbol {
	struct span base; /* JSON, of names */
};

/* members of the outermost object */
struct chrome_top {
	bool kineto; /* a member of Kineto's, or a category of its */
	bool has_base, has_rank;
	int64_t base, rank; /* base: ns of UTC at time 0 */
	struct mesh mesh;   /* coordinates of the rank */
	struct text schema, devices, frames, args;
	struct text messages;     /* severity, NUL, text, NUL, ... */
	int64_t cuda, cupti, hip; /* versions; 0: unknown */
};

/* a call of an NPU's runtime, or the moment of a launch */
struct ascend_moment {
	int64_t tid, ts, end;
	int64_t id; /* of the call, or of the operation's connection */
};

struct ascend_moments {
	struct ascend_moment *all;
	size_t count, cap;
};

struct ascend {
	struct ascend_moments calls, launches;
	struct map call_of; /* connection -> id of the call that launched */
};

struct chrome {
	struct sorted_section section; /* first: see sorted_section.h */
	struct trace_reader reader;

	/* of the current event */
	const struct trace_event *event;
	const struct chrome_category *category;
	struct chrome_count *count;

	struct intern categories;
	struct chrome_category *category_of;
	size_t category_count, category_cap;
	KEYED(struct chrome_count) counts;
	int64_t of_kind[KIND_COUNT]; /* records */
	int64_t ranges;              /* that have an id */
	int64_t unowned;             /* device records without a process */

	struct chrome_ids ids;
	struct chrome_top top;
	struct ascend ascend;
	struct intern symbols;
	struct chrome_symbol *symbol_of;
	size_t symbol_count, symbol_cap;
	struct intern counters, stacks;
	struct region texts;

	struct sorter *pairs;
	struct map callers; /* correlation id -> process, in merged files */
};

/* The current event becomes nothing: its meaning is elsewhere. */
static inline void
chrome_fold(struct chrome *c)
{
	c->count->n.folded++;
}

/* Count the current event as lost. */
static inline void
chrome_lose(struct chrome *c, enum event_loss why)
{
	c->section.counts.losses.of[why]++;
	c->count->n.lost++;
}

/*
 * True if the profiler could not collect the time of the current event, an
 * operation; it is counted as lost then.
 */
static inline bool
chrome_untimed(struct chrome *c, int64_t ts, int64_t dur)
{
	if (ts != 0 || dur != 0)
		return false;
	chrome_lose(c, EVENT_LOST_ZERO_TIME);
	return true;
}

#endif
