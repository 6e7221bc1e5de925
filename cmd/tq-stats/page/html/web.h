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
#include "tq/show/html.h"

/* the same, as HTML_NAME */
enum { WEB_SENTENCE = 350, WEB_FULL_NAME = 600, WEB_LINE = 700 };

/* ---- web_text.c ---- */

/* "var(--compute)" */
const char *web_text_color(enum page_class c);

/* "36.7 %", "&lt;.1 %" */
void web_text_share(struct text *b, int64_t part, int64_t all);

/* "<section class="c"><div class="hd"><h2>TITLE</h2><small>OF</small></div>" */
void web_text_section(struct text *b, const char *title, struct span of);

/* ---- web_time.c: GPU time, bars and strips ---- */

/* The card; its pictures take room bytes at most. */
void web_time(struct text *b, const struct page *p, size_t room);

/* ---- web_table.c ---- */

/*
 * Tables of a page.  Names of kernels have the short forms in shorts, by their
 * numbers.
 */
struct web_tables {
	const struct page *page;
	const struct span *shorts;
};

/*
 * The card of a table, but for its </section>; nothing without rows.  Bars have
 * the colour of c, unless rows have their own; mono: names are code.
 */
void web_table(struct text *b, const struct web_tables *w,
    const struct page_table *t, enum page_class c, bool mono);

#endif
