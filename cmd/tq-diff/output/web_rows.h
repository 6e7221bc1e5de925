/*
 * web_rows.h - a table of a comparison as a card of HTML.
 */
#ifndef WEB_ROWS_H
#define WEB_ROWS_H

#include "tq/show/table.h"

struct web_rows {
	const char *of;    /* behind the title */
	const char *color; /* of bars that are as long as the second column is
			    * large; NULL: none */
	size_t sums;       /* rows at the end, which no click sorts */
	bool wrap;         /* names are never cut */
};

/* Nothing without rows.  The first column has names; the table is freed. */
void web_rows_add(struct text *b, struct table *t, const struct web_rows *w);

#endif
