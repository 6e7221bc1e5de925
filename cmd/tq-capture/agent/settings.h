/*
 * settings.h - the environment variable TQ_CAPTURE, parsed; see arena/arena.h
 */
#ifndef TQ_AGENT_SETTINGS_H
#define TQ_AGENT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/arena.h"

#include "osrt_call.h"

enum { SETTINGS_SOCKET_MAX = 107 }; /* bytes of an abstract name */

/* samples by timers */
struct sample_settings {
	uint64_t period;  /* ns of a thread's processor time; 0: none */
	uint64_t stack;   /* bytes of it that are copied */
	uint64_t modules; /* ticks between two readings of the mappings */
};

/* what calls of CUDA do */
enum cuda_class {
	CUDA_KERNEL, /* launch */
	CUDA_MEMORY, /* copy, fill, allocate, free */
	CUDA_SYNC,   /* wait */
	CUDA_OTHER,
	CUDA_CLASSES
};
#define CUDA_CLASS_WORDS "kernel|memory|sync|other"

/* native stacks of calls of CUDA */
struct cuda_settings {
	uint64_t
	    threshold[CUDA_CLASSES]; /* ticks that a call takes, at least */
	uint64_t stack;              /* bytes of it that are copied */
	uint64_t modules;            /* as of samples */
};

struct agent_settings {
	bool capture; /* true if this process is to be captured */
	bool tsc;     /* the clock is the cycle counter */
	bool block;   /* true: wait for room rather than lose records */
	uint32_t on, chunks, buffers;
	uint32_t arm;   /* bits of arena.on that may come later */
	uint32_t flush; /* ms; 0: never */
	struct osrt_limits osrt;
	struct sample_settings sample;
	struct cuda_settings cuda;
	uint64_t gil;      /* ticks: shorter waits and holds are not recorded */
	const char *chain; /* another library to inject; may be empty */
	char socket[SETTINGS_SOCKET_MAX + 1];
	char secret[ARENA_SECRET];
	const char *variables; /* "A,B,...", for arena.about; may be empty */
};

/*
 * The settings, the same from the first call on, in children after fork too.
 * The first call is not thread-safe: process_open makes it, under its lock.
 */
const struct agent_settings *settings_get(void);

/*
 * The same from a text in the format of the variable, in place of it.  False:
 * there are settings already, of a process that was started under capture or
 * had this call before.
 */
bool settings_set(const char *all);

/*
 * Call put(to, name, value) for each environment variable that belongs in
 * arena.about: the variables of the rank, and the variables in the setting env.
 */
void settings_variables(
    void (*put)(void *to, const char *name, const char *value), void *to);

#endif
