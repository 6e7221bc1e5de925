/* sheet.c - rows under headings, in the formats of tables */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/time.h"

#include "tq/show/escape.h"

#include "sheet.h"

/* ---- cells ---- */

void
sheet_text(struct sheet *s, struct span text)
{
	*array_add(&s->cells, &s->count, &s->cap) =
	    (struct sheet_cell){s->bytes.len, text.len};
	text_add_span(&s->bytes, text);
}

void
sheet_int(struct sheet *s, int64_t v)
{
	char digits[TEXT_INT_MAX];
	char *end = text_digits_int(digits, v);

	sheet_text(s, (struct span){digits, (size_t)(end - digits)});
}

void
sheet_id(struct sheet *s, int64_t id)
{
	if (id == NO_ID)
		sheet_text(s, SPAN(""));
	else
		sheet_int(s, id);
}

void
sheet_decimal(struct sheet *s, int64_t v, unsigned decimals)
{
	struct text t = {0};
	int64_t unit = 1;

	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	text_printf(&t, "%s%lld.%0*lld", v < 0 ? "-" : "", llabs(v / unit),
	    (int)decimals, llabs(v % unit));
	sheet_text(s, text_span(&t));
	text_free(&t);
}

static struct span
cell(const struct sheet *s, size_t i)
{
	return (struct span){s->bytes.p + s->cells[i].at, s->cells[i].len};
}

static size_t
columns(const struct sheet *s)
{
	size_t n = 1; /* a table has one */

	while (s->columns[n].heading != NULL)
		n++;
	return n;
}

/* the column behind c of n */
static size_t
next(size_t c, size_t n)
{
	return c + 1 < n ? c + 1 : 0;
}

/* ---- formats ---- */

/* the width of each column of a text */
static void
measure(const struct sheet *s, size_t *width, size_t n)
{
	for (size_t c = 0; c < n; c++)
		width[c] = strlen(s->columns[c].heading);
	for (size_t i = 0, c = 0; i < s->count; i++, c = next(c, n))
		if (width[c] < s->cells[i].len)
			width[c] = s->cells[i].len;
}

static void
add_padded(struct text *t, struct span s, size_t width, bool right, bool last)
{
	size_t pad = width > s.len ? width - s.len : 0;

	for (size_t i = 0; i < pad && right; i++)
		text_add_char(t, ' ');
	escape_terminal(t, s);
	for (size_t i = 0; i < pad && !right && !last; i++)
		text_add_char(t, ' ');
	text_add_str(t, last ? "\n" : "  ");
}

static void
write_text(const struct sheet *s, struct output *o)
{
	size_t n = columns(s), width[SHEET_COLUMNS] = {0};

	text_printf(&o->buf, "%s\n", s->title);
	if (s->count == 0)
		text_add_str(&o->buf, "    nothing found\n");
	measure(s, width, n);
	for (size_t c = 0; c < n && s->count > 0; c++)
		add_padded(&o->buf, span_of(s->columns[c].heading), width[c],
		    s->columns[c].number, c + 1 == n);
	for (size_t i = 0, c = 0; i < s->count; i++, c = next(c, n)) {
		add_padded(&o->buf, cell(s, i), width[c], s->columns[c].number,
		    c + 1 == n);
		output_check(o);
	}
	text_add_char(&o->buf, '\n');
}

static void
write_markdown(const struct sheet *s, struct output *o)
{
	struct text *t = &o->buf;
	size_t n = columns(s);

	text_printf(t, "### %s\n\n", s->title);
	for (size_t c = 0; c < n; c++)
		text_printf(t, "| %s ", s->columns[c].heading);
	text_add_str(t, "|\n");
	for (size_t c = 0; c < n; c++)
		text_add_str(t, s->columns[c].number ? "|--:" : "|---");
	text_add_str(t, "|\n");
	for (size_t i = 0, c = 0; i < s->count; i++, c = next(c, n)) {
		text_add_str(t, "| ");
		escape_markdown(t, cell(s, i));
		text_add_str(t, c + 1 == n ? " |\n" : " ");
		output_check(o);
	}
	text_add_char(t, '\n');
}

static void
write_csv(const struct sheet *s, struct output *o)
{
	size_t n = columns(s);

	if (s->count == 0)
		return;
	for (size_t c = 0; c < n; c++)
		text_printf(&o->buf, "%s%s", s->columns[c].heading,
		    c + 1 == n ? "\n" : ",");
	for (size_t i = 0, c = 0; i < s->count; i++, c = next(c, n)) {
		escape_csv(&o->buf, cell(s, i));
		text_add_char(&o->buf, c + 1 == n ? '\n' : ',');
		output_check(o);
	}
	text_add_char(&o->buf, '\n');
}

/* The row that begins with cell i, as an object. */
static void
add_object(const struct sheet *s, struct text *t, size_t i, size_t n)
{
	const char *heading;

	text_add_str(t, "{\"rule\":");
	text_add_json(t, s->title, strlen(s->title));
	for (size_t c = 0; c < n; c++) {
		struct span value = cell(s, i + c);

		heading = s->columns[c].heading;
		text_add_char(t, ',');
		text_add_json(t, heading, strlen(heading));
		text_add_char(t, ':');
		if (value.len == 0 && s->columns[c].number)
			text_add_str(t, "null");
		else if (s->columns[c].number)
			text_add_span(t, value);
		else
			text_add_json(t, value.p, value.len);
	}
	text_add_char(t, '}');
}

static void
write_json(const struct sheet *s, struct output *o)
{
	size_t n = columns(s);

	for (size_t i = 0; i < s->count; i += n) {
		text_add_str(&o->buf, o->lines++ == 0 ? "" : ",\n");
		add_object(s, &o->buf, i, n);
		output_check(o);
	}
}

static void
write_ndjson(const struct sheet *s, struct output *o)
{
	size_t n = columns(s);

	for (size_t i = 0; i < s->count; i += n) {
		add_object(s, &o->buf, i, n);
		text_add_char(&o->buf, '\n');
		output_check(o);
	}
}

void
sheet_write(const struct sheet *s, struct output *o, enum sheet_format format)
{
	static void (*const writers[])(
	    const struct sheet *, struct output *) = {
	    write_text, write_json, write_ndjson, write_csv, write_markdown};

	writers[format](s, o);
}

void
sheet_free(struct sheet *s)
{
	free(s->cells);
	text_free(&s->bytes);
	s->cells = NULL;
	s->count = s->cap = 0;
}
