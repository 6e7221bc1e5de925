/* class_bins.c - the classes of a device over time, in constant memory */

#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"
#include "tq/base/squares.h"

#include "class_bins.h"

void
class_bins_begin(struct class_bins *s, int64_t from)
{
	memset(s, 0, sizeof(*s));
	s->from = from;
	s->width = STRIP_WIDTH;
}

void
class_bins_free(struct class_bins *s)
{
	for (size_t c = 0; c < STRIP_CLASSES; c++)
		free(s->bins[c]);
}

static void
double_width(struct class_bins *s)
{
	for (size_t c = 0; c < STRIP_CLASSES; c++) {
		uint64_t *bins = s->bins[c];

		for (size_t i = 0; bins != NULL && i < STRIP_BINS / 2; i++)
			bins[i] = bins[2 * i] + bins[2 * i + 1];
		if (bins != NULL)
			memset(&bins[STRIP_BINS / 2], 0,
			    STRIP_BINS / 2 * sizeof(*bins));
	}
	s->width *= 2;
}

/* ns since the begin */
static uint64_t
since_begin(const struct class_bins *s, int64_t ts)
{
	return ts < s->from ? 0 : (uint64_t)ts - (uint64_t)s->from;
}

void
class_bins_add(struct class_bins *s, unsigned c, int64_t from, int64_t to)
{
	uint64_t a = since_begin(s, from), b = since_begin(s, to);
	size_t last;

	if (a >= b)
		return;
	while ((b - 1) / s->width >= STRIP_BINS)
		double_width(s);
	if (s->bins[c] == NULL)
		s->bins[c] = mem_alloc(STRIP_BINS * sizeof(*s->bins[c]));
	last = (size_t)((b - 1) / s->width);
	for (size_t i = (size_t)(a / s->width); i < last; i++) {
		uint64_t end = (i + 1) * s->width;

		s->bins[c][i] += end - a;
		a = end;
	}
	s->bins[c][last] += b - a;
	if (s->length < b)
		s->length = b;
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t
class_bins_time(
    const struct class_bins *s, unsigned c, int64_t from, int64_t to)
{
	uint64_t a = since_begin(s, from), sum = 0;
	uint64_t b = lesser(since_begin(s, to), s->length);

	if (s->bins[c] == NULL)
		return 0;
	for (uint64_t i = a / s->width; a < b; i++) {
		uint64_t begin = i * s->width;
		uint64_t width = lesser(s->width, s->length - begin);
		uint64_t part = lesser(begin + width, b) - a;

		sum += (uint64_t)((uwide)s->bins[c][i] * part / width);
		a = begin + width;
	}
	return sum;
}
