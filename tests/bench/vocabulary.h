/* vocabulary.h - the names that a synthetic trace is made of */

#ifndef VOCABULARY_H
#define VOCABULARY_H

#include <stddef.h>

enum {
	CALL_LAUNCH,
	CALL_LAUNCH_EX,
	CALL_DRIVER_LAUNCH,
	CALL_GRAPH_LAUNCH,
	CALL_MEMCPY,
	CALL_MEMSET,
	CALL_RECORD,
	CALL_WAIT_EVENT,
	CALL_STREAM_SYNC,
	CALL_EVENT_SYNC,
	CALL_DEVICE_SYNC,
	CALL_QUERY,
	CALL_QUESTION, /* this and the rest launch nothing */
	CALLS = CALL_QUESTION + 7
};

/* A function of the CUDA API; class as in ENUM_NSYS_EVENT_CLASS. */
struct call {
	const char *name;
	int api_class;
	int cost; /* typical ns on the host */
};

/* Texts of registered strings, in the order of the layers of a step. */
enum {
	RANGE_STEP,
	RANGE_ENGINE,
	RANGE_FORWARD,
	RANGE_BACKWARD,
	RANGE_OPTIMIZER,
	RANGE_ALLREDUCE,
	RANGE_PREFETCH,
	RANGE_MARK,
	RANGE_LAYER, /* this and the rest name layers */
	LAYERS = 12,
	RANGES = RANGE_LAYER + LAYERS
};

enum { DOMAIN_DEFAULT, DOMAIN_NCCL, DOMAIN_TRAIN, DOMAINS };

enum {
	OPS = 24,
	OSRTS = 12,
	SYMBOLS = 16,
	MODULES = 4,
	KERNELS_NCCL = 6, /* the first ones: collectives */
	KERNELS = 300
};

/* The three names of a kernel, as nsys keeps them. */
struct kernel_name {
	char demangled[512];
	char brief[512];
	char mangled[512];
};

extern const struct call vocabulary_calls[CALLS];
extern const char *const vocabulary_ranges[RANGES];
extern const char *const vocabulary_domains[DOMAINS];
extern const char *const vocabulary_ops[OPS];
extern const char *const vocabulary_osrts[OSRTS];
extern const char *const vocabulary_symbols[SYMBOLS];
extern const char *const vocabulary_modules[MODULES];

/* The names of kernel NUMBER, which is below KERNELS. */
void vocabulary_kernel(struct kernel_name *, size_t number);

/* Which call launches kernel NUMBER. */
int vocabulary_launch(size_t number);

#endif
