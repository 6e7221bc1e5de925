/* graph_names.c - the names of operations that are replayed by a graph */

#include <inttypes.h>

#include "tq/io/note.h"
#include "tq/line/record_args.h"

#include "graph_annotation.h"
#include "graph_names.h"

static uint32_t
label_at(struct graph_names *g, struct project *p, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct enclosing *e = project_enter(p, event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_tid, NO_ID), ts, time_end(ts, 1));
	uint32_t label = graph_label_get(&g->labels, p, e);

	project_leave(p, e);
	return label;
}

/* the digits behind a text; false if they are not there */
static bool
take_id(struct span *text, struct span before, int64_t *id)
{
	size_t n = 0;

	if (!span_begins(*text, before))
		return false;
	text->p += before.len;
	text->len -= before.len;
	while (n < text->len && text->p[n] >= '0' && text->p[n] <= '9')
		n++;
	if (n == 0 || n > EVENT_PLAIN_DIGITS + 1)
		return false;
	*id = event_number((struct span){text->p, n});
	text->p += n;
	text->len -= n;
	return true;
}

/* the ids at the end of a line, as tq-extract and tq-capture write them */
static bool
read_plain(struct span line, int64_t *node, int64_t *original)
{
	const struct span args = SPAN("\"args\":{");
	const char *p = memmem(line.p, line.len, args.p, args.len);
	struct span text;

	if (p == NULL)
		return false;
	p += args.len;
	text = (struct span){p, (size_t)(line.p + line.len - p)};
	*original = NO_ID;
	return take_id(&text, SPAN("\"graphNodeId\":"), node) &&
	       (span_begins(text, SPAN("}")) ||
		   (take_id(
			&text, SPAN(",\"originalGraphNodeId\":"), original) &&
		       span_begins(text, SPAN("}"))));
}

/* any spelling of them, and other members */
static bool
read_ids(
    struct graph_names *g, struct span line, int64_t *node, int64_t *original)
{
	static const char *const names[] = {
	    "graphNodeId", "originalGraphNodeId"};
	struct span ids[2];

	if (read_plain(line, node, original))
		return true;
	if (g->event == NULL)
		g->event = mem_alloc(sizeof(*g->event));
	if (!event_parse(g->event, line, NULL))
		return false;
	record_args_find(g->event, names, 2, ids, &g->scratch);
	if (!record_args_int(ids[1], original))
		*original = NO_ID;
	return record_args_int(ids[0], node);
}

/*
 * A node is created, and then once more with its original, which counts.  The
 * original was created before.
 */
void
graph_names_create(
    struct graph_names *g, struct project *p, const struct event *ev)
{
	uint64_t pid = (uint64_t)event_int(ev, KEY_pid, NO_ID);
	int64_t node, original;
	const uint64_t *from;
	uint64_t value = 0;

	if (!read_ids(g, ev->line, &node, &original))
		return;
	g->created = true;
	if (original != NO_ID && g->keep_origins)
		*map_get(&g->origins, pid, (uint64_t)node) =
		    (uint64_t)graph_names_origin(g, (int64_t)pid, original);
	if (original != NO_ID) {
		from = map_find(&g->nodes, pid, (uint64_t)original);
		if (from != NULL)
			value = *from;
	} else if (map_find(&g->nodes, pid, (uint64_t)node) == NULL)
		value = ((uint64_t)label_at(g, p, ev) + 1) | (uint64_t)node
								 << 32;
	else
		return;
	*map_get(&g->nodes, pid, (uint64_t)node) = value;
}

bool
graph_names_find(const struct graph_names *g, int64_t pid, int64_t node,
    struct graph_name *name)
{
	const uint64_t *value =
	    map_find(&g->nodes, (uint64_t)pid, (uint64_t)node);

	if (value == NULL || *value == 0)
		return false;
	name->label = g->labels.all[(uint32_t)*value - 1];
	name->index = (int64_t)(*value >> 32);
	name->proof = SPAN("\"node\"");
	return true;
}

int64_t
graph_names_origin(const struct graph_names *g, int64_t pid, int64_t node)
{
	const uint64_t *origin =
	    map_find(&g->origins, (uint64_t)pid, (uint64_t)node);

	return origin != NULL ? (int64_t)*origin : node;
}

/* the object at the end of a line, as tq-extract writes args; else p is NULL */
static struct span
args_of(struct span line)
{
	const struct span key = SPAN(",\"args\":");
	const char *p, *end = line.p + line.len;

	p = memmem(line.p, line.len, key.p, key.len);
	if (p == NULL)
		return (struct span){NULL, 0};
	return (struct span){p + key.len, (size_t)(end - 1 - p) - key.len};
}

bool
graph_names_annotated(struct graph_names *g, int64_t pid, int64_t node,
    struct span line, struct graph_name *name)
{
	struct span args = args_of(line);
	uint32_t label;

	if (args.p == NULL ||
	    map_find(&g->nodes, (uint64_t)pid, (uint64_t)node) != NULL)
		return false;
	*map_get(&g->nodes, (uint64_t)pid, (uint64_t)node) =
	    graph_annotation_label(&g->labels, args, &label)
		? ((uint64_t)label + 1) | (uint64_t)node << 32
		: 0;
	return graph_names_find(g, pid, node, name);
}

static int64_t
graph_of(int64_t node)
{
	return (int64_t)((uint64_t)node >> 32);
}

void
graph_names_refuse(struct graph_names *g, int64_t pid, int64_t node)
{
	int64_t graph = node == NO_ID ? NO_ID : graph_of(node);
	struct unnamed_graph *x;
	bool fresh;

	g->tally.refused++;
	if (g->refused < g->unnamed.count) { /* the graph of the last one? */
		x = &g->unnamed.all[g->refused];
		if (x->pid == pid && x->graph == graph) {
			x->ops++;
			return;
		}
	}
	x = keyed_get(&g->unnamed, (uint64_t)pid, (uint64_t)graph, &fresh);
	if (fresh)
		*x = (struct unnamed_graph){.pid = pid, .graph = graph};
	x->ops++;
	g->refused = (size_t)(x - g->unnamed.all);
}

/* ---- a report ---- */

static const char *
plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static void
report_unnamed(const struct graph_names *g)
{
	for (size_t i = 0; i < g->unnamed.count; i++) {
		const struct unnamed_graph *x = &g->unnamed.all[i];

		if (x->graph != NO_ID)
			note("graph %" PRId64 ": %" PRId64
			     " operation%s not named: captured before the "
			     "recording began",
			    x->graph, x->ops, plural(x->ops));
	}
}

void
graph_names_report(const struct graph_names *g, const char *how, bool captures)
{
	const struct graph_tally *t = &g->tally;

	if (t->ops == 0)
		return;
	note("%" PRId64 " operation%s of graphs: %" PRId64 " named, %" PRId64
	     " ambiguous, %" PRId64 " not%s",
	    t->ops, plural(t->ops), t->named, t->ambiguous, t->refused, how);
	if (g->updates > 0 && t->named > 0)
		note("cudaGraphExecUpdate was called: names are those of the "
		     "first capture");
	if (g->created)
		report_unnamed(g);
	else if (captures && t->refused > 0)
		note("%" PRId64 " operation%s of graphs not named: no capture "
		     "has the same sequence of names; where calls have no "
		     "names, counts alone are no proof",
		    t->refused, plural(t->refused));
	else if (t->refused > 0)
		note("%" PRId64 " operation%s of graphs not named: no "
		     "capture in the recording: record it (nsys without "
		     "--capture-range, vLLM capture_torch_profiler) or "
		     "give it: -g FILE; or it is in the recording: --graph",
		    t->refused, plural(t->refused));
}

/* ---- life ---- */

void
graph_names_clear(struct graph_names *g)
{
	graph_label_clear(&g->labels);
	map_clear(&g->nodes);
	map_clear(&g->origins);
	g->created = false;
	keyed_clear(&g->unnamed);
	g->tally = (struct graph_tally){0};
	g->updates = 0;
}

void
graph_names_free(struct graph_names *g)
{
	graph_label_free(&g->labels);
	map_free(&g->nodes);
	map_free(&g->origins);
	keyed_free(&g->unnamed);
	if (g->event != NULL)
		event_free(g->event);
	free(g->event);
	text_free(&g->scratch);
}
