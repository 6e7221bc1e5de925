/* gil.c - the global interpreter lock of CPython */

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/gil_call.h"
#include "arena/ticks.h"
#include "gil.h"

struct gil_runtime gil_runtime;
struct gil_lock gil_lock;

static uint64_t threshold; /* ticks */
static bool counter;

/* what this thread does with the lock; in ticks, 0: nothing */
static __thread struct {
	uint64_t locked; /* the mutex, to take or drop the lock */
	uint64_t held;   /* since then it has the lock */
	uint64_t now;    /* the mutex is being unlocked */
	int32_t tid;     /* of this thread; 0: not looked up yet */
	bool drops;      /* the condition was signalled */
} own __attribute__((tls_model("initial-exec")));

static uint64_t
ticks(void)
{
	return counter ? ticks_counter() : ticks_system();
}

void
gil_found(const void *condition, const void *mutex)
{
	if (gil_lock.mutex != NULL)
		return;
	own.locked = ticks();
	gil_lock.condition = condition;
	gil_lock.mutex = mutex;
}

void
gil_locks(void)
{
	own.locked = ticks();
	own.drops = false;
}

void
gil_signals(void)
{
	own.drops = own.locked != 0;
}

void
gil_unlocks(void)
{
	own.now = ticks();
	if (own.tid == 0)
		own.tid = (int32_t)syscall(SYS_gettid);
	if (own.drops)
		tq_capture_gil_has(own.tid, 0);
}

/*
 * The record is written where no thread waits for it.  The record of a thread
 * that takes the lock comes behind the record of the one that drops it.
 */
void
gil_unlocked(void)
{
	uint64_t from = own.drops ? own.held : own.locked, till = own.now;
	bool drops = own.drops;

	own.locked = 0;
	own.drops = false;
	own.held = drops ? 0 : till;
	if (!drops)
		tq_capture_gil_has(own.tid, till);
	if (from != 0 && till - from >= threshold)
		tq_capture_gil(drops ? GIL_HOLD : GIL_WAIT, from, till);
}

/* in the child of a fork Python makes the lock anew, in the same place, and
   takes it */
static void
in_child(void)
{
	own.held = 0;
	own.tid = 0;
}

/* the thread that ends the process has the lock until then */
static __attribute__((destructor)) void
end(void)
{
	if (own.held != 0) {
		tq_capture_gil_has(own.tid, 0);
		tq_capture_gil(GIL_HOLD, own.held, ticks());
	}
	own.held = 0;
}

/*
 * Now, and not when the lock is taken: the loader might be called in the middle
 * of code that waits for it.
 */
static __attribute__((constructor)) void
begin(void)
{
	const ElfW(Sym) *symbol = NULL;
	void *runtime, *at = NULL;
	int error = errno;
	Dl_info info;

	if (tq_capture_gil_begin(&threshold, &counter) &&
	    (runtime = dlsym(RTLD_DEFAULT, "_PyRuntime")) != NULL &&
	    dladdr1(runtime, &info, &at, RTLD_DL_SYMENT) != 0 &&
	    (symbol = at) != NULL &&
	    pthread_atfork(NULL, NULL, in_child) == 0) {
		gil_runtime.start = (uintptr_t)runtime;
		gil_runtime.size = symbol->st_size;
	}
	errno = error;
}
