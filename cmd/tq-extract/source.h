/*
 * source.h - the rows of a table, by whichever reader can: the one of
 * btree.h where it is sure of the file, else SQLite.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "btree.h"
#include "database.h"
#include "row.h"

/* a table, and what of it is to be read */
struct layout {
	const char *table;
	char **columns; /* "rowid" is the number of the row */
	uint32_t root;  /* 0: only SQLite reads it */
	bool has_rowid;
	struct row_layout row;
};

/* the rows with numbers from first to last */
struct run {
	int64_t first, last;
};

enum { SOURCE_ROWS = 64 };

struct source {
	const struct database *db;
	const struct layout *layout;
	struct row_shapes *shapes;
	const struct run *run, *runs_end; /* the one at hand */

	struct row row;     /* the row at hand; only its rowid with SQLite */
	struct cell *cells; /* its values */
	bool decoded;       /* they are there */

	struct row_bytes ahead[SOURCE_ROWS]; /* rows of the same page */
	unsigned at, count;
	bool far; /* the run at hand is to be looked for */
	bool ended;

	bool sqlite;
	struct btree btree;
	sqlite3_stmt *st;
};

/*
 * Find out how a table can be read.  columns are borrowed; all are columns
 * of the table, or "rowid".
 */
void layout_init(struct layout *l, const struct database *db, const char *table,
    char **columns, int count);

/*
 * The rows of runs, which ascend; all is borrowed.
 */
void source_open(struct source *s, const struct database *db,
    const struct layout *l, struct row_shapes *shapes, const struct run *runs,
    size_t count);

/* All rows, in the order of an ORDER BY clause. */
void source_open_sorted(struct source *s, const struct database *db,
    const struct layout *l, const char *order);

/*
 * Read some rows ahead, when all that were are done with; false at the end.
 * Exits where the file is corrupt.
 */
bool source_fill(struct source *s);

/* Row i of those ahead is the row at hand. */
static inline void
source_set(struct source *s, unsigned i)
{
	if (s->row.bytes == &s->ahead[i])
		return;
	row_set(&s->row, &s->ahead[i]);
	s->decoded = false;
}

/* The next row; false at the end. */
static inline bool
source_next(struct source *s)
{
	if (s->at == s->count && !source_fill(s))
		return false;
	source_set(s, s->at++);
	return true;
}

/* The values of the row at hand, in order of the columns. */
const struct cell *source_cells(struct source *s);

/*
 * The integer in a cell of the row at hand; false where it is not spelt as
 * one, or cell is -1.
 */
static inline bool
source_int(struct source *s, int cell, int64_t *v)
{
	const struct shape *shape = s->row.bytes->shape;
	const struct cell *c;

	if (cell < 0)
		return false;
	if (shape != NULL) {
		const struct place *at = &shape->places[cell];

		if (at->type == CELL_INT)
			*v = row_int(&s->row, at);
		return at->type == CELL_INT;
	}
	c = &source_cells(s)[cell];
	*v = c->i;
	return c->type == CELL_INT;
}

void source_close(struct source *s);

#endif
