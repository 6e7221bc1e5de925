/*
 * web_time.c - the time of each GPU in HTML: a bar of its parts, a strip of its
 * classes over time, the steps or ranges below, an axis.
 *
 * All pictures are drawn with a detail: 0 is the finest.  A step coarser halves
 * the bins of the strips, the rectangles that show numbers, and the intervals
 * of lanes; steps are taken until all pictures have room.
 */

#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "page/thread_intervals.h"
#include "page/class_bins.h"
#include "web.h"

enum {
	WEB_RECTANGLES = 60,
	WEB_INTERVALS = 200, /* of a lane, as parts of its width */
	WEB_COARSEST = 5,
	WEB_LINES = 100, /* where steps begin */
	WEB_LABEL = 24,  /* bytes of the name of a GPU or interval */
	WEB_TICKS = 6,
	WEB_ONE_COLUMN = 3, /* GPUs that stand below one another */
	WEB_HEIGHT = 100    /* of a strip: percent */
};

/* how the pictures are drawn */
struct web_scale {
	int64_t from, to; /* of the axis */
	unsigned detail;
	bool proved; /* shares are shown */
};

static double
percent(int64_t part, int64_t all)
{
	return all > 0 ? 100 * (double)part / (double)all : 0;
}

/* ns between two times, negative where the second is before the first */
static double
distance(int64_t from, int64_t to)
{
	return (double)to - (double)from;
}

/* ---- the bar ---- */

static void
add_part(struct text *b, enum page_class c, int64_t ns, int64_t of, bool proved)
{
	text_printf(b,
	    "<i style=\"width:%.2f%%;--c:%s\" data-v=\"%lld\" title=\"%s: ",
	    percent(ns, of), web_text_color(c), (long long)ns,
	    page_class_name(c));
	amount_time(b, ns);
	if (proved) {
		text_add_str(b, ", ");
		web_text_share(b, ns, of);
	}
	text_add_str(b, "\">");
	if (proved && percent(ns, of) >= 20) {
		web_text_share(b, ns, of);
		text_printf(b, " %s", page_class_name(c));
	}
	text_add_str(b, "</i>");
}

static void
add_bar(struct text *b, const struct page_gpu *g, bool proved)
{
	int64_t of = time_between(g->from, g->to);

	text_add_str(b, "<div class=\"bar\">");
	for (enum page_class c = 0; c < PAGE_CLASSES; c++)
		if (g->time[c] > 0)
			add_part(b, c, g->time[c], of, proved);
	text_add_str(b, "</div>\n");
}

/* ---- the strip ---- */

/* the shares of the classes in the bins, from the top down to each class */
struct web_heights {
	size_t bins, each; /* bins of the strip in one of these */
	unsigned char below[PAGE_CLASSES + 1][STRIP_BINS];
};

static void
stack_classes(
    struct web_heights *h, const struct class_bins *s, unsigned detail)
{
	h->each = (size_t)1 << detail;
	h->bins = (class_bins_used(s) + h->each - 1) / h->each;
	for (size_t i = 0; i < h->bins; i++) {
		uint64_t whole = s->width * h->each, sum = 0;

		h->below[0][i] = WEB_HEIGHT;
		for (unsigned c = 0; c < PAGE_CLASSES; c++) {
			for (size_t k = 0; k < h->each; k++)
				if (i * h->each + k < STRIP_BINS)
					sum += class_bins_get(
					    s, c, i * h->each + k);
			h->below[c + 1][i] =
			    (unsigned char)(WEB_HEIGHT -
					    percent(
						(int64_t)sum, (int64_t)whole) +
					    0.5);
		}
	}
}

/* From bin from to bin to, to excluded, one class has a height. */
static void
outline(struct text *b, const unsigned char *low, const unsigned char *high,
    size_t from, size_t to)
{
	text_printf(b, "M%zu %uV%u", from, low[from], high[from]);
	for (size_t i = from + 1; i < to; i++)
		if (high[i] != high[i - 1])
			text_printf(b, "H%zuV%u", i, high[i]);
	text_printf(b, "H%zuV%u", to, low[to - 1]);
	for (size_t i = to - 1; i > from; i--)
		if (low[i] != low[i - 1])
			text_printf(b, "H%zuV%u", i, low[i - 1]);
	text_add_char(b, 'Z');
}

static void
add_class(struct text *b, const struct web_heights *h, enum page_class c)
{
	const unsigned char *low = h->below[c], *high = h->below[c + 1];
	bool any = false;

	for (size_t i = 0; i < h->bins; i++) {
		size_t from = i;

		while (i < h->bins && high[i] < low[i])
			i++;
		if (i == from)
			continue;
		if (!any)
			text_printf(
			    b, "<path fill=\"%s\" d=\"", web_text_color(c));
		any = true;
		outline(b, low, high, from, i);
	}
	if (any)
		text_add_str(b, "\"/>\n");
}

/* The begin of part i of so many of the scale. */
static int64_t
part_of(const struct web_scale *x, size_t i, size_t parts)
{
	uint64_t whole = (uint64_t)x->to - (uint64_t)x->from;

	return (
	    int64_t)((uint64_t)x->from + (uint64_t)((uwide)whole * i / parts));
}

/* The time of the classes in [from, to), in words. */
static void
add_shares(struct text *b, const struct class_bins *s,
    const struct web_scale *x, int64_t from, int64_t to)
{
	const char *before = ": ";

	amount_time(b, time_between(x->from, from));
	text_add_str(b, " to ");
	amount_time(b, time_between(x->from, to));
	for (enum page_class c = 0; x->proved && c < PAGE_CLASSES; c++) {
		double share = percent((int64_t)class_bins_time(s, c, from, to),
		    time_between(from, to));

		if (share < 0.5)
			continue;
		text_printf(
		    b, "%s%s %.0f %%", before, page_class_name(c), share);
		before = ", ";
	}
}

/* Rectangles that show numbers; x is in bins of the strip, as in its paths. */
static void
add_rectangles(struct text *b, const struct class_bins *s,
    const struct web_scale *x, double start, double width)
{
	size_t count = WEB_RECTANGLES >> x->detail;

	for (size_t i = 0; i < count; i++) {
		text_printf(b,
		    "<rect x=\"%.2f\" width=\"%.2f\" height=\"%d\"><title>",
		    start + width * (double)i / (double)count,
		    width / (double)count, WEB_HEIGHT);
		add_shares(
		    b, s, x, part_of(x, i, count), part_of(x, i + 1, count));
		text_add_str(b, "</title></rect>\n");
	}
}

/* Lines where steps begin, if they are few enough to be seen. */
static void
add_step_lines(struct text *b, const struct page_gpu *g, double bin)
{
	if (!g->steps || g->lane->count > WEB_LINES)
		return;
	text_add_str(b, "<path class=\"at\" d=\"");
	for (size_t i = 0; i < g->lane->count; i++)
		text_printf(b, "M%.2f 0V%d",
		    distance(g->strip->from, g->lane->all[i].from) / bin,
		    WEB_HEIGHT);
	text_add_str(b, "\"/>\n");
}

static void
add_strip(struct text *b, const struct page_gpu *g, const struct web_scale *x)
{
	const struct class_bins *s = g->strip;
	struct web_heights h;
	double bin, start, width;

	stack_classes(&h, s, x->detail);
	bin = (double)s->width * (double)h.each;
	start = distance(s->from, x->from) / bin;
	width = distance(x->from, x->to) / bin;
	text_printf(b,
	    "<small>over time</small><svg class=\"strip\" "
	    "viewBox=\"%.2f 0 %.2f %d\" preserveAspectRatio=\"none\">\n",
	    start, width, WEB_HEIGHT);
	for (enum page_class c = 0; c < PAGE_OTHER; c++)
		add_class(b, &h, c);
	if (g->lane != NULL)
		add_step_lines(b, g, bin);
	add_rectangles(b, s, x, start, width);
	text_add_str(b, "</svg>\n");
}

/* ---- the lane ---- */

/* The next rectangle: one interval, or short ones that lie close together. */
struct web_interval {
	int64_t from, to;
	uint64_t count;
	struct span name; /* of one */
};

static void
add_interval(struct text *b, const struct web_interval *v,
    const struct page_gpu *g, const struct web_scale *x)
{
	double whole = distance(x->from, x->to);
	double left = 100 * distance(x->from, v->from) / whole;
	double width = 100 * distance(v->from, v->to) / whole;

	text_printf(b, "<i%s style=\"left:%.2f%%;width:%.2f%%\" title=\"",
	    v->count > 1 ? " class=\"z\"" : "", left, width);
	if (v->count > 1) {
		amount_count(b, (int64_t)v->count);
		text_add_str(b, g->steps ? " steps" : " ranges");
	} else {
		escape_html_cut(b, v->name, HTML_NAME);
	}
	text_add_str(b, ", ");
	amount_time(b, time_between(v->from, v->to));
	text_add_str(b, "\">");
	if (v->count == 1 && width >= 8)
		escape_html_cut(b, v->name, WEB_LABEL);
	text_add_str(b, "</i>\n");
}

/* True if n is short, and as close to v as short intervals that are one. */
static bool
is_close(
    const struct web_interval *v, const struct thread_interval *n, double least)
{
	return v->count > 0 && distance(v->to, n->from) < least &&
	       distance(n->from, n->to) < least &&
	       (v->count > 1 || distance(v->from, v->to) < least);
}

static void
add_lane(struct text *b, const struct page_gpu *g, const struct web_scale *x)
{
	const struct thread_intervals *l = g->lane;
	double least = distance(x->from, x->to) / (WEB_INTERVALS >> x->detail);
	struct web_interval v = {0};

	text_printf(b, "<small>%s</small><div class=\"lane\">\n",
	    g->steps ? "steps" : "ranges");
	for (size_t i = 0; i < l->count; i++) {
		const struct thread_interval *n = &l->all[i];
		int64_t from = n->from < x->from ? x->from : n->from;
		int64_t to = n->to > x->to ? x->to : n->to;

		if (from >= to)
			continue;
		if (is_close(&v, n, least)) {
			v.to = to;
			v.count += n->count;
			continue;
		}
		if (v.count > 0)
			add_interval(b, &v, g, x);
		v = (struct web_interval){
		    from, to, n->count, g->lane_names[n->name]};
	}
	if (v.count > 0)
		add_interval(b, &v, g, x);
	text_add_str(b, "</div>\n");
}

/* ---- the axis ---- */

/* The least of 1, 2, 5, 10 ... ns, 1 min ... that is not below ns. */
static int64_t
round_up(int64_t ns)
{
	static const int64_t minutes[] = {
	    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, INT64_MAX};
	const int64_t minute = 60000000000;
	int64_t step = 1;
	size_t i = 0;

	for (; step < ns && step < 50000000000; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	if (step >= ns)
		return step;
	for (i = 0; minutes[i] < INT64_MAX; i++)
		if (minutes[i] * minute >= ns)
			return minutes[i] * minute;
	return ns;
}

static void
add_axis(struct text *b, const struct web_scale *x)
{
	int64_t whole = time_between(x->from, x->to);
	int64_t step = round_up(whole / WEB_TICKS + 1);

	text_add_str(b, "<div class=\"gp\"><small></small><div class=\"ax\">"
			"<span style=\"left:0\">0</span>");
	/* the label of a tick at the right edge would pass it */
	for (int64_t at = step; at < whole - whole / 25;
	     at = time_end(at, step)) {
		text_printf(
		    b, "<span style=\"left:%.2f%%\">", percent(at, whole));
		amount_time(b, at);
		text_add_str(b, "</span>");
	}
	text_add_str(b, "</div></div>\n");
}

/* ---- all GPUs ---- */

static void
add_gpu(struct text *b, const struct page_gpu *g, const struct web_scale *x)
{
	text_add_str(b, "<div class=\"gp\"><b title=\"");
	escape_html_cut(b, g->model, HTML_NAME);
	text_add_str(b, "\">");
	escape_html_cut(b, g->name, HTML_NAME);
	text_add_str(b, "</b>");
	add_bar(b, g, x->proved);
	if (g->strip != NULL && g->from < g->to)
		add_strip(b, g, x);
	if (g->lane != NULL && g->lane->count > 0 && g->from < g->to)
		add_lane(b, g, x);
	text_add_str(b, "</div>\n");
}

/* One axis for GPUs that follow one another and have the same time. */
static void
add_half(struct text *b, const struct page *p, unsigned detail, size_t from,
    size_t to)
{
	text_add_str(b, "<div>\n");
	for (size_t i = from; i < to; i++) {
		const struct page_gpu *g = &p->gpus[p->shown_gpus[i]], *next;
		struct web_scale x = {
		    g->from, g->to, detail, p->unproved == NULL};

		add_gpu(b, g, &x);
		if (i + 1 < to) {
			next = &p->gpus[p->shown_gpus[i + 1]];
			if (next->from == g->from && next->to == g->to)
				continue;
		}
		add_axis(b, &x);
	}
	text_add_str(b, "</div>\n");
}

/* Halves stand side by side where the window is wide. */
static void
add_gpus(struct text *b, const struct page *p, unsigned detail)
{
	size_t count = p->shown_gpu_count;
	size_t half = count > WEB_ONE_COLUMN ? (count + 1) / 2 : count;

	add_half(b, p, detail, 0, half);
	if (half < count)
		add_half(b, p, detail, half, count);
}

static void
add_legend(struct text *b, const struct page *p)
{
	text_add_str(b, "<div class=\"leg\">");
	for (enum page_class c = 0; c < PAGE_CLASSES; c++)
		if (p->time[c] > 0)
			text_printf(b,
			    "<span><i style=\"--c:%s\"></i>%s</span>",
			    web_text_color(c), page_class_name(c));
	text_add_str(b, "</div>\n");
}

/* The width of the names, in characters. */
static size_t
label_width(const struct page *p)
{
	size_t width = 6;

	for (size_t i = 0; i < p->shown_gpu_count; i++)
		if (p->gpus[p->shown_gpus[i]].name.len > width)
			width = p->gpus[p->shown_gpus[i]].name.len;
	return width < WEB_LABEL ? width : WEB_LABEL;
}

void
web_time(struct text *b, const struct page *p, size_t room)
{
	size_t start;

	if (p->shown_gpu_count == 0)
		return;
	web_text_section(b, "GPU time", p->time_of_text);
	b->len -= strlen("</div>\n");
	text_printf(b,
	    "<small>%shover for numbers</small></div>\n"
	    "<div class=\"gs\" style=\"--l:%zuch\">\n",
	    p->unproved != NULL ? "no shares; " : "", label_width(p) + 1);
	start = b->len;
	for (unsigned detail = 0; detail <= WEB_COARSEST; detail++) {
		b->len = start;
		add_gpus(b, p, detail);
		if (b->len - start <= room)
			break;
	}
	text_add_str(b, "</div>\n");
	add_legend(b, p);
	if (p->gpu_count > p->shown_gpu_count)
		text_printf(b,
		    "<p class=\"more\">%zu more GPUs lie between these.</p>\n",
		    p->gpu_count - p->shown_gpu_count);
	text_add_str(b, "</section>\n");
}
