/* announced_records.c - from when on records of a process may still come */

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "announced_records.h"
#include "tq/base/mem.h"

static const int64_t PATIENCE =
    1000000000; /* ns until a thread is looked for */

/*
 * True if the thread has ended, by a call of the kernel in a signal handler, or
 * as another one called exec.  Its number is known only if the process is in
 * our name space.
 */
static bool
has_ended(const struct arena *a, const struct arena_writer *w, int pid)
{
	int32_t tid = w->tid;

	return a->pid == pid && tid > 0 &&
	       syscall(SYS_tgkill, pid, tid, 0) != 0 && errno == ESRCH;
}

/* ns; INT64_MAX: the thread announces nothing */
static int64_t
look_at(struct announced_turn *seen, const struct arena *a,
    const struct arena_writer *w, int pid, int64_t looked, int64_t now)
{
	uint64_t turn = atomic_load_explicit(&w->turn, memory_order_acquire);

	if (turn != seen->turn)
		*seen = (struct announced_turn){.turn = turn, .from = looked};
	if (turn == 0 || seen->gone)
		return INT64_MAX;
	if (now - seen->from > PATIENCE)
		seen->gone = has_ended(a, w, pid);
	return seen->from;
}

static uint32_t
writers_of(const struct arena *a)
{
	uint32_t n =
	    atomic_load_explicit(&a->writers_high, memory_order_acquire);

	return n < ARENA_WRITERS ? n : ARENA_WRITERS;
}

int64_t
announced_records_look(struct announced_records *r, struct arena *a,
    const struct clock *clock, int pid, int64_t start, int64_t now)
{
	uint32_t n = writers_of(a);
	int64_t looked = r->looked != 0 ? r->looked : start;
	int64_t until = a->crowded ? start : now, call = INT64_MAX;

	if (n > r->count)
		r->turns = mem_resize(r->turns, n, sizeof(*r->turns));
	while (r->count < n)
		r->turns[r->count++] = (struct announced_turn){0};
	for (uint32_t i = 0; i < r->count; i++) {
		const struct arena_writer *w = &a->writers[i];
		int64_t from = look_at(&r->turns[i], a, w, pid, looked, now);
		uint64_t since =
		    atomic_load_explicit(&w->since, memory_order_acquire);

		if (from < until)
			until = from;
		if (since != 0 && clock_ns(clock, since) < call)
			call = clock_ns(clock, since);
	}
	r->looked = now;
	r->call = call;
	return until;
}

void
announced_records_free(struct announced_records *r)
{
	free(r->turns);
	*r = (struct announced_records){0};
}
