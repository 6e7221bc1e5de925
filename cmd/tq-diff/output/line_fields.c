/* line_fields.c - a record of the output, field by field */

#include <math.h>

#include "line_fields.h"
#include "tq/show/escape.h"

void
line_fields_begin(struct line_fields *f)
{
	f->count = 0;
	if (f->form == LINE_FIELDS_JSON)
		text_add_char(f->out, '{');
}

void
line_fields_end(struct line_fields *f)
{
	if (f->form == LINE_FIELDS_JSON)
		text_add_char(f->out, '}');
	else
		text_add_char(f->out, '\n');
}

/* The bytes before a value; false if none follows. */
static bool
open_field(struct line_fields *f, const char *name)
{
	if (f->count++ > 0)
		text_add_char(f->out, f->form == LINE_FIELDS_TSV ? '\t' : ',');
	if (f->form == LINE_FIELDS_JSON)
		text_printf(f->out, "\"%s\":", name);
	else if (f->titles)
		text_add_str(f->out, name);
	return !f->titles;
}

void
line_fields_none(struct line_fields *f, const char *name)
{
	if (f->form != LINE_FIELDS_JSON)
		open_field(f, name);
}

void
line_fields_text(struct line_fields *f, const char *name, struct span s)
{
	if (!open_field(f, name))
		return;
	if (f->form == LINE_FIELDS_JSON)
		text_add_json(f->out, s.p, s.len);
	else if (f->form == LINE_FIELDS_CSV)
		escape_csv(f->out, s);
	else
		escape_tsv(f->out, s);
}

void
line_fields_int(struct line_fields *f, const char *name, int64_t v)
{
	if (open_field(f, name))
		text_add_int(f->out, v);
}

void
line_fields_real(struct line_fields *f, const char *name, double v)
{
	/* six digits are enough for a ratio of ns */
	if (!isfinite(v))
		line_fields_none(f, name);
	else if (open_field(f, name))
		text_printf(f->out, "%.6g", v);
}

void
line_fields_real_if(struct line_fields *f, const char *name, bool has, double v)
{
	if (has)
		line_fields_real(f, name, v);
	else
		line_fields_none(f, name);
}
