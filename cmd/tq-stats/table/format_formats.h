/*
 * format_formats.h - the formats that have a file of their own, and what they
 * share.
 */
#ifndef FORMAT_FORMATS_H
#define FORMAT_FORMATS_H

#include "format.h"

/* format_json.c */
void format_json(struct output *o, const struct format_options *f,
    struct table *t, bool first);
void format_ndjson(
    struct output *o, const struct format_options *f, struct table *t);

/* format_html.c */
void format_html_begin(struct output *o);
void format_html(
    struct output *o, const struct format_options *f, struct table *t);
void format_html_end(struct output *o);

/* pretty.c */
void format_pretty_begin(void);
void format_pretty(struct output *o, const struct format_options *f,
    struct table *t, bool first);

#endif
