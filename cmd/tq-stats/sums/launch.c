/*
 * launch.c - the times of launches: the API call, the wait, the kernel
 *
 * A kernel waits from the end of its call to its start; the wait is 0 where it
 * starts before that.
 *
 * The launch of a graph is one launch: its operations are as one, from the
 * start of the first to the end of the last, whether the graph was traced as a
 * whole or by its nodes.  Any of its operations may be the last of the section,
 * so that launches of graphs are kept until it ends.
 */

#include "tq/base/keyed.h"
#include "tq/names/model.h"

#include "cuda.h"
#include "launch.h"
#include "sums.h"
#include "tq/show/col.h"

/* distributions of a group; its values are durations of calls */
enum { WAIT, RUN, TIMES };

/* numbers of a group; BRIEF: launches that ran shorter than their call */
enum { BRIEF, NUMBERS };

/* a launch of a graph, in the section */
struct launch_graph {
	struct group *group;
	int64_t api_end, api_dur;
	int64_t ts, end; /* of its operations */
};

struct launch {
	KEYED(struct launch_graph) graphs; /* by pid, corr */
};

static void
add_launch(
    struct group *g, int64_t api_end, int64_t api_dur, int64_t ts, int64_t dur)
{
	dist_add(&g->values, api_dur);
	dist_add(&g->more[WAIT], time_between(api_end, ts));
	dist_add(&g->more[RUN], dur);
	groups_number(g, BRIEF, dur < api_dur);
}

/* ---- operations ---- */

/* launched by a graph, or as a node of one */
static bool
is_of_graph(const struct event *ev)
{
	return ev->kind == KIND_graph || event_has(ev, KEY_graph) ||
	       event_has(ev, KEY_graph_node) ||
	       (event_has(ev, KEY_api_name) &&
		   model_symbol_at(ev->model, model_launching_symbol(ev))
			   ->call.role == API_GRAPH_LAUNCH);
}

static struct group *
find_group(struct report *r, const struct event *ev, bool graph)
{
	int64_t id = event_int(ev, KEY_graph, NO_ID);

	r->key.len = r->scratch.len = 0;
	groups_part(&r->key, graph ? SPAN("yes") : SPAN("no"));
	groups_part(&r->key, event_str(ev, KEY_api_name, &r->scratch));
	r->scratch.len = 0;
	if (!graph)
		groups_part(&r->key, event_str(ev, KEY_name, &r->scratch));
	else if (id == NO_ID)
		groups_part(&r->key, SPAN("[CUDA graph]"));
	else
		groups_part(&r->key, cuda_graph_name(id, &r->scratch));
	return sums_group(r);
}

/* An operation of a graph, which ran in [ts, end]. */
static void
add_node(
    struct report *r, const struct event *ev, const struct launch_graph *node)
{
	struct launch *s = r->state;
	uint64_t start = (uint64_t)event_int(ev, KEY_api_ts, 0);
	uint64_t call = (uint64_t)event_int(ev, KEY_corr, NO_ID);
	struct launch_graph *graph;
	bool fresh;

	if (!event_has(ev, KEY_corr))
		call = ~start; /* no id is so large */
	graph = keyed_get(
	    &s->graphs, (uint64_t)event_int(ev, KEY_pid, NO_ID), call, &fresh);
	if (fresh) {
		*graph = *node;
		graph->group = find_group(r, ev, true);
	}
	if (node->ts < graph->ts)
		graph->ts = node->ts;
	if (node->end > graph->end)
		graph->end = node->end;
}

static void
launch_event(struct report *r, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	int64_t api_dur = event_int(ev, KEY_api_dur, 0);
	struct launch_graph node = {.api_dur = api_dur, .ts = ts};

	if (!event_has(ev, KEY_ts) || !event_has(ev, KEY_dur) ||
	    !event_has(ev, KEY_api_ts) || !event_has(ev, KEY_api_dur))
		return;
	node.api_end = time_end(event_int(ev, KEY_api_ts, 0), api_dur);
	node.end = time_end(ts, dur);
	if (is_of_graph(ev))
		add_node(r, ev, &node);
	else if (ev->kind == KIND_kernel)
		add_launch(
		    find_group(r, ev, false), node.api_end, api_dur, ts, dur);
}

static void
launch_section_end(struct report *r)
{
	struct launch *s = r->state;

	for (size_t i = 0; i < s->graphs.count; i++) {
		const struct launch_graph *graph = &s->graphs.all[i];

		add_launch(graph->group, graph->api_end, graph->api_dur,
		    graph->ts, time_between(graph->ts, graph->end));
	}
	keyed_clear(&s->graphs);
}

static void
launch_close(struct report *r)
{
	struct launch *s = r->state;

	keyed_free(&s->graphs);
}

/* ---- the table ---- */

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
	col_sum(t, "API Total", UNIT_TIME, calls->sum);
	average_cols(t, "API Avg", "API Med", calls);
	average_cols(t, "Queue Avg", "Queue Med", &g->more[WAIT]);
	col_int(t, "Queue Max", UNIT_TIME, dist_max(&g->more[WAIT]));
	average_cols(t, "Kernel Avg", "Kernel Med", &g->more[RUN]);
	col_share(t, "Short", g->numbers[BRIEF], calls->count);
	col_text(t, "Graph", groups_key(g, 0));
	col_text(t, "API Name", groups_key(g, 1));
	col_text(t, "Name", groups_key(g, 2));
}

/* ---- for the page ---- */

struct launch_tally
launch_tally(const struct report *r)
{
	struct launch_tally t = {0};

	for (size_t i = 0; i < r->groups.count; i++) {
		const struct group *g = r->groups.all[i];

		if (!span_eq(groups_key(g, 0), SPAN("no")))
			continue;
		t.kernels += (int64_t)g->values.count;
		t.short_kernels += g->numbers[BRIEF];
	}
	return t;
}

const struct report_kind launch_reports[] = {
    {.name = "launch",
	.question = ASKS_LATE,
	.rows = ROWS_JOINED,
	.title = "Kernel Launches",
	.kernels = "Name",
	.missing = "no kernel or graph with its launch in the stream",
	.shares = "Short (%) is of the launches of the row",
	.correlated = true,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_corr, KEY_name, KEY_graph,
	    KEY_graph_node, KEY_api_ts, KEY_api_dur, KEY_api_name),
	.sum = SUM(KEY_dur, NULL, .row = launch_row, .more = TIMES,
	    .numbers = NUMBERS),
	.size = sizeof(struct launch),
	.event = launch_event,
	.section_end = launch_section_end,
	.close = launch_close},
    {0},
};
