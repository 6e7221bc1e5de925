/*
 * report_memo.h - events that repeat: most are like one before them but for
 * their times and their correlation id.
 *
 * Equal parts are compared as bytes, and not decoded again: a memo has their
 * values.
 */
#ifndef REPORT_MEMO_H
#define REPORT_MEMO_H

#include "report_decoder.h"
#include "report_varint.h"

struct report_consumer;

enum {
	MEMO_HEAD = 3,         /* fields in front that differ, at most */
	MEMO_HOLE = MEMO_HEAD, /* a value further behind */
	MEMO_VALUES,
	MEMO_TAIL = 256, /* bytes behind the head, at most */
	MEMO_ROW = SLOT_ROW_TYPES + MEMO_VALUES * 8 + SLOT_ROW_SLACK,
	MEMO_NVTX = 102,    /* the number of a body */
	MEMO_NVTX_END = 10, /* and of its field with the end */
};

/* what differs: the fields of the head, and the one in the hole */
struct memo_shape {
	unsigned char head[MEMO_HEAD]; /* 0: none */
	unsigned char start, end;      /* which of the values are the times */
};

/*
 * In scheduling, device activities and calls these are the times and the
 * correlation id; NVTX events have their type, which is the same, in front, and
 * their end in the hole.
 */
static const struct memo_shape memo_shapes[2] = {
    {{1, 2, 3}, 0, 1}, {{2, 4, 0}, 0, MEMO_HOLE}};

/* the start of an event: type, body, and the values that differ */
struct memo_head {
	uint64_t key;
	uint64_t v[MEMO_VALUES];
	const unsigned char *tail;
	size_t n; /* bytes of the tail */
};

/* decoded values of events with the same key and the same tail */
struct report_memo {
	uint64_t key;       /* 0: it is not made */
	size_t n;           /* bytes of the tail */
	size_t behind_hole; /* of the tail; 0: there is no hole */
	/* of a hole in a message, which has that length; 0: any length */
	size_t hole_bytes;
	enum report_table table;

	/* for the index */
	unsigned passes;    /* consumers whose filter takes them, as bits */
	unsigned char sync; /* enum sync_type of a call */
	bool has_process,
	    has_device;  /* the members below are known, and needed */
	int64_t process; /* a global id */
	int64_t device, context;

	/* for the rows; NULL where they become no records */
	const struct report_consumer *consumer;
	struct row_format *format;

	struct report_memo *next;    /* of the event that followed, as a rule */
	struct report_event example; /* without its bytes */
	unsigned char tail[MEMO_TAIL + 8]; /* which may be read behind it */
};

enum { MEMO_BITS = 12 }; /* of a hash that are used */

/*
 * The first step of a look-up, before the memo: all places are near each other,
 * so that most events without an equal touch no memo.
 */
struct memo_place {
	uint32_t tag;    /* of the hash; 0: there is no memo */
	uint32_t missed; /* the tag of events that it was not of, */
	uint32_t misses; /* and how often they came */
};

/* {0} is empty */
struct report_memos {
	struct report_memo *all; /* by hash, as places */
	struct memo_place *places;
	struct report_memo *last; /* of the last event; never NULL */
	struct row_format **old;  /* of memos that went, and rows may have */
	size_t old_count, old_cap;
};

/* True if the head has value i. */
static inline bool
report_memo_has(const struct memo_head *h, unsigned i)
{
	return h->key >> i & 1;
}

/*
 * Take the start of an event that has the bytes from p to end.  False for
 * events that get no memo: with another body, or a long tail.
 */
__attribute__((always_inline)) static inline bool
report_memo_take(
    struct memo_head *h, const unsigned char *p, const unsigned char *end)
{
	/* field 1 of a byte, and a field from 96 to 111 with a length */
	const uint32_t fixed = 0xff8780ff, usual = 0x06820008;
	const unsigned char *head = memo_shapes[0].head;
	uint32_t start, n;

	memcpy(&start, p, sizeof(start)); /* little-endian: see words.h */
	if ((start & fixed) != usual ||
	    (p = report_varint_short(p + 4, &n)) == NULL ||
	    end - p != (ptrdiff_t)n)
		return false;
	h->key = (uint64_t)start << 8; /* the bits below are of the head */
	if ((start >> 16 & 0xff) == (((MEMO_NVTX << 3 | 2) & 0x7f) | 0x80)) {
		if (*p != (1 << 3) || p[1] >= 0x80)
			return false;
		h->key |= (uint64_t)p[1] << 40;
		head = memo_shapes[1].head;
		p += 2;
	}
#pragma GCC unroll 3
	for (unsigned i = 0; i < MEMO_HEAD; i++) {
		if (*p != head[i] << 3 || head[i] == 0)
			continue;
		if ((p = report_varint(p + 1, &h->v[i])) == NULL || p > end)
			return false;
		h->key |= (uint64_t)1 << i;
	}
	h->tail = p;
	h->n = (size_t)(end - p);
	return h->n >= 8 && h->n <= MEMO_TAIL;
}

static inline uint64_t
memo_word(const unsigned char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/*
 * Of NVTX events: the text, if it is in the event, and the six bytes at the
 * end, which have its number otherwise, and the domain.
 */
static inline uint64_t
memo_hash_nvtx(uint64_t hash, const struct memo_head *h)
{
	enum { COLOR = 6 << 3, TEXT = 7 << 3 | 2 };
	const unsigned char *p = h->tail, *end = p + h->n;
	uint64_t v;

	hash = row_format_hash(hash, memo_word(end - 8) >> 16);
	if (*p == COLOR && (p = report_varint(p + 1, &v)) != NULL)
		hash = row_format_hash(hash, v);
	if (p == NULL || p >= end || *p != TEXT)
		return hash;
	if (p[1] < 0x80 && p[1] <= end - p - 2)
		end = p + 2 + p[1];
	for (; p + 8 <= end; p += 8)
		hash = row_format_hash(hash, memo_word(p));
	return row_format_hash(hash, memo_word(end - 8));
}

/*
 * Of the first and the last word; of kernels, and calls with frames, of the
 * words that have the names: what differs from launch to launch is behind them.
 */
static inline uint64_t
memo_hash(const struct memo_head *h)
{
	const unsigned char *p = h->tail;
	uint64_t hash = row_format_hash(h->key, h->n);

	if (h->key >> 40 != 0)
		return memo_hash_nvtx(hash, h);
	hash = row_format_hash(hash, memo_word(p));
	if (h->n < 40)
		return row_format_hash(hash, memo_word(p + h->n - 8));
	hash = row_format_hash(hash, memo_word(p + 24));
	return row_format_hash(hash, memo_word(p + 32));
}

/* True if n bytes are equal; up to 7 behind them may be read. */
static inline bool
memo_same(const unsigned char *a, const unsigned char *b, size_t n)
{
	uint64_t other = 0;

	if (n > 32)
		return memcmp(a, b, n) == 0;
	for (; n >= 8; a += 8, b += 8, n -= 8)
		other |= memo_word(a) ^ memo_word(b);
	if (n > 0)
		other |= (memo_word(a) ^ memo_word(b)) << (64 - n * 8);
	return other == 0;
}

__attribute__((always_inline)) static inline bool
memo_is_of(const struct report_memo *memo, struct memo_head *h)
{
	const unsigned char *p;
	size_t before = memo->n - memo->behind_hole;

	if (memo->key != h->key || h->n < memo->n ||
	    !memo_same(memo->tail, h->tail, before))
		return false;
	if (memo->behind_hole == 0 || memo->hole_bytes > 0) {
		if (h->n != memo->n + memo->hole_bytes)
			return false;
		if (memo->behind_hole == 0)
			return true;
	}
	p = report_varint(h->tail + before, &h->v[MEMO_HOLE]);
	return p != NULL &&
	       h->tail + h->n - p == (ptrdiff_t)memo->behind_hole &&
	       memo_same(memo->tail + before, p, memo->behind_hole);
}

/* Not to be called directly: the place has another memo, or none. */
struct report_memo *report_memo_miss(
    struct report_memos *m, size_t place, uint32_t tag);

/*
 * The memo of an event, or the one to be made for it; NULL where one is to be
 * made after some more such events.
 */
__attribute__((always_inline)) static inline struct report_memo *
report_memo_find(struct report_memos *m, struct memo_head *h)
{
	struct report_memo *memo = m->last->next;
	uint64_t hash;
	uint32_t tag;
	size_t place;

	if (!memo_is_of(memo, h)) {
		hash = memo_hash(h);
		tag = (uint32_t)hash | 1;
		place = hash >> (64 - MEMO_BITS);
		if (m->places[place].tag != tag)
			place ^= 1; /* it may be in the place beside */
		memo = &m->all[place];
		if (m->places[place].tag != tag || !memo_is_of(memo, h))
			return report_memo_miss(
			    m, hash >> (64 - MEMO_BITS), tag);
		m->last->next = memo;
	}
	m->last = memo;
	return memo;
}

void report_memo_open(struct report_memos *m);

/*
 * Begin the memo of an event: the values behind its tail are not known yet.
 * False where it can have none.
 */
bool report_memo_begin(struct report_memo *memo, const struct memo_head *h,
    const struct report_event *e, enum report_table table);

/*
 * Make the format of the rows of a memo.  row is the row of an event, decoded
 * with d; value rowid of it is its number, -1: none.  A row has only the values
 * of the head: report_memo_row.  False where the event has a field twice.
 */
bool report_memo_format(struct report_memo *memo, const struct memo_head *h,
    const struct report_decoder *d, const unsigned char *row, int rowid);

/*
 * The row of an event that has the memo, at p (MEMO_ROW bytes), of count
 * values.
 */
static inline void
report_memo_row(const struct memo_head *h, unsigned char *p, unsigned count)
{
	p[0] = SLOT_ROW_TYPES;
	p[1] = (unsigned char)count;
	for (int i = 0; i < MEMO_VALUES; i++) {
		uint64_t bits = __builtin_bswap64(h->v[i]);

		memcpy(p + SLOT_ROW_TYPES + i * 8, &bits, sizeof(bits));
	}
}

/* Free the formats of memos that went: no row has them any more. */
void report_memo_release(struct report_memos *m);

/* Forget all; no row has a format of them any more. */
void report_memo_clear(struct report_memos *m);
void report_memo_close(struct report_memos *m);

#endif
