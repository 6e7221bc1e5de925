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

#include "tq/text.h"

enum cell_type { CELL_NULL, CELL_INT, CELL_REAL, CELL_TEXT, CELL_BLOB };

/* a value; text and blobs are good until the next row */
struct cell {
	enum cell_type type;
	union {
		int64_t i;
		double d;
		struct span s;
	};
};

/*
 * The integer that a cell holds, in a column that should hold one: a real is
 * cut, and text that spells an integer counts.  False for anything else.
 */
bool cell_int(const struct cell *c, int64_t *v);

struct btree_file {
	int fd;
	uint32_t page_size, usable, page_count;
};

enum { BTREE_DEPTH = 20, BTREE_COLUMNS = 128 };

/* an interior page on the way to the leaf at hand */
struct btree_level {
	unsigned char *page;
	uint32_t index, cells;
	uint32_t number;
};

struct btree {
	const struct btree_file *file;
	int64_t rowid; /* of the row at hand */
	bool corrupt;

	int64_t last; /* rowid after which the rows end */
	struct btree_level levels[BTREE_DEPTH];
	int depth;
	unsigned char *window; /* pages read ahead, the leaf among them */
	uint32_t window_first, window_pages, window_size;
	const unsigned char *leaf;
	uint32_t leaf_index, leaf_cells, leaf_number;
	uint64_t pages_seen;
	bool started;
	struct text overflow; /* payload that does not fit its page */
};

/*
 * Take the file open at fd; false if it is not one that this reader knows
 * (another encoding, sizes that do not agree).
 */
bool btree_file_open(struct btree_file *f, int fd);

/*
 * The rows of the b-tree at page root with rowids from first to last, in
 * order; window is the number of pages to read ahead at most.  False if root
 * is no page of a table.
 */
bool btree_open(struct btree *b, const struct btree_file *f, uint32_t root,
    int64_t first, int64_t last, uint32_t window);

/*
 * The next row: its columns below count are put into the cells whose index
 * is in slots (-1: not wanted); columns that the row does not have are NULL.
 * False at the end, and where the file is corrupt (then b->corrupt).
 */
bool btree_next(
    struct btree *b, const signed char *slots, int count, struct cell *cells);

void btree_close(struct btree *b);

#endif
