/* partial_rows.c - rows as lines of a partial, and back */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tq/line/json.h"

#include "partial.h"
#include "partial_rows.h"

enum { MOST_COLUMNS = 1000, MANY_ROWS = 1 << 14, REAL_LENGTH = 63 };

static const char *const unit_names[] = {[UNIT_NONE] = "",
    [UNIT_PERCENT] = "%",
    [UNIT_TIME] = "ns",
    [UNIT_SIZE] = "bytes",
    [UNIT_THROUGHPUT] = "bytes/s"};

enum { UNITS = sizeof(unit_names) / sizeof(*unit_names) };

/* ---- writing ---- */

static void
add_columns(struct text *t, const struct table *of)
{
	for (size_t i = 0; i < of->column_count; i++) {
		const struct column *c = &of->columns[i];

		text_add_str(t, i > 0 ? ",[" : "[");
		partial_add_string(t, span_of(c->name));
		text_add_char(t, ',');
		partial_add_string(
		    t, span_of(c->left ? "text" : unit_names[c->unit]));
		text_add_char(t, ']');
	}
}

/* a real as C writes it in base 16, so that no bit is lost */
static void
add_cell(struct text *t, const struct table *of, const struct table_cell *c)
{
	switch (c->type) {
	case CELL_EMPTY:
		text_add_str(t, "null");
		break;
	case CELL_INT:
		text_printf(t, "%" PRId64, c->i);
		break;
	case CELL_REAL:
		text_printf(t, "[\"%La\",%d]", c->d, c->decimals);
		break;
	case CELL_TEXT:
		partial_add_string(t, table_cell_text(of, c));
		break;
	}
}

static void
add_meaning(struct text *line, struct report *r, const struct table *t)
{
	text_add_str(line, ",\"title\":");
	partial_add_string(line, span_of(report_title(r, &r->title)));
	if (t->base == NULL)
		return;
	text_add_str(line, ",\"base\":");
	partial_add_string(line, span_of(t->base));
	text_printf(line, ",\"base_ns\":%" PRId64, t->base_ns);
}

static void
begin_line(struct output *o, const struct report *r, const char *member)
{
	partial_open(o, r->name);
	text_printf(&o->buf, ",\"%s\":[", member);
}

/* Columns and rows, with what a finished table has beside them. */
static void
write_table(struct output *o, struct report *r, struct table *t, bool finished)
{
	struct text *line = &o->buf;
	size_t rows = table_rows(t), columns = t->column_count;

	if (columns > 0) {
		begin_line(o, r, "columns");
		add_columns(line, t);
		text_add_char(line, ']');
		if (finished)
			add_meaning(line, r, t);
		partial_close(o);
	}
	for (size_t i = 0; i < rows; i++) {
		const struct table_cell *cells = table_row(t, i);

		begin_line(o, r, "row");
		for (size_t n = 0; n < columns; n++) {
			if (n > 0)
				text_add_char(line, ',');
			add_cell(line, t, &cells[n]);
		}
		text_add_char(line, ']');
		partial_close(o);
	}
	table_free(t);
}

/* what a part of the report has */
static void
make_part(struct report *r, struct table *t)
{
	if (r->kind->part_table != NULL)
		r->kind->part_table(r, t);
	else
		report_table(r, t);
}

void
partial_rows_write(struct output *o, struct report *r)
{
	struct table t = {.report = r->name};

	make_part(r, &t);
	write_table(o, r, &t, false);
}

void
partial_rows_write_table(struct output *o, struct report *r)
{
	struct table t = {.report = r->name};

	report_table(r, &t);
	write_table(o, r, &t, true);
}

/* ---- reading ---- */

/* A column of the table, or the one that it has there already. */
static bool
take_column(
    struct report *r, size_t i, bool fresh, struct span name, struct span unit)
{
	struct table *t = &r->rows;
	bool left = span_eq(unit, SPAN("text"));
	size_t u = 0;

	while (u < UNITS && !left && !span_eq(unit, span_of(unit_names[u])))
		u++;
	if (u == UNITS || i == MOST_COLUMNS)
		return false;
	if (!fresh)
		return i < t->column_count &&
		       span_eq(name, span_of(t->columns[i].name)) &&
		       left == t->columns[i].left &&
		       t->columns[i].unit == (enum unit)u;
	name = region_copy(&r->life, name);
	if (left)
		table_text_column(t, name.p);
	else
		table_column(t, name.p, (enum unit)u);
	return true;
}

/* the text of a string, added to t; false if value is none */
static bool
decode(struct text *t, struct span value)
{
	if (value.len == 0 || *value.p != '"')
		return false;
	json_decode(t, value);
	return true;
}

/* [NAME,UNIT] */
static bool
read_column(struct report *r, size_t i, bool fresh, struct span pair)
{
	struct text name = {0}, unit = {0};
	struct span value;
	struct json j;
	bool good;

	json_open_array(&j, pair);
	good = json_next_element(&j, &value) && decode(&name, value) &&
	       json_next_element(&j, &value) && decode(&unit, value) &&
	       !json_next_element(&j, &value) && j.error == NULL &&
	       memchr(name.p, '\0', name.len) == NULL &&
	       take_column(r, i, fresh, text_span(&name), text_span(&unit));
	text_free(&name);
	text_free(&unit);
	return good;
}

/* the text of a string that lives as long as the report, or NULL */
static const char *
kept_string(struct report *r, struct span value)
{
	r->scratch.len = 0;
	return value.p != NULL && decode(&r->scratch, value)
		   ? region_copy(&r->life, text_span(&r->scratch)).p
		   : NULL;
}

const char *
partial_rows_table(struct report *r, const struct partial_table *table)
{
	r->kept_title = kept_string(r, table->title);
	r->rows.base = kept_string(r, table->base);
	if (r->kept_title == NULL)
		return "a table has no title";
	if (r->rows.base != NULL && !json_int(table->base_ns, &r->rows.base_ns))
		return "base_ns is no number";
	return NULL;
}

/* A report that reads its rows again relies on their columns. */
static void
expect_columns(struct report *r)
{
	struct table t = {.report = r->name};

	make_part(r, &t);
	table_copy_columns(&r->rows, &t);
	table_free(&t);
}

const char *
partial_rows_columns(struct report *r, struct span columns)
{
	struct span pair;
	struct json j;
	size_t i = 0;
	bool fresh;

	if (r->rows.column_count == 0 && r->kind->part_row != NULL &&
	    !r->merged)
		expect_columns(r);
	fresh = r->rows.column_count == 0;
	json_open_array(&j, columns);
	for (; json_next_element(&j, &pair); i++)
		if (!read_column(r, i, fresh, pair))
			return "columns are not those of the report";
	return j.error == NULL && i > 0 && i == r->rows.column_count
		   ? NULL
		   : "columns are not those of the report";
}

/* ["0x1.8p+0",DECIMALS] */
static bool
read_real(struct table *t, struct span pair)
{
	char digits[REAL_LENGTH + 1], *end = digits;
	struct text s = {0};
	int64_t decimals = -1;
	struct span value;
	struct json j;
	long double d = 0;

	json_open_array(&j, pair);
	if (json_next_element(&j, &value) && decode(&s, value) && s.len > 0 &&
	    s.len <= REAL_LENGTH) {
		memcpy(digits, s.p, s.len);
		digits[s.len] = '\0';
		d = strtold(digits, &end);
	}
	if (end == digits || *end != '\0' || !isfinite(d) ||
	    !json_next_element(&j, &value) || !json_int(value, &decimals) ||
	    json_next_element(&j, &value) || j.error != NULL)
		decimals = -1;
	text_free(&s);
	if (decimals < 0 || decimals > TABLE_SIX_DIGITS)
		return false;
	table_real(t, d, (unsigned char)decimals);
	return true;
}

static bool
read_cell(struct report *r, struct span value)
{
	struct table *t = &r->rows;
	int64_t v;

	if (span_eq(value, SPAN("null"))) {
		table_empty(t);
	} else if (*value.p == '"') {
		r->scratch.len = 0;
		json_decode(&r->scratch, value);
		table_text(t, text_span(&r->scratch));
	} else if (*value.p == '[') {
		return read_real(t, value);
	} else if (json_int(value, &v)) {
		table_int(t, v);
	} else {
		return false;
	}
	return true;
}

const char *
partial_rows_add(struct report *r, struct span row)
{
	static const char error[] = "a row is not as the columns have it";
	struct span value;
	struct json j;
	size_t i = 0;

	json_open_array(&j, row);
	for (; json_next_element(&j, &value); i++)
		if (i == r->rows.column_count || !read_cell(r, value))
			return error;
	if (i == 0 || i < r->rows.column_count || j.error != NULL)
		return error;
	if (r->kind->part_row != NULL && !r->merged) {
		if (!r->kind->part_row(r, &r->rows, table_row(&r->rows, 0)))
			return error;
		table_clear(&r->rows);
		return NULL;
	}
	if (table_rows(&r->rows) >= MANY_ROWS)
		report_keep_largest(r);
	return NULL;
}
