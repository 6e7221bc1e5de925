/*
 * graph_annotation.h - annotations of torch.cuda.graph(g,
 * enable_annotations=True): {"name": TEXT, ...}, in the args of a kernel, or in
 * files, {"NODE": [ANNOTATION, ...], ...}, by the ids of nodes of graphs that
 * are ready to run, or of captured ones (key_by: source).  The last annotation
 * of a node counts.
 */
#ifndef GRAPH_ANNOTATION_H
#define GRAPH_ANNOTATION_H

#include "graph_survey.h"

/*
 * True if a file has such annotations, and not a stream.  A pickle, as older
 * versions of PyTorch write, ends the program with status 1, and what to do.
 */
bool graph_annotation_is(const char *file);

/* Add the annotations; a file that is wrong ends the program with status 1. */
void graph_annotation_read(struct graph_survey *s, const char *file);

/* The label of the annotation among the args of an operation, an object;
   false if there is none. */
bool graph_annotation_label(
    struct graph_labels *l, struct span args, uint32_t *label);

#endif
