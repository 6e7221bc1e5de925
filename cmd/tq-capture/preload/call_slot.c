/* call_slot.c - a slot of the arena for each thread that makes calls */

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "agent/osrt_call.h"
#include "call_slot.h"

static const _Atomic uint32_t no_arena;
/* of a thread that has none in an arena; calls of before its process has one
   are counted here */
static __thread struct arena_thread nowhere
    __attribute__((tls_model("initial-exec")));

__thread struct call_slot call_slot = {NULL, UINT32_MAX};
const _Atomic uint32_t *call_slot_generation = &no_arena;

static pthread_key_t key;
static _Bool have_key;

/* The thread ends: calls of other destructors are not published. */
static void
thread_ends(void *slot)
{
	if (call_slot.at == slot && call_slot_is_here())
		tq_capture_osrt_thread_ends(slot);
	call_slot.at = &nowhere;
}

/* the parent's calls are counted there */
static void
forked(void)
{
	nowhere.calls = 0;
}

void
call_slot_begin(const _Atomic uint32_t *generation)
{
	pthread_atfork(NULL, NULL, forked);
	have_key = pthread_key_create(&key, thread_ends) == 0;
	call_slot_generation = generation;
}

void
call_slot_find(void)
{
	uint32_t generation = *call_slot_generation;
	struct arena_thread *t = NULL;
	int error = errno;

	if (generation != 0 && have_key)
		t = tq_capture_osrt_thread();
	if (t != NULL) {
		pthread_setspecific(key, t);
		t->calls += nowhere.calls;
		nowhere.calls = 0;
	}
	nowhere.call = 0;
	call_slot = (struct call_slot){t != NULL ? t : &nowhere, generation};
	errno = error;
}
