/* sheet.c - a table in the formats of tq-advise */

#include "tq/show/format.h"

#include "sheet.h"

void
sheet_write(struct table *t, struct output *o, enum sheet_format format)
{
	static const enum format formats[] = {FORMAT_TABLE, FORMAT_JSON,
	    FORMAT_NDJSON, FORMAT_CSV, FORMAT_MARKDOWN};
	const struct format_options f = {.format = formats[format],
	    .time_unit = 1,
	    .bare = true,
	    .label = "rule"};

	if (table_rows(t) == 0 && format == SHEET_CSV)
		return;
	if (table_rows(t) == 0 && format == SHEET_TEXT)
		text_printf(&o->buf, "%s\n    nothing found\n", t->title);
	else
		format_table(o, &f, t, true);
	if (format != SHEET_JSON && format != SHEET_NDJSON)
		text_add_char(&o->buf, '\n');
}
