/* cupti_stacks.c - stacks of calls of CUDA, by callbacks */
#include <stdatomic.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/settings.h"
#include "cupti_stacks.h"

enum { IDS = 1024 }; /* of callbacks of a domain, and more */

/* a call that has stacks */
struct stack_choice {
	bool wanted;
	bool python;        /* it has one of Python */
	uint64_t threshold; /* ticks that it takes, to have a native one */
};

static struct stack_choice choices[CUPTI_CB_DOMAIN_SIZE][IDS];
static uint32_t generation; /* of the arena; a child has another */

/*
 * The role of a function, by its name.  A function that makes or queries nodes
 * of graphs launches and copies nothing.
 */
static enum cuda_class
class_of(const char *name)
{
	static const struct {
		const char *part;
		enum cuda_class class;
	} parts[] = {{"GraphAdd", CUDA_OTHER}, {"Node", CUDA_OTHER},
	    {"Attribute", CUDA_OTHER}, {"Param", CUDA_OTHER},
	    {"Flags", CUDA_OTHER}, {"LaunchConfig", CUDA_OTHER},
	    {"LaunchHostFunc", CUDA_OTHER}, {"Launch", CUDA_KERNEL},
	    {"Memcpy", CUDA_MEMORY}, {"Memset", CUDA_MEMORY},
	    {"Synchronize", CUDA_SYNC}, {"Wait", CUDA_SYNC},
	    {"Malloc", CUDA_MEMORY}, {"MemAlloc", CUDA_MEMORY},
	    {"HostAlloc", CUDA_MEMORY}, {"AllocHost", CUDA_MEMORY},
	    {"Free", CUDA_MEMORY}, {"Prefetch", CUDA_MEMORY},
	    {"HostRegister", CUDA_MEMORY}, {"HostUnregister", CUDA_MEMORY}};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(name, parts[i].part) != NULL)
			return parts[i].class;
	return CUDA_OTHER;
}

static struct stack_choice
choose(const char *name)
{
	const struct agent_settings *s = settings_get();
	enum cuda_class class = class_of(name);
	struct stack_choice c = {
	    .python = class != CUDA_OTHER && (s->on & ARENA_PYTHON_CUDA),
	    .threshold = s->on & ARENA_CUDA_STACKS ? s->cuda.threshold[class]
						   : UINT64_MAX};

	c.wanted = c.python || c.threshold != UINT64_MAX;
	return c;
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
			struct stack_choice *c = &choices[domains[i]][id];
			const char *name = NULL;

			if (lib->callback_name(domains[i], id, &name) !=
				CUPTI_SUCCESS ||
			    name == NULL)
				continue;
			*c = choose(name);
			c->wanted =
			    c->wanted && lib->enable_callback(1, subscriber,
					     domains[i], id) == CUPTI_SUCCESS;
		}
}

static void
put_python(struct writer *w, struct record_api_stack *r)
{
	char *p;

	r->stack = agent_python_stack(w);
	if (r->stack == 0 ||
	    (p = agent_begin(w, LOSS_STACK, sizeof(*r))) == NULL)
		return;
	memcpy(p, r, sizeof(*r));
	agent_end(w, sizeof(*r));
}

/* at the start of a call: the stack of Python; at its end: the native one */
static void
put(const struct stack_choice *c, bool starts, uint64_t entered,
    struct record_api_stack *r)
{
	const struct cuda_settings *s = &settings_get()->cuda;
	uint32_t on = agent_on();
	struct writer *w;

	if (agent_generation() != generation || (w = agent_thread()) == NULL)
		return;
	if (starts) {
		if (c->python && (on & ARENA_PYTHON_CUDA) != 0)
			put_python(w, r);
	} else if ((on & ARENA_CUDA_STACKS) != 0 &&
		   c->threshold != UINT64_MAX &&
		   agent_clock() - entered >= c->threshold)
		agent_put_stack(
		    w, &r->head, sizeof(*r), (size_t)s->stack, s->modules);
}

void
cupti_stacks_called(CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const CUpti_CallbackData *d)
{
	static __thread struct {
		uint64_t entered; /* the outermost call; ticks */
		unsigned inside;  /* calls of the runtime */
	} own __attribute__((tls_model("initial-exec")));
	bool runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
	bool starts = d->callbackSite == CUPTI_API_ENTER;
	struct record_api_stack r = {
	    .head = {.words = sizeof(r) / 8, .type = RECORD_API_STACK},
	    .corr = d->correlationId,
	    .source = runtime ? API_RUNTIME : API_DRIVER};

	if (id >= IDS || !choices[domain][id].wanted)
		return;
	if (!starts)
		own.inside -= runtime && own.inside > 0;
	if (own.inside == 0) {
		if (starts && choices[domain][id].threshold != UINT64_MAX)
			own.entered = agent_clock();
		put(&choices[domain][id], starts, own.entered, &r);
	}
	if (starts)
		own.inside += runtime;
}
