/*
 * formats.h - the writers of tables, one file per format; format.h chooses.
 */
#ifndef FORMATS_H
#define FORMATS_H

#include "tq/show/format.h"

/* csv or tsv */
void csv_table(
    struct output *o, const struct format_options *f, struct table *t);

void markdown_table(
    struct output *o, const struct format_options *f, struct table *t);

/* json1: an array; ndjson: a line per row; json1 with a label: an element */
void json_rows_array(struct output *o, const struct format_options *f,
    struct table *t, bool first);
void json_rows_lines(
    struct output *o, const struct format_options *f, struct table *t);

void html_table(
    struct output *o, const struct format_options *f, struct table *t);

void pretty_table(struct output *o, const struct format_options *f,
    struct table *t, bool first);

#endif
