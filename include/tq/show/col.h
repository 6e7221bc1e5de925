/*
 * col.h - a row of a table, column by column: each call gives the name and the
 * unit of a column, and its cell.
 *
 * One function makes the row of a table.  Called by col_heading() with zeros it
 * makes the columns, called for each row afterwards it makes the cells:
 *
 *	static void
 *	queue_row(struct table *t, const struct queue *q)
 *	{
 *		col_id(t, "PID", q->pid);
 *		col_int(t, "Span", UNIT_TIME, q->span);
 *	}
 *
 *	col_heading(t, queue_row, &(struct queue){0});
 *	for (size_t i = 0; i < count; i++)
 *		queue_row(t, &queues[i]);
 *
 * A row function makes the same columns whatever the row: a value that is
 * absent is an empty cell.  Names are borrowed, and have to be static.
 */
#ifndef TQ_SHOW_COL_H
#define TQ_SHOW_COL_H

#include "tq/show/table.h"

/* Call row(t, ...) to make columns instead of cells. */
#define col_heading(t, row, ...) \
	((t)->heading = true, (row)((t), __VA_ARGS__), \
	    (void)((t)->heading = false))

/* row(t, ...), and before the first the columns. */
#define col_row(t, row, ...) \
	((t)->column_count == 0 ? col_heading(t, row, __VA_ARGS__) : (void)0, \
	    (row)((t), __VA_ARGS__))

static inline void
col_int(struct table *t, const char *name, enum unit unit, int64_t v)
{
	if (t->heading)
		table_column(t, name, unit);
	else
		table_int(t, v);
}

/* v, or an empty cell if has is false */
static inline void
col_int_if(
    struct table *t, const char *name, enum unit unit, bool has, int64_t v)
{
	if (t->heading)
		table_column(t, name, unit);
	else if (has)
		table_int(t, v);
	else
		table_empty(t);
}

/* A sum, which saturates at the limits of 64 bits and sets t->saturated then.
 */
void col_sum(struct table *t, const char *name, enum unit unit, wide v);

/* v, or an empty cell if has is false */
void col_sum_if(
    struct table *t, const char *name, enum unit unit, bool has, wide v);

/* An id, or an empty cell for NO_ID. */
static inline void
col_id(struct table *t, const char *name, int64_t id)
{
	col_int_if(t, name, UNIT_NONE, id != NO_ID, id);
}

/* A column of numbers that are texts already: +3.22 % */
static inline void
col_digits(struct table *t, const char *name, struct span s)
{
	if (t->heading)
		table_column(t, name, UNIT_NONE);
	else
		table_text(t, s);
}

/* A column whose texts are aligned at the left. */
static inline void
col_text(struct table *t, const char *name, struct span s)
{
	if (t->heading)
		table_text_column(t, name);
	else
		table_text(t, s);
}

/*
 * The same, for a text that many rows have: it is stored once.  Rows that are
 * made when they are looked at cannot have such a column.
 */
static inline void
col_shared_text(struct table *t, const char *name, struct span s)
{
	if (t->heading)
		table_text_column(t, name);
	else
		table_shared_text(t, s);
}

/* s, or an empty cell if has is false */
static inline void
col_text_if(struct table *t, const char *name, bool has, struct span s)
{
	if (t->heading)
		table_text_column(t, name);
	else if (has)
		table_text(t, s);
	else
		table_empty(t);
}

/* v with so many decimals in the unit of the column */
void col_real(struct table *t, const char *name, enum unit unit, long double v,
    unsigned char decimals);

/* v, or an empty cell if has is false */
void col_real_if(struct table *t, const char *name, enum unit unit, bool has,
    long double v, unsigned char decimals);

/* v with 6 significant digits, or an empty cell if has is false */
void col_six_digits_if(struct table *t, const char *name, bool has, double v);

/* v with 15 significant digits, or an empty cell if has is false */
void col_significant_if(struct table *t, const char *name, bool has, double v);

/* The quotient part / all, or an empty cell if all <= 0. */
void col_ratio(struct table *t, const char *name, enum unit unit, wide part,
    wide all, unsigned char decimals);

/* 100 * part / all percent with one decimal, or an empty cell if all <= 0. */
void col_share(struct table *t, const char *name, wide part, wide all);

/* Bytes per second, or an empty cell if ns <= 0. */
void col_rate(struct table *t, const char *name, wide bytes, int64_t ns);

#endif
