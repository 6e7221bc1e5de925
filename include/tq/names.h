/*
 * names.h - the definitions of a section: the names of processes, threads,
 * devices, streams, symbols and counters, and call stacks.
 *
 * A second definition of a thing adds to the first: keys that it lacks stay.
 */
#ifndef TQ_NAMES_H
#define TQ_NAMES_H

#include "tq/base/intern.h"
#include "tq/base/map.h"
#include "tq/line/event.h"

struct names_entry;

/* {0} is empty; texts live until names_reset or names_free */
struct names {
	bool with_mangled;         /* keep mangled names, too */
	struct region region;      /* texts */
	struct map nodes;          /* (node, id) -> node: a path of ids */
	struct names_entry *entry; /* per node, from 1 */
	size_t count, cap;
	int64_t defined[KIND_COUNT]; /* per kind, but for stacks */
	int64_t replaced; /* definitions and sections that took names away */

	struct intern frames;
	uint32_t *stack; /* frames of all stacks, leaf first */
	size_t stack_count, stack_cap;
	struct map stacks; /* id -> first frame << 32 | how many */
	int64_t shortened; /* stacks of which only the leaf was kept */

	struct text scratch;
};

/* A definition; texts are empty where it lacks them. */
struct defined_name {
	struct span name;
	struct span more; /* process: host, device: bus, stream: flags,
			     symbol: demangled, counterdef: unit */
	int64_t number;   /* process: rank, thread: priority, device: gpu; or
			     NO_ID */
	int64_t ordinal;  /* definitions of its kind that came before */
};

void names_free(struct names *n);

/* Forget all: a new section. */
void names_reset(struct names *n);

/* Keep a definition; a record of any other kind changes nothing. */
void names_define(struct names *n, const struct event *ev);

/* Each returns false, and an empty name, where there is no definition. */
bool names_process(
    const struct names *n, int64_t pid, struct defined_name *name);
bool names_thread(
    const struct names *n, int64_t pid, int64_t tid, struct defined_name *name);
/* the device of the process, else of all processes */
bool names_device(const struct names *n, int64_t pid, int64_t device,
    struct defined_name *name);
/*
 * The UUID of a device that the process itself defines, empty where it has
 * none; the gpu and the name are in *name.
 */
struct span names_own_device(const struct names *n, int64_t pid, int64_t device,
    struct defined_name *name);
bool names_stream(const struct names *n, int64_t pid, int64_t device,
    int64_t context, int64_t stream, struct defined_name *name);
bool names_symbol(const struct names *n, int64_t id, struct defined_name *name);
bool names_counter(
    const struct names *n, int64_t id, struct defined_name *name);

/* The mangled name of a symbol, with_mangled; empty if it has none. */
struct span names_mangled(const struct names *n, int64_t id);

/* The mangled or demangled name of a symbol, for struct expr_symbols: arg is a
   struct names, with_mangled.  False if it has none. */
bool names_find_symbol(void *arg, int64_t id, bool mangled, struct span *name);

/* True if the definition of any stream is of this process. */
bool names_has_stream(const struct names *n, int64_t pid);

/* True if a stream of the process on that device is defined. */
bool names_uses_device(const struct names *n, int64_t pid, int64_t device);

/* The lowest device, below 256, of its streams; NO_ID if they have none. */
int64_t names_first_device(const struct names *n, int64_t pid);

/* The number of frames of a stack, leaf first; 0 where there is none. */
size_t names_stack(const struct names *n, int64_t id, const uint32_t **frames);
struct span names_frame(const struct names *n, uint32_t frame);

/*
 * True of a frame like "read (/lib/x86_64-linux-gnu/libc.so.6)", and of the
 * other libraries that programs of C, C++, CUDA and HIP stand on, with those of
 * profilers.
 */
bool names_is_of_system(struct span frame);

/* The innermost frame of the stack of a record outside of the libraries of C,
   C++, CUDA and HIP, if there is one; empty if it has no stack. */
struct span names_innermost(const struct names *n, const struct event *ev);

#endif
