/*
 * escape.h - texts of the stream in HTML.
 */
#ifndef TQ_BASE_ESCAPE_H
#define TQ_BASE_ESCAPE_H

#include "tq/base/text.h"

/*
 * Append s as HTML text or as the value of a quoted attribute.  A control
 * character, which HTML forbids even when it is escaped, becomes U+FFFD.
 */
void escape_html(struct text *t, struct span s);

#endif
