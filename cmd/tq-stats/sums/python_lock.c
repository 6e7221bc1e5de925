/*
 * python_lock.c - gil_sum: how long each thread waited for the lock of Python,
 * and how long it held it
 *
 * Shares are of all waits, and of all holds.
 */

#include "sums.h"
#include "tq/show/col.h"

enum { NAME, PROCESS, THREAD }; /* parts of a key */
enum { ALL, NUMBERS };          /* ns: of all groups of that name */

static struct span
process_text(const struct report *r, const struct event *ev, struct text *t)
{
	sums_add_process(r, event_int(ev, KEY_pid, NO_ID), t);
	return text_span(t);
}

static struct span
thread_text(const struct report *r, const struct event *ev, struct text *t)
{
	sums_add_thread(
	    r, event_int(ev, KEY_pid, NO_ID), event_int(ev, KEY_tid, NO_ID), t);
	return text_span(t);
}

static void
gil_row(struct table *t, struct report *r, struct group *g)
{
	col_share(t, "Time", g->values.sum, g->numbers[ALL]);
	col_sum(t, "Total Time", UNIT_TIME, g->values.sum);
	col_int(t, "Instances", UNIT_NONE, (int64_t)g->values.count);
	groups_stats(t, groups_stat_names, UNIT_TIME, &g->values);
	if (r->pct)
		groups_more(t, &g->values);
	col_text(t, "Name", groups_key(g, NAME));
	col_text(t, "Process", groups_key(g, PROCESS));
	col_text(t, "Thread", groups_key(g, THREAD));
}

/* Sorted by key, the waits are neighbours, and so are the holds. */
static void
gil_table(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;

	groups_sort(gs, groups_by_key);
	for (size_t i = 0, from = 0; i < gs->count; i++) {
		dist_wide all = 0;

		if (i + 1 < gs->count && span_eq(groups_key(gs->all[i], NAME),
					     groups_key(gs->all[i + 1], NAME)))
			continue;
		for (size_t k = from; k <= i; k++)
			all += gs->all[k]->values.sum;
		for (; from <= i; from++)
			gs->all[from]->numbers[ALL] =
			    all < INT64_MAX ? (int64_t)all : INT64_MAX;
	}
	sums_rows(r, t, groups_by_sum);
}

const struct report_kind python_lock_reports[] = {
    {.name = "gil_sum",
	.question = ASKS_HOST,
	.title = "Waits for the Lock of Python, and Holds of It",
	.missing = "no wait for the lock of Python in the stream",
	.kinds = KINDS(gil),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name),
	.sum = SUM(KEY_dur, NULL,
	    {{"Name", KEY_name}, {"Process", .make = process_text},
		{"Thread", .make = thread_text}},
	    .row = gil_row, .numbers = NUMBERS),
	.table = gil_table},
    {0},
};
