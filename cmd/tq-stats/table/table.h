/*
 * table.h - what a report found out: columns and rows.  Cells hold numbers as
 * they are; how they look is the business of a format.
 *
 * Rows are held packed, or are not held at all, but made when they are looked
 * at.
 */
#ifndef TABLE_H
#define TABLE_H

#include "tq/base/intern.h"
#include "tq/base/text.h"
#include "tq/base/time.h"

#include "sums/dist.h"

enum unit {
	UNIT_NONE,
	UNIT_PERCENT,
	UNIT_TIME,       /* ns */
	UNIT_SIZE,       /* bytes */
	UNIT_THROUGHPUT, /* bytes per second */
};

struct column {
	const char *name; /* as nsys names it, without its unit */
	enum unit unit;
	bool left; /* text is aligned so */
};

enum cell_type { CELL_EMPTY, CELL_INT, CELL_REAL, CELL_TEXT };

struct cell {
	enum cell_type type;
	unsigned char decimals; /* of a CELL_REAL in its own unit */
	size_t len;             /* of a CELL_TEXT */
	union {
		int64_t i;
		long double d;
		size_t at; /* in the table's texts */
	};
};

struct table;

/* Add the cells of a row, which is a number from 0. */
typedef void table_make_row(void *state, struct table *t, size_t row);

struct table {
	const char *report; /* its name, and what it is called */
	const char *title;
	struct column *columns;
	size_t column_count, column_cap;
	size_t *starts; /* of the rows in texts, where they are packed */
	size_t row_count, row_cap;
	size_t filled; /* cells of the last of them */
	size_t last;   /* place of the last text, and 1 */
	size_t limit;  /* of rows that are shown; 0: all */
	struct text texts;
	struct intern shared; /* texts that cells share */
	size_t *places;       /* of these texts, by number */
	size_t place_count, place_cap;
	struct cell *cells; /* of the row that is looked at */
	size_t cell_count;
	table_make_row *make; /* or NULL */
	void *state;
	bool heading; /* true while col_heading() makes columns, see col.h */
};

/* Names are borrowed, and have to be static. */
void table_column(struct table *t, const char *name, enum unit unit);
void table_text_column(struct table *t, const char *name);

/* The next cell of the row at hand, row by row, column by column. */
void table_empty(struct table *t);
void table_int(struct table *t, int64_t v);
void table_id(struct table *t, int64_t v); /* NO_ID: an empty one */
void table_real(struct table *t, long double v, unsigned char decimals);
void table_text(struct table *t, struct span s);

/* What part is of all, in percent, with a decimal; empty where all is not > 0
 */
void table_share(struct table *t, dist_wide part, dist_wide all);

/*
 * A text that other cells have too, stored once for all of them.  Returns its
 * place, for table_again().
 */
size_t table_shared_text(struct table *t, struct span s);

/* The place of the text of the last cell, never 0; a cell with that text. */
size_t table_place(const struct table *t);
void table_again(struct table *t, size_t place);

/* Instead of adding rows: these many, made in any order, repeatedly. */
void table_made(
    struct table *t, size_t rows, table_make_row *make, void *state);

static inline size_t
table_rows(const struct table *t)
{
	return t->row_count;
}

/* how many of them are shown, the first ones */
static inline size_t
table_shown(const struct table *t)
{
	size_t rows = table_rows(t);

	return t->limit > 0 && t->limit < rows ? t->limit : rows;
}

/* The cells of a row, which is complete; good until the next. */
const struct cell *table_row(struct table *t, size_t row);

static inline struct span
table_cell_text(const struct table *t, const struct cell *c)
{
	return (struct span){t->texts.p + c->at, c->len};
}

void table_free(struct table *t);

#endif
