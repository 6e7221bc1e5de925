/* Graphs of kernels; the rest of graph.c is in <cuda.h>. */
#ifndef FAKECUDA_GRAPH_H
#define FAKECUDA_GRAPH_H

#include "fakecuda.h"

/* Add a kernel to the graph that the stream is captured into. */
void graph_capture(CUstream, const struct fake_node *);

#endif
