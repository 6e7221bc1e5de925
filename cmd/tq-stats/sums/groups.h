/*
 * groups.h - numbers by what they belong to, and the columns that every
 * summary has.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include "tq/base/map.h"

#include "dist.h"
#include "table/table.h"

struct report;

/* All of it but busy_end is in a partial, see partial.c. */
struct group {
	struct span key;  /* parts that end with a NUL each */
	int64_t busy;     /* time in which one of them at least went on */
	int64_t busy_end; /* to which busy is counted */
	int64_t *numbers; /* other sums, none of which is negative */
	struct dist values;
	struct dist more[];
};

/* {0} has none */
struct groups {
	struct map map; /* (hash, attempt) -> the group */
	struct group **all;
	size_t count, cap;
	size_t more, numbers;        /* that a group has */
	bool approx;                 /* they have sketches */
	struct groups_block *blocks; /* that groups and keys stand in */
	struct groups_rows {         /* what a table shows of each */
		dist_wide all;       /* the sum of all */
		int64_t wall;        /* 0: not known */
		size_t labels;
		bool pct;
	} rows;
};

/* The group of a key, new where there is none; it does not move. */
struct group *groups_get(struct groups *gs, struct span key);

/* A key is made of parts: add one to *key, which is empty at first. */
void groups_part(struct text *key, struct span part);

/* The part of a key with that number, from 0. */
struct span groups_key(const struct group *g, size_t part);

/* An id, or NO_ID, as a part of a key. */
void groups_part_id(struct text *key, int64_t id);
int64_t groups_key_id(const struct group *g, size_t part);

/* Add to one of the numbers; they go no further than 64 bits. */
void groups_number(struct group *g, size_t number, int64_t n);

/* From now on they are approximate. */
void groups_approximate(struct groups *gs);

/* Is one of them? */
bool groups_approximated(const struct groups *gs);

/* The next interval may start at any time. */
void groups_section_end(struct groups *gs);

/* An interval that starts at ts; those of a group come in order of ts. */
void groups_interval(struct group *g, int64_t ts, int64_t dur);

/* In order of the sum, largest first; then of the number, then of the key. */
void groups_sort(struct groups *gs);

/*
 * The columns of nsys: Time (%), Total Time, the number under the name count,
 * Avg, Med, Min, Max, StdDev; if r asks for :pct P50 to P99, CV, Busy, and what
 * the total and Busy are of the wall; then a column of text for each of labels,
 * the parts of the key (NULL ends them).  Rows are made of the groups when they
 * are looked at; of those that are not shown the order is not known.
 */
void groups_table(struct groups *gs, struct table *t, const char *count,
    const char *const *labels, const struct report *r);

/* Avg, Med, Min, Max and StdDev of values: five columns, and their cells. */
void groups_columns(
    struct table *t, const char *const names[5], enum unit unit);
void groups_cells(struct table *t, struct dist *values);

/* P50 to P99 and CV, of sorted values: five columns more, and their cells. */
void groups_more_columns(struct table *t);
void groups_more_cells(struct table *t, const struct dist *sorted);

void groups_free(struct groups *gs);

#endif
