/*
 * graph_resemblance.h - what a sequence of operations is most like, where it is
 * like none: captures, all that was launched in the range of captures, and
 * steps that are no graphs.  Each of these is a source.
 *
 * Memory: eight bytes for each call of a source, and what graph_alignment.h
 * needs.
 */
#ifndef GRAPH_RESEMBLANCE_H
#define GRAPH_RESEMBLANCE_H

#include "tq/base/keyed.h"

#include "graph_label.h"

struct graph_source {
	uint64_t process; /* 0: of any */
	uint64_t hash;    /* of names and labels */
	size_t first, count;
};

struct graph_target_op {
	int64_t place; /* among the nodes of its graph */
	uint32_t name, label;
};

/* a sequence of operations, to be compared with the sources of its process */
struct graph_target {
	uint64_t process;
	struct graph_target_op *ops; /* in order of their places in the end */
	size_t count, cap;
	size_t alike; /* names of the longest common subsequence */
};

/* {0} is empty */
struct graph_resemblance {
	struct map names;  /* hash of a name -> number */
	KEYED(bool) known; /* sources by process and hash */
	struct graph_source *sources;
	size_t source_count, source_cap;
	uint32_t *source_names, *source_labels; /* of all of them */
	size_t name_count, name_cap, label_count, label_cap;
	struct map shapeless;        /* label -> 1 + label without shapes */
	size_t long_ops, long_calls; /* too many to be compared; 0: none are */
};

/* Begin a source; its calls follow, with the hash of a name and a label. */
void graph_resemblance_source(struct graph_resemblance *r, uint64_t process);
void graph_resemblance_call(
    struct graph_resemblance *r, uint64_t name, uint32_t label);

/* The source is complete. */
void graph_resemblance_end(struct graph_resemblance *r);

void graph_resemblance_operation(struct graph_resemblance *r,
    struct graph_target *t, int64_t place, uint64_t name);

/*
 * Find what the target is most like, at least in so many percent of its
 * operations: their labels, which have no shapes, or GRAPH_ALIGNMENT_NONE, see
 * graph_alignment.h.  False if nothing is like it that much; alike is the best.
 */
bool graph_resemblance_find(struct graph_resemblance *r, struct graph_target *t,
    struct graph_labels *labels, int64_t percent);

void graph_resemblance_free(struct graph_resemblance *r);

#endif
