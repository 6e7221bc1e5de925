/*
 * remote_python.h - the CPython that another process runs, and where its
 * threads are
 */
#ifndef TQ_CAPTURE_REMOTE_PYTHON_H
#define TQ_CAPTURE_REMOTE_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/python/python_layout.h"

/* Offsets in bytes of what leads to the threads; PYTHON_NONE: there is none. */
struct remote_offsets {
	int16_t minor;
	int16_t head;          /* of the runtime: its first interpreter */
	int16_t next, threads; /* of an interpreter; threads: the first */
	/* of the state of a thread */
	int16_t next_thread;
	int16_t tid;     /* number in the kernel */
	int16_t pthread; /* or the thread of the C library */
	int16_t chunk;   /* memory of its frames, where they lie in one */
	/* of a frame, where it is a generator's; one of the two */
	int16_t generator; /* its address, which others do not have */
	int16_t owner;     /* a byte that is REMOTE_GENERATOR */
	int16_t size;      /* bytes of a thread's state that are read */
};

enum { REMOTE_GENERATOR = 1 };

struct remote_python {
	pid_t pid;
	struct remote_offsets at;
	const struct python_layout *layout;
	uint64_t runtime;   /* address of _PyRuntime */
	uint64_t code_type; /* of PyCode_Type */
};

/* a piece of the memory of a process */
struct remote_piece {
	uint64_t address;
	void *to;
	size_t size;
};

enum { REMOTE_PIECES = 256 };

/* True if all of the pieces, at most REMOTE_PIECES, could be read. */
bool remote_python_read(
    pid_t pid, const struct remote_piece *pieces, size_t count);

/*
 * How that version ("3.11") lays out its memory, which from 3.13 on is read at
 * p->runtime.  False if it is not known.
 */
bool remote_python_layout(struct remote_python *p, const char *version);

enum remote_found {
	REMOTE_ABSENT,  /* the process runs no Python */
	REMOTE_UNKNOWN, /* or one that is not known */
	REMOTE_DENIED,  /* its memory may not be read */
	REMOTE_FOUND
};

/*
 * Look for the interpreter among the files that a process has mapped: one with
 * a name like python3.11 or libpython3.11.so.1.0.
 */
enum remote_found remote_python_find(struct remote_python *p, pid_t pid);

#endif
