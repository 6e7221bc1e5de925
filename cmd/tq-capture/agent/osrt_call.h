/*
 * osrt_call.h - what libtq-preload.so and libtq-capture.so have in common
 *
 * The first one has the wrappers, which read the clock; a call that took long
 * enough goes to the second one, which writes the record.
 */
#ifndef TQ_AGENT_OSRT_CALL_H
#define TQ_AGENT_OSRT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/arena.h"
#include "arena/record.h"

/* thresholds of a call's duration, in ticks of the clock of the capture;
   UINT64_MAX: never */
struct osrt_limits {
	uint64_t calls[OSRT_GROUPS]; /* a call of the group is recorded */
	uint64_t names;              /* the record names the file */
	uint64_t stacks;             /* the stack is copied */
	uint64_t stack;              /* no threshold: bytes of that copy */
};

/* nothing is recorded */
#define OSRT_LIMITS_NONE \
	{ \
		{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, \
		    UINT64_MAX}, \
		    UINT64_MAX, UINT64_MAX, 0 \
	}
_Static_assert(OSRT_GROUPS == 6, "OSRT_LIMITS_NONE has one for each");

/* the meaning of a function's return value */
enum osrt_result {
	OSRT_INT,     /* -1: see errno */
	OSRT_SIZE,    /* the same, else a number of bytes */
	OSRT_CODE,    /* an error number */
	OSRT_PLAIN,   /* a value */
	OSRT_POINTER, /* 0: see errno; other values are not recorded */
	OSRT_MAP,     /* the same with -1 */
	OSRT_VOID
};

/* memory that a thread gives back to the kernel */
struct osrt_memory {
	const void *at;
	size_t bytes; /* 0: none */
};

struct osrt_call {
	uint64_t from, till; /* ticks */
	int64_t ret;
	int64_t bytes; /* if the result is none of OSRT_SIZE */
	const void *caller;
	const void *object;      /* a lock, or NULL */
	const char *path;        /* an argument of the program's, or NULL */
	struct osrt_memory gone; /* by this call, or one that it interrupts */
	int fd;                  /* -1: none */
	int to;                  /* with has_to: where its bytes go */
	uint16_t call;           /* enum osrt_number */
	uint8_t result;          /* enum osrt_result */
	bool closed;             /* the descriptor was open before the call */
	bool has_to;
};

#pragma GCC visibility push(default)

/*
 * Begin, before main: the limits, and whether the clock is the counter of the
 * processor.  *generation becomes where the number of the arena is, which a
 * fork changes; 0: there is none.  False if this process is not captured.
 */
bool tq_capture_osrt_begin(struct osrt_limits *limits, bool *counter,
    const _Atomic uint32_t **generation);

/* A slot of the arena, for the calls of this thread; NULL: all are taken. */
struct arena_thread *tq_capture_osrt_thread(void);

/* The thread that has the slot, of this arena, ends. */
void tq_capture_osrt_thread_ends(struct arena_thread *slot);

/* Record a call, unless it is one of ours; keeps errno. */
void tq_capture_osrt(const struct osrt_call *c);

/* That descriptor is another file from now on. */
void tq_capture_osrt_forget(int fd);

/* All of them are. */
void tq_capture_osrt_forget_all(void);

#pragma GCC visibility pop

#endif
