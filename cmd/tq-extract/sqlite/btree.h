/*
 * btree.h - a reader of table b-trees in an SQLite file, for the tables
 * with millions of rows: several times faster than stepping through them.
 *
 * The format is SQLite's ("Database File Format", sections 1 and 2).  It
 * reads a file that nobody writes to, and trusts nothing in it: all page
 * numbers, offsets, lengths and depths are checked.
 */
#ifndef BTREE_H
#define BTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "big_endian.h"
#include "row_format.h"
#include "tq/base/text.h"

struct btree_file {
	int fd;
	uint32_t page_size, usable, page_count;
};

enum {
	BTREE_DEPTH = 20,
	BTREE_SLACK = 128, /* bytes that may be read behind a row */
};

/* the rowids that a page may have, by the keys of the pages above it */
struct btree_bounds {
	int64_t first, last;
};

/* an interior page on the way to the current leaf */
struct btree_level {
	unsigned char *page;
	uint32_t index, cells;
	uint32_t number; /* 0: nothing was read yet */
	struct btree_bounds bounds;
	int64_t last; /* of the bounds of the current child */
};

struct btree {
	const struct btree_file *file;
	int64_t rowid;            /* of the current row */
	const unsigned char *row; /* its bytes, good until the next row */
	uint64_t size;
	bool corrupt;
	int error; /* errno, where that is since the file could not be read */

	uint32_t root;
	uint32_t usable, local; /* bytes of a page, of a row within it */
	bool started;           /* a row was given since the last btree_seek */
	int64_t first;
	struct btree_level levels[BTREE_DEPTH];
	int depth, leaf_depth; /* where leaves are; -1 for not known */
	unsigned char *window; /* pages read ahead, the leaf among them */
	uint32_t window_first, window_pages, window_room;
	const unsigned char *leaf, *leaf_cell; /* its next cell pointer */
	uint32_t leaf_left;                    /* cells to come */
	struct btree_bounds leaf_bounds;
	uint64_t pages_seen;  /* since the last btree_seek */
	struct text overflow; /* payload that does not fit its page */
};

/*
 * Take the file open at fd; false if this reader does not read it (another
 * encoding, sizes that do not agree).
 */
bool btree_file_open(struct btree_file *f, int fd);

/*
 * The rows of the b-tree at page root.  False if that is no page of a table.
 */
bool btree_open(struct btree *b, const struct btree_file *f, uint32_t root);

/*
 * Go to the first row whose rowid is at least first; btree_next gives it.
 * False where the file is corrupt (then b->corrupt).
 */
bool btree_seek(struct btree *b, int64_t first);

/*
 * The next row in b->row.  Rowids ascend.  False at the end, and where the
 * file is corrupt.
 */
bool btree_next(struct btree *b);

/*
 * Rows behind the one of btree_next, up to n, from the same page, up to the
 * first that needs a closer look.  Returns how many; btree_next continues
 * behind them.  They are good until the next call.
 */
static inline unsigned
btree_next_here(struct btree *b, struct row_bytes *rows, unsigned n)
{
	const unsigned char *p, *leaf = b->leaf, *end = leaf + b->usable;
	int64_t size, rowid, before = b->rowid, local = b->local;
	const unsigned char *cell = b->leaf_cell;
	struct row_bytes *r = rows, *last;
	unsigned char more;
	uint32_t offset;

	for (last = r + (n < b->leaf_left ? n : b->leaf_left); r < last; r++) {
		offset = get2(cell);
		if (offset >= b->usable)
			break;
		/* BTREE_SLACK behind it may be read */
		p = short_varint(leaf + offset, &size);
		more = p[-1];
		p = short_varint(p, &rowid);
		if ((more | p[-1]) >= 0x80 || size > local || end - p < size ||
		    rowid <= before)
			break;
		r->p = p;
		r->size = (uint64_t)size;
		r->rowid = before = rowid;
		cell += 2;
	}
	b->leaf_cell = cell;
	n = (unsigned)(r - rows);
	b->leaf_left -= n;
	b->rowid = before;
	return n;
}

void btree_close(struct btree *b);

#endif
