/* order.c - the rows of tables in another order */

#include <math.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"

#include "tq/show/cells.h"
#include "order.h"
#include "tq/show/column_doc.h"
#include "tq/show/title_key.h"

/* ---- columns ---- */

void
order_parse(struct order *o, const char *text)
{
	const char *colon = strrchr(text, ':');

	o->column = span_of(text);
	o->direction = ORDER_DEFAULT;
	if (colon != NULL && strcmp(colon, ":asc") == 0)
		o->direction = ORDER_ASC;
	else if (colon != NULL && strcmp(colon, ":desc") == 0)
		o->direction = ORDER_DESC;
	if (o->direction != ORDER_DEFAULT)
		o->column.len = (size_t)(colon - text);
}

/* The key of a column as json has it with times in ns; until the next call. */
static struct span
json_key(struct text *t, const struct column *c)
{
	t->len = 0;
	cells_title(t,
	    &(struct format_options){.time_unit = 1, .plain_keys = true}, c,
	    CELLS_ONE);
	return text_span(t);
}

/* True if key is the column's in any unit, or without one. */
static bool
is_key_of(struct span key, const struct column *c, struct text *t)
{
	static const int64_t units[] = {1, 1000, 1000000, 1000000000};
	struct format_options f = {.plain_keys = true};

	t->len = 0;
	title_key_add_text(t, span_of(c->name));
	if (span_eq(key, text_span(t)))
		return true;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		for (enum cells_base b = CELLS_MEGA; b <= CELLS_ONE; b++) {
			f.time_unit = units[i];
			t->len = 0;
			cells_title(t, &f, c, b);
			if (span_eq(key, text_span(t)))
				return true;
		}
	return false;
}

/* The key of "Total Time (ns)" or "total_ns", whatever the unit. */
static void
add_wanted(struct text *t, struct span column)
{
	static const char *const times[] = {"ns", "us", "ms", "sec", "s"};
	const char *paren = memrchr(column.p, '(', column.len);
	struct column c = {.unit = UNIT_NONE};
	char *name, *unit;

	if (paren == NULL || column.p[column.len - 1] != ')') {
		title_key_add_text(t, column);
		return;
	}
	c.name = name = mem_copy(column.p, (size_t)(paren - column.p));
	unit = mem_copy(paren + 1, (size_t)(column.p + column.len - paren) - 2);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (strcmp(unit, times[i]) == 0)
			c.unit = UNIT_TIME;
	title_key_add(t, &c, strcmp(unit, "s") == 0 ? "sec" : unit);
	free(name);
	free(unit);
}

static bool
begins(struct span s, struct span with)
{
	return with.len > 0 && s.len >= with.len &&
	       memcmp(s.p, with.p, with.len) == 0;
}

size_t
order_column(const struct order *o, struct table *t)
{
	struct text wanted = {0}, scratch = {0};
	size_t found = SIZE_MAX, beginnings = 0;

	title_key_number(t);
	add_wanted(&wanted, o->column);
	for (size_t i = 0; i < t->column_count; i++) {
		const struct column *c = &t->columns[i];

		if (is_key_of(text_span(&wanted), c, &scratch)) {
			found = i;
			beginnings = 1;
			break;
		}
		if (begins(json_key(&scratch, c), text_span(&wanted))) {
			found = i;
			beginnings++;
		}
	}
	text_free(&wanted);
	text_free(&scratch);
	return beginnings == 1 ? found : SIZE_MAX;
}

enum { TITLE = 20 }; /* the width of most titles */

void
order_list(FILE *f, struct table *t, bool docs)
{
	const struct format_options options = {.time_unit = 1};
	struct text key = {0}, title = {0};

	title_key_number(t);
	fprintf(f, "  %s\n", t->report);
	for (size_t i = 0; i < t->column_count; i++) {
		struct span s = json_key(&key, &t->columns[i]);

		title.len = 0;
		cells_title(&title, &options, &t->columns[i], CELLS_ONE);
		fprintf(f, "    %-24.*s %.*s", (int)s.len, s.p, (int)title.len,
		    title.p);
		if (docs)
			fprintf(f, "%*s  %s",
			    title.len < TITLE ? TITLE - (int)title.len : 0, "",
			    column_doc_find(t, &t->columns[i])->doc);
		fprintf(f, "\n");
	}
	text_free(&key);
	text_free(&title);
}

static void
consider(struct suggestion *n, struct order_seen *seen, struct span word)
{
	char *copy = mem_copy(word.p, word.len);

	for (size_t i = 0; i < seen->count; i++)
		if (strcmp(seen->words[i], copy) == 0) {
			free(copy);
			return;
		}
	*array_add(&seen->words, &seen->count, &seen->cap) = copy;
	suggestion_consider(n, copy);
}

void
order_near(struct suggestion *n, struct order_seen *seen, struct table *t)
{
	struct text key = {0};

	title_key_number(t);
	for (size_t i = 0; i < t->column_count; i++) {
		const char *name = t->columns[i].name;

		consider(n, seen, json_key(&key, &t->columns[i]));
		if (strchr(name, ' ') != NULL)
			consider(n, seen, span_of(name));
	}
	text_free(&key);
}

void
order_seen_free(struct order_seen *seen)
{
	for (size_t i = 0; i < seen->count; i++)
		free(seen->words[i]);
	free(seen->words);
}

/* ---- rows ---- */

/* a row and the cell that it is sorted by */
struct order_row {
	size_t row;
	struct table_cell cell;
};

struct order_rows {
	struct order_row *all;
	struct text texts; /* of the cells */
	bool down;
};

static int
compare_texts(const struct text *texts, const struct table_cell *a,
    const struct table_cell *b)
{
	size_t n = a->len < b->len ? a->len : b->len;
	int c = n > 0 ? memcmp(texts->p + a->at, texts->p + b->at, n) : 0;

	return c != 0 ? c : (a->len > b->len) - (a->len < b->len);
}

static int
compare_numbers(const struct table_cell *a, const struct table_cell *b)
{
	long double x, y;

	if (a->type == CELL_INT && b->type == CELL_INT)
		return (a->i > b->i) - (a->i < b->i);
	x = a->type == CELL_INT ? (long double)a->i : a->d;
	y = b->type == CELL_INT ? (long double)b->i : b->d;
	return (x > y) - (x < y);
}

static int
compare_rows(const void *pa, const void *pb, void *state)
{
	const struct order_row *a = pa, *b = pb;
	const struct order_rows *rows = state;
	bool text = a->cell.type == CELL_TEXT;
	int c = 0;

	if ((a->cell.type == CELL_EMPTY) != (b->cell.type == CELL_EMPTY))
		return a->cell.type == CELL_EMPTY ? 1 : -1;
	if (text != (b->cell.type == CELL_TEXT))
		c = text ? 1 : -1;
	else if (text)
		c = compare_texts(&rows->texts, &a->cell, &b->cell);
	else if (a->cell.type != CELL_EMPTY)
		c = compare_numbers(&a->cell, &b->cell);
	if (c != 0)
		return rows->down ? -c : c;
	return a->row < b->row ? -1 : 1;
}

static void
take_row(struct order_rows *rows, struct table *t, size_t row, size_t column)
{
	struct order_row *r = &rows->all[row];

	*r = (struct order_row){row, table_row(t, row)[column]};
	if (r->cell.type == CELL_REAL && !isfinite(r->cell.d))
		r->cell.type = CELL_EMPTY; /* as it is printed */
	if (r->cell.type != CELL_TEXT)
		return;
	/* a row that is made lasts until the next */
	text_add_span(&rows->texts, table_cell_text(t, &r->cell));
	r->cell.at = rows->texts.len - r->cell.len;
}

void
order_rows(const struct order *o, struct table *t)
{
	struct order_rows rows = {.down = o->direction == ORDER_DESC};
	size_t column = SIZE_MAX, n = table_rows(t), *order;

	if (o->column.len > 0)
		column = order_column(o, t);
	if (column == SIZE_MAX || n == 0)
		return;
	if (o->direction == ORDER_DEFAULT)
		rows.down = !t->columns[column].left;
	rows.all = mem_resize(NULL, n, sizeof(*rows.all));
	for (size_t i = 0; i < n; i++)
		take_row(&rows, t, i, column);
	qsort_r(rows.all, n, sizeof(*rows.all), compare_rows, &rows);
	order = mem_resize(NULL, n, sizeof(*order));
	for (size_t i = 0; i < n; i++)
		order[i] = rows.all[i].row;
	t->order = order;
	free(rows.all);
	text_free(&rows.texts);
}

void
order_reset(struct table *t)
{
	free(t->order);
	t->order = NULL;
}
