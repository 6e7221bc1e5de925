/*
 * cupti.c - records of CUDA by libcupti: the start of this half of the agent
 *
 * The driver loads this library in cuInit, by CUDA_INJECTION64_PATH, and calls
 * InitializeInjection: before there is any context, and before any thread of
 * the program can use CUDA.
 *
 * CUPTI takes its times from the clock of the capture.  It gets that clock only
 * once: a second time garbles the times of work that runs meanwhile.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cupti_buffers.h"
#include "cupti_flush.h"
#include "cupti_kinds.h"
#include "cupti_launches.h"
#include "cupti_lib.h"
#include "cupti_raw.h"
#include "cupti_stacks.h"
#include "cupti_stream.h"
#include "cupti_waits.h"
#include "agent/functions/functions_module.h"
#include "agent/settings.h"
#include "agent/agent.h"
#include "agent/writer.h"

int InitializeInjection(void);

static struct cupti_lib cupti;
static CUpti_SubscriberHandle subscriber;
static char other[128]; /* name of another subscriber; may be empty */
static bool taken;      /* true if there is another subscriber */
static pid_t owner;

/* load the library that CUDA_INJECTION64_PATH named before */
static void
load_chained(const char *path)
{
	int (*initialize)(void);
	void *handle, *p;

	if (path[0] == '\0')
		return;
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	p = handle == NULL ? NULL : dlsym(handle, "InitializeInjection");
	if (p == NULL) {
		agent_note(NOTE_WARNING,
		    "CUDA_INJECTION64_PATH was set to what "
		    "can't be loaded");
		return;
	}
	memcpy(&initialize, &p, sizeof(p));
	initialize();
}

static void
put_profiler(enum record_type type, uint64_t corr)
{
	struct record head = {.words = (sizeof(head) + sizeof(corr)) / 8,
	    .type = (uint8_t)type,
	    .flags = FLAG_ID};
	struct writer *w = agent_thread();
	char *p;

	if (w == NULL || (p = agent_begin(w, LOSS_MARK,
			      sizeof(head) + sizeof(corr))) == NULL)
		return;
	head.ticks = agent_clock();
	memcpy(p, &head, sizeof(head));
	memcpy(p + sizeof(head), &corr, sizeof(corr));
	agent_end(w, sizeof(head) + sizeof(corr));
}

/*
 * cudaProfilerStart and Stop, and the functions of the driver, which they call:
 * the outer call counts; Start when it returns, Stop when it is entered.
 */
static void
profiler(const CUpti_CallbackData *d, bool starts)
{
	static __thread int depth __attribute__((tls_model("initial-exec")));
	bool enter = d->callbackSite == CUPTI_API_ENTER;

	if (!enter && depth > 0)
		depth--;
	if (depth == 0 && enter != starts)
		put_profiler(
		    starts ? RECORD_PROFILER_START : RECORD_PROFILER_STOP,
		    d->correlationId);
	if (depth == 0 && !enter && !starts)
		cupti_flush_soon();
	if (enter)
		depth++;
}

/*
 * ---- nodes of graphs ----
 *
 * Callbacks record that nodes are made: tq-correlate finds the ranges around
 * them.  The operations of a graph have no others.
 */

/* ask for the callbacks; without effect if libcupti numbers no nodes */
static void
start_nodes(void)
{
	if (cupti.node_id == NULL)
		return;
	cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
	    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
	cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
	    CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
}

/* false: the node, or the one that it is a copy of, has no number */
static bool
node_number(const CUpti_GraphData *data, bool cloned, struct record_node *r)
{
	if (cupti.node_id == NULL ||
	    cupti.node_id(data->node, &r->node) != CUPTI_SUCCESS)
		return false;
	if (cloned)
		return cupti.node_id(data->originalNode, &r->original) ==
		       CUPTI_SUCCESS;
	return true;
}

/* the callback: a node is made; cloned: as a copy of another one */
static void
node_made(const CUpti_GraphData *data, bool cloned)
{
	struct record_node r = {
	    .head = {.words = sizeof(r) / 8, .type = RECORD_NODE}};
	struct writer *w;
	char *p;

	if ((agent_on() & ARENA_NODES) == 0 || data == NULL ||
	    !node_number(data, cloned, &r) || (w = agent_thread()) == NULL ||
	    (p = agent_begin(w, LOSS_CUDA, sizeof(r))) == NULL)
		return;
	r.head.ticks = r.end = agent_clock();
	r.tid = (uint32_t)w->tid;
	memcpy(p, &r, sizeof(r));
	agent_end(w, sizeof(r));
}

/* ---- callbacks ---- */

/*
 * The records of a context are flushed when it is destroyed, but not by force:
 * work of other contexts, still running, would be recorded without its times.
 */
static void
on_resource(CUpti_CallbackId id, const CUpti_ResourceData *data)
{
	if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED ||
	    id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)
		node_made(data->resourceDescriptor,
		    id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
	else if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
		cupti_flush_context();
	else
		cupti_flush_soon();
}

/* cudaProfilerStart or Stop, or the function of the driver */
static bool
is_profiler(CUpti_CallbackDomain domain, CUpti_CallbackId id, bool *starts)
{
	bool runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
	CUpti_CallbackId start =
	    runtime ? (CUpti_CallbackId)
			  CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000
		    : (CUpti_CallbackId)CUPTI_DRIVER_TRACE_CBID_cuProfilerStart;
	CUpti_CallbackId stop =
	    runtime ? (CUpti_CallbackId)
			  CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000
		    : (CUpti_CallbackId)CUPTI_DRIVER_TRACE_CBID_cuProfilerStop;

	*starts = id == start;
	return id == start || id == stop;
}

static void CUPTIAPI
callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const void *data)
{
	int saved = errno;
	bool starts;

	(void)user;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
		if (getpid() == owner)
			on_resource(id, data);
	} else if (is_profiler(domain, id, &starts)) {
		if (getpid() == owner)
			profiler(data, starts);
	} else {
		if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
			cupti_launches_called(id, data);
		cupti_waits_called(domain, id, data);
		cupti_stacks_called(domain, id, data);
	}
	errno = saved;
}

static void
enable_callbacks(void)
{
	static const struct {
		CUpti_CallbackDomain domain;
		CUpti_CallbackId id;
	} wanted[] = {
	    {CUPTI_CB_DOMAIN_RUNTIME_API,
		CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000},
	    {CUPTI_CB_DOMAIN_RUNTIME_API,
		CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000},
	    {CUPTI_CB_DOMAIN_DRIVER_API,
		CUPTI_DRIVER_TRACE_CBID_cuProfilerStart},
	    {CUPTI_CB_DOMAIN_DRIVER_API,
		CUPTI_DRIVER_TRACE_CBID_cuProfilerStop},
	    {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED},
	    {CUPTI_CB_DOMAIN_RESOURCE,
		CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING},
	};
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		cupti.enable_callback(
		    1, subscriber, wanted[i].domain, wanted[i].id);
}

/*
 * Find the name of the other subscriber, by the newer function.  We don't
 * subscribe with it: then the older functions would fail.
 */
static void
find_subscriber(const struct cupti_lib *lib)
{
	struct cupti_subscriber s = {
	    sizeof(s), "tq-capture", other, sizeof(other)};

	if (lib->subscribe_v2 == NULL || lib->unsubscribe == NULL)
		return;
	if (lib->subscribe_v2(&subscriber, callback, NULL, &s) == CUPTI_SUCCESS)
		lib->unsubscribe(subscriber);
	other[sizeof(other) - 1] = '\0';
}

/*
 * CUPTI serves one subscriber.  True if this libcupti works with the driver,
 * even if it has another subscriber; else another libcupti may.
 */
static bool
subscribe(struct cupti_lib *lib)
{
	CUptiResult r = lib->subscribe(&subscriber, callback, NULL);

	taken = r == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
	if (taken)
		find_subscriber(lib);
	return r == CUPTI_SUCCESS || taken;
}

/* the clock of the capture, and the thread ids of the kernel */
static bool
set_up(const struct cupti_lib *lib)
{
	if (lib->thread_id_type != NULL)
		lib->thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
	return lib->register_clock != NULL &&
	       lib->register_clock(agent_clock) == CUPTI_SUCCESS;
}

static const char *
start_cupti(struct arena *a, uint32_t bits)
{
	static char text[sizeof(other) + 64];

	if (!cupti_lib_find(&cupti, subscribe))
		return cupti.version == 0
			   ? "no libcupti: CUDA is not recorded"
			   : "no libcupti that works with this CUDA driver: "
			     "CUDA is not recorded";
	if (taken) {
		snprintf(text, sizeof(text),
		    "%s uses CUPTI: CUDA is not recorded",
		    other[0] == '\0' ? "another profiler" : other);
		return text;
	}
	a->cupti = cupti.version;
	cupti_lib_strides(&cupti, a->stride);
	if (!set_up(&cupti))
		return "libcupti takes no clock, as those before 11.6: CUDA "
		       "is not recorded";
	if (cupti_buffers_register(&cupti, a) != CUPTI_SUCCESS)
		return "libcupti takes no buffers: CUDA is not recorded";
	owner = getpid();
	cupti_raw_start();
	cupti_stream_use(&cupti);
	enable_callbacks();
	cupti_launches_start(&cupti, subscriber);
	cupti_waits_start(&cupti, subscriber);
	if ((bits & ARENA_NODES) != 0)
		start_nodes();
	if (settings_get()->on & (ARENA_PYTHON_CUDA | ARENA_CUDA_STACKS))
		cupti_stacks_start(&cupti, subscriber);
	if (cupti_kinds_follow(&cupti, bits, false) == KINDS_REFUSED)
		agent_note(NOTE_WARNING,
		    "libcupti refuses to record all that was asked for: "
		    "another one may fit the driver, see TQ_CUPTI");
	cupti_flush_start(&cupti, settings_get()->flush, bits);
	atexit(cupti_flush_end);
	at_quick_exit(cupti_flush_end);
	return NULL;
}

__attribute__((visibility("default"))) int
InitializeInjection(void)
{
	static atomic_flag begun = ATOMIC_FLAG_INIT;
	const uint32_t ours = ARENA_CUDA | ARENA_MEMORY | ARENA_EVENTS;
	const char *problem = NULL;
	int saved = errno;
	struct arena *a;
	uint32_t bits;

	if (!atomic_flag_test_and_set(&begun)) {
		agent_thread(); /* makes settings and arena */
		load_chained(settings_get()->chain);
		a = agent_arena();
		bits = agent_on() | settings_get()->arm;
		if (a != NULL && (bits & ours) != 0)
			problem = start_cupti(a, bits);
		if (problem != NULL)
			agent_note(NOTE_WARNING, problem);
		functions_module_start();
	}
	errno = saved;
	return 1;
}
