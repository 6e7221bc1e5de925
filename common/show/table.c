/*
 * table.c - the table of a report
 *
 * A packed cell is a byte, the type and above it a number n, and then:
 *
 *	integer	n bytes, low ones first; the lowest bit is the sign
 *	real	its value; n decimals
 *	text	n bytes of its length, and the text
 *	AGAIN	n bytes of the place of a text
 */

#include <float.h>
#include <stdlib.h>

#include "tq/base/array.h"

#include "tq/show/table.h"

enum {
	AGAIN = CELL_TEXT + 1,
	TYPE_BITS = 3,
	PADDING = 8, /* bytes behind the last cell that may be read */
	/* of a long double; of 80 bits in 16 bytes the rest is garbage */
	REAL_BYTES = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double)
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "the low bytes of a number come first");

static void
add_column(struct table *t, const struct column *c)
{
	*array_add(&t->columns, &t->column_count, &t->column_cap) = *c;
	t->cells = mem_resize(t->cells, t->column_cap, sizeof(*t->cells));
}

void
table_column(struct table *t, const char *name, enum unit unit)
{
	add_column(t, &(struct column){.name = name, .unit = unit});
}

void
table_text_column(struct table *t, const char *name)
{
	add_column(t, &(struct column){.name = name, .left = true});
}

/* ---- packed cells ---- */

/* A cell comes: store where its row begins. */
static void
begin_cell(struct table *t)
{
	if (t->filled == t->column_count)
		t->filled = 0;
	if (t->filled++ > 0)
		return;
	*array_add(&t->starts, &t->row_count, &t->row_cap) = t->texts.len;
}

static void
pack_number(struct table *t, unsigned type, uint64_t v)
{
	unsigned n = v == 0 ? 0 : 8 - (unsigned)__builtin_clzll(v) / 8;
	char *p = text_reserve(&t->texts, 1 + PADDING);

	*p = (char)(type | n << TYPE_BITS);
	memcpy(p + 1, &v, sizeof(v));
	t->texts.len += 1 + n;
}

static uint64_t
unpack_number(const char *p, unsigned n)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return n == 0 ? 0 : v << (64 - 8 * n) >> (64 - 8 * n);
}

/* the text of the cell at p */
static void
unpack_text(const struct table *t, const char *p, struct table_cell *c)
{
	unsigned n = (unsigned char)*p >> TYPE_BITS;

	c->type = CELL_TEXT;
	c->len = unpack_number(p + 1, n);
	c->at = (size_t)(p - t->texts.p) + 1 + n;
}

/* Returns the next cell. */
static const char *
unpack(const struct table *t, const char *p, struct table_cell *c)
{
	unsigned n = (unsigned char)*p >> TYPE_BITS;
	unsigned type = (unsigned char)*p & ((1 << TYPE_BITS) - 1);
	uint64_t v;

	c->type = (enum table_cell_type)type;
	switch (type) {
	case CELL_INT:
		v = unpack_number(p + 1, n);
		c->i = (int64_t)(v >> 1 ^ (0 - (v & 1)));
		break;
	case CELL_REAL:
		c->decimals = (unsigned char)n;
		c->d = 0;
		memcpy(&c->d, p + 1, REAL_BYTES);
		return p + 1 + REAL_BYTES;
	case CELL_TEXT:
		unpack_text(t, p, c);
		return p + 1 + n + c->len;
	case AGAIN:
		unpack_text(t, t->texts.p + unpack_number(p + 1, n) - 1, c);
		break;
	default:
		break;
	}
	return p + 1 + n;
}

/* ---- cells ---- */

/* the next cell of a row that is made */
static struct table_cell *
made_cell(struct table *t, enum table_cell_type type)
{
	struct table_cell *c = &t->cells[t->cell_count++];

	c->type = type;
	return c;
}

void
table_empty(struct table *t)
{
	if (t->make != NULL) {
		made_cell(t, CELL_EMPTY);
		return;
	}
	begin_cell(t);
	text_add_char(&t->texts, CELL_EMPTY);
}

void
table_int(struct table *t, int64_t v)
{
	if (t->make != NULL) {
		made_cell(t, CELL_INT)->i = v;
		return;
	}
	begin_cell(t);
	pack_number(t, CELL_INT, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void
table_real(struct table *t, long double v, unsigned char decimals)
{
	if (t->make != NULL) {
		struct table_cell *c = made_cell(t, CELL_REAL);

		c->d = v;
		c->decimals = decimals;
		return;
	}
	begin_cell(t);
	text_add_char(&t->texts, (char)(CELL_REAL | decimals << TYPE_BITS));
	text_add(&t->texts, (const char *)&v, REAL_BYTES);
}

void
table_text(struct table *t, struct span s)
{
	if (t->make != NULL) {
		struct table_cell *c = made_cell(t, CELL_TEXT);

		c->at = t->texts.len;
		c->len = s.len;
	} else {
		begin_cell(t);
		t->last = t->texts.len + 1;
		pack_number(t, CELL_TEXT, s.len);
	}
	text_add_span(&t->texts, s);
}

size_t
table_shared_text(struct table *t, struct span s)
{
	uint32_t n = intern_get(&t->shared, s);

	if (n < t->place_count) {
		table_again(t, t->places[n]);
		return t->places[n];
	}
	table_text(t, s);
	return *array_add(&t->places, &t->place_count, &t->place_cap) = t->last;
}

size_t
table_place(const struct table *t)
{
	return t->last;
}

void
table_again(struct table *t, size_t place)
{
	begin_cell(t);
	pack_number(t, AGAIN, place);
}

/* ---- rows ---- */

void
table_made(struct table *t, size_t rows, table_make_row *make, void *state)
{
	t->row_count = rows;
	t->make = make;
	t->state = state;
}

const struct table_cell *
table_row(struct table *t, size_t row)
{
	const char *p;

	if (t->order != NULL)
		row = t->order[row];
	if (t->make != NULL) {
		t->cell_count = t->texts.len = 0;
		t->make(t->state, t, row);
		return t->cells;
	}
	text_reserve(&t->texts, PADDING);
	p = t->texts.p + t->starts[row];
	for (size_t i = 0; i < t->column_count; i++)
		p = unpack(t, p, &t->cells[i]);
	return t->cells;
}

void
table_copy_columns(struct table *t, const struct table *from)
{
	for (size_t i = 0; i < from->column_count; i++) {
		const struct column *c = &from->columns[i];

		if (c->left)
			table_text_column(t, c->name);
		else
			table_column(t, c->name, c->unit);
	}
}

static void
copy_cell(struct table *t, const struct table *from, const struct table_cell *c)
{
	switch (c->type) {
	case CELL_EMPTY:
		table_empty(t);
		break;
	case CELL_INT:
		table_int(t, c->i);
		break;
	case CELL_REAL:
		table_real(t, c->d, c->decimals);
		break;
	case CELL_TEXT:
		table_text(t, table_cell_text(from, c));
		break;
	}
}

void
table_copy_row(struct table *t, struct table *from, size_t row)
{
	const struct table_cell *cells = table_row(from, row);

	for (size_t i = 0; i < from->column_count; i++)
		copy_cell(t, from, &cells[i]);
}

void
table_clear(struct table *t)
{
	t->row_count = t->filled = t->last = t->texts.len = 0;
	t->place_count = 0;
	intern_free(&t->shared);
}

void
table_free(struct table *t)
{
	free(t->columns);
	free(t->starts);
	free(t->order);
	free(t->cells);
	free(t->places);
	intern_free(&t->shared);
	text_free(&t->texts);
	*t = (struct table){0};
}
