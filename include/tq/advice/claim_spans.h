/*
 * claim_spans.h - when threads were in records that rules may claim, and the
 * pieces of time that these cut.
 */
#ifndef TQ_ADVICE_CLAIM_SPANS_H
#define TQ_ADVICE_CLAIM_SPANS_H

#include "tq/account/idle_cause.h"
#include "tq/base/numbered.h"

/* outside of all records of the thread */
#define HOST_NOWHERE UINT32_MAX

enum { CLAIM_SPANS_MANY = 8192, CLAIM_SPANS_MOST = 65536 };

/* What a span is of: an API call has what the OS does in it, and ranges and
   calls have time before the next launch only. */
enum span_sort { SPAN_ANY, SPAN_CALL, SPAN_OS, SPAN_RANGE, SPAN_SORTS };

enum { SPAN_CLAIMS = 64 };

/* of a thread: the claims of mask, a bit each, have it */
struct claim_span {
	int64_t ts, end;
	uint64_t mask;
	uint64_t uncounted; /* see claim_spans_take_uncounted */
	enum span_sort sort;
	uint32_t place; /* of the caller; HOST_NOWHERE hides the others */
	int64_t until; /* set by claim_spans_add: the latest end of the span and
			* of all that were added before it */
};

/* a piece of time */
struct claim_piece {
	int64_t ts, end;
	const uint64_t *mask; /* the claims, by sort */
	uint32_t place; /* of the innermost span that has one; HOST_NOWHERE
			 * while a span of that place lasts; 0: none */
	bool claimed;   /* a span has a place */
};

struct thread_claims {
	struct claim_span *all; /* as they came */
	size_t count, cap;
	size_t kept; /* by the last claim_spans_forget */
};

/* where the spans that a time has change */
struct claim_edge {
	int64_t at;
	const struct claim_span *span;
	bool begins;
};

/* the spans that a time has: how many have each claim */
struct claims_open {
	uint32_t claims[SPAN_SORTS][SPAN_CLAIMS];
	uint64_t mask[SPAN_SORTS];
};

/* {0} is empty */
struct claim_spans {
	NUMBERED(struct thread_claims) threads; /* see names/model.h */
	struct claim_edge *edges;               /* for claim_spans_cut */
	size_t edge_count, edge_cap;
	const struct claim_span **open; /* the innermost last */
	size_t open_count, open_cap;
	int64_t nowhere; /* until then all places are hidden */
	struct claims_open now;
};

/* The sort of a record with that cause. */
enum span_sort claim_spans_sort(enum idle_cause cause);

/*
 * The thread is in a record from ts to end.  Records that end before oldest are
 * not looked up again.  Of more than CLAIM_SPANS_MOST of a thread those that
 * end first, half of them, are forgotten: what encloses others stays.
 */
void claim_spans_add(struct claim_spans *h, uint32_t thread,
    struct claim_span span, int64_t oldest);

/* True if claim_spans_add looks at oldest. */
bool claim_spans_are_full(const struct claim_spans *h, uint32_t thread);

/* True if the thread has many spans, most of them since claim_spans_forget. */
bool claim_spans_are_many(const struct claim_spans *h, uint32_t thread);

/* Forget spans of the thread that end before oldest. */
void claim_spans_forget(struct claim_spans *h, uint32_t thread, int64_t oldest);

/* The rules of all spans of the thread that a time lies in. */
uint64_t claim_spans_at(
    const struct claim_spans *h, uint32_t thread, int64_t ts);

/* The rules of all spans of the thread that end in [from, to]. */
uint64_t claim_spans_ended(
    const struct claim_spans *h, uint32_t thread, int64_t from, int64_t to);

/* The uncounted rules of one span of the thread that ends in [from, to]: they
   are counted then.  0: there is none. */
uint64_t claim_spans_take_uncounted(
    struct claim_spans *h, uint32_t thread, int64_t from, int64_t to);

/* The first span of the thread that begins in [from, to], or NULL. */
const struct claim_span *claim_spans_begun(
    const struct claim_spans *h, uint32_t thread, int64_t from, int64_t to);

/*
 * Cut [from, to) where the claims change, of spans of the thread and of those
 * of any thread of its process: take is called for each piece, in order.
 */
void claim_spans_cut(struct claim_spans *h, uint32_t thread, uint32_t any,
    int64_t from, int64_t to,
    void (*take)(void *arg, const struct claim_piece *piece), void *arg);

/* A new section. */
void claim_spans_reset(struct claim_spans *h);

void claim_spans_free(struct claim_spans *h);

#endif
