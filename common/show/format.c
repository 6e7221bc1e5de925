/* format.c - the formats of tables, by name */

#include "tq/show/display.h"
#include "formats.h"
#include "tq/io/printed_command.h"
#include "tq/show/html.h"
#include "tq/show/title_key.h"

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

bool
format_has_keys(const struct format_options *f)
{
	return f->format == FORMAT_CSV || f->format == FORMAT_TSV ||
	       f->format == FORMAT_JSON || f->format == FORMAT_NDJSON ||
	       f->format == FORMAT_JSON1;
}

/* The title names the file, too, where it is known. */
static void
begin_page(struct text *b, const struct format_options *f)
{
	struct text title = {0};

	if (f->head.operands != NULL)
		printed_command_title(&title, f->head.operands);
	title.len = display_head(text_span(&title), HTML_NAME);
	text_add_str(&title, title.len > 0 ? " - " : "");
	text_add_str(&title, f->page != NULL ? f->page : "tq-stats");
	html_head(b, text_span(&title));
	html_document(b);
	html_body(b);
	text_free(&title);
}

void
format_begin(struct output *o, const struct format_options *f)
{
	switch (f->format) {
	case FORMAT_HTML:
		begin_page(&o->buf, f);
		break;
	case FORMAT_TABLE:
		display_begin();
		break;
	case FORMAT_JSON:
		json_document_begin(&o->buf, &f->head);
		break;
	case FORMAT_JSON1:
		if (f->several)
			text_add_char(&o->buf, '{');
		break;
	case FORMAT_CSV:
	case FORMAT_TSV:
	case FORMAT_NDJSON:
	case FORMAT_MARKDOWN:
	case FORMAT_OPENMETRICS:
	case FORMAT_PPROF:
		break;
	}
}

void
format_end(struct output *o, const struct format_options *f)
{
	if (f->format == FORMAT_HTML)
		html_end(&o->buf);
	else if (f->format == FORMAT_JSON)
		json_document_end(&o->buf);
	else if (f->format == FORMAT_JSON1 && f->several)
		text_add_str(&o->buf, "\n}\n");
}

/* The options that json and ndjson are written with. */
static struct format_options
with_keys(const struct format_options *f)
{
	struct format_options keyed = *f;

	keyed.plain_keys |=
	    f->format == FORMAT_JSON || f->format == FORMAT_NDJSON;
	return keyed;
}

void
format_table(struct output *o, const struct format_options *options,
    struct table *t, bool first)
{
	const struct format_options keyed = with_keys(options), *f = &keyed;

	if (f->plain_keys)
		title_key_number(t);
	switch (f->format) {
	case FORMAT_TABLE:
		pretty_table(o, f, t, first);
		break;
	case FORMAT_CSV:
	case FORMAT_TSV:
		if (!first && !f->compat)
			text_add_char(&o->buf, '\n');
		csv_table(o, f, t);
		/* an empty line follows each table of nsys */
		if (f->compat)
			text_add_char(&o->buf, '\n');
		break;
	case FORMAT_MARKDOWN:
		if (!first)
			text_add_char(&o->buf, '\n');
		markdown_table(o, f, t);
		break;
	case FORMAT_JSON:
		json_document_table(o, f, t, first);
		break;
	case FORMAT_JSON1:
		if (f->label != NULL)
			json_rows_lines(o, f, t);
		else
			json_rows_array(o, f, t, first);
		break;
	case FORMAT_NDJSON:
		json_rows_lines(o, f, t);
		break;
	case FORMAT_HTML:
		html_table(o, f, t);
		break;
	case FORMAT_OPENMETRICS:
	case FORMAT_PPROF: /* have no tables */
		break;
	}
	output_check(o);
}
