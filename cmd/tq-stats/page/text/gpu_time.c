/* gpu_time.c - GPU TIME: bars by class, and busy time over time */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "bar.h"
#include "gpu_time.h"
#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "page/class_bins.h"
#include "prose.h"
#include "tq/show/display.h"

enum {
	LABEL_MOST = 24, /* columns of the name of a GPU */
	LABEL_GAP = 3,   /* blanks behind it */
	SHORT = 25,      /* columns of numbers behind a bar */
	LONG = 57,       /* where the terminal has so many columns: */
	LONG_FROM = 100,
	SPARE = 1 /* a share may be 100.0 */
};

struct gpu_lines {
	const struct terminal *on;
	const struct page *page;
	size_t label, cells;
	struct text scratch;
};

static void
add_share(struct gpu_lines *l, struct text *t, size_t width, int64_t part,
    int64_t whole)
{
	l->scratch.len = 0;
	amount_share(&l->scratch, part, whole);
	display_add_right(t, text_span(&l->scratch), width);
}

/* "84.6% compute  8.7% idle", or all classes where there is room */
static void
add_shares(struct gpu_lines *l, struct text *t, const struct page_gpu *g)
{
	const int64_t *time = g->time, all = page_gpu_length(g);
	int64_t idle = page_idle(time);

	text_add_char(t, ' ');
	if (l->page->unproved != NULL) {
		text_printf(t, "no shares\n");
		return;
	}
	if (l->on->width < LONG_FROM) {
		add_share(l, t, 4, time[PAGE_COMPUTE], all);
		text_add_str(t, "% compute ");
		add_share(l, t, 4, idle, all);
		text_add_str(t, "% idle\n");
		return;
	}
	text_add_str(t, "compute ");
	add_share(l, t, 5, time[PAGE_COMPUTE], all);
	text_add_str(t, " %  comm ");
	add_share(l, t, 4, time[PAGE_COMMUNICATION], all);
	text_add_str(t, " %  copies ");
	add_share(l, t, 4, time[PAGE_COPY], all);
	text_add_str(t, " %  idle ");
	add_share(l, t, 4, idle, all);
	text_add_str(t, " %\n");
}

/* the begin of a cell */
static int64_t
cell_from(const struct gpu_lines *l, const struct page_gpu *g, size_t cell)
{
	dist_wide all = (dist_wide)g->to - g->from;

	return (int64_t)(g->from + all * (dist_wide)cell / (dist_wide)l->cells);
}

static void
add_busy(struct gpu_lines *l, struct text *t, const struct page_gpu *g)
{
	int64_t *busy;

	if (l->cells == 0)
		return;
	busy = mem_resize(NULL, l->cells, sizeof(*busy));
	for (size_t i = 0; i < l->cells; i++) {
		int64_t from = cell_from(l, g, i), to = cell_from(l, g, i + 1);
		uint64_t time = 0;

		for (unsigned c = PAGE_COMPUTE; c <= PAGE_COPY; c++)
			time += class_bins_time(g->strip, c, from, to);
		busy[i] = (int64_t)time;
	}
	bar_add_levels(t, l->on, INK_BLUE, busy, l->cells,
	    page_gpu_length(g) / (int64_t)l->cells);
	free(busy);
}

static void
add_gpu(struct gpu_lines *l, struct text *t, const struct page_gpu *g)
{
	l->scratch.len = 0;
	escape_terminal(&l->scratch, g->name);
	display_add_left(t, text_span(&l->scratch), l->label - LABEL_GAP,
	    DISPLAY_CUT, ink_ellipsis(l->on));
	display_fill(t, LABEL_GAP, ' ');
	bar_add_stack(t, l->on, g->time, page_gpu_length(g), l->cells);
	add_shares(l, t, g);
	if (g->strip == NULL)
		return;
	display_fill(t, l->label, ' ');
	add_busy(l, t, g);
	text_add_str(t, " busy over time\n");
}

/* The classes that some GPU has time of. */
static void
add_legend(struct gpu_lines *l, struct text *t)
{
	struct prose_item items[PAGE_CLASSES];
	size_t n = 0;

	for (unsigned c = 0; c < PAGE_CLASSES; c++)
		if (l->page->time[c] > 0)
			items[n++] = (struct prose_item){ink_of(c),
			    ink_sign(l->on, c), span_of(page_class_name(c))};
	prose_add_list(t, l->on, items, n, "   ", l->label);
}

static void
measure_lines(struct gpu_lines *l)
{
	size_t name = 0, behind = l->on->width < LONG_FROM ? SHORT : LONG;

	for (size_t i = 0; i < l->page->shown_gpu_count; i++) {
		const struct page_gpu *g =
		    &l->page->gpus[l->page->shown_gpus[i]];
		size_t width = display_width(g->name);

		if (width > name)
			name = width;
	}
	if (name > LABEL_MOST)
		name = LABEL_MOST;
	l->label = name + LABEL_GAP;
	l->cells = l->on->width - l->label - behind - SPARE;
}

void
gpu_time_add(struct text *t, const struct terminal *on, const struct page *p)
{
	struct gpu_lines l = {.on = on, .page = p};

	measure_lines(&l);
	for (size_t i = 0; i < p->shown_gpu_count; i++)
		add_gpu(&l, t, &p->gpus[p->shown_gpus[i]]);
	if (p->gpu_count > p->shown_gpu_count) {
		amount_count(t, (int64_t)(p->gpu_count - p->shown_gpu_count));
		text_add_str(t, " more\n");
	}
	add_legend(&l, t);
	text_free(&l.scratch);
}
