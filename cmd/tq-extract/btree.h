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

#include "bytes.h"
#include "tq/text.h"

struct btree_file {
	int fd;
	uint32_t page_size, usable, page_count;
};

enum {
	BTREE_DEPTH = 20,
	BTREE_SLACK = 128, /* bytes that may be read behind a row */
};

/* an interior page on the way to the leaf at hand */
struct btree_level {
	unsigned char *page;
	uint32_t index, cells;
	uint32_t number; /* 0: nothing was read yet */
};

struct btree {
	const struct btree_file *file;
	int64_t rowid;            /* of the row at hand */
	const unsigned char *row; /* its bytes, good until the next row */
	uint64_t size;
	bool corrupt;

	uint32_t root;
	uint32_t usable, local; /* bytes of a page, of a row within it */
	bool started;           /* a row was given since the last btree_seek */
	int64_t first;
	struct btree_level levels[BTREE_DEPTH];
	int depth;
	unsigned char *window; /* pages read ahead, the leaf among them */
	uint32_t window_first, window_pages, window_room;
	const unsigned char *leaf, *leaf_cell; /* its next cell pointer */
	uint32_t leaf_left;                    /* cells to come */
	uint64_t pages_seen;                   /* since the last btree_seek */
	struct text overflow; /* payload that does not fit its page */
};

/*
 * Take the file open at fd; false if it is not one that this reader knows
 * (another encoding, sizes that do not agree).
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
 * The same where the row is in the page at hand, and nothing is odd about it;
 * false with nothing done where btree_next must see to it.
 */
static inline bool
btree_next_here(struct btree *b)
{
	const unsigned char *p, *end = b->leaf + b->usable;
	unsigned char more;
	uint32_t offset;
	int64_t size, rowid;

	if (b->leaf_left == 0)
		return false;
	offset = get2(b->leaf_cell);
	if (offset >= b->usable)
		return false;
	p = b->leaf + offset; /* and BTREE_SLACK behind it may be read */
	p = short_varint(p, &size);
	more = p[-1];
	p = short_varint(p, &rowid);
	if ((more | p[-1]) >= 0x80 || size > b->local || end - p < size ||
	    rowid <= b->rowid || !b->started)
		return false;
	b->leaf_cell += 2;
	b->leaf_left--;
	b->row = p;
	b->size = (uint64_t)size;
	b->rowid = rowid;
	return true;
}

void btree_close(struct btree *b);

#endif
