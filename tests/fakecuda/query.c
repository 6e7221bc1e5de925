/* query.c - questions to libcupti, and switches that change nothing here */

#include <string.h>

#include "fakecupti.h"

CUptiResult
cuptiGetVersion(uint32_t *version)
{
	*version = FAKE_GENERATION == 118   ? 18
		   : FAKE_GENERATION == 124 ? 22
		   : FAKE_GENERATION == 130 ? 130001
					    : 999999;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiFinalize(void)
{
	guard_refuse(__func__, NULL);
	control_reset();
	clock_reset();
	subscribe_detach();
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetCallbackName(
    CUpti_CallbackDomain domain, uint32_t cbid, const char **name)
{
	*name = domain == CUPTI_CB_DOMAIN_RUNTIME_API  ? names_runtime(cbid)
		: domain == CUPTI_CB_DOMAIN_DRIVER_API ? names_driver(cbid)
						       : NULL;
	return *name == NULL ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

CUptiResult
cuptiGetResultString(CUptiResult result, const char **name)
{
	*name = names_result(result);
	return *name == NULL ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

CUptiResult
cuptiGetErrorMessage(CUptiResult result, const char **message)
{
	return cuptiGetResultString(result, message);
}

CUptiResult
cuptiGetLastError(void)
{
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiSupportedDomains(size_t *count, CUpti_DomainTable *table)
{
	static CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API,
	    CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_RESOURCE};

	*count = sizeof(domains) / sizeof(*domains);
	*table = domains;
	return CUPTI_SUCCESS;
}

/* ---- ids ---- */

CUptiResult
cuptiGetDeviceId(CUcontext context, uint32_t *id)
{
	if (context == NULL)
		return CUPTI_ERROR_INVALID_CONTEXT;
	*id = (uint32_t)context->device;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetContextId(CUcontext context, uint32_t *id)
{
	if (context == NULL)
		return CUPTI_ERROR_INVALID_CONTEXT;
	*id = context->id;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetStreamIdEx(
    CUcontext context, CUstream stream, uint8_t per_thread, uint32_t *id)
{
	(void)per_thread;
	if (context == NULL && stream == NULL)
		return CUPTI_ERROR_INVALID_CONTEXT;
	*id = stream == NULL ? context->null.id : stream->id;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetStreamId(CUcontext context, CUstream stream, uint32_t *id)
{
	return cuptiGetStreamIdEx(context, stream, 0, id);
}

CUptiResult
cuptiGetGraphNodeId(CUgraphNode node, uint64_t *id)
{
	if (node == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = ((struct fake_node *)(void *)node)->id;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetGraphId(CUgraph graph, uint32_t *id)
{
	if (graph == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = graph->id;
	return CUPTI_SUCCESS;
}

#if FAKE_GENERATION >= 124
CUptiResult
cuptiGetGraphExecId(CUgraphExec exec, uint32_t *id)
{
	if (exec == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = exec->graph.id;
	return CUPTI_SUCCESS;
}
#endif

/* ---- functions without effect where there is no GPU ---- */

static CUptiResult
accept(void)
{
	return subscribe_attach() ? CUPTI_SUCCESS : (CUptiResult)NO_DRIVER;
}

CUptiResult
cuptiActivityEnableLatencyTimestamps(uint8_t enable)
{
	(void)enable;
	return accept();
}

CUptiResult
cuptiActivityEnableLaunchAttributes(uint8_t enable)
{
	(void)enable;
	return accept();
}

CUptiResult
cuptiActivityConfigureUnifiedMemoryCounter(
    CUpti_ActivityUnifiedMemoryCounterConfig *config, uint32_t count)
{
	(void)config;
	(void)count;
	return CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED;
}

#if FAKE_GENERATION >= 124
CUptiResult
cuptiActivityEnableDeviceGraph(uint8_t enable)
{
	(void)enable;
	return accept();
}
#endif

#if FAKE_GENERATION >= 130
CUptiResult
cuptiActivityEnableAllocationSource(uint8_t enable)
{
	(void)enable;
	return accept();
}

CUptiResult
cuptiActivityEnableAllSyncRecords(uint8_t enable)
{
	(void)enable;
	return accept();
}

/* No GPU of the kind that has it. */
CUptiResult
cuptiActivityEnableHWTrace(uint8_t enable)
{
	(void)enable;
	return CUPTI_ERROR_NOT_SUPPORTED;
}
#endif
