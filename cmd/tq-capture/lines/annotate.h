/*
 * annotate.h - what a program says of a range or mark, as keys of a line
 */
#ifndef TQ_CAPTURE_ANNOTATE_H
#define TQ_CAPTURE_ANNOTATE_H

#include "nvtx_lines.h"

/*
 * The text of a record, of which x are the parts; *json is the same as a
 * string of JSON where it is known already, else empty.
 */
struct span annotate_message(const struct source *from,
    const struct record *rec, const struct record_parts *x, struct span *json);

/* ,"name":... of what annotate_message gave */
void annotate_name(struct text *t, struct span text, struct span json);

/* domain, category and color, as far as there are any */
void annotate_style(struct text *t, const struct source *from, uint32_t domain,
    const struct record_parts *x);

/* ,"args":{...} of its payloads, if any */
void annotate_args(struct text *t, const struct source *from,
    const struct record *rec, const struct record_parts *x);

/* The payload that came with the end of a range, behind t's args if any. */
void annotate_end(struct text *t, bool has_args, const struct source *from,
    const struct record *rec, const struct record_parts *x);

#endif
