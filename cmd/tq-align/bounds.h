/*
 * bounds.h - the lines that a clock can be, given what collectives prove
 *
 * A time x of a clock is x + o + d x on another one.  Nobody has a rank's data
 * before that rank entered, which bounds o + d x from above or below at some x.
 * Of the bounds only the corners of two convex hulls matter; the lines between
 * the hulls are a convex polygon of (o, d).  All of it is exact: d counts parts
 * of 10^12, offsets are ns, products have 128 bits.
 */
#ifndef TQ_ALIGN_BOUNDS_H
#define TQ_ALIGN_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* the drift that clocks may have: 200 parts per million */
#define BOUNDS_DRIFT INT64_C(200000000)
#define BOUNDS_UNIT INT64_C(1000000000000)

/* o + d x is at most, or at least, y */
struct bound {
	int64_t x, y;
};

/* corners of a hull, in order of x */
struct hull {
	struct bound *all;
	size_t count, cap;
};

/* upper: at most; lower: at least.  {0} allows any line. */
struct bounds {
	struct hull upper, lower;
	size_t uppers, lowers; /* bounds that were added */
};

void bounds_most(struct bounds *b, int64_t x, int64_t y);
void bounds_least(struct bounds *b, int64_t x, int64_t y);

/*
 * Make hulls of the bounds; after the last bound, and before the functions
 * below.
 */
void bounds_finish(struct bounds *b);

/*
 * The drifts, in parts of 10^12, of lines that all bounds allow: from *least to
 * *most.  False: there is none, the bounds contradict each other.
 */
bool bounds_drifts(const struct bounds *b, int64_t *least, int64_t *most);

/*
 * The offsets, in ns, that lines of this drift may have at 0: from *least to
 * *most, INT64_MIN and INT64_MAX where nothing bounds them.  False: none.
 */
bool bounds_offsets(
    const struct bounds *b, int64_t drift, int64_t *least, int64_t *most);

/*
 * The least and the most value at x of all lines with a drift from low to high
 * that the bounds allow; as above where nothing bounds them.
 */
void bounds_at(const struct bounds *b, int64_t low, int64_t high, int64_t x,
    int64_t *least, int64_t *most);

void bounds_free(struct bounds *b);

#endif
