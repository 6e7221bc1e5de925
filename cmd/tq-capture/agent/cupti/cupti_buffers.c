/*
 * cupti_buffers.c - memory lent to CUPTI for its records
 *
 * The first buffers are in the arena, where the launcher finds their records if
 * the process dies.  They are zeroed when they come back, on CUPTI's thread;
 * CUPTI requests them on threads of the program, where zeroing would take
 * longer than everything else.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cupti_buffers.h"
#include "cupti_translate.h"
#include "agent/process.h"
#include "agent/agent.h"

/*
 * Buffers outside of the arena.  A libcupti before 12.9 (27) crashes if it gets
 * none, so it may have more.
 */
enum { SCRATCH_MOST = 256, MAY_REFUSE = 27 };

static const struct cupti_lib *cupti;
static struct arena *arena; /* unmapped in a child */
static uint8_t *first;      /* its first buffer */
static size_t buffers;
static _Atomic uint64_t
    lent; /* bit by buffer; arena.buffer is for the launcher */
static pid_t owner;
static _Atomic uint32_t scratches;

static uint8_t *
lend_buffer(void)
{
	size_t i, n = getpid() == owner ? buffers : 0;

	for (i = 0; i < n; i++) {
		uint64_t bit = UINT64_C(1) << i;

		if ((atomic_load(&lent) & bit) == 0 &&
		    (atomic_fetch_or(&lent, bit) & bit) == 0) {
			atomic_store(&arena->buffer[i], BUFFER_LENT);
			return first + i * ARENA_BUFFER;
		}
	}
	if (atomic_fetch_add(&scratches, 1) < SCRATCH_MOST ||
	    cupti->version < MAY_REFUSE) {
		uint8_t *p = calloc(1, ARENA_BUFFER);

		if (p != NULL)
			return p;
	}
	atomic_fetch_sub(&scratches, 1);
	return NULL;
}

/*
 * Zero the used bytes, and those behind them up to 4096 zeros: CUPTI may have
 * begun records there that it did not hand over.
 */
static void
clean(uint8_t *p, size_t used)
{
	static const uint8_t zeros[4096];
	size_t n, at;

	memset(p, 0, used);
	for (at = used; at < ARENA_BUFFER; at += n) {
		n = ARENA_BUFFER - at;
		if (n > sizeof(zeros))
			n = sizeof(zeros);
		if (memcmp(p + at, zeros, n) == 0)
			return;
		memset(p + at, 0, n);
	}
}

static void
give_back(uint8_t *buffer, size_t used)
{
	/* >= buffers: it is not of the arena */
	size_t i = ((uintptr_t)buffer - (uintptr_t)first) / ARENA_BUFFER;

	if (i >= buffers) {
		free(buffer);
		atomic_fetch_sub(&scratches, 1);
	} else if (getpid() == owner) {
		clean(buffer, used);
		atomic_store_explicit(
		    &arena->buffer[i], BUFFER_FREE, memory_order_release);
		atomic_fetch_and(&lent, ~(UINT64_C(1) << i));
	}
}

/*
 * In a child after fork CUPTI may go on writing into its buffers if the child
 * calls CUDA, which it should not.  Memory of the child's own in their place
 * keeps it from writing into records of its parent.
 */
static void
leave_to_parent(void)
{
	syscall(SYS_mmap, first, buffers * ARENA_BUFFER,
	    (long)(PROT_READ | PROT_WRITE),
	    (long)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE),
	    -1L, 0L);
}

static void CUPTIAPI
requested(uint8_t **buffer, size_t *size, size_t *records)
{
	int saved = errno;

	*buffer = lend_buffer();
	*size = *buffer == NULL ? 0 : ARENA_BUFFER;
	*records = 0; /* as many as there is room for */
	errno = saved;
}

static void CUPTIAPI
completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
    size_t used)
{
	int saved = errno;
	uint64_t begin = agent_clock();
	bool ours = getpid() == owner;

	(void)context;
	(void)stream;
	if (used > size)
		used = size;
	if (buffer != NULL && ours)
		cupti_translate(cupti, buffer, used);
	if (buffer != NULL)
		give_back(buffer, used);
	if (ours)
		atomic_fetch_add(&arena->busy, agent_clock() - begin);
	errno = saved;
}

CUptiResult
cupti_buffers_register(const struct cupti_lib *lib, struct arena *a)
{
	uint8_t zeroed = 1;
	size_t size = sizeof(zeroed);
	uint32_t count;

	_Static_assert(ARENA_BUFFERS_MAX <= 64, "a bit of lent for each");
	cupti = lib;
	arena = a;
	first = (uint8_t *)process_lend_buffers(&count);
	buffers = count;
	owner = getpid();
	if (buffers != 0)
		pthread_atfork(NULL, NULL, leave_to_parent);
	if (lib->set_attribute != NULL)
		lib->set_attribute(
		    CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size,
		    &zeroed); /* so CUPTI need not zero them */
	return lib->register_buffers(requested, completed);
}
