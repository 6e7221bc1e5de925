/* dso.c - a library with NVTX of its own, to be loaded late */

#include <nvtx3/nvToolsExt.h>

void dso_pairs(long n);

/* the names of the program that loads it */
void
dso_pairs(long n)
{
	nvtxDomainHandle_t d = nvtxDomainCreateA("a domain");
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .messageType = NVTX_MESSAGE_TYPE_REGISTERED};

	a.message.registered = nvtxDomainRegisterStringA(d, "registered");
	for (long i = 0; i < n; i++) {
		nvtxDomainRangePushEx(d, &a);
		nvtxDomainRangePop(d);
	}
}
