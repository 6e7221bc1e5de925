/*
 * annotate.h - annotations of NVTX become records: for the entry points of its
 * core and of its extensions
 */
#ifndef TQ_AGENT_ANNOTATE_H
#define TQ_AGENT_ANNOTATE_H

#include "registry.h"
#include "nvtx_abi.h"

/* the parameter that has the message and the rest of an annotation */
enum nvtx_form {
	NVTX_FROM_ASCII,      /* const char *, may be NULL */
	NVTX_FROM_WIDE,       /* const wchar_t *, may be NULL */
	NVTX_FROM_ATTRIBUTES, /* const struct nvtx_attributes *, may be NULL */
	NVTX_FROM_PAYLOADS    /* const struct nvtx_payload_data [n] */
};

struct nvtx_source {
	enum nvtx_form form;
	const void *p;
	size_t n;
};

/* As the functions of NVTX with these names: a domain is a handle, NULL the
   default domain.  Ends may have payloads; NULL: none. */
int annotate_push(const void *domain, const struct nvtx_source *from);
int annotate_pop(const void *domain, const struct nvtx_source *payloads);
uint64_t annotate_start(const void *domain, const struct nvtx_source *from);
void annotate_end(
    const void *domain, uint64_t range, const struct nvtx_source *payloads);
void annotate_mark(const void *domain, const struct nvtx_source *from);

#endif
