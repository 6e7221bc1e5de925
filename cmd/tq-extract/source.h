/*
 * source.h - the rows of a table, by whichever reader can: the one of
 * btree.h where it is sure of the file, else SQLite.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "btree.h"
#include "database.h"

/* a table, and what of it is to be read */
struct layout {
	const char *table;
	char **columns; /* "rowid" is the number of the row */
	int count;

	uint32_t root;                    /* 0: only SQLite reads it */
	signed char slots[BTREE_COLUMNS]; /* column -> cell, or -1 */
	int width;                        /* columns up to the last wanted */
	int alias, rowid;                 /* cells that hold the rowid, or -1 */
	bool has_rowid;
};

/* rows from first to last, or all of them in an order that SQL tells */
struct source {
	const struct database *db;
	const struct layout *layout;
	struct cell *cells; /* of the row at hand, in order of the columns */
	int64_t rowid;
	bool sqlite;
	union {
		struct btree btree;
		sqlite3_stmt *st;
	};
};

/*
 * Find out how a table can be read.  columns are borrowed; all are columns
 * of the table, or "rowid".
 */
void layout_init(struct layout *l, const struct database *db, const char *table,
    char **columns, int count);

/*
 * order, when not NULL, is an ORDER BY clause; then first and last do not
 * count.  window is the number of pages to read ahead.
 */
void source_open(struct source *s, const struct database *db,
    const struct layout *l, int64_t first, int64_t last, const char *order,
    uint32_t window);

/* The next row; false at the end.  Exits where the file is corrupt. */
bool source_next(struct source *s);

void source_close(struct source *s);

#endif
