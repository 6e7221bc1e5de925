/*
 * names.h - what the definitions of a section said: the names of processes,
 * threads, devices, streams, symbols and counters, and call stacks.
 */
#ifndef TQ_NAMES_H
#define TQ_NAMES_H

#include "tq/line/event.h"
#include "tq/base/map.h"

struct names_entry;

struct names {
	struct text pool;          /* all texts */
	struct map nodes;          /* (node, id) -> node: a path of ids */
	struct names_entry *entry; /* per node */
	size_t count, cap;
	int64_t defined[KIND_COUNT]; /* per kind, but for stacks */
	int64_t replaced; /* definitions and sections that took names away */

	struct map frames; /* (hash, attempt) -> frame + 1 */
	struct names_frame *frame;
	size_t frame_count, frame_cap;
	uint32_t *stack; /* frames of all stacks, leaf first */
	size_t stack_count, stack_cap;
	struct map stacks; /* id -> first frame << 32 | how many */
	int64_t shortened; /* stacks of which only the leaf was kept */

	struct text scratch;
};

/* What a definition said; texts are empty where it did not. */
struct defined_name {
	struct span name;
	struct span more; /* process: host, device: bus, stream: flags,
			     symbol: demangled, counterdef: unit */
	int64_t number;   /* process: rank, device: gpu; or NO_ID */
	int64_t ordinal;  /* definitions of its kind that came before */
};

void names_free(struct names *n);

/* Forget all: a new section. */
void names_reset(struct names *n);

/*
 * Keep what a definition says; any other record is ignored.  Ends the life
 * of all texts that were given out.
 */
void names_define(struct names *n, const struct event *ev);

/* Each returns false, and an empty name, where there was no definition. */
bool names_process(
    const struct names *n, int64_t pid, struct defined_name *name);
bool names_thread(
    const struct names *n, int64_t pid, int64_t tid, struct defined_name *name);
bool names_device(const struct names *n, int64_t pid, int64_t device,
    struct defined_name *name);
bool names_stream(const struct names *n, int64_t pid, int64_t device,
    int64_t context, int64_t stream, struct defined_name *name);
/* does any definition say that the process has a stream? */
bool names_has_stream(const struct names *n, int64_t pid);
bool names_symbol(const struct names *n, int64_t id, struct defined_name *name);
bool names_counter(
    const struct names *n, int64_t id, struct defined_name *name);

/* The number of frames of a stack, leaf first; 0 where there is none. */
size_t names_stack(const struct names *n, int64_t id, const uint32_t **frames);
struct span names_frame(const struct names *n, uint32_t frame);

#endif
