/* runtime_stream.c - the runtime: streams, events, graphs */

#include "runtime.h"

cudaError_t
cudaStreamCreate(cudaStream_t *stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaStreamCreate_v3020));

	if (error == 0)
		error = (int)cuStreamCreate(stream, 0);
	return runtime_leave(&call, error);
}

cudaError_t
cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	struct fake_call call;
	int error =
	    runtime_enter(&call, RUNTIME(cudaStreamCreateWithFlags_v5000));

	if (error == 0)
		error = (int)cuStreamCreate(stream, flags);
	return runtime_leave(&call, error);
}

cudaError_t
cudaStreamDestroy(cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaStreamDestroy_v5050));

	if (error == 0)
		error = (int)cuStreamDestroy(stream);
	return runtime_leave(&call, error);
}

cudaError_t
cudaStreamSynchronize(cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaStreamSynchronize_v3020));

	if (error == 0)
		error = (int)cuStreamSynchronize(stream);
	return runtime_leave(&call, error);
}

cudaError_t
cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaStreamWaitEvent_v3020));

	if (error == 0)
		error = (int)cuStreamWaitEvent(stream, event, flags);
	return runtime_leave(&call, error);
}

cudaError_t
cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaStreamIsCapturing_v10000));

	*status = error != 0 || fake_stream(stream)->capture == NULL
		      ? cudaStreamCaptureStatusNone
		      : cudaStreamCaptureStatusActive;
	return runtime_leave(&call, error);
}

/* ---- events ---- */

cudaError_t
cudaEventCreate(cudaEvent_t *event)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaEventCreate_v3020));

	if (error == 0)
		error = (int)cuEventCreate(event, 0);
	return runtime_leave(&call, error);
}

cudaError_t
cudaEventDestroy(cudaEvent_t event)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaEventDestroy_v3020));

	if (error == 0)
		error = (int)cuEventDestroy(event);
	return runtime_leave(&call, error);
}

cudaError_t
cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaEventRecord_v3020));

	if (error == 0)
		error = (int)cuEventRecord(event, stream);
	return runtime_leave(&call, error);
}

cudaError_t
cudaEventSynchronize(cudaEvent_t event)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaEventSynchronize_v3020));

	if (error == 0)
		error = (int)cuEventSynchronize(event);
	return runtime_leave(&call, error);
}

/* ---- graphs ---- */

cudaError_t
cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	struct fake_call call;
	int error =
	    runtime_enter(&call, RUNTIME(cudaStreamBeginCapture_v10000));

	if (error == 0)
		error = (int)cuStreamBeginCapture(
		    stream, (CUstreamCaptureMode)mode);
	return runtime_leave(&call, error);
}

cudaError_t
cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaStreamEndCapture_v10000));

	if (error == 0)
		error = (int)cuStreamEndCapture(stream, graph);
	return runtime_leave(&call, error);
}

cudaError_t
cudaGraphInstantiate(
    cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaGraphInstantiate_v12000));

	if (error == 0)
		error = (int)cuGraphInstantiate(exec, graph, flags);
	return runtime_leave(&call, error);
}

cudaError_t
cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaGraphLaunch_v10000));

	if (error == 0)
		error = (int)cuGraphLaunch(exec, stream);
	return runtime_leave(&call, error);
}

cudaError_t
cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaGraphExecDestroy_v10000));

	if (error == 0)
		error = (int)cuGraphExecDestroy(exec);
	return runtime_leave(&call, error);
}

cudaError_t
cudaGraphDestroy(cudaGraph_t graph)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaGraphDestroy_v10000));

	if (error == 0)
		error = (int)cuGraphDestroy(graph);
	return runtime_leave(&call, error);
}
