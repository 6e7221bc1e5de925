/* subscribe.c - the subscriber, its callbacks, and the link to the driver */

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "fakecupti.h"

static struct {
	CUpti_CallbackFunc tell;
	void *userdata;
	char name[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN];
	atomic_bool wants[CUPTI_CB_DOMAIN_SIZE][CBIDS];
} subscriber;

static CUcontext *contexts; /* where the list of the driver begins */

/* ---- callbacks ---- */

static bool
wanted(CUpti_CallbackDomain domain, uint32_t cbid)
{
	return subscriber.tell != NULL && cbid < CBIDS &&
	       atomic_load_explicit(
		   &subscriber.wants[domain][cbid], memory_order_relaxed);
}

static void
tell(CUpti_CallbackDomain domain, uint32_t cbid, const void *data,
    const char *callback)
{
	const char *before = guard_enter(callback);

	subscriber.tell(subscriber.userdata, domain, cbid, data);
	guard_leave(before);
}

static void
tell_of_call(struct fake_call *call, CUpti_ApiCallbackSite site)
{
	static const uint64_t params[16]; /* never read */
	CUpti_CallbackData data = {
	    .callbackSite = site,
	    .functionName = call->domain == CUPTI_CB_DOMAIN_RUNTIME_API
				? names_runtime(call->cbid)
				: names_driver(call->cbid),
	    .functionParams = params,
	    .functionReturnValue = &call->result,
	    .symbolName = call->symbol,
	    .context = call->context,
	    .contextUid = call->context == NULL ? 0 : call->context->id,
	    .correlationData = &call->data,
	    .correlationId = call->correlation,
	};

	if (wanted(call->domain, call->cbid))
		tell(call->domain, call->cbid, &data,
		    site == CUPTI_API_ENTER ? "a callback at enter"
					    : "a callback at exit");
}

/* ---- hooks of the driver ---- */

static void
enter(struct fake_call *call)
{
	tell_of_call(call, CUPTI_API_ENTER);
	call->recorded = control_records_call(call);
	call->start = clock_now();
}

static void
leave(struct fake_call *call)
{
	_Alignas(8) uint8_t record[RECORD_MAX];

	if (call->recorded) {
		control_external(call->correlation);
		record_of_call(record, call, clock_now());
		buffers_put(record);
	}
	tell_of_call(call, CUPTI_API_EXIT);
	buffers_poll();
}

/* Kernels are instrumented when they are seen for the first time. */
static void
instrument(const struct fake_op *kernel)
{
	_Alignas(8) uint8_t record[RECORD_MAX];
	struct fake_op op = *kernel;

	if (__atomic_test_and_set(
		&kernel->node.function->instrumented, __ATOMIC_RELAXED) ||
	    !control_records(CUPTI_ACTIVITY_KIND_OVERHEAD))
		return;
	op.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
	op.type = CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION;
	op.start = clock_now();
	op.end = clock_now();
	record_of_op(record, &op);
	buffers_put(record);
}

static void
work(const struct fake_op *done)
{
	struct fake_op op = *done;

	if (op.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
		if (!control_records(op.kind))
			op.kind = CUPTI_ACTIVITY_KIND_KERNEL;
		if (op.graph != 0 &&
		    control_records(CUPTI_ACTIVITY_KIND_GRAPH_TRACE))
			return; /* there is one record of all of them */
		if (control_records(op.kind))
			instrument(&op);
	}
	if (control_records(op.kind))
		buffers_later(&op);
}

static void
resource(uint32_t cbid, CUcontext context, CUstream stream, void *descriptor)
{
	CUpti_ResourceData data = {
	    .context = context,
	    .resourceHandle.stream = stream,
	    .resourceDescriptor = descriptor,
	};

	if (cbid == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
		control_context(context);
	if (cbid == CUPTI_CBID_RESOURCE_STREAM_CREATED)
		control_stream(stream);
	if (wanted(CUPTI_CB_DOMAIN_RESOURCE, cbid))
		tell(CUPTI_CB_DOMAIN_RESOURCE, cbid, &data,
		    "a callback of a resource");
}

static const struct fake_hooks hooks = {
    clock_now, enter, leave, work, resource};

static CUcontext *
attach(const struct fake_hooks *to)
{
	CUcontext *(*function)(const struct fake_hooks *);
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY);

	if (driver == NULL)
		return NULL;
	*(void **)&function = dlsym(driver, "fake_attach");
	return function == NULL ? NULL : function(to);
}

bool
subscribe_attach(void)
{
	static bool forks;

	if (contexts == NULL && fake_number("FAKECUDA_NODRIVER", 0) == 0)
		contexts = attach(&hooks);
	if (contexts != NULL && !forks) {
		forks = true;
		guard_forks();
	}
	return contexts != NULL;
}

void
subscribe_detach(void)
{
	memset(&subscriber, 0, sizeof(subscriber));
	if (contexts != NULL)
		attach(NULL);
	contexts = NULL;
}

void
subscribe_contexts(void (*fn)(CUcontext))
{
	for (CUcontext c = contexts == NULL ? NULL : *contexts; c != NULL;
	     c = c->next)
		if (!c->dead)
			fn(c);
}

/* ---- what the profiler calls ---- */

/* The name of an earlier subscriber, or NULL. */
static const char *
busy(void)
{
	const char *other = getenv("FAKECUDA_BUSY");

	return subscriber.tell != NULL ? subscriber.name : other;
}

static CUptiResult
subscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback,
    void *userdata, const char *name)
{
	if (handle == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	if (busy() != NULL)
		return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
	snprintf(subscriber.name, sizeof(subscriber.name), "CUPTI for %s",
	    name == NULL ? "unknown" : name);
	subscriber.userdata = userdata;
	subscriber.tell = callback;
	*handle = (CUpti_SubscriberHandle)(void *)&subscriber;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiSubscribe(
    CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *userdata)
{
	return subscribe(handle, callback, userdata, NULL);
}

#if FAKE_GENERATION >= 130
CUptiResult
cuptiSubscribe_v2(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback,
    void *userdata, CUpti_SubscriberParams *params)
{
	CUptiResult result;

	if (params != NULL &&
	    params->structSize < CUpti_SubscriberParams_STRUCT_SIZE)
		return CUPTI_ERROR_INVALID_PARAMETER;
	result = subscribe(handle, callback, userdata,
	    params == NULL ? NULL : params->subscriberName);
	if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED &&
	    params != NULL && params->oldSubscriberName != NULL)
		snprintf(params->oldSubscriberName, params->oldSubscriberSize,
		    "%s", busy());
	return result;
}
#endif

static bool
valid(CUpti_SubscriberHandle handle)
{
	return (void *)handle == (void *)&subscriber && subscriber.tell != NULL;
}

CUptiResult
cuptiUnsubscribe(CUpti_SubscriberHandle handle)
{
	if (!valid(handle))
		return CUPTI_ERROR_INVALID_PARAMETER;
	memset(&subscriber, 0, sizeof(subscriber));
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle handle,
    CUpti_CallbackDomain domain, CUpti_CallbackId cbid)
{
	if (!valid(handle) || domain >= CUPTI_CB_DOMAIN_SIZE || cbid >= CBIDS)
		return CUPTI_ERROR_INVALID_PARAMETER;
	atomic_store(&subscriber.wants[domain][cbid], enable != 0);
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableDomain(
    uint32_t enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain)
{
	CUptiResult result = CUPTI_SUCCESS;

	for (uint32_t cbid = 0; cbid < CBIDS && result == CUPTI_SUCCESS; cbid++)
		result = cuptiEnableCallback(enable, handle, domain, cbid);
	return result;
}

CUptiResult
cuptiEnableAllDomains(uint32_t enable, CUpti_SubscriberHandle handle)
{
	CUptiResult result = CUPTI_SUCCESS;

	for (int domain = 1; domain < CUPTI_CB_DOMAIN_SIZE; domain++)
		result = cuptiEnableDomain(
		    enable, handle, (CUpti_CallbackDomain)domain);
	return result;
}

CUptiResult
cuptiGetCallbackState(uint32_t *enable, CUpti_SubscriberHandle handle,
    CUpti_CallbackDomain domain, CUpti_CallbackId cbid)
{
	if (enable == NULL || !valid(handle) ||
	    domain >= CUPTI_CB_DOMAIN_SIZE || cbid >= CBIDS)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*enable = atomic_load(&subscriber.wants[domain][cbid]);
	return CUPTI_SUCCESS;
}
