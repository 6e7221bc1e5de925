/*
 * line_fields.h - a record of the output, field by field, as JSON or as a line
 * of csv or tsv; the same function makes the line of titles.
 */
#ifndef LINE_FIELDS_H
#define LINE_FIELDS_H

#include "tq/base/text.h"

enum line_fields_form { LINE_FIELDS_JSON, LINE_FIELDS_CSV, LINE_FIELDS_TSV };

struct line_fields {
	struct text *out;
	enum line_fields_form form;
	bool titles; /* write names instead of values; not as JSON */
	size_t count;
};

/* Begin and end a line; JSON without the end of a line. */
void line_fields_begin(struct line_fields *f);
void line_fields_end(struct line_fields *f);

/* A field without a value is absent in JSON, and empty else. */
void line_fields_none(struct line_fields *f, const char *name);

void line_fields_text(struct line_fields *f, const char *name, struct span s);
void line_fields_int(struct line_fields *f, const char *name, int64_t v);
void line_fields_real(struct line_fields *f, const char *name, double v);
void line_fields_real_if(
    struct line_fields *f, const char *name, bool has, double v);

#endif
