/* table.c - what a report found out */

#include <stdlib.h>

#include "tq/mem.h"

#include "table.h"

static void
add_column(struct table *t, const struct column *c)
{
	if (t->column_count == t->column_cap) {
		t->column_cap = t->column_cap * 2 + 16;
		t->columns =
		    mem_resize(t->columns, t->column_cap, sizeof(*t->columns));
	}
	t->columns[t->column_count++] = *c;
}

void
table_column(struct table *t, const char *name, enum unit unit)
{
	add_column(t, &(struct column){name, unit, false});
}

void
table_text_column(struct table *t, const char *name)
{
	add_column(t, &(struct column){name, UNIT_NONE, true});
}

static struct cell *
next(struct table *t, enum cell_type type)
{
	struct cell *c;

	if (t->cell_count == t->cell_cap) {
		t->cell_cap = t->cell_cap * 2 + 64;
		t->cells = mem_resize(t->cells, t->cell_cap, sizeof(*t->cells));
	}
	c = &t->cells[t->cell_count++];
	*c = (struct cell){.type = type};
	return c;
}

void
table_empty(struct table *t)
{
	next(t, CELL_EMPTY);
}

void
table_int(struct table *t, int64_t v)
{
	next(t, CELL_INT)->i = v;
}

void
table_id(struct table *t, int64_t v)
{
	if (v != NO_ID)
		table_int(t, v);
	else
		table_empty(t);
}

void
table_real(struct table *t, long double v, unsigned char decimals)
{
	struct cell *c = next(t, CELL_REAL);

	c->d = v;
	c->decimals = decimals;
}

void
table_text(struct table *t, struct span s)
{
	struct cell *c = next(t, CELL_TEXT);

	c->at = t->texts.len;
	c->len = s.len;
	text_add_span(&t->texts, s);
}

void
table_free(struct table *t)
{
	free(t->columns);
	free(t->cells);
	text_free(&t->texts);
}
