/*
 * source.h - the rows of a table, by whichever reader can: the one of
 * btree.h where it is sure of the file, else SQLite.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "btree.h"
#include "database.h"
#include "row_format.h"

/* a table, and what of it is to be read */
struct table_layout {
	const char *table;
	char **columns; /* "rowid" is the number of the row */
	uint32_t root;  /* 0: only SQLite reads it */
	bool has_rowid;
	struct row_layout row;
};

/* the rows with numbers from first to last */
struct rowids {
	int64_t first, last;
};

enum { ROW_SOURCE_AHEAD = 64 };

struct row_source {
	const struct database *db;
	const struct table_layout *layout;
	struct row_formats *formats;
	const struct rowids *ids, *rowids_end; /* the one at hand */

	struct row row; /* the row at hand; only its rowid with SQLite */
	struct sql_value *cells; /* its values */
	bool decoded;            /* they are there */

	struct row_bytes ahead[ROW_SOURCE_AHEAD]; /* rows of the same page */
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
void row_source_layout(struct table_layout *l, const struct database *db,
    const char *table, char **columns, int count);

/*
 * The rows of runs, which ascend; all is borrowed.
 */
void row_source_open(struct row_source *s, const struct database *db,
    const struct table_layout *l, struct row_formats *formats,
    const struct rowids *rowids, size_t count);

/* All rows, in the order of an ORDER BY clause. */
void row_source_open_sorted(struct row_source *s, const struct database *db,
    const struct table_layout *l, const char *order);

/*
 * Read some rows ahead, when all that were are done with; false at the end.
 * Exits where the file is corrupt.
 */
bool row_source_fill(struct row_source *s);

/* Row i of those ahead is the row at hand. */
static inline void
row_source_set(struct row_source *s, unsigned i)
{
	if (s->row.bytes == &s->ahead[i])
		return;
	row_set(&s->row, &s->ahead[i]);
	s->decoded = false;
}

/* The next row; false at the end. */
static inline bool
row_source_next(struct row_source *s)
{
	if (s->at == s->count && !row_source_fill(s))
		return false;
	row_source_set(s, s->at++);
	return true;
}

/* The values of the row at hand, in order of the columns. */
const struct sql_value *row_source_cells(struct row_source *s);

/*
 * The integer in a cell of the row at hand; false where it is not spelt as
 * one, or cell is -1.
 */
static inline bool
row_source_int(struct row_source *s, int cell, int64_t *v)
{
	const struct row_format *format = s->row.bytes->format;
	const struct sql_value *c;

	if (cell < 0)
		return false;
	if (format != NULL) {
		const struct value_ref *at = &format->values[cell];

		if (at->type == SQL_INT)
			*v = row_int(&s->row, at);
		return at->type == SQL_INT;
	}
	c = &row_source_cells(s)[cell];
	*v = c->i;
	return c->type == SQL_INT;
}

void row_source_close(struct row_source *s);

#endif
