/* graph.c - kernels that are captured once, and launched together */

#include <pthread.h>
#include <stdatomic.h>

#include "fakecuda.h"
#include "graph.h"

#define DRIVER(name) CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##name

enum { FREED = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t last_graph, freed[FREED], count; /* ids; count of freed */
static _Atomic uint32_t last_node;

/* Graphs and executable ones are numbered together. */
static uint32_t
new_id(void)
{
	uint32_t id;

	pthread_mutex_lock(&lock);
	id = count > 0 ? freed[--count] : ++last_graph;
	pthread_mutex_unlock(&lock);
	return id;
}

static void
give_back(uint32_t id)
{
	pthread_mutex_lock(&lock);
	if (fake_number("FAKECUDA_RECYCLE", 0) != 0 && count < FREED)
		freed[count++] = id;
	pthread_mutex_unlock(&lock);
}

static uint64_t
new_node(CUgraph graph)
{
	return (uint64_t)graph->id << 32 |
	       (atomic_fetch_add(&last_node, 1) + 1);
}

static void
tell(uint32_t cbid, CUpti_GraphData data)
{
	data.nodeType = CU_GRAPH_NODE_TYPE_KERNEL;
	fake_resource(cbid, fake_context(), NULL, &data);
}

static CUgraphNode
handle(struct fake_node *node)
{
	return (CUgraphNode)(void *)node;
}

static struct fake_node *
add_node(CUgraph graph, uint32_t at, const struct fake_node *kernel)
{
	struct fake_node *node = malloc(sizeof(*node));

	*node = *kernel;
	node->id = new_node(graph);
	graph->nodes[at] = node;
	return node;
}

static void
free_nodes(CUgraph graph)
{
	for (uint32_t i = 0; i < graph->count; i++)
		free(graph->nodes[i]);
	free(graph->nodes);
}

void
graph_capture(CUstream stream, const struct fake_node *kernel)
{
	CUgraph graph = stream->capture;
	struct fake_node *node;

	graph->nodes =
	    realloc(graph->nodes, (graph->count + 1) * sizeof(*graph->nodes));
	node = add_node(graph, graph->count, kernel);
	graph->count++;
	tell(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
	    (CUpti_GraphData){.graph = graph, .node = handle(node)});
}

CUresult
cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
	struct fake_call call;
	CUgraph graph;

	(void)mode;
	fake_enter(&call, DRIVER(cuStreamBeginCapture_v2));
	graph = calloc(1, sizeof(*graph));
	graph->id = new_id();
	stream->capture = graph;
	tell(CUPTI_CBID_RESOURCE_GRAPH_CREATED,
	    (CUpti_GraphData){.graph = graph});
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
	struct fake_call call;

	fake_enter(&call, DRIVER(cuStreamEndCapture));
	*graph = stream->capture;
	stream->capture = NULL;
	return fake_leave(&call, CUDA_SUCCESS);
}

/* An executable graph is a copy, with a hook call for each node. */
CUresult
cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	CUgraphExec made = calloc(1, sizeof(*made));
	CUgraph copy = &made->graph;
	struct fake_call call;

	(void)flags;
	fake_enter(&call, DRIVER(cuGraphInstantiateWithFlags));
	copy->id = new_id();
	copy->count = graph->count;
	copy->nodes = calloc(graph->count + 1, sizeof(*copy->nodes));
	tell(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING,
	    (CUpti_GraphData){.graph = graph});
	tell(CUPTI_CBID_RESOURCE_GRAPH_CLONED,
	    (CUpti_GraphData){.graph = copy, .originalGraph = graph});
	for (uint32_t i = 0; i < graph->count; i++) {
		add_node(copy, i, graph->nodes[i]);
		tell(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
		    (CUpti_GraphData){
			.graph = copy,
			.originalGraph = graph,
			.node = handle(copy->nodes[i]),
			.originalNode = handle(graph->nodes[i]),
		    });
	}
	tell(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED,
	    (CUpti_GraphData){.graph = graph, .graphExec = made});
	*exec = made;
	return fake_leave(&call, CUDA_SUCCESS);
}

/* One kernel after the other, and around them what a graph as a whole has. */
CUresult
cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
	struct fake_op whole = {.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE};
	struct fake_call call;

	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuGraphLaunch));
	for (uint32_t i = 0; i < exec->graph.count; i++) {
		struct fake_op op = {
		    .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
		    .node = *exec->graph.nodes[i],
		    .graph = exec->graph.id,
		};

		fake_work(stream, &op, fake_kernel_ns());
		if (i == 0)
			whole.start = op.start;
		whole.end = op.end;
	}
	whole.graph = exec->graph.id;
	fake_work(stream, &whole, 0);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuGraphExecDestroy(CUgraphExec exec)
{
	struct fake_call call;

	fake_enter(&call, DRIVER(cuGraphExecDestroy));
	tell(CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING,
	    (CUpti_GraphData){.graph = &exec->graph, .graphExec = exec});
	give_back(exec->graph.id);
	free_nodes(&exec->graph);
	free(exec);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuGraphDestroy(CUgraph graph)
{
	struct fake_call call;

	fake_enter(&call, DRIVER(cuGraphDestroy));
	tell(CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING,
	    (CUpti_GraphData){.graph = graph});
	give_back(graph->id);
	free_nodes(graph);
	free(graph);
	return fake_leave(&call, CUDA_SUCCESS);
}
