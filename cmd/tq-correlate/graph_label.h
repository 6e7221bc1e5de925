/*
 * graph_label.h - the ranges that were open where an operation was captured
 * into a graph, as the members that its replays get.
 *
 * A label is a number; equal labels have one number, and their text is stored
 * once.
 */
#ifndef GRAPH_LABEL_H
#define GRAPH_LABEL_H

#include "tq/base/intern.h"

#include "project.h"

struct graph_label {
	struct span path;    /* names of the ranges, JSON strings with commas */
	struct span members; /* ,"op_name": ,"module": ,"shapes": if known */
};

/* {0} is empty */
struct graph_labels {
	struct intern texts;
	struct graph_label *all; /* by number, good until clear */
	size_t count, cap;
	struct text path, members, shapes; /* of a new one */
};

/*
 * The label of the ranges in e, the outermost first; NULL: there are none. None
 * of them has ended since project_enter.
 */
uint32_t graph_label_get(
    struct graph_labels *l, struct project *p, const struct enclosing *e);

/* The label of texts that are escaped; one that is empty is absent.  The path
   is the module. */
uint32_t graph_label_of(struct graph_labels *l, struct span operator,
    struct span module, struct span shapes);

/* The label that has what two have in common. */
uint32_t graph_label_common(struct graph_labels *l, uint32_t a, uint32_t b);

/* The label without its shapes. */
uint32_t graph_label_shapeless(struct graph_labels *l, uint32_t label);

/* Is it the range of a server around captures: capture_32_FULL? */
bool graph_label_is_capture(const struct range *r);

/* Is it a range of a profiler or a capture, which says nothing of the model? */
bool graph_label_is_frame(const struct range *r);

void graph_label_clear(struct graph_labels *l);
void graph_label_free(struct graph_labels *l);

#endif
