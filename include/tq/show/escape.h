/*
 * escape.h - texts of the stream in HTML, csv and tsv.
 */
#ifndef TQ_SHOW_ESCAPE_H
#define TQ_SHOW_ESCAPE_H

#include "tq/base/text.h"

/*
 * Append s as HTML text or as the value of a quoted attribute.  A control
 * character, which HTML forbids even when it is escaped, becomes U+FFFD.
 */
void escape_html(struct text *t, struct span s);

/*
 * Append s as a field of csv: in quotes where it has a comma, a quote or the
 * end of a line (RFC 4180), and as text_add_visible() has it.
 */
void escape_csv(struct text *t, struct span s);

/* The same of tsv: what ends fields and lines becomes a blank. */
void escape_tsv(struct text *t, struct span s);

#endif
