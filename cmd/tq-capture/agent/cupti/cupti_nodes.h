/*
 * cupti_nodes.h - records that nodes of graphs are made, by callbacks
 *
 * tq-correlate finds the ranges around them: the operations of a graph have no
 * others.
 */
#ifndef TQ_AGENT_CUPTI_NODES_H
#define TQ_AGENT_CUPTI_NODES_H

#include <stdbool.h>

#include "cupti_lib.h"

/* Ask for the callbacks; without effect if libcupti numbers no nodes. */
void cupti_nodes_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber);

/* The callback: a node is made; cloned: as a copy of another one. */
void cupti_nodes_made(const CUpti_GraphData *data, bool cloned);

#endif
