/*
 * page_values.h - levels and values as a page of a Parquet file has them.
 *
 *	levels  = length (4 bytes) hybrid
 *	indexes = bits of an index (a byte) hybrid
 *	hybrid  = { varint of count << 1, value                  a run
 *	          | varint of groups << 1 | 1, groups of eight } packed
 *	deltas  = varints: 128, 4, count, zigzag of the first value; { block }
 *	block   = zigzag varint of the least delta, 4 widths (a byte each), 4
 *	          times 32 deltas less the least one, packed in so many bits
 *
 * What is packed begins with the lowest bit of a byte.
 */
#ifndef TQ_TABLE_PAGE_VALUES_H
#define TQ_TABLE_PAGE_VALUES_H

#include <stdbool.h>

#include "tq/base/text.h"

/* numbers below 2^16, as they mostly are: all the same; {0} has none */
struct page_numbers {
	size_t count;
	bool mixed;
	uint16_t same;    /* unless mixed */
	struct text each; /* where mixed: as 16 bits */
};

/* Not to be called directly. */
void page_values_mix(struct page_numbers *n);

/* Append v, count times. */
static inline void
page_values_add(struct page_numbers *n, uint16_t v, size_t count)
{
	char *p;

	if (n->count == 0 && !n->mixed)
		n->same = v;
	if (!n->mixed && v == n->same) {
		n->count += count;
		return;
	}
	if (!n->mixed)
		page_values_mix(n);
	p = text_reserve(&n->each, count * sizeof(v));
	for (size_t i = 0; i < count; i++)
		memcpy(p + i * sizeof(v), &v, sizeof(v));
	n->each.len += count * sizeof(v);
	n->count += count;
}

/* Number i of them. */
static inline uint16_t
page_values_at(const struct page_numbers *n, size_t i)
{
	uint16_t v = n->same;

	if (n->mixed)
		memcpy(&v, n->each.p + i * sizeof(v), sizeof(v));
	return v;
}

/* Forget all; the memory stays. */
void page_values_clear(struct page_numbers *n);

/* Append to a page: levels below 1 << bits, */
void page_values_levels(
    struct text *page, const struct page_numbers *n, unsigned bits);

/* indexes of a dictionary, */
void page_values_indexes(struct text *page, const struct page_numbers *n);

/* n integers of 64 bits at p, by their differences, */
void page_values_deltas(struct text *page, const char *p, size_t n);

/* and n booleans, a byte each at p, as bits. */
void page_values_bits(struct text *page, const char *p, size_t n);

#endif
