/*
 * api_call.h - the role of a call of a GPU's API, by its name: CUDA runtime and
 * driver, HIP, HSA, Level Zero, Unified Runtime (SYCL), ACL (Ascend).
 *
 * This is the only place with the spelling of their functions; rules are text,
 * and spell them for their readers.
 */
#ifndef TQ_NAMES_API_CALL_H
#define TQ_NAMES_API_CALL_H

#include "tq/line/event.h"

enum api_family {
	API_OTHER_FAMILY, /* of no known API */
	API_CUDA_RUNTIME,
	API_CUDA_DRIVER,
	API_HIP,
	API_HSA,
	API_LEVEL_ZERO,
	API_UNIFIED_RUNTIME,
	API_ACL,
	API_NCCL /* and RCCL, whose functions have the same names */
};

enum api_role {
	API_OTHER,
	API_LAUNCH, /* of a kernel */
	API_GRAPH_LAUNCH,
	API_COPY, /* prefetches included */
	API_FILL,
	API_ALLOC,
	API_ALLOC_ASYNC, /* ordered by a stream */
	API_FREE,
	API_REGISTER,    /* pins memory of the host, or lets it go */
	API_LOAD,        /* loads or unloads code */
	API_GRAPH_BUILD, /* makes, changes or captures a graph */
	API_OBJECT, /* makes, orders or destroys contexts, streams, events */
	API_WAIT,   /* the host waits for a device */
	API_QUERY,
	API_PROFILER_START,
	API_PROFILER_STOP,
	API_GROUP_START, /* of NCCL: operations that are launched as one */
	API_GROUP_END,
	API_ROLES
};

/* the object of a wait or a query, of a stream's wait, and what else differs
   within a role */
enum api_about {
	API_NOTHING,
	API_CONTEXT, /* all of a device or context */
	API_STREAM,
	API_EVENT,
	API_STREAM_WAITS,  /* a stream waits for an event, not the host */
	API_PREFETCH,      /* a copy that is no operation of its own */
	API_CAPTURE_BEGIN, /* from here on operations of a stream make a graph
			    */
	API_CAPTURE_END,
	API_HOST_FUNCTION, /* that a stream runs */
	API_ABOUTS
};

struct named_call {
	enum api_family family : 8;
	enum api_role role : 8;
	enum api_about about : 8;
	bool async : 1; /* it returns before its copy, fill ... is done */
	bool items : 1; /* its grid counts work-items, not blocks of them */
	bool old : 1;   /* another function replaces it */
};

/*
 * The call of a function, whose name is a text or a JSON string.  Versions and
 * other suffixes, like _v2 and _ptsz, change nothing.
 */
struct named_call api_call_of(struct span name);

/* The call of an api record; {0} if it has no name, or is of another kind. */
struct named_call api_call_of_event(const struct event *ev);

/*
 * True if an api record is a call of a runtime or driver, of CUDA or HIP;
 * libraries have api records as well.
 */
bool api_call_is_of_gpu(const struct event *ev);

/* "other", "launch", "graph-launch", ...: as a value of JSON. */
struct span api_call_role(enum api_role role);

/* True if the host waits in the call until a device has done something. */
static inline bool
api_call_waits(struct named_call call)
{
	return call.role == API_WAIT || (call.role == API_COPY && !call.async);
}

#endif
