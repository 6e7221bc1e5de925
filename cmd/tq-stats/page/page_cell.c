/* page_cell.c - the numbers in the tables of the page */

#include "page_cell.h"
#include "tq/show/amount.h"

void
page_cell_number(struct text *t, const struct page_cell *cell)
{
	if (cell->approximate)
		text_add_char(t, '~');
	switch (cell->type) {
	case PAGE_COUNT:
		amount_count(t, cell->v);
		break;
	case PAGE_TIME:
		amount_time(t, cell->v);
		break;
	case PAGE_SIZE:
		amount_size(t, cell->v);
		break;
	case PAGE_RATE:
		amount_rate(t, cell->v);
		break;
	case PAGE_SHARE:
		amount_share(t, cell->v, cell->of);
		break;
	default:
		break;
	}
}
