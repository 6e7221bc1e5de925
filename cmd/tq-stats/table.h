/*
 * table.h - what a report found out: columns and rows.  Cells hold numbers as
 * they are; how they look is the business of a format.
 */
#ifndef TABLE_H
#define TABLE_H

#include "tq/text.h"
#include "tq/times.h"

#include "dist.h"

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

struct table {
	const char *report; /* its name, and what it is called */
	const char *title;
	struct column *columns;
	size_t column_count, column_cap;
	struct cell *cells; /* row by row */
	size_t cell_count, cell_cap;
	size_t limit; /* of rows that are shown; 0: all */
	struct text texts;
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

static inline size_t
table_rows(const struct table *t)
{
	return t->column_count > 0 ? t->cell_count / t->column_count : 0;
}

/* how many of them are shown, the first ones */
static inline size_t
table_shown(const struct table *t)
{
	size_t rows = table_rows(t);

	return t->limit > 0 && t->limit < rows ? t->limit : rows;
}

static inline const struct cell *
table_row(const struct table *t, size_t row)
{
	return &t->cells[row * t->column_count];
}

static inline struct span
table_cell_text(const struct table *t, const struct cell *c)
{
	return (struct span){t->texts.p + c->at, c->len};
}

void table_free(struct table *t);

#endif
