/* hist.c - durations of kernels as histograms */

#include <stdio.h>

#include "tq/show/amount.h"
#include "tq/show/display.h"
#include "tq/show/escape.h"

#include "sums.h"

enum { HIST_KERNELS = 10, HIST_WIDTH = 80, HIST_LABEL = 21 };

static bool
is_timed(struct report *r, const struct event *ev)
{
	(void)r;
	return event_has(ev, KEY_dur) && event_int(ev, KEY_dur, 0) >= 0;
}

static void
add_duration(struct report *r, struct group *g, const struct event *ev)
{
	(void)r;
	dist_add(&g->values, event_int(ev, KEY_dur, 0));
}

/* half of ns2, right-aligned */
static void
add_time(struct text *t, dist_wide ns2, size_t width)
{
	struct text time = {0};

	amount_half_time(&time, ns2);
	display_add_right(t, text_span(&time), width);
	text_free(&time);
}

/* in eighths of a column, at least one for a count above 0 */
static void
add_bar(struct text *t, size_t count, size_t most, size_t width)
{
	size_t n = (size_t)((dist_wide)count * (width * 8) / most);

	if (n == 0 && count > 0)
		n = 1;
	for (; n >= 8; n -= 8)
		text_add_str(t, "\xe2\x96\x88");
	if (n > 0)
		text_printf(t, "\xe2\x96%c", (char)(0x90 - n));
}

/* the name, cut to fit on a line */
static void
add_name(struct text *t, struct span name)
{
	struct text visible = {0};

	escape_terminal(&visible, name);
	display_add_cut(
	    t, text_span(&visible), HIST_WIDTH, 100, "\xe2\x80\xa6");
	text_free(&visible);
	text_add_char(t, '\n');
}

/* a line per bucket of sorted durations */
static void
add_buckets(struct text *t, const struct dist *d)
{
	unsigned first = dist_bucket(dist_min(d)),
		 last = dist_bucket(dist_max(d));
	size_t counts[65] = {0}, most = 1, below = 0;
	int digits;

	for (unsigned n = first; n <= last; n++) {
		size_t next = n == last
				  ? d->count
				  : dist_below(d, dist_bucket_from(n + 1));

		counts[n] = next - below;
		if (counts[n] > most)
			most = counts[n];
		below = next;
	}
	digits = snprintf(NULL, 0, "%zu", most);
	for (unsigned n = first; n <= last; n++) {
		text_add_str(t, "  ");
		add_time(t, (dist_wide)dist_bucket_from(n) * 2, 7);
		text_add_str(t, " - ");
		add_time(t, (dist_wide)dist_bucket_from(n + 1) * 2, 7);
		text_add_str(t, "  ");
		add_bar(t, counts[n], most,
		    (size_t)(HIST_WIDTH - HIST_LABEL - 1 - digits));
		text_printf(t, "%s%zu\n", counts[n] > 0 ? " " : "", counts[n]);
	}
}

static bool
hist_text(struct report *r, struct output *o)
{
	struct text *t = &o->buf;

	groups_sort(&r->groups, groups_by_sum);
	for (size_t i = 0; i < r->groups.count && i < HIST_KERNELS; i++) {
		struct group *g = r->groups.all[i];

		dist_sort(&g->values);
		add_name(t, groups_key(g, 0));
		text_printf(t, "  %zu, median ", g->values.count);
		add_time(t, dist_median2(&g->values), 0);
		text_add_str(t, ", total ");
		add_time(t, g->values.sum * 2, 0);
		text_add_char(t, '\n');
		add_buckets(t, &g->values);
		text_add_char(t, '\n');
		output_check(o);
	}
	return r->groups.count > 0;
}

const struct report_kind hist_reports[] = {
    {.name = "hist",
	.question = ASKS_DEVICES,
	.title = "Durations of the Kernels, as Histograms",
	.missing = "no kernel in the stream",
	.kinds = KINDS(kernel),
	.keys = KEYS(KEY_dur, KEY_name),
	.sum = SUM(
	    KEY_dur, NULL, {{"Name", KEY_name}}, is_timed, .add = add_duration),
	.text = hist_text},
    {0},
};
