/*
 * spool_pile.h - lines in memory, in piles that are each in order.
 *
 * A line goes on the first pile whose last line it may follow, so the last
 * lines of the piles are in descending order, and of equal lines the ones in
 * earlier piles were added first.  Lines in order need one pile; each way to
 * come late (calls within calls, buffers of streams) needs some more.
 */
#ifndef SPOOL_PILE_H
#define SPOOL_PILE_H

#include "tq/io/sorter.h"

enum { PILES = 512 };

struct spool_key {
	int64_t ts, dur;
};

struct spool_entry {
	struct spool_key key;
	const char *text; /* its block is told before it */
	uint32_t len, tag;
};

struct spool_pile {
	struct spool_entry *entry;
	size_t from, count, cap; /* those before from are gone */
};

struct spool_block;

struct spool_piles {
	struct spool_key last[PILES]; /* of each pile */
	struct spool_pile pile[PILES];
	size_t count;

	struct spool_block *blocks; /* with texts that are needed */
	struct spool_block *block;  /* the one that is being filled, or NULL */
	struct spool_block *spare;
	size_t spares;
	size_t memory; /* bytes that all this takes, but for the spare ones */
	uint64_t lines, bytes; /* that are held, and of these lines */
};

/* a comes before b, where the order of arrival does not decide */
static inline bool
spool_key_before(struct spool_key a, struct spool_key b)
{
	return a.ts < b.ts || (a.ts == b.ts && a.dur > b.dur);
}

/* the pile that a line goes on; piles.count for a new one */
size_t spool_pile_find(const struct spool_piles *p, struct spool_key key);

/* bytes that piles.memory grows by when a line of len is added to pile i */
size_t spool_pile_needs(const struct spool_piles *p, size_t i, size_t len);

/* i as found, and below PILES */
void spool_pile_add(struct spool_piles *p, size_t i, struct spool_key key,
    struct span line, uint32_t tag);

/* The text of an entry is not needed any more. */
void spool_pile_drop(struct spool_piles *p, const struct spool_entry *e);

/* Forget piles that became empty: these are the last ones. */
void spool_pile_trim(struct spool_piles *p);

/*
 * The count entries, which are all those of the n piles from i, in order,
 * take their place.  entry is given away.
 */
void spool_pile_join(struct spool_piles *p, size_t i, size_t n,
    struct spool_entry *entry, size_t count);

/* Forget all lines. */
void spool_pile_clear(struct spool_piles *p);

void spool_pile_free(struct spool_piles *p);

#endif
