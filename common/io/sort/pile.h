/*
 * pile.h - lines in memory, in piles that are each in order.
 *
 * A line goes on the first pile whose last line it may follow, so the last
 * lines of the piles are in descending order, and of equal lines the ones in
 * earlier piles were added first.  Lines in order need one pile; each way to
 * come late (calls within calls, buffers of streams) needs some more.
 */
#ifndef TQ_IO_SORT_PILE_H
#define TQ_IO_SORT_PILE_H

#include "tq/io/sorter.h"

enum { PILES = 512 };

struct sort_key {
	int64_t ts, dur;
};

struct sort_entry {
	struct sort_key key;
	const char *text; /* its block is added before it */
	uint32_t len, tag;
};

struct pile {
	struct sort_entry *entry;
	size_t from, count, cap; /* those before from are gone */
};

struct sort_block;

struct piles {
	struct sort_key last[PILES]; /* of each pile */
	struct pile pile[PILES];
	size_t count;

	struct sort_block *blocks; /* with texts that are needed */
	struct sort_block *block;  /* the one that is being filled, or NULL */
	struct sort_block *spare;
	size_t spares;
	size_t memory; /* bytes that all this takes, but for the spare ones */
	uint64_t lines, bytes; /* that are held, and of their lines */
};

/* a comes before b, where the order of arrival does not decide */
static inline bool
sort_key_before(struct sort_key a, struct sort_key b)
{
	return a.ts < b.ts || (a.ts == b.ts && a.dur > b.dur);
}

/* the pile that a line goes on; piles.count for a new one */
size_t pile_find(const struct piles *p, struct sort_key key);

/* bytes that piles.memory grows by when a line of len is added to pile i */
size_t pile_needs(const struct piles *p, size_t i, size_t len);

/* i as found, and below PILES */
void pile_add(struct piles *p, size_t i, struct sort_key key, struct span line,
    uint32_t tag);

/* The text of an entry is not needed any more. */
void pile_drop(struct piles *p, const struct sort_entry *e);

/* Forget piles that became empty: these are the last ones. */
void pile_trim(struct piles *p);

/*
 * The count entries, which are all those of the n piles from i, in order,
 * take their place.  entry is given away.
 */
void pile_join(struct piles *p, size_t i, size_t n, struct sort_entry *entry,
    size_t count);

/* Forget all lines. */
void pile_clear(struct piles *p);

void pile_free(struct piles *p);

#endif
