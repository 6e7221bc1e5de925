/* order.c - events, and waiting for work */

#include "fakecuda.h"

#define DRIVER(name) CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##name

struct CUevent_st {
	uint32_t id;
	CUstream stream; /* where it was recorded last */
	uint64_t at;
};

/* Wait, and record the synchronisation. */
static void
wait_for(CUstream stream, uint32_t type, CUevent event, uint64_t until)
{
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
	    .start = fake_now(),
	    .type = type,
	    .event = event == NULL ? 0 : event->id,
	};

	fake_wait(until);
	fake_note(stream, &op);
}

CUresult
cuCtxSynchronize(void)
{
	CUcontext context = fake_context();
	struct fake_call call;

	fake_enter(&call, DRIVER(cuCtxSynchronize));
	wait_for(&context->null,
	    CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, NULL,
	    fake_idle(context));
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuStreamSynchronize(CUstream stream)
{
	struct fake_call call;

	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuStreamSynchronize));
	wait_for(stream, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE,
	    NULL, stream->tail);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuEventCreate(CUevent *event, unsigned int flags)
{
	CUevent made = calloc(1, sizeof(*made));
	struct fake_call call;

	(void)flags;
	fake_enter(&call, DRIVER(cuEventCreate));
	made->id = fake_id();
	*event = made;
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuEventDestroy(CUevent event)
{
	struct fake_call call;

	fake_enter(&call, DRIVER(cuEventDestroy_v2));
	free(event);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuEventRecord(CUevent event, CUstream stream)
{
	struct fake_call call;
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
	    .event = event->id,
	};

	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuEventRecord));
	event->stream = stream;
	fake_work(stream, &op, 0);
	event->at = op.end;
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuEventSynchronize(CUevent event)
{
	CUstream stream =
	    event->stream == NULL ? fake_stream(NULL) : event->stream;
	struct fake_call call;

	fake_enter(&call, DRIVER(cuEventSynchronize));
	wait_for(stream, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE,
	    event, event->at);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	struct fake_call call;

	(void)flags;
	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuStreamWaitEvent));
	if (stream->tail < event->at)
		stream->tail = event->at;
	wait_for(stream, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT,
	    event, 0);
	return fake_leave(&call, CUDA_SUCCESS);
}
