/*
 * web.h - the parts of the page in HTML: one file that loads nothing.
 *
 * It stays below 200 kB: tables have at most PAGE_ROWS rows, texts of the
 * stream are cut, and pictures are drawn more coarsely where they would take
 * too much room, see web_time.c.
 */
#ifndef WEB_H
#define WEB_H

#include "page/page.h"

/* bytes of a text that are shown at most */
enum { WEB_NAME = 200, WEB_FULL_NAME = 400, WEB_LINE = 2000 };

/* the style and the script, made from page.css and page.js; NULL ends them */
extern const char *const web_look_css[], *const web_look_js[];

/* ---- web_text.c ---- */

/* Escaped; what is behind the first most bytes becomes an ellipsis. */
void web_text_add(struct text *b, struct span s, size_t most);

/* "var(--compute)" */
const char *web_text_color(enum page_class c);

/* "compute", "idle: host late" */
const char *web_text_class(enum page_class c);

/* a command that a click copies */
void web_text_command(struct text *b, struct span command);

/* "<section class="c"><div class="hd"><h2>TITLE</h2><small>OF</small></div>" */
void web_text_section(struct text *b, const char *title, struct span of);

/* ---- web_time.c: GPU time, bars and strips ---- */

void web_time(struct text *b, const struct page *p);

/* ---- web_table.c ---- */

/*
 * Tables of a page.  Names of kernels have the short forms in shorts, by their
 * numbers.
 */
struct web_tables {
	const struct page *page;
	const struct span *shorts;
};

/* The card of a table; c is the colour of its bars. */
void web_table(struct text *b, const struct web_tables *w,
    const struct page_table *t, enum page_class c);

#endif
