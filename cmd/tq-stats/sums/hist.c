/* hist.c - how long kernels take, as histograms */

#include <stdio.h>

#include "groups.h"
#include "report.h"

struct hist {
	struct groups gs; /* by name; values: durations */
	struct text key, scratch;
};

enum { HIST_KERNELS = 10, HIST_WIDTH = 80, HIST_LABEL = 21 };

static void
hist_event(struct report *r, const struct event *ev)
{
	struct hist *h = r->state;

	if (!event_has(ev, KEY_dur) || event_int(ev, KEY_dur, 0) < 0)
		return;
	h->key.len = h->scratch.len = 0;
	groups_part(&h->key, event_str(ev, KEY_name, &h->scratch));
	dist_add(&groups_get(&h->gs, text_span(&h->key))->values,
	    event_int(ev, KEY_dur, 0));
}

/* three digits of half of ns2, right-aligned */
static void
add_time(struct text *t, dist_wide ns2, int width)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	long double v = (long double)ns2 / 2;
	char digits[64];
	size_t unit = 0;
	int decimals = ns2 % 2 != 0;

	for (; v >= 999.5L && unit < 3; unit++)
		v /= 1000;
	if (unit > 0)
		decimals = v < 9.995L ? 2 : v < 99.95L;
	snprintf(digits, sizeof(digits), "%.*Lf %s", decimals, v, units[unit]);
	text_printf(t, "%*s", width, digits);
}

/* eighths of a column; what is there at all is seen */
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

/* a name that fits on a line; no half of a character */
static void
add_name(struct text *t, struct span name)
{
	size_t columns = 0;

	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if ((c & 0xc0) != 0x80 && ++columns == HIST_WIDTH) {
			text_add_str(t, "\xe2\x80\xa6");
			break;
		}
		text_add_char(t, c < 0x20 || c == 0x7f ? ' ' : (char)c);
	}
	text_add_char(t, '\n');
}

/* one line for each bucket, sorted durations in them */
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
	struct hist *h = r->state;
	struct text *t = &o->buf;

	groups_sort(&h->gs);
	for (size_t i = 0; i < h->gs.count && i < HIST_KERNELS; i++) {
		struct group *g = h->gs.all[i];

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
	return h->gs.count > 0;
}

static struct groups *
hist_groups(const struct report *r)
{
	return &((struct hist *)r->state)->gs;
}

static void
hist_close(struct report *r)
{
	struct hist *h = r->state;

	groups_free(&h->gs);
	text_free(&h->key);
	text_free(&h->scratch);
}

static const enum key keys[] = {KEY_dur, KEY_name, KEY_NONE};

const struct report_kind report_hist[] = {
    {.name = "hist",
	.title = "Durations of the Kernels, as Histograms",
	.missing = "no kernel in the stream",
	.kinds = KINDS(kernel),
	.keys = keys,
	.size = sizeof(struct hist),
	.event = hist_event,
	.text = hist_text,
	.close = hist_close,
	.groups = hist_groups},
    {0},
};
