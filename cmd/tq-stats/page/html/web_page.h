/*
 * web_page.h - the page of tq-stats as one file in HTML, which loads nothing
 * and stays below 200 kB.
 */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

#include "page/page.h"

void web_page(struct text *b, const struct page *p);

#endif
