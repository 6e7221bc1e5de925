/*
 * graph_names.h - the names of operations that are replayed by a graph.
 *
 * Where the recording tells of each node of a graph when it is created
 * (records "Graph Node Creation" of the kind api), a node that is captured has
 * the ranges that are open then, on the thread that captures; a node of a graph
 * that is copied, or made ready to run, is that of the original.  An operation
 * names its node.  All is of a process.
 *
 * Memory: three words for each node that was created, and each distinct label.
 */
#ifndef GRAPH_NAMES_H
#define GRAPH_NAMES_H

#include "tq/base/keyed.h"

#include "graph_label.h"

/* of operations that a graph launched */
struct graph_tally {
	int64_t ops, named, ambiguous, refused;
};

struct unnamed_graph {
	int64_t pid, graph;
	int64_t ops;
};

/* what an operation is called */
struct graph_name {
	struct graph_label label;
	int64_t index;
	struct span proof; /* JSON */
};

/* {0} is empty */
struct graph_names {
	struct graph_labels labels;
	/* process and node -> 1 + label, and the index in the upper half; 0: it
	   is a copy of an unknown node, or has no annotation */
	struct map nodes;
	bool created;       /* the recording tells of the creation of nodes */
	bool keep_origins;  /* and nodes that others are made of are kept: */
	struct map origins; /* process and node -> the first one */
	KEYED(struct unnamed_graph) unnamed;
	size_t refused; /* the index of the last one */
	struct graph_tally tally;
	int64_t updates;     /* calls of cudaGraphExecUpdate */
	struct event *event; /* of an odd spelling, or NULL */
	struct text scratch;
};

/* Does the record tell that a node was created? */
static inline bool
graph_names_tell(const struct event *ev)
{
	return event_has(ev, KEY_name) &&
	       span_begins(ev->value[KEY_name], SPAN("\"Graph Node "));
}

/* A node is created. */
void graph_names_create(
    struct graph_names *g, struct project *p, const struct event *ev);

static inline bool
graph_names_any(const struct graph_names *g)
{
	return g->nodes.count > 0;
}

/* The name of an operation of a node; false if it is not known. */
bool graph_names_find(const struct graph_names *g, int64_t pid, int64_t node,
    struct graph_name *name);

/* The captured node that a node was made of, or the node itself; a later call
   of graph_names_create needs keep_origins for that. */
int64_t graph_names_origin(
    const struct graph_names *g, int64_t pid, int64_t node);

/* May the line of an operation have args at its end? */
static inline bool
graph_names_has_args(struct span line)
{
	return line.len >= 2 && line.p[line.len - 1] == '}' &&
	       line.p[line.len - 2] == '}';
}

/* The name of such an operation, which may have an annotation in its args. */
bool graph_names_annotated(struct graph_names *g, int64_t pid, int64_t node,
    struct span line, struct graph_name *name);

/* Count an operation of a graph that has no name; node is NO_ID if unknown. */
void graph_names_refuse(struct graph_names *g, int64_t pid, int64_t node);

/*
 * Print what is named, and why the rest is not.  how: what is known of it
 * beside; captures: they were looked for.
 */
void graph_names_report(
    const struct graph_names *g, const char *how, bool captures);

void graph_names_clear(struct graph_names *g);
void graph_names_free(struct graph_names *g);

#endif
