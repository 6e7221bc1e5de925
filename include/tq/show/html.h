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

/* The style of a page of headings and tables. */
void html_document(struct text *b);

/*
 * The same of a page of cards: cards.css has the names of its classes.  Such a
 * page ends with html_cards_end() instead of html_end().
 */
void html_cards(struct text *b);

/* bytes of HTML that a text of the stream becomes at most */
enum {
	HTML_NAME = 150,
	HTML_COMMAND = 3000 /* it may name many files */
};

/* A card, but for its </section>; of, which may be empty, stands behind the
 * title. */
void html_card(struct text *b, struct span title, struct span of);

/* A command that a click copies. */
void html_command(struct text *b, struct span command);

/* The script and the end of a page of cards. */
void html_cards_end(struct text *b);

/* The end of the style, and <body>. */
void html_body(struct text *b);

/* <table> with the titles of columns, if these have any, and rows shown. */
void html_rows(struct text *b, const struct format_options *f, struct table *t);

void html_end(struct text *b);

#endif
