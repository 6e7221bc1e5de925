/* cupti_nodes.c - records that nodes of graphs are made, by callbacks */

#include <string.h>

#include "agent/agent.h"
#include "agent/writer.h"
#include "cupti_nodes.h"

static const struct cupti_lib *cupti;

void
cupti_nodes_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber)
{
	if (lib->node_id == NULL)
		return;
	cupti = lib;
	lib->enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
	    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
	lib->enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
	    CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
}

/* false: the node, or the one that it is a copy of, has no number */
static bool
number(const CUpti_GraphData *data, bool cloned, struct record_node *r)
{
	if (cupti == NULL ||
	    cupti->node_id(data->node, &r->node) != CUPTI_SUCCESS)
		return false;
	if (cloned)
		return cupti->node_id(data->originalNode, &r->original) ==
		       CUPTI_SUCCESS;
	return true;
}

void
cupti_nodes_made(const CUpti_GraphData *data, bool cloned)
{
	struct record_node r = {
	    .head = {.words = sizeof(r) / 8, .type = RECORD_NODE}};
	struct writer *w;
	char *p;

	if ((agent_on() & ARENA_NODES) == 0 || data == NULL ||
	    !number(data, cloned, &r) || (w = agent_thread()) == NULL ||
	    (p = agent_begin(w, LOSS_CUDA, sizeof(r))) == NULL)
		return;
	r.head.ticks = r.end = agent_clock();
	r.tid = (uint32_t)w->tid;
	memcpy(p, &r, sizeof(r));
	agent_end(w, sizeof(r));
}
