/*
 * sums.h - reports that add up a number of records by the texts that the
 * records have: each is a row of a table.
 *
 *	{.name = "osrt_sum", .kinds = KINDS(osrt),
 *	    KEYS(KEY_ts, KEY_dur, KEY_name),
 *	    .sum = SUM(KEY_dur, "Num Calls", {{"Name", KEY_name}})},
 */
#ifndef SUMS_H
#define SUMS_H

#include "report.h"

enum { SUM_PARTS = 4 };

/* a part of the key of a group, and its column */
struct sum_part {
	const char *label; /* NULL: it has no column */
	enum key key;      /* whose text it is, if make is NULL */
	/* Its text, which may be in *t, empty before; p is NULL for none. */
	struct span (*make)(
	    const struct report *r, const struct event *ev, struct text *t);
};

struct sum {
	enum key of;       /* KEY_dur: intervals; else an integer */
	const char *count; /* name of the column of the number of records */
	struct sum_part by[SUM_PARTS + 1]; /* the last is empty */

	/* All members may be NULL. */

	/* True if the record counts. */
	bool (*where)(struct report *r, const struct event *ev);
	/*
	 * The place of the group of a record that its symbol decides, alone or
	 * with other keys; NULL if it does not.
	 */
	struct group **(*known)(struct report *r, const struct event *ev);
	/* Add the record to its group, whether it has the key or not. */
	void (*add)(struct report *r, struct group *g, const struct event *ev);
	/* A row, instead of the columns of nsys. */
	void (*row)(struct table *t, struct report *r, struct group *g);
	groups_order *order; /* of these rows; NULL: groups_by_sum */

	size_t more, numbers; /* of a group, see groups.h */
};

/* A sum; further members may be designated, as .where = is_call. */
#define SUM(...) (&(const struct sum){__VA_ARGS__})

/*
 * For known: the place of the group of a symbol, or of two words; it has NULL
 * at first, and is good until the next one.
 */
struct group **sums_symbol(struct report *r, const struct event *ev);
struct group **sums_words(struct report *r, uint64_t a, uint64_t b);

/* The same for a kernel; NULL for other kinds. */
struct group **sums_kernel(struct report *r, const struct event *ev);

/* True if the record counts, of a report with a sum. */
bool sums_counts(struct report *r, const struct event *ev);

/* A record: the event of a report with a sum. */
void sums_event(struct report *r, const struct event *ev);

/* Its table. */
void sums_table(struct report *r, struct table *t);

/* The same in another order, without the columns of nsys. */
void sums_rows(struct report *r, struct table *t, groups_order *order);

/*
 * "main (12)", or "12" without a name: a process or a thread as a part of
 * r->key.  Overwrites r->scratch.
 */
void sums_process_part(struct report *r, int64_t pid);
void sums_thread_part(struct report *r, int64_t pid, int64_t tid);

/* The same, appended to t. */
void sums_add_process(const struct report *r, int64_t pid, struct text *t);
void sums_add_thread(
    const struct report *r, int64_t pid, int64_t tid, struct text *t);

/* The group of r->key, to which folded names add a part. */
struct group *sums_group(struct report *r);

/* An interval of that group. */
void sums_interval(struct report *r, struct group *g, int64_t ts, int64_t dur);

#endif
