/*
 * report_blocks.h - the blocks of a report that are unpacked at present, and
 * the events in them one by one.
 */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include "nsysrep.h"
#include "report_varint.h"

enum {
	BLOCKS_MAX = 64, /* that are kept */
	BLOCKS_BYTES =
	    32 << 20, /* that they have; one larger block is kept alone */
};

struct kept_block {
	size_t number; /* of the block in the report, + 1; 0: none */
	struct text bytes;
	struct span message;
	uint64_t used; /* when, see report_blocks.clock */
};

/* {.report, .limit}: how many blocks are to be kept */
struct report_blocks {
	struct nsysrep *report;
	unsigned limit, count;
	size_t bytes;
	uint64_t clock;
	struct kept_block all[BLOCKS_MAX];
};

/*
 * The message of block i, good until the next call.  False where it cannot be
 * unpacked, with the reason in *why.
 */
bool report_blocks_get(
    struct report_blocks *b, size_t i, struct span *message, const char **why);

void report_blocks_free(struct report_blocks *b);

/* events of a message to come */
struct block_events {
	const unsigned char *p, *end;
};

/* the first two are the fields of a block */
enum block_part { BLOCK_EVENT = 1, BLOCK_GENERIC = 2, BLOCK_END, BLOCK_BROKEN };

/* Not to be called directly. */
enum block_part report_blocks_next_field(
    struct block_events *e, const unsigned char **p, const unsigned char **end);

/*
 * The bytes of the next event, or generic event; REPORT_SLACK bytes behind them
 * may be read.
 */
static inline enum block_part
report_blocks_next(
    struct block_events *e, const unsigned char **p, const unsigned char **end)
{
	const unsigned char *at = e->p;
	uint32_t n;

	/* an event with a length of one or two bytes, as nearly all have */
	if (at < e->end && *at == (BLOCK_EVENT << 3 | 2) &&
	    (at = report_varint_short(at + 1, &n)) != NULL &&
	    e->end - at >= (ptrdiff_t)n) {
		*p = at;
		*end = e->p = at + n;
		return BLOCK_EVENT;
	}
	return report_blocks_next_field(e, p, end);
}

#endif
