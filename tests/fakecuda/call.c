/* call.c - calls in progress, and their hooks; initialisation */

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "fakecuda.h"

enum { RAW, BUSY, READY };

static struct {
	_Atomic(const struct fake_hooks *) hooks;
	_Atomic uint32_t correlation;
	_Atomic int state; /* of initialisation */
	pid_t owner;
} all;

static _Thread_local struct fake_call *innermost;
static _Thread_local bool initialising;

const struct fake_hooks *
fake_hooks(void)
{
	return atomic_load(&all.hooks);
}

CUcontext *
fake_attach(const struct fake_hooks *hooks)
{
	atomic_store(&all.hooks, hooks);
	return fake_contexts();
}

uint64_t
fake_now(void)
{
	const struct fake_hooks *hooks = fake_hooks();
	struct timespec now;

	if (hooks != NULL)
		return hooks->now();
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- calls ---- */

static uint32_t
next_correlation(void)
{
	uint32_t id;

	while ((id = atomic_fetch_add(&all.correlation, 1)) == 0)
		;
	return id;
}

uint32_t
fake_correlation(void)
{
	return innermost == NULL ? 0 : innermost->correlation;
}

void
fake_enter(struct fake_call *call, CUpti_CallbackDomain domain, uint32_t cbid)
{
	const struct fake_hooks *hooks = fake_hooks();

	*call = (struct fake_call){
	    .domain = domain,
	    .cbid = cbid,
	    .outer = innermost,
	};
	cuCtxGetCurrent(&call->context);
	call->correlation =
	    innermost == NULL ? next_correlation() : innermost->correlation;
	innermost = call;
	if (hooks != NULL)
		hooks->enter(call);
}

int
fake_leave(struct fake_call *call, int result)
{
	const struct fake_hooks *hooks = fake_hooks();

	call->result = result;
	if (hooks != NULL)
		hooks->leave(call);
	innermost = call->outer;
	return call->result;
}

void
fake_resource(
    uint32_t cbid, CUcontext context, CUstream stream, void *descriptor)
{
	const struct fake_hooks *hooks = fake_hooks();

	if (hooks != NULL)
		hooks->resource(cbid, context, stream, descriptor);
}

/* ---- initialisation ---- */

/* What CUDA does for a profiler: it is loaded here, and called once. */
static void
inject(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	int (*start)(void);
	void *library;

	if (path == NULL || *path == '\0')
		return;
	if ((library = dlopen(path, RTLD_LAZY)) == NULL) {
		fprintf(stderr, "fakecuda: %s\n", dlerror());
		return;
	}
	*(void **)&start = dlsym(library, "InitializeInjection");
	if (start != NULL)
		start();
}

static void
leave_child_alone(void)
{
	if (fake_number("FAKECUDA_FORK", 0) == 0)
		fake_attach(NULL);
}

static void
initialise(void)
{
	all.owner = getpid();
	pthread_atfork(NULL, NULL, leave_child_alone);
	all.correlation = (uint32_t)fake_number("FAKECUDA_CORRELATION", 1);
	initialising = true;
	inject();
	initialising = false;
	atomic_store(&all.state, READY);
	fake_resource(CUPTI_CBID_RESOURCE_CU_INIT_FINISHED, NULL, NULL, NULL);
}

CUresult
fake_init(void)
{
	int raw = RAW;

	if (initialising)
		return CUDA_SUCCESS;
	if (atomic_compare_exchange_strong(&all.state, &raw, BUSY))
		initialise();
	while (atomic_load(&all.state) == BUSY)
		usleep(100);
	return all.owner == getpid() ? CUDA_SUCCESS
				     : CUDA_ERROR_NOT_INITIALIZED;
}
