/*
 * html.h - the frame of a page in HTML that loads nothing, and a table in it.
 *
 * A page is html_head(), style of its own, html_body(), its parts, and the end
 * of <body> and <html>, which html_end() writes with a script: a click on a
 * title sorts the rows of its table.
 */
#ifndef TQ_SHOW_HTML_H
#define TQ_SHOW_HTML_H

#include "tq/show/format.h"

/* The head of a page and the colours, fonts and tables of all pages. */
void html_head(struct text *b, struct span title);

/* Lines of a style or script, which NULL ends. */
void html_lines(struct text *b, const char *const *lines);

/* The style of a page of headings and tables. */
void html_document(struct text *b);

/* The end of the style, and <body>. */
void html_body(struct text *b);

/* <table> with the titles of columns, if these have any, and rows shown. */
void html_rows(struct text *b, const struct format_options *f, struct table *t);

void html_end(struct text *b);

#endif
