/* cupti_stacks.c - Python stacks of calls of CUDA, by callbacks */
#include <stdatomic.h>
#include <string.h>

#include "agent/agent.h"
#include "cupti_stacks.h"

enum { IDS = 1024 }; /* of callbacks of a domain, and more */

/* calls that have a stack, by domain */
static bool wanted[CUPTI_CB_DOMAIN_SIZE][IDS];
static uint32_t generation; /* of the arena; a child has another */

/*
 * By the name of a function: launches, copies, fills, waits, allocations.  What
 * makes or asks for nodes of graphs does none of it.
 */
static bool
is_of_interest(const char *name)
{
	static const char *const parts[] = {"Launch", "Memcpy", "Memset",
	    "Synchronize", "Wait", "Malloc", "MemAlloc", "HostAlloc",
	    "AllocHost", "Free", "Prefetch", "HostRegister", "HostUnregister"};
	static const char *const others[] = {"GraphAdd", "Node", "Attribute",
	    "Param", "Flags", "LaunchConfig", "LaunchHostFunc"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strstr(name, others[i]) != NULL)
			return false;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(name, parts[i]) != NULL)
			return true;
	return false;
}

void
cupti_stacks_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber)
{
	static const CUpti_CallbackDomain domains[] = {
	    CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API};

	generation = agent_generation();
	for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]); i++)
		for (CUpti_CallbackId id = 1; id < IDS; id++) {
			const char *name = NULL;

			if (lib->callback_name(domains[i], id, &name) !=
				CUPTI_SUCCESS ||
			    name == NULL || !is_of_interest(name))
				continue;
			wanted[domains[i]][id] =
			    lib->enable_callback(
				1, subscriber, domains[i], id) == CUPTI_SUCCESS;
		}
}

static void
put_stack(struct writer *w, enum api_source source, uint32_t corr)
{
	struct record_api_stack r = {
	    .head = {.words = sizeof(r) / 8, .type = RECORD_API_STACK},
	    .corr = corr,
	    .stack = agent_python_stack(w),
	    .source = source};
	char *p;

	if (r.stack == 0 || (p = agent_begin(w, LOSS_STACK, sizeof(r))) == NULL)
		return;
	memcpy(p, &r, sizeof(r));
	agent_end(w, sizeof(r));
}

void
cupti_stacks_called(CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const CUpti_CallbackData *d)
{
	/* calls of the runtime that this thread is in */
	static __thread unsigned inside
	    __attribute__((tls_model("initial-exec")));
	bool runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
	struct writer *w;

	if (id >= IDS || !wanted[domain][id])
		return;
	if (d->callbackSite != CUPTI_API_ENTER) {
		inside -= runtime && inside > 0;
		return;
	}
	if (inside == 0 && (agent_on() & ARENA_PYTHON_CUDA) != 0 &&
	    agent_generation() == generation && (w = agent_thread()) != NULL)
		put_stack(
		    w, runtime ? API_RUNTIME : API_DRIVER, d->correlationId);
	inside += runtime;
}
