/*
 * fields.h - a record of the output, field by field, as JSON or as a line of
 * csv or tsv; the same function makes the line of titles.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "tq/base/text.h"

enum fields_form { FIELDS_JSON, FIELDS_CSV, FIELDS_TSV };

struct fields_line {
	struct text *out;
	enum fields_form form;
	bool titles; /* write names instead of values; not as JSON */
	size_t count;
};

/* Begin and end a line; JSON without the end of a line. */
void fields_begin(struct fields_line *f);
void fields_end(struct fields_line *f);

/* A field without a value is absent in JSON, and empty else. */
void fields_none(struct fields_line *f, const char *name);

void fields_text(struct fields_line *f, const char *name, struct span s);
void fields_int(struct fields_line *f, const char *name, int64_t v);
void fields_real(struct fields_line *f, const char *name, double v);
void fields_real_if(
    struct fields_line *f, const char *name, bool has, double v);

#endif
