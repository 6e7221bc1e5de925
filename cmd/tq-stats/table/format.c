/* format.c - how tables are written: csv, tsv, markdown */

#include "format_formats.h"
#include "format_number.h"

static const char *const names[] = {
    [FORMAT_TABLE] = "table",
    [FORMAT_CSV] = "csv",
    [FORMAT_TSV] = "tsv",
    [FORMAT_JSON] = "json",
    [FORMAT_NDJSON] = "ndjson",
    [FORMAT_MARKDOWN] = "markdown",
    [FORMAT_HTML] = "html",
};

bool
format_named(const char *name, enum format *f)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0) {
			*f = (enum format)i;
			return true;
		}
	return false;
}

bool
format_time_unit(const char *name, int64_t *ns)
{
	static const struct {
		const char *whole, *others[3];
		int64_t ns;
	} units[] = {
	    {"nanoseconds", {"nsec", "ns"}, 1},
	    {"microseconds", {"usec", "us"}, 1000},
	    {"milliseconds", {"msec", "ms"}, 1000000},
	    {"seconds", {"secs", "s"}, 1000000000},
	};
	size_t found = 0, len = strlen(name);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		bool same = strncmp(name, units[i].whole, len) == 0;

		for (size_t n = 0; n < 2; n++)
			same |= strncmp(name, units[i].others[n], len) == 0;
		if (same) {
			*ns = units[i].ns;
			found++;
		}
	}
	return len > 0 && found == 1;
}

/* ---- csv ---- */

static bool
has(struct span s, char c)
{
	return s.len > 0 && memchr(s.p, c, s.len) != NULL;
}

/* RFC 4180; nsys quotes only for a comma, and doubles nothing */
static void
add_csv(struct text *t, struct span s, bool compat)
{
	bool doubles = !compat && has(s, '"');

	if (!doubles && !has(s, ',') &&
	    (compat || (!has(s, '\r') && !has(s, '\n')))) {
		text_add_span(t, s);
		return;
	}
	text_add_char(t, '"');
	if (!doubles)
		text_add_span(t, s);
	for (size_t i = 0; doubles && i < s.len; i++) {
		if (s.p[i] == '"')
			text_add_char(t, '"');
		text_add_char(t, s.p[i]);
	}
	text_add_char(t, '"');
}

/* ---- tsv ---- */

static void
add_tsv(struct text *t, struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		text_add_char(
		    t, s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r'
			   ? ' '
			   : s.p[i]);
}

static void
delimited(struct output *o, const struct format_options *f, struct table *t)
{
	struct text *b = &o->buf;
	bool csv = f->format == FORMAT_CSV;
	char delimiter = csv ? ',' : '\t';

	for (size_t i = 0; i < t->column_count; i++) {
		if (i > 0)
			text_add_char(b, delimiter);
		number_title(b, f, &t->columns[i], BASE_MEGA);
	}
	text_add_char(b, '\n');
	for (size_t row = 0; row < table_shown(t); row++) {
		const struct cell *cells = table_row(t, row);

		for (size_t i = 0; i < t->column_count; i++) {
			if (i > 0)
				text_add_char(b, delimiter);
			if (cells[i].type != CELL_TEXT)
				number_add(b, f, &t->columns[i], &cells[i],
				    BASE_MEGA, false);
			else if (csv)
				add_csv(b, table_cell_text(t, &cells[i]),
				    f->compat);
			else
				add_tsv(b, table_cell_text(t, &cells[i]));
		}
		text_add_char(b, '\n');
		output_check(o);
	}
}

/* ---- markdown ---- */

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* what means something there is escaped; an _ inside of a word does not */
static void
add_markdown(struct text *t, struct span s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		bool inside = c == '_' && i > 0 && i + 1 < s.len &&
			      is_word(s.p[i - 1]) && is_word(s.p[i + 1]);

		if (c == '\n' || c == '\r')
			c = ' ';
		if (strchr("\\`*_[]<>&|~", c) != NULL && c != '\0' && !inside)
			text_add_char(t, '\\');
		text_add_char(t, c);
	}
}

static void
markdown(struct output *o, const struct format_options *f, struct table *t)
{
	struct text *b = &o->buf;

	text_printf(b, "## %s (%s)\n\n", t->title, t->report);
	for (size_t i = 0; i < t->column_count; i++) {
		text_add_str(b, "| ");
		number_title(b, f, &t->columns[i], BASE_MEGA);
		text_add_char(b, ' ');
	}
	text_add_str(b, "|\n");
	for (size_t i = 0; i < t->column_count; i++)
		text_add_str(b, t->columns[i].left ? "| :--- " : "| ---: ");
	text_add_str(b, "|\n");
	for (size_t row = 0; row < table_shown(t); row++) {
		const struct cell *cells = table_row(t, row);

		for (size_t i = 0; i < t->column_count; i++) {
			text_add_str(b, "| ");
			if (cells[i].type == CELL_TEXT)
				add_markdown(b, table_cell_text(t, &cells[i]));
			else
				number_add(b, f, &t->columns[i], &cells[i],
				    BASE_MEGA, false);
			text_add_char(b, ' ');
		}
		text_add_str(b, "|\n");
		output_check(o);
	}
	if (table_shown(t) < table_rows(t))
		text_printf(b, "\n%zu more: -r %s\n",
		    table_rows(t) - table_shown(t), t->report);
}

/* ---- all of them ---- */

void
format_begin(struct output *o, const struct format_options *f)
{
	switch (f->format) {
	case FORMAT_HTML:
		format_html_begin(o);
		break;
	case FORMAT_TABLE:
		format_pretty_begin();
		break;
	case FORMAT_JSON:
		if (f->several)
			text_add_char(&o->buf, '{');
		break;
	case FORMAT_CSV:
	case FORMAT_TSV:
	case FORMAT_NDJSON:
	case FORMAT_MARKDOWN:
		break;
	}
}

void
format_end(struct output *o, const struct format_options *f)
{
	if (f->format == FORMAT_HTML)
		format_html_end(o);
	else if (f->format == FORMAT_JSON && f->several)
		text_add_str(&o->buf, "\n}\n");
}

void
format_table(struct output *o, const struct format_options *f, struct table *t,
    bool first)
{
	switch (f->format) {
	case FORMAT_TABLE:
		format_pretty(o, f, t, first);
		break;
	case FORMAT_CSV:
	case FORMAT_TSV:
		if (!first && !f->compat)
			text_add_char(&o->buf, '\n');
		delimited(o, f, t);
		/* nsys has the empty line behind each */
		if (f->compat)
			text_add_char(&o->buf, '\n');
		break;
	case FORMAT_MARKDOWN:
		if (!first)
			text_add_char(&o->buf, '\n');
		markdown(o, f, t);
		break;
	case FORMAT_JSON:
		format_json(o, f, t, first);
		break;
	case FORMAT_NDJSON:
		format_ndjson(o, f, t);
		break;
	case FORMAT_HTML:
		format_html(o, f, t);
		break;
	}
	output_check(o);
}
