/*
 * row_source.h - the rows of a table, read by btree.h where it can read the
 * file, else by SQLite; or rows that come from elsewhere.
 */
#ifndef ROW_SOURCE_H
#define ROW_SOURCE_H

#include "btree.h"
#include "database.h"
#include "row_format.h"

/* a table, and the columns that are read */
struct table_layout {
	const char *table;
	char **columns; /* "rowid" is the number of the row */
	uint32_t root;  /* 0: only SQLite reads it */
	bool has_rowid; /* if not, rows are numbered in their order */
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
	const struct rowids *current, *end; /* of the intervals to read */

	struct row row;           /* the current one; with SQLite its rowid */
	struct sql_value *values; /* of the current row, if decoded */
	bool decoded;

	struct row_bytes ahead[ROW_SOURCE_AHEAD]; /* rows of one page */
	unsigned at, count;
	bool far; /* seek the current interval, it begins far behind */
	bool ended;

	bool sqlite;
	bool query; /* st has no rowid in front of the columns */
	struct btree btree;
	sqlite3_stmt *st;

	const struct row_feed *feed; /* NULL for a table */
	void *fed_by;
};

/* where rows of slots (slot_row.h) come from */
struct row_feed {
	/*
	 * Put the next rows into s->ahead, and set at and count; false at the
	 * end.  Their bytes are good until the next call.
	 */
	bool (*fill)(struct row_source *s, void *fed_by);
	void (*close)(void *fed_by);
};

/*
 * Find out how a table can be read.  columns are borrowed; all are columns
 * of the table, or "rowid".
 */
void row_source_layout(struct table_layout *l, const struct database *db,
    const char *table, char **columns, int count);

/*
 * The rows of ascending intervals; NULL stands for all rows.  All arguments
 * are borrowed.
 */
void row_source_open(struct row_source *s, const struct database *db,
    const struct table_layout *l, struct row_formats *formats,
    const struct rowids *intervals, size_t count);

/* All rows, in the order of an ORDER BY clause; column 1 is the rowid. */
void row_source_open_sorted(struct row_source *s, const struct database *db,
    const struct table_layout *l, const char *order);

/*
 * The rows of a query, which has l->row.count columns, and whose end finalizes
 * it.
 */
void row_source_open_query(struct row_source *s, const struct database *db,
    const struct table_layout *l, sqlite3_stmt *st);

/* Rows with up to count values that a feed gives. */
void row_source_open_feed(
    struct row_source *s, const struct row_feed *feed, void *fed_by, int count);

/*
 * Read the next rows into ahead, over the last ones; false at the end.
 * Exits where the file is corrupt.
 */
bool row_source_fill(struct row_source *s);

/* Make row i ahead the current one. */
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

/*
 * Make the first row with this number or a later one the current row; false
 * where there is none.  Of a source of all rows, whose table has numbers.  It
 * costs least where numbers ascend; row_source_next continues behind the row.
 */
bool row_source_seek(struct row_source *s, int64_t rowid);

/* The same for the row with this number alone. */
static inline bool
row_source_find(struct row_source *s, int64_t rowid)
{
	return row_source_seek(s, rowid) && s->row.bytes->rowid == rowid;
}

/* The values of the current row, in order of the columns. */
const struct sql_value *row_source_values(struct row_source *s);

/*
 * The integer at index i of the values of the current row; false where it is
 * of another type, or i is -1.
 */
static inline bool
row_source_int(struct row_source *s, int i, int64_t *v)
{
	const struct row_format *format = s->row.bytes->format;
	const struct sql_value *value;

	if (i < 0)
		return false;
	if (format != NULL) {
		const struct value_ref *at = &format->values[i];

		if (at->type == SQL_INT)
			*v = row_int(&s->row, at);
		return at->type == SQL_INT;
	}
	value = &row_source_values(s)[i];
	*v = value->i;
	return value->type == SQL_INT;
}

/* The same for row i ahead. */
static inline bool
row_source_int_ahead(struct row_source *s, unsigned i, int value, int64_t *v)
{
	const struct row_bytes *r = &s->ahead[i];

	if (r->format != NULL) {
		const struct value_ref *at = &r->format->values[value];

		if (at->type == SQL_INT && at->base == BASE_ROW) {
			*v = row_early_int(r, at);
			return true;
		}
	}
	row_source_set(s, i);
	return row_source_int(s, value, v);
}

void row_source_close(struct row_source *s);

#endif
