/* sheet.c - a table in the formats of tq-advise */

#include "tq/show/format.h"

#include "sheet.h"

void
sheet_write(
    struct table *t, struct output *o, enum sheet_format format, bool first)
{
	static const enum format formats[] = {FORMAT_TABLE, FORMAT_JSON,
	    FORMAT_NDJSON, FORMAT_CSV, FORMAT_MARKDOWN, FORMAT_JSON1};
	const struct format_options f = {.format = formats[format],
	    .time_unit = 1,
	    .bare = true,
	    .label = "rule"};

	if (table_rows(t) == 0 && format == SHEET_CSV)
		return;
	if (table_rows(t) == 0 && format == SHEET_TEXT)
		text_printf(&o->buf, "%s\n    nothing found\n", t->title);
	else
		format_table(o, &f, t, first || format != SHEET_JSON);
	if (format != SHEET_JSON && format != SHEET_NDJSON &&
	    format != SHEET_JSON1)
		text_add_char(&o->buf, '\n');
}
