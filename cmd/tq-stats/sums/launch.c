/*
 * launch.c - the times of launches: the API call, the wait, the kernel
 *
 * A kernel waits from the end of its call to its start; the wait is 0 where it
 * starts before that.  All kernels of a graph have the call that launched the
 * graph, and each counts its time; they are rows of their own.
 */

#include "sums.h"
#include "table/col.h"

/* distributions of a group; its values are durations of calls */
enum { WAIT, RUN, TIMES };

/* numbers of a group; BRIEF: kernels that are shorter than their call */
enum { BRIEF, NUMBERS };

static bool
is_launch(struct report *r, const struct event *ev)
{
	(void)r;
	return event_has(ev, KEY_ts) && event_has(ev, KEY_dur) &&
	       event_has(ev, KEY_api_ts) && event_has(ev, KEY_api_dur);
}

/* launched by a graph, or as a node of one */
static struct span
of_graph(const struct report *r, const struct event *ev, struct text *t)
{
	struct span api = ev->value[KEY_api_name];

	(void)r, (void)t;
	if (event_has(ev, KEY_graph) || event_has(ev, KEY_graph_node) ||
	    (event_has(ev, KEY_api_name) &&
		memmem(api.p, api.len, "GraphLaunch", 11) != NULL))
		return SPAN("yes");
	return SPAN("no");
}

static void
add_launch(struct report *r, struct group *g, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	int64_t api_dur = event_int(ev, KEY_api_dur, 0);
	int64_t api_end = time_end(event_int(ev, KEY_api_ts, 0), api_dur);
	int64_t wait = 0;

	(void)r;
	if (ts > api_end && __builtin_sub_overflow(ts, api_end, &wait))
		wait = INT64_MAX;
	dist_add(&g->values, api_dur);
	dist_add(&g->more[WAIT], wait);
	dist_add(&g->more[RUN], dur);
	groups_number(g, BRIEF, dur < api_dur);
}

static void
average_cols(struct table *t, const char *avg, const char *med, struct dist *d)
{
	dist_sort(d);
	col_ratio(t, avg, UNIT_TIME, d->sum, d->count, 1);
	col_ratio(t, med, UNIT_TIME, dist_median2(d), d->count > 0 ? 2 : 0, 1);
}

static void
launch_row(struct table *t, struct report *r, struct group *g)
{
	struct dist *calls = &g->values;

	(void)r;
	col_int(t, "Count", UNIT_NONE, (int64_t)calls->count);
	col_int(t, "API Total", UNIT_TIME, (int64_t)calls->sum);
	average_cols(t, "API Avg", "API Med", calls);
	average_cols(t, "Queue Avg", "Queue Med", &g->more[WAIT]);
	col_int(t, "Queue Max", UNIT_TIME, dist_max(&g->more[WAIT]));
	average_cols(t, "Kernel Avg", "Kernel Med", &g->more[RUN]);
	col_share(t, "Short", g->numbers[BRIEF], calls->count);
	col_text(t, "Graph", groups_key(g, 0));
	col_text(t, "API Name", groups_key(g, 1));
	col_text(t, "Name", groups_key(g, 2));
}

const struct report_kind launch_reports[] = {
    {.name = "launch",
	.title = "Kernel Launches",
	.missing = "no kernel with its launch in the stream",
	.shares = "Short (%) is of the kernels of the row",
	.correlated = true,
	.kinds = KINDS(kernel),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_graph, KEY_graph_node,
	    KEY_api_ts, KEY_api_dur, KEY_api_name),
	.sum = SUM(KEY_dur, NULL,
	    {{"Graph", .make = of_graph}, {"API Name", KEY_api_name},
		{"Name", KEY_name}},
	    is_launch, .add = add_launch, .row = launch_row, .more = TIMES,
	    .numbers = NUMBERS)},
    {0},
};
