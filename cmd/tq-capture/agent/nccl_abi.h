/*
 * nccl_abi.h - how NCCL calls a profiler, in versions 1 to 5 of its interface
 *
 * NCCL's headers define them: nccl_profiler.h in NCCL 2.23, profiler_v1.h to
 * profiler_v5.h in src/include/plugin/profiler of 2.26 to 2.30
 * (github.com/NVIDIA/nccl).  This file declares only what this library reads.
 *
 *	version   1      2      3      4      5
 *	of NCCL   2.23   2.24   2.26   2.27   2.28
 *
 * Later versions of NCCL look for the older interfaces too.
 */
#ifndef TQ_AGENT_NCCL_ABI_H
#define TQ_AGENT_NCCL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* types of events: bits of a mask */
enum {
	NCCL_TYPE_GROUP = 1 << 0,
	NCCL_TYPE_COLL = 1 << 1,
	NCCL_TYPE_P2P = 1 << 2,
	NCCL_TYPE_GROUP_API = 1 << 8,
	NCCL_TYPE_COLL_API = 1 << 9,
	NCCL_TYPE_P2P_API = 1 << 10,
	NCCL_TYPE_LAUNCH = 1 << 11
};

struct nccl_coll_v1 {
	const char *comm_name;
	uint64_t comm, sequence;
	uint8_t function;
	const void *send;
	void *receive;
	size_t count;
	int root;
	uint8_t datatype;
	uint32_t reduction;
	size_t traffic;
	uint8_t channels, warps, algorithm, protocol;
};

struct nccl_coll_v2 {
	const char *comm_name;
	uint64_t comm, sequence;
	const char *function;
	const void *send;
	void *receive;
	size_t count;
	int root;
	const char *datatype;
	size_t traffic;
	uint8_t channels, warps;
	const char *algorithm, *protocol;
};

struct nccl_coll_v3 {
	const char *comm_name;
	uint64_t comm, sequence;
	const char *function;
	const void *send;
	void *receive;
	size_t count;
	int root;
	const char *datatype;
	uint8_t channels, warps;
	const char *algorithm, *protocol;
};

/* and of version 5 */
struct nccl_coll_v4 {
	uint64_t sequence;
	const char *function;
	const void *send;
	void *receive;
	size_t count;
	int root;
	const char *datatype;
	uint8_t channels, warps;
	const char *algorithm, *protocol;
};

struct nccl_p2p_v1 {
	const char *comm_name;
	uint64_t comm;
	uint8_t function;
	void *buffer;
	uint8_t datatype;
	size_t count;
	int peer;
};

/* and of version 3 */
struct nccl_p2p_v2 {
	const char *comm_name;
	uint64_t comm;
	const char *function;
	void *buffer;
	const char *datatype;
	size_t count;
	int peer;
};

/* and of version 5 */
struct nccl_p2p_v4 {
	const char *function;
	void *buffer;
	const char *datatype;
	size_t count;
	int peer;
	uint8_t channels;
};

/* these four are of version 5 */
struct nccl_group_api {
	bool captured; /* into a graph of CUDA */
};

struct nccl_coll_api {
	const char *function;
	size_t count;
	const char *datatype;
	int root;
	void *stream;
	bool captured;
};

struct nccl_p2p_api {
	const char *function;
	size_t count;
	const char *datatype;
	void *stream;
	bool captured;
};

struct nccl_event {
	union {
		uint8_t byte; /* before version 5 */
		uint64_t word;
	} type;
	void *parent; /* what start gave for an enclosing event, or NULL */
	int rank;     /* of COLL and P2P alone */
	union {
		struct nccl_coll_v1 coll_v1;
		struct nccl_coll_v2 coll_v2;
		struct nccl_coll_v3 coll_v3;
		struct nccl_coll_v4 coll_v4;
		struct nccl_p2p_v1 p2p_v1;
		struct nccl_p2p_v2 p2p_v2;
		struct nccl_p2p_v4 p2p_v4;
		struct nccl_group_api group_api;
		struct nccl_coll_api coll_api;
		struct nccl_p2p_api p2p_api;
	} is;
};

/* what NCCL looks up; all functions return 0 for success */
struct nccl_profiler {
	const char *name;
	union {
		int (*v1)(void **context, int *mask);
		int (*v4)(void **context, int *mask, const char *comm_name,
		    uint64_t comm, int nodes, int ranks, int rank,
		    void (*log)(void));
		int (*v5)(void **context, uint64_t comm, int *mask,
		    const char *comm_name, int nodes, int ranks, int rank,
		    void (*log)(void));
	} init; /* of a communicator; v1 up to version 3 */
	int (*start)(void *context, void **handle, struct nccl_event *e);
	int (*stop)(void *handle);
	int (*state)(void *handle, int state, void *about);
	int (*finalize)(void *context);
};

#pragma GCC visibility push(default)

extern const struct nccl_profiler ncclProfiler_v1, ncclProfiler_v2,
    ncclProfiler_v3, ncclProfiler_v4, ncclProfiler_v5;

#pragma GCC visibility pop

#endif
