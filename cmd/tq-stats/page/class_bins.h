/*
 * class_bins.h - the classes of a device over time, in constant memory.
 *
 * The time since the begin is cut into bins of one width; each has the time of
 * each class in it.  The width starts at 1 us.  When a segment passes the last
 * bin, bins are added in pairs and the width doubles: so 240 to 480 bins are in
 * use, of a recording longer than 240 us, and no time is lost.
 */
#ifndef CLASS_BINS_H
#define CLASS_BINS_H

#include <stddef.h>
#include <stdint.h>

enum {
	STRIP_BINS = 480,
	STRIP_CLASSES = 6, /* compute, and five more: enum page_class */
	STRIP_WIDTH = 1000 /* of the first bins, in ns */
};

struct class_bins {
	int64_t from;                  /* begin of the first bin */
	uint64_t width;                /* of a bin, in ns */
	uint64_t length;               /* up to the end of the last segment */
	uint64_t *bins[STRIP_CLASSES]; /* ns; NULL: none of the class */
};

/* An empty strip: nothing is added that ends before from. */
void class_bins_begin(struct class_bins *s, int64_t from);

void class_bins_free(struct class_bins *s);

/* The device is of class c in [from, to); the part before the begin is cut. */
void class_bins_add(struct class_bins *s, unsigned c, int64_t from, int64_t to);

/* The time of class c in bin i, in ns. */
static inline uint64_t
class_bins_get(const struct class_bins *s, unsigned c, size_t i)
{
	return s->bins[c] != NULL ? s->bins[c][i] : 0;
}

/* The number of bins up to the last segment. */
static inline size_t
class_bins_used(const struct class_bins *s)
{
	return s->length > 0 ? (size_t)((s->length - 1) / s->width) + 1 : 0;
}

/*
 * The time of class c in [from, to), in ns.  A bin that the interval cuts
 * counts by the part that is inside.
 */
uint64_t class_bins_time(
    const struct class_bins *s, unsigned c, int64_t from, int64_t to);

#endif
