/* gpu.c - contexts, streams, and when their work begins and ends */

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "fakecuda.h"

enum {
	FIRST_STREAM = 7, /* what CUPTI calls the stream 0 */
	FIRST_OTHER = 13,
	LATENCY = 700 /* ns from a launch to the start of an idle GPU */
};

#define HOUR (3600 * UINT64_C(1000000000))

static struct {
	pthread_mutex_t lock;
	CUcontext contexts;
	CUcontext primary[16];
	CUfunction functions;
	_Atomic uint32_t id, contexts_made;
} gpu = {.lock = PTHREAD_MUTEX_INITIALIZER, .id = FIRST_OTHER};

static _Thread_local int device;
static _Thread_local CUcontext current;

uint32_t
fake_id(void)
{
	return atomic_fetch_add(&gpu.id, 1);
}

/* ---- contexts and streams ---- */

CUcontext *
fake_contexts(void)
{
	return &gpu.contexts;
}

static CUcontext
new_context(int ordinal)
{
	CUcontext made = calloc(1, sizeof(*made));

	made->id = atomic_fetch_add(&gpu.contexts_made, 1) + 1;
	made->device = ordinal;
	made->null.id = FIRST_STREAM;
	made->null.context = made;
	made->next = gpu.contexts;
	gpu.contexts = made;
	return made;
}

CUresult
cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice ordinal)
{
	bool made = false;

	if (ordinal < 0 || ordinal >= 16)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&gpu.lock);
	if (gpu.primary[ordinal] == NULL) {
		gpu.primary[ordinal] = new_context(ordinal);
		made = true;
	}
	*context = gpu.primary[ordinal];
	pthread_mutex_unlock(&gpu.lock);
	if (made)
		fake_resource(
		    CUPTI_CBID_RESOURCE_CONTEXT_CREATED, *context, NULL, NULL);
	return CUDA_SUCCESS;
}

CUresult
cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags,
    CUdevice ordinal)
{
	(void)params;
	(void)flags;
	pthread_mutex_lock(&gpu.lock);
	*context = current = new_context(ordinal);
	pthread_mutex_unlock(&gpu.lock);
	fake_resource(
	    CUPTI_CBID_RESOURCE_CONTEXT_CREATED, *context, NULL, NULL);
	return CUDA_SUCCESS;
}

CUresult
cuCtxDestroy(CUcontext context)
{
	fake_resource(
	    CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, context, NULL, NULL);
	context->dead = true;
	if (current == context)
		current = NULL;
	return CUDA_SUCCESS;
}

CUresult
cuDevicePrimaryCtxReset(CUdevice ordinal)
{
	CUcontext old;

	pthread_mutex_lock(&gpu.lock);
	old = gpu.primary[ordinal];
	gpu.primary[ordinal] = NULL;
	pthread_mutex_unlock(&gpu.lock);
	return old == NULL ? CUDA_SUCCESS : cuCtxDestroy(old);
}

CUresult
cuCtxSetCurrent(CUcontext context)
{
	current = context;
	return CUDA_SUCCESS;
}

CUresult
cuCtxGetCurrent(CUcontext *context)
{
	*context = current;
	return CUDA_SUCCESS;
}

CUcontext
fake_context(void)
{
	if (current == NULL)
		cuDevicePrimaryCtxRetain(&current, device);
	return current;
}

CUresult
fake_set_device(int ordinal)
{
	if (ordinal < 0 ||
	    (uint64_t)ordinal >= fake_number("FAKECUDA_DEVICES", 1))
		return CUDA_ERROR_INVALID_DEVICE;
	device = ordinal;
	return cuDevicePrimaryCtxRetain(&current, ordinal);
}

int
fake_device(void)
{
	return device;
}

CUstream
fake_stream(CUstream stream)
{
	return stream == NULL ? &fake_context()->null : stream;
}

CUresult
cuStreamCreate(CUstream *stream, unsigned int flags)
{
	CUcontext context = fake_context();
	struct fake_call call;
	CUstream made = calloc(1, sizeof(*made));

	(void)flags;
	fake_enter(&call, CUPTI_CB_DOMAIN_DRIVER_API,
	    CUPTI_DRIVER_TRACE_CBID_cuStreamCreate);
	made->id = fake_id();
	made->context = context;
	pthread_mutex_lock(&gpu.lock);
	made->next = context->null.next;
	context->null.next = made;
	pthread_mutex_unlock(&gpu.lock);
	*stream = made;
	fake_resource(CUPTI_CBID_RESOURCE_STREAM_CREATED, context, made, NULL);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuStreamDestroy(CUstream stream)
{
	struct fake_call call;

	fake_enter(&call, CUPTI_CB_DOMAIN_DRIVER_API,
	    CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy_v2);
	fake_resource(CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING,
	    stream->context, stream, NULL);
	stream->dead = true;
	return fake_leave(&call, CUDA_SUCCESS);
}

/* ---- work ---- */

uint64_t
fake_kernel_ns(void)
{
	static _Atomic uint64_t ns;

	if (ns == 0)
		ns = fake_number("FAKECUDA_KERNEL_NS", 1000);
	return ns;
}

uint64_t
fake_copy_ns(void)
{
	static _Atomic uint64_t ns;

	if (ns == 0)
		ns = fake_number("FAKECUDA_COPY_NS", 500);
	return ns;
}

static void
tell(CUstream stream, struct fake_op *op)
{
	const struct fake_hooks *hooks = fake_hooks();

	op->correlation = fake_correlation();
	op->device = (uint32_t)stream->context->device;
	op->context = stream->context->id;
	op->stream = stream->id;
	if (hooks != NULL)
		hooks->op(op);
}

void
fake_work(CUstream stream, struct fake_op *op, uint64_t ns)
{
	uint64_t now = fake_now(), begin;

	pthread_mutex_lock(&gpu.lock);
	if (stream->tail > now + HOUR)
		stream->tail = now; /* the clock has become another one */
	begin = stream->tail > now + LATENCY ? stream->tail : now + LATENCY;
	op->end = stream->tail = begin + ns;
	if (op->start == 0)
		op->start = begin;
	pthread_mutex_unlock(&gpu.lock);
	tell(stream, op);
}

void
fake_queue(CUstream stream)
{
	uint64_t room = fake_number("FAKECUDA_QUEUE", 0) * fake_kernel_ns();
	uint64_t tail;

	pthread_mutex_lock(&gpu.lock);
	tail = stream->tail;
	pthread_mutex_unlock(&gpu.lock);
	if (room > 0 && tail > room)
		fake_wait(tail - room);
}

void
fake_note(CUstream stream, struct fake_op *op)
{
	op->end = fake_now();
	if (op->start == 0)
		op->start = op->end;
	tell(stream, op);
}

void
fake_wait(uint64_t until)
{
	uint64_t now = fake_now();
	struct timespec pause;

	while (now < until && until - now < HOUR) {
		pause.tv_sec = (time_t)((until - now) / 1000000000);
		pause.tv_nsec = (long)((until - now) % 1000000000);
		if (fake_number("FAKECUDA_SPIN", 0) == 0)
			nanosleep(&pause, NULL);
		now = fake_now();
	}
}

uint64_t
fake_idle(CUcontext context)
{
	uint64_t idle = 0;

	pthread_mutex_lock(&gpu.lock);
	for (CUstream s = &context->null; s != NULL; s = s->next)
		if (s->tail > idle)
			idle = s->tail;
	pthread_mutex_unlock(&gpu.lock);
	return idle;
}

CUfunction
fake_function(const void *host, const char *name)
{
	CUfunction f;

	pthread_mutex_lock(&gpu.lock);
	for (f = gpu.functions; f != NULL; f = f->next)
		if (host != NULL ? f->host == host
				 : f->host == NULL && !strcmp(f->name, name))
			break;
	if (f == NULL) {
		f = calloc(1, sizeof(*f));
		f->host = host;
		f->name = strdup(name == NULL ? "kernel" : name);
		f->next = gpu.functions;
		gpu.functions = f;
	}
	pthread_mutex_unlock(&gpu.lock);
	return f;
}
