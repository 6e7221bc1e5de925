/*
 * groups.h - distributions of integers by the texts that they belong to, and
 * the columns that every summary has.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include "tq/base/intern.h"
#include "tq/base/region.h"

#include "dist.h"
#include "tq/show/table.h"

struct report;

/* All of it but busy_end is in a partial, see partial/partial.c. */
struct group {
	struct span key;  /* parts that end with a NUL each */
	int64_t busy;     /* time with an interval open */
	int64_t busy_end; /* the end of that time so far */
	int64_t *numbers; /* other sums, none of which is negative */
	struct dist values;
	struct dist more[];
};

/* {0} has none */
struct groups {
	struct intern keys; /* numbers are indices of all, until it is sorted */
	struct group **all;
	size_t count, cap;
	size_t more, numbers;      /* of each group */
	bool approx;               /* they have sketches */
	struct region region;      /* of the groups */
	struct groups_rows {       /* the columns of a table for each */
		dist_wide all;     /* the sum of all */
		int64_t wall;      /* 0: unknown */
		const char *count; /* name of a column */
		const char *const *labels;
		bool pct;
	} rows;
};

/*
 * The group of a key, a new one if it has none; it does not move.  Not to be
 * called once the groups are sorted.
 */
struct group *groups_get(struct groups *gs, struct span key);

/* A group as groups_get makes it, which is none of gs; it lives as long. */
struct group *groups_empty(struct groups *gs);

/* A key is made of parts: add one to *key, which is empty at first. */
void groups_part(struct text *key, struct span part);

/* The part of a key with that number, from 0. */
struct span groups_key(const struct group *g, size_t part);

/* An id, or NO_ID, as a part of a key. */
void groups_part_id(struct text *key, int64_t id);
int64_t groups_key_id(const struct group *g, size_t part);

/* Add to one of the numbers, which stops at INT64_MAX. */
void groups_number(struct group *g, size_t number, int64_t n);

/* From now on they are approximate. */
void groups_approximate(struct groups *gs);

/* True if one of them holds too many values to be exact. */
bool groups_approximated(const struct groups *gs);

/* The next interval may start at any time. */
void groups_section_end(struct groups *gs);

/* An interval that starts at ts; a group gets its intervals in order of ts. */
void groups_interval(struct group *g, int64_t ts, int64_t dur);

/* The same without a value. */
void groups_busy(struct group *g, int64_t ts, int64_t dur);

/* An order of groups, for qsort(3). */
typedef int groups_order(const void *, const void *);

/* by the sum, largest first; then by the number, then by the key */
groups_order groups_by_sum;

/* by the key */
groups_order groups_by_key;

void groups_sort(struct groups *gs, groups_order *order);

/*
 * The columns of nsys: Time (%), Total Time, the number of values under the
 * name count, Avg, Med, Min, Max, StdDev; where r has :pct P50 to P99, CV,
 * Busy, and Total and Busy as shares of the wall; then a column of text for
 * each of labels, the parts of the key (NULL ends them).  Rows are made of the
 * groups when they are looked at; beyond t->limit their order is arbitrary.
 */
void groups_table(struct groups *gs, struct table *t, const char *count,
    const char *const *labels, const struct report *r);

/* Avg, Med, Min, Max and StdDev of values, under these names. */
void groups_stats(struct table *t, const char *const names[5], enum unit unit,
    struct dist *values);

/* P50, P90, P95 and P99 of sorted values, under these names. */
void groups_quantiles(struct table *t, const char *const names[4],
    enum unit unit, const struct dist *sorted);

/* P50 to P99 and CV of sorted times. */
void groups_more(struct table *t, const struct dist *sorted);

extern const char *const groups_stat_names[5], *const groups_quantile_names[4];

void groups_free(struct groups *gs);

#endif
