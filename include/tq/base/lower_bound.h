/*
 * lower_bound.h - binary search.
 *
 *	size_t i;
 *
 *	LOWER_BOUND(i, 0, t->count, t->ranges[i].ts <= ts);
 *	return i;
 */
#ifndef TQ_BASE_LOWER_BOUND_H
#define TQ_BASE_LOWER_BOUND_H

/*
 * i becomes the first index of [from, to) for which before is false, to if it
 * is true for all.  before is an expression of i, true up to some index and
 * false from there on; it is evaluated once for each of log2(to - from) + 1
 * indices at most.  from <= to.
 *
 * i is a variable of the caller, size_t, uint64_t or uint32_t, and from and to
 * have its type.  The last element that is not behind x, which the first is
 * not: LOWER_BOUND(i, 1, count, all[i] <= x), and then all[i - 1].
 */
#define LOWER_BOUND(i, from, to, before) \
	for (__typeof__(i) low_ = (from), high_ = (to); \
	     (void)((i) = low_ + (high_ - low_) / 2), low_ < high_;) \
	(before) ? (void)(low_ = (i) + 1) : (void)(high_ = (i))

#endif
