/* distinct_cuts.c - texts that are cut to a width, and stay different */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/show/display.h"
#include "tq/show/distinct_cuts.h"

enum { CONTEXT = 2 }; /* bytes that are shown before a difference */

/* a text that is too wide */
struct cut_text {
	struct span text, cut;
	size_t index;
};

/* how texts are cut */
struct cut_way {
	size_t width, dots; /* columns of the ellipsis */
	unsigned percent;
	const char *ellipsis;
	struct region *life;
	size_t numbers; /* of texts that nothing else tells apart */
};

static int
by_text(const void *pa, const void *pb)
{
	const struct cut_text *a = pa, *b = pb;
	int order = span_cmp(a->text, b->text);

	return order != 0 ? order
			  : (a->index > b->index) - (a->index < b->index);
}

static int
by_cut(const void *pa, const void *pb)
{
	const struct cut_text *a = pa, *b = pb;
	int order = span_cmp(a->cut, b->cut);

	return order != 0 ? order : by_text(a, b);
}

static struct span
keep(const struct cut_way *way, struct text *t)
{
	struct span s = region_copy(way->life, text_span(t));

	text_free(t);
	return s;
}

static struct span
cut_plainly(const struct cut_way *way, struct span s, size_t width)
{
	struct text t = {0};

	display_add_cut(&t, s, width, way->percent, way->ellipsis);
	return keep(way, &t);
}

/* Where the character begins that has byte i. */
static size_t
character(struct span s, size_t i)
{
	while (i > 0 && ((unsigned char)s.p[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* The beginning, and what stands around byte i. */
static struct span
cut_around(const struct cut_way *way, struct span s, size_t i)
{
	size_t rest, head, from = character(s, i > CONTEXT ? i - CONTEXT : 0);
	struct span tail = {s.p + from, s.len - from};
	struct text t = {0};

	if (way->width < 3 * way->dots)
		return cut_plainly(way, s, way->width);
	head = (way->width - way->dots) / 3;
	rest = way->width - way->dots - head;
	if (display_width(tail) < rest)
		head += rest - display_width(tail);
	text_add(&t, s.p, display_head(s, head));
	text_add_str(&t, way->ellipsis);
	if (display_width(tail) <= rest) {
		text_add_span(&t, tail);
	} else {
		text_add(&t, tail.p, display_head(tail, rest - way->dots));
		text_add_str(&t, way->ellipsis);
	}
	return keep(way, &t);
}

/* What stands behind the first bytes of a text, which many texts share. */
static struct span
cut_behind(const struct cut_way *way, struct span s, size_t bytes)
{
	size_t from = character(s, bytes > CONTEXT ? bytes - CONTEXT : 0);
	struct text t = {0};

	if (way->width < 3 * way->dots || from == 0)
		return cut_plainly(way, s, way->width);
	text_add_str(&t, way->ellipsis);
	display_add_cut(&t, (struct span){s.p + from, s.len - from},
	    way->width - way->dots, way->percent, way->ellipsis);
	return keep(way, &t);
}

/* "abc...xyz~2" */
static struct span
cut_numbered(const struct cut_way *way, struct span s, size_t number)
{
	struct text t = {0}, end = {0};

	text_printf(&end, "~%zu", number);
	if (end.len < way->width)
		display_add_cut(
		    &t, s, way->width - end.len, way->percent, way->ellipsis);
	text_add_span(&t, text_span(&end));
	text_free(&end);
	return keep(way, &t);
}

static size_t
common_start(struct span a, struct span b)
{
	size_t n = 0;

	while (n < a.len && n < b.len && a.p[n] == b.p[n])
		n++;
	return n;
}

/* The end of the texts with the cut of the first, in the order of by_cut. */
static size_t
same_cut(const struct cut_text *all, size_t from, size_t count)
{
	size_t to = from + 1;

	while (to < count && span_eq(all[to].cut, all[from].cut))
		to++;
	return to;
}

/* Different texts that have one cut show where they differ. */
static void
show_differences(struct cut_way *way, struct cut_text *all, size_t count)
{
	size_t before = 0, behind;

	for (size_t i = 0; i < count; i++, before = behind) {
		behind = i + 1 < count
			     ? common_start(all[i].text, all[i + 1].text)
			     : 0;
		all[i].cut = cut_around(
		    way, all[i].text, before > behind ? before : behind);
	}
}

/* They leave out what all of them begin with, and have all the room. */
static void
leave_common_start(struct cut_way *way, struct cut_text *all, size_t count)
{
	size_t common = common_start(all[0].text, all[count - 1].text);

	for (size_t i = 0; i < count; i++)
		all[i].cut = cut_behind(way, all[i].text, common);
}

static void
number(struct cut_way *way, struct cut_text *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		all[i].cut = cut_numbered(way, all[i].text, ++way->numbers);
}

/* Change the cuts of different texts that have one. */
static void
part(struct cut_way *way, struct cut_text *all, size_t count,
    void (*change)(struct cut_way *, struct cut_text *, size_t))
{
	size_t to;

	qsort(all, count, sizeof(*all), by_cut);
	for (size_t from = 0; from < count; from = to) {
		to = same_cut(all, from, count);
		if (to - from > 1)
			change(way, all + from, to - from);
	}
}

/* Leave the first of equal texts; the number that is left. */
static size_t
keep_first(struct cut_text *all, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (n == 0 || !span_eq(all[n - 1].text, all[i].text))
			all[n++] = all[i];
	return n;
}

static int
find_text(const void *key, const void *element)
{
	return span_cmp(*(const struct span *)key,
	    ((const struct cut_text *)element)->text);
}

void
distinct_cuts(const struct span *texts, size_t count, size_t width,
    unsigned percent, const char *ellipsis, struct span *cuts,
    struct region *life)
{
	struct cut_way way = {width, display_width(span_of(ellipsis)), percent,
	    ellipsis, life, 0};
	struct cut_text *all = mem_resize(NULL, count + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		cuts[i] = texts[i];
		if (display_width(texts[i]) > width)
			all[n++] = (struct cut_text){texts[i], {0}, i};
	}
	qsort(all, n, sizeof(*all), by_text);
	n = keep_first(all, n);
	for (size_t i = 0; i < n; i++)
		all[i].cut = cut_plainly(&way, all[i].text, width);
	part(&way, all, n, show_differences);
	part(&way, all, n, leave_common_start);
	part(&way, all, n, show_differences);
	part(&way, all, n, number);
	qsort(all, n, sizeof(*all), by_text);
	for (size_t i = 0; i < count; i++) {
		const struct cut_text *cut =
		    bsearch(&texts[i], all, n, sizeof(*all), find_text);

		if (cut != NULL)
			cuts[i] = cut->cut;
	}
	free(all);
}
