/*
 * escape.h - texts of the stream on a terminal, in HTML, Markdown, csv and tsv.
 *
 * The only way of a name, host, command or file name into an output for people.
 */
#ifndef TQ_SHOW_ESCAPE_H
#define TQ_SHOW_ESCAPE_H

#include <stdio.h>

#include "tq/base/text.h"

/*
 * Append s as a part of a line of a terminal: white space becomes a blank; a
 * control character, C1 too, one that turns the direction of the text, and
 * a byte that is no UTF-8 becomes a ?.
 */
void escape_terminal(struct text *t, struct span s);

/* Print s as escape_terminal() has it. */
void escape_print(FILE *f, struct span s);

/*
 * Append s as HTML text or as the value of a quoted attribute.  A control
 * character, which HTML forbids even when it is escaped, and one that turns the
 * direction of the text become U+FFFD.
 */
void escape_html(struct text *t, struct span s);

/* The same, as most bytes of HTML; an ellipsis stands for the rest. */
void escape_html_cut(struct text *t, struct span s, size_t most);

/*
 * Append s as text of Markdown, in a cell of a table or elsewhere on a line: as
 * escape_terminal() has it, and with a backslash before each character that
 * means something in Markdown or HTML.
 */
void escape_markdown(struct text *t, struct span s);

/*
 * Append s as a field of csv: in quotes where it has a comma, a quote or the
 * end of a line (RFC 4180), and as text_add_visible() has it.
 */
void escape_csv(struct text *t, struct span s);

/* The same of tsv: what ends fields and lines becomes a blank. */
void escape_tsv(struct text *t, struct span s);

#endif
