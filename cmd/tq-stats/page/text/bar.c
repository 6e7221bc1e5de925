/* bar.c - bars and lines of bars */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "bar.h"

enum { EIGHTHS = 8, QUARTER = 4 };

/* v * n / whole, rounded; at most n */
static size_t
scale_to(int64_t v, int64_t whole, size_t n)
{
	dist_wide scaled;

	if (whole <= 0 || v <= 0)
		return 0;
	scaled = ((dist_wide)v * (dist_wide)(2 * n) / whole + 1) / 2;
	return scaled < (dist_wide)n ? (size_t)scaled : n;
}

static void
repeat(struct text *t, const char *sign, size_t times)
{
	for (size_t i = 0; i < times; i++)
		text_add_str(t, sign);
}

/* ---- a part of a whole ---- */

static void
add_eighths(struct text *t, size_t eighths)
{
	static const char *const parts[EIGHTHS] = {"", "\u258f", "\u258e",
	    "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};

	repeat(t, "\u2588", eighths / EIGHTHS);
	text_add_str(t, parts[eighths % EIGHTHS]);
}

void
bar_add(struct text *t, const struct terminal *on, enum ink ink, int64_t v,
    int64_t whole, size_t cells)
{
	size_t eighths = scale_to(v, whole, cells * EIGHTHS), used;
	struct text bar = {0};

	if (on->utf8) {
		used = (eighths + EIGHTHS - 1) / EIGHTHS;
		add_eighths(&bar, eighths);
	} else { /* rounded; a quarter is seen */
		used = (eighths + (eighths < EIGHTHS / 2 ? 6 : 4)) / EIGHTHS;
		repeat(&bar, "#", used);
	}
	ink_add(t, on, ink, text_span(&bar));
	repeat(t, " ", cells - used);
	text_free(&bar);
}

/* ---- parts one behind the other ---- */

static bool
gets_cell(int64_t time, int64_t whole, size_t cells)
{
	return (dist_wide)time * (dist_wide)(cells * QUARTER) >= whole;
}

/* the cells that the classes behind this one need at least */
static size_t
needed_behind(const int64_t times[PAGE_CLASSES], unsigned class, int64_t whole,
    size_t cells)
{
	size_t n = 0;

	while (++class < PAGE_CLASSES)
		n += gets_cell(times[class], whole, cells);
	return n < cells ? n : cells;
}

void
bar_add_stack(struct text *t, const struct terminal *on,
    const int64_t times[PAGE_CLASSES], int64_t whole, size_t cells)
{
	struct text part = {0};
	size_t at = 0;
	int64_t sum = 0;

	for (unsigned c = 0; whole > 0 && c < PAGE_CLASSES; c++) {
		size_t most = cells - needed_behind(times, c, whole, cells);
		size_t edge;

		sum += times[c];
		edge = scale_to(sum, whole, cells);
		if (edge <= at)
			edge = at + gets_cell(times[c], whole, cells);
		if (edge > most)
			edge = most > at ? most : at;
		part.len = 0;
		repeat(&part, ink_sign(on, c), edge - at);
		ink_add(t, on, ink_of(c), text_span(&part));
		at = edge;
	}
	repeat(t, " ", cells - at);
	text_free(&part);
}

/* ---- lines ---- */

static void
add_heights(struct text *t, const struct terminal *on, enum ink ink,
    const size_t *heights, size_t count)
{
	struct text line = {0};

	for (size_t i = 0; i < count; i++)
		text_add_str(&line, ink_height(on, (unsigned)heights[i]));
	ink_add(t, on, ink, text_span(&line));
	text_free(&line);
}

void
bar_add_levels(struct text *t, const struct terminal *on, enum ink ink,
    const int64_t *v, size_t count, int64_t whole)
{
	size_t highest = ink_highest(on);
	size_t *heights = mem_resize(NULL, count, sizeof(*heights));

	for (size_t i = 0; i < count; i++) {
		dist_wide level = (dist_wide)v[i] * (dist_wide)(highest + 1);

		level = whole > 0 ? level / whole : 0;
		heights[i] =
		    level < (dist_wide)highest ? (size_t)level : highest;
	}
	add_heights(t, on, ink, heights, count);
	free(heights);
}

void
bar_add_counts(struct text *t, const struct terminal *on, enum ink ink,
    const int64_t *v, size_t count)
{
	size_t *heights = mem_resize(NULL, count, sizeof(*heights));
	int64_t most = 0;

	for (size_t i = 0; i < count; i++)
		if (v[i] > most)
			most = v[i];
	for (size_t i = 0; i < count; i++) {
		heights[i] = scale_to(v[i], most, ink_highest(on));
		if (heights[i] == 0 && v[i] > 0)
			heights[i] = 1;
	}
	add_heights(t, on, ink, heights, count);
	free(heights);
}
