/*
 * host_spans.h - when threads were in which records, and the pieces of idle
 * time that these cut.
 */
#ifndef TQ_ACCOUNT_HOST_SPANS_H
#define TQ_ACCOUNT_HOST_SPANS_H

#include "tq/account/idle_cause.h"
#include "tq/base/numbered.h"

/* outside of all records of the thread */
#define HOST_NOWHERE UINT32_MAX

enum { HOST_SPANS_MANY = 8192 };

/* of a thread: the claims of mask, a bit each, have it */
struct host_span {
	int64_t ts, end;
	uint64_t mask;
	enum idle_cause cause; /* of a piece: the last one of its spans */
	uint32_t place;        /* of the caller; of a piece: of the innermost
				* span that has one, with claims if any has;
				* HOST_NOWHERE hides them, also in a piece */
	bool claimed;          /* of a piece: its place has claims */
	bool dry;              /* of the caller */
	int64_t until; /* set by host_spans_add: the latest end of the span and
			* of all that were added before it */
};

struct thread_spans {
	struct host_span *all; /* as they came */
	size_t count, cap;
	size_t kept; /* by the last host_spans_forget */
};

/* where the spans that a time has change */
struct span_edge {
	int64_t at;
	const struct host_span *span;
	bool begins;
};

/* Of which spans a piece has the claims: an API call has what the OS does in
   it, and ranges and calls have time before the next launch only. */
enum span_sort { SPAN_ANY, SPAN_CALL, SPAN_OS, SPAN_RANGE, SPAN_SORTS };

enum { SPAN_CLAIMS = 64 };

/* the spans that a time has: how many have each claim and cause */
struct spans_open {
	uint32_t claims[SPAN_SORTS][SPAN_CLAIMS];
	uint64_t mask[SPAN_SORTS];
	uint32_t causes[IDLE_CAUSES];
	uint32_t cause_mask;
};

/* {0} is empty */
struct host_spans {
	NUMBERED(struct thread_spans) threads; /* see names/model.h */
	struct span_edge *edges;               /* for host_spans_cut */
	size_t edge_count, edge_cap;
	const struct host_span **open; /* the innermost last */
	size_t open_count, open_cap;
	int64_t nowhere; /* until then all places are hidden */
	struct spans_open now;
};

/*
 * The thread is in a record from ts to end.  Records that end before oldest are
 * not looked up again.  Of a gap with 65536 records or more of the thread, some
 * without claims are forgotten: memory does not grow with them.
 */
void host_spans_add(struct host_spans *h, uint32_t thread,
    struct host_span span, int64_t oldest);

/* True if host_spans_add looks at oldest. */
bool host_spans_are_full(const struct host_spans *h, uint32_t thread);

/* True if the thread has many spans, most of them since host_spans_forget. */
bool host_spans_are_many(const struct host_spans *h, uint32_t thread);

/* Forget spans of the thread that end before oldest. */
void host_spans_forget(struct host_spans *h, uint32_t thread, int64_t oldest);

/* The rules of all spans of the thread that a time lies in. */
uint64_t host_spans_at(const struct host_spans *h, uint32_t thread, int64_t ts);

/* The rules of all spans of the thread that end in [from, to]. */
uint64_t host_spans_ended(
    const struct host_spans *h, uint32_t thread, int64_t from, int64_t to);

/* The first span of the thread that begins in [from, to], or NULL. */
const struct host_span *host_spans_begun(
    const struct host_spans *h, uint32_t thread, int64_t from, int64_t to);

/*
 * Cut idle time where the claims or the cause change, of spans of the thread
 * and of those of any thread of its process: take is called for each piece, in
 * order.  The cause of the whole is host where its thread decides, else what it
 * is.  since: the gap begins; ranges that began before are no cause.
 */
void host_spans_cut(struct host_spans *h, uint32_t thread, uint32_t any,
    struct host_span whole, int64_t since,
    void (*take)(void *arg, struct host_span piece), void *arg);

/* A new section. */
void host_spans_reset(struct host_spans *h);

void host_spans_free(struct host_spans *h);

#endif
