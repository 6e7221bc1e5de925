/*
 * call_slot.h - the call that a thread is in, where the launcher sees it even
 * if it never returns
 *
 * A call within a call, as of a signal handler, is not published.  A call that
 * did not return, as its thread jumped out of it, has a frame that is deeper
 * than the next one's, which takes its place.
 */
#ifndef TQ_PRELOAD_CALL_SLOT_H
#define TQ_PRELOAD_CALL_SLOT_H

#include <stdatomic.h>
#include <stdint.h>

#include "arena/arena.h"

struct call_slot {
	struct arena_thread *at; /* never NULL where generation is right */
	uint32_t generation;     /* of the arena that it is in */
};

extern __thread struct call_slot call_slot
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern const _Atomic uint32_t *call_slot_generation
    __attribute__((visibility("hidden")));

/* Begin, before main: where the number of the arena is. */
void call_slot_begin(const _Atomic uint32_t *generation);

/* Find a slot for this thread: it has none, or one of its parent's. */
void call_slot_find(void);

/* True if the arena of the slot is the one of this process. */
static inline _Bool
call_slot_is_here(void)
{
	return call_slot.generation ==
	       atomic_load_explicit(call_slot_generation, memory_order_relaxed);
}

/*
 * A call begins; from: ticks.  NULL: it is not published; else call_slot_leave
 * has to be called.  It has no frame pointer, which would end stacks that are
 * unwound without that register.
 */
static inline __attribute__((always_inline)) struct arena_thread *
call_slot_enter(
    uint64_t from, unsigned number, enum arena_subject kind, uint64_t subject)
{
	char frame; /* of the wrapper */
	uint64_t call = arena_call((uintptr_t)&frame, kind, number);
	struct arena_thread *t;

	if (__builtin_expect(!call_slot_is_here(), 0))
		call_slot_find();
	t = call_slot.at;
	/* no other thread counts here */
	atomic_store_explicit(&t->calls,
	    atomic_load_explicit(&t->calls, memory_order_relaxed) + 1,
	    memory_order_relaxed);
	/* the frame of an outer call is greater; it is in the upper bits */
	if (__builtin_expect(
		atomic_load_explicit(&t->call, memory_order_relaxed) >
		    (call | ((UINT64_C(1) << ARENA_FRAME_SHIFT) - 1)),
		0))
		return NULL;
	atomic_store_explicit(&t->from, from, memory_order_relaxed);
	atomic_store_explicit(&t->subject, subject, memory_order_relaxed);
	atomic_store_explicit(&t->call, call, memory_order_release);
	return t;
}

/*
 * It has returned, in the process where it began, or in a child of that.  In a
 * child the slot may be gone with the arena of the parent, and this thread may
 * have another one by now: handlers of pthread_atfork(3) make calls, too.
 */
static inline void
call_slot_leave(struct arena_thread *t)
{
	if (__builtin_expect(
		t != NULL && t == call_slot.at && call_slot_is_here(), 1))
		atomic_store_explicit(&t->call, 0, memory_order_release);
}

#endif
