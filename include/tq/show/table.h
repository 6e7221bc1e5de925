/*
 * table.h - the table of a report: columns and rows.  Cells hold numbers; a
 * format makes text of them.
 *
 * Rows are stored packed, or made when they are looked at.
 */
#ifndef TQ_SHOW_TABLE_H
#define TQ_SHOW_TABLE_H

#include "tq/base/intern.h"
#include "tq/base/text.h"
#include "tq/base/time.h"
#include "tq/base/wide.h"

enum unit {
	UNIT_NONE,
	UNIT_PERCENT,
	UNIT_TIME,       /* ns */
	UNIT_SIZE,       /* bytes */
	UNIT_THROUGHPUT, /* bytes per second */
};

struct column {
	const char *name; /* without its unit */
	enum unit unit;
	bool left;     /* text is aligned so */
	size_t least;  /* width on a terminal */
	unsigned twin; /* columns with its key before it, see title_key.h */
};

/* decimals of a number that is shown with 15 significant digits instead, as
 * SQLite shows it: 30.487, 160.0, 1.0e-05; or with 6, for a ratio of ns: 1.5,
 * 160, 1e-05 */
enum { TABLE_SIGNIFICANT = 15, TABLE_SIX_DIGITS };

struct column_doc;

enum table_cell_type { CELL_EMPTY, CELL_INT, CELL_REAL, CELL_TEXT };

struct table_cell {
	enum table_cell_type type;
	unsigned char decimals; /* of a CELL_REAL in its own unit; or
				 * TABLE_SIGNIFICANT or TABLE_SIX_DIGITS, in a
				 * column without */
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
	const char *report; /* its name */
	const char *title;
	const char *kernels; /* the column with names of kernels that a
			      * terminal shortens, or NULL */
	struct column *columns;
	size_t column_count, column_cap;
	size_t *starts; /* of packed rows, in texts */
	size_t row_count, row_cap;
	size_t filled; /* cells of the last row */
	size_t last;   /* place of the last text, + 1 */
	size_t limit;  /* of the rows that are shown; 0: all */
	size_t *order; /* of the rows as they are shown; NULL: as they came */
	struct text texts;
	struct intern shared; /* texts that cells share */
	size_t *places;       /* of these texts, by number */
	size_t place_count, place_cap;
	struct table_cell *cells; /* of the row that table_row returned */
	size_t cell_count;
	table_make_row *make; /* or NULL */
	void *state;
	bool heading;   /* true while col_heading() makes columns, see col.h */
	bool saturated; /* a sum did not fit its cell */
	bool part;      /* of a page: alone it has all rows */
	const char *folded; /* the option for fewer rows, names folded, as
			     * "-r nvtx_sum:folded"; or NULL */

	/* for programs, see json_document.h */
	const struct column_doc *docs; /* of its columns, or NULL */
	const char *base;   /* what its percentages are of, or NULL */
	int64_t base_ns;    /* that, if base is a time; 0: unknown */
	const char *reason; /* why it has no rows, or NULL */
	const char *next;   /* commands that show more, a line each, with the
			     * word FILE for the input; or NULL */
};

/* Names are borrowed, and have to be static. */
void table_column(struct table *t, const char *name, enum unit unit);
void table_text_column(struct table *t, const char *name);

/* The next cell: row by row, column by column. */
void table_empty(struct table *t);
void table_int(struct table *t, int64_t v);
void table_real(struct table *t, long double v, unsigned char decimals);
void table_text(struct table *t, struct span s);

/*
 * A text that other cells have too, stored once for all of them.  Returns its
 * place, for table_again().
 */
size_t table_shared_text(struct table *t, struct span s);

/* The place of the text of the last cell, never 0; a cell with that text. */
size_t table_place(const struct table *t);
void table_again(struct table *t, size_t place);

/* Instead of stored rows: so many, made in any order, repeatedly. */
void table_made(
    struct table *t, size_t rows, table_make_row *make, void *state);

static inline size_t
table_rows(const struct table *t)
{
	return t->row_count;
}

/* The number of rows that are shown, the first ones. */
static inline size_t
table_shown(const struct table *t)
{
	size_t rows = table_rows(t);

	return t->limit > 0 && t->limit < rows ? t->limit : rows;
}

/* The number of rows behind them. */
static inline size_t
table_hidden(const struct table *t)
{
	return table_rows(t) - table_shown(t);
}

/* The cells of a complete row, in order; good until the next call. */
const struct table_cell *table_row(struct table *t, size_t row);

/* Its text; "" if it has none. */
static inline struct span
table_cell_text(const struct table *t, const struct table_cell *c)
{
	return c->type == CELL_TEXT && c->len > 0
		   ? (struct span){t->texts.p + c->at, c->len}
		   : SPAN("");
}

/* Add the columns, or a row, of another table. */
void table_copy_columns(struct table *t, const struct table *from);
void table_copy_row(struct table *t, struct table *from, size_t row);

/* Forget all rows that are stored; the columns stay. */
void table_clear(struct table *t);

/* The value of a cell; false if it is no integer. */
static inline bool
table_cell_int(const struct table_cell *c, int64_t *v)
{
	if (c->type == CELL_INT)
		*v = c->i;
	return c->type == CELL_INT;
}

void table_free(struct table *t);

#endif
