/*
 * text_page.h - the page on a terminal.
 */
#ifndef TEXT_PAGE_H
#define TEXT_PAGE_H

#include "ink.h"

/* Append the page.  No line is wider than the terminal. */
void text_page_add(
    struct text *t, const struct terminal *on, const struct page *p);

/*
 * Append as much of it as fits so many bytes: whole lines of what matters most,
 * a command in one line each.
 */
void text_page_digest(struct text *t, const struct terminal *on,
    const struct page *p, size_t size);

#endif
