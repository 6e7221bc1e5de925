/* writer.c - the writer of a thread */

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "permanent.h"
#include "settings.h"
#include "writer.h"

enum {
	RECORDS = ARENA_CHUNK - sizeof(struct chunk), /* bytes of a chunk */
	STACKS_MAX = 1 << 16,
	BITS_MAX = 1 << 14, /* words: ranges open in a domain, by 64 */
	WAIT_NS = 50000000
};

__thread struct writer_self writer_self;

static struct writer *unused; /* under the lock */
static _Atomic uint32_t indexes;
static uint32_t first_index; /* of this generation */

/* ---- losses ---- */

void
writer_lost(enum arena_loss_kind kind, uint64_t count)
{
	struct arena_loss *l;
	uint64_t now, none = 0;

	if (kind == LOSSES || process == NULL || process->generation == 0)
		return;
	l = &process->arena->lost[kind];
	now = process_clock();
	atomic_compare_exchange_strong(&l->first, &none, now);
	atomic_store_explicit(&l->last, now, memory_order_relaxed);
	atomic_fetch_add(&l->count, count);
}

/* ---- chunks ---- */

void
writer_close(struct writer *w)
{
	if (w->chunk != NULL)
		atomic_store_explicit(
		    &w->chunk->state, CHUNK_FULL, memory_order_release);
	w->chunk = NULL;
	w->place = NULL;
	w->room = 0;
}

/* the bits of a word of arena.free that stand for chunks; the launcher may
   have set others */
static uint64_t
bits_of_chunks(uint32_t word, uint32_t chunks)
{
	uint32_t n = chunks - word * 64;

	return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* take the first free chunk; -1: there is none */
static int
take_chunk(struct arena *a)
{
	uint32_t chunks = settings_get()->chunks;

	for (uint32_t i = 0; i * 64 < chunks; i++) {
		uint64_t valid = bits_of_chunks(i, chunks);
		uint64_t bits = a->free[i] & valid;

		while (bits != 0) {
			uint64_t lowest = bits & -bits;

			bits = atomic_fetch_and(&a->free[i], ~lowest) & valid;
			if ((bits & lowest) != 0)
				return (int)(i * 64) + __builtin_ctzll(lowest);
		}
	}
	return -1;
}

/* false if threads have all chunks: the launcher can't free any */
static bool
may_become_free(struct arena *a)
{
	for (uint32_t i = 0; i < settings_get()->chunks; i++)
		if (arena_chunk(a, i)->state != CHUNK_ACTIVE)
			return true;
	return false;
}

static int
wait_for_chunk(struct arena *a)
{
	struct timespec patience = {.tv_nsec = WAIT_NS};
	uint64_t from;
	int i = take_chunk(a);

	if (i >= 0 || !settings_get()->block)
		return i;
	from = process_clock();
	atomic_fetch_add(&a->waiting, 1);
	for (;;) {
		uint32_t seen = a->space;

		i = take_chunk(a);
		if (i >= 0 || !may_become_free(a) || process_alone())
			break;
		syscall(SYS_futex, &a->space, FUTEX_WAIT, seen, &patience);
	}
	atomic_fetch_sub(&a->waiting, 1);
	atomic_fetch_add(&a->blocked, process_clock() - from);
	return i;
}

/*
 * Populate the chunk: one system call rather than a page fault for every
 * hundred records.  False if there is no memory: a store would end the program.
 */
static bool
prefault(struct arena *a, struct chunk *c, uint32_t i)
{
	uint32_t high = a->high;

	if (i < high)
		return true;
#ifdef MADV_POPULATE_WRITE
	if (madvise(c, ARENA_CHUNK, MADV_POPULATE_WRITE) != 0 &&
	    errno != EINVAL) /* the kernel does not know it */
		return false;
#endif
	while (
	    high <= i && !atomic_compare_exchange_weak(&a->high, &high, i + 1))
		;
	return true;
}

bool
writer_next_chunk(struct writer *w, size_t bytes)
{
	struct arena *a = process->arena;
	size_t aside = (size_t)WRITER_POP * w->open;
	struct chunk *c;
	int i, error = errno;

	if (bytes + aside > RECORDS)
		return false;
	i = wait_for_chunk(a);
	errno = error;
	if (i < 0)
		return false;
	c = arena_chunk(a, (uint32_t)i);
	if (!prefault(a, c, (uint32_t)i)) {
		atomic_fetch_or(&a->free[i / 64], UINT64_C(1) << i % 64);
		errno = error;
		return false;
	}
	errno = error;
	writer_close(w);
	c->type = w->type;
	c->tid = w->tid;
	c->seq = atomic_fetch_add(&a->next, 1);
	c->committed = 0;
	prctl(PR_GET_NAME, c->name);
	atomic_store_explicit(&c->state, CHUNK_ACTIVE, memory_order_release);
	w->chunk = c;
	w->place = (char *)(c + 1);
	/* last: a signal handler may jump out at any moment */
	atomic_signal_fence(memory_order_seq_cst);
	w->room = (uint32_t)(RECORDS - aside);
	return true;
}

/* ---- stacks ---- */

struct open_levels *
writer_more_stacks(struct writer *w, uint32_t domain)
{
	uint32_t n = w->n_stacks;
	struct open_levels *more;

	if (domain >= STACKS_MAX)
		return NULL;
	while (n <= domain)
		n *= 2;
	process_lock();
	more = permanent_alloc(n * sizeof(*more));
	process_unlock();
	if (more == NULL)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		struct open_levels *s = &more[i], *old = &w->stacks[i];

		if (i < w->n_stacks)
			*s = *old;
		if (i >= w->n_stacks || old->bits == &old->few_bits) {
			s->words = 1;
			s->bits = &s->few_bits;
		}
	}
	w->stacks = more;
	w->n_stacks = n;
	return &w->stacks[domain];
}

bool
writer_more_bits(struct open_levels *s)
{
	uint64_t *more;

	if (s->words >= BITS_MAX)
		return false;
	process_lock();
	more = permanent_alloc(s->words * 2 * sizeof(*more));
	process_unlock();
	if (more == NULL)
		return false;
	memcpy(more, s->bits, s->words * sizeof(*more));
	s->bits = more;
	s->words *= 2;
	return true;
}

/* ---- threads ---- */

static void
thread_ends(void *writer)
{
	struct writer *w = writer;

	if (w != writer_self.writer || process == NULL)
		return;
	writer_self.inside = WRITER_FRAME();
	if (w->generation == process->generation) {
		writer_close(w);
		process_lock();
		w->next = unused;
		unused = w;
		process_unlock();
	}
	writer_self.writer = NULL;
	writer_self.inside = 0;
}

static pthread_key_t key;
static bool have_key;

static void
make_key(void)
{
	have_key = pthread_key_create(&key, thread_ends) == 0;
}

/* for this thread and this arena; another thread may have had it */
static void
reset_writer(struct writer *w)
{
	w->generation = process->generation;
	w->chunk = NULL;
	w->place = NULL;
	w->room = w->open = 0;
	w->type = CHUNK_RECORDS;
	do
		w->index = ++indexes & ((1 << WRITER_INDEX_BITS) - 1);
	while (w->index == 0);
	w->tid = (int32_t)syscall(SYS_gettid);
	w->ranges = 0;
	if (w->stacks == NULL) {
		w->stacks = w->few_stacks;
		w->n_stacks = WRITER_STACKS;
	}
	for (uint32_t i = 0; i < w->n_stacks; i++) {
		struct open_levels *s = &w->stacks[i];

		s->depth = 0;
		if (s->bits == NULL) {
			s->words = 1;
			s->bits = &s->few_bits;
		}
	}
}

static struct writer *
get_writer(void)
{
	struct writer *w = writer_self.writer;

	if (w != NULL)
		return w;
	process_lock();
	if ((w = unused) != NULL)
		unused = w->next;
	else
		w = permanent_alloc(sizeof(*w));
	process_unlock();
	return w;
}

bool
writer_wanted(void)
{
	uintptr_t inside = writer_self.inside;
	bool wanted;

	writer_self.inside = WRITER_FRAME();
	wanted = process_is_wanted();
	writer_self.inside = inside;
	return wanted;
}

/*
 * True if the frame that entered is gone: a frame that it called, as of a
 * signal handler, would be deeper.  A stack for signal handlers tells nothing.
 */
static bool
was_left(uintptr_t frame)
{
	stack_t stack;
	int error = errno;
	bool other =
	    sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_ONSTACK);

	errno = error;
	return !other && frame >= writer_self.inside;
}

static struct writer *
open_writer(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static _Atomic uint32_t generation;
	struct writer *w = NULL;

	if (process_open()) {
		process_lock();
		if (generation != process->generation) {
			first_index = indexes + 1;
			generation = process->generation;
		}
		process_unlock();
		w = get_writer();
	}
	if (w != NULL) {
		reset_writer(w);
		writer_self.writer = w;
		pthread_once(&once, make_key);
		if (have_key)
			pthread_setspecific(key, w);
	}
	return w;
}

struct writer *
writer_enter_first(uintptr_t frame)
{
	struct writer *w = writer_self.writer;
	int error = errno;

	if (writer_self.inside != 0) {
		if (!was_left(frame)) {
			writer_lost(LOSS_REENTERED, 1);
			return NULL;
		}
		process_forsake();
	}
	if (process != NULL && process->refused)
		return NULL;
	writer_self.inside = frame;
	atomic_signal_fence(memory_order_seq_cst);
	if (w == NULL || process == NULL ||
	    w->generation != process->generation)
		w = open_writer();
	if (w == NULL)
		writer_self.inside = 0;
	errno = error;
	return w;
}

bool
writer_knows(uint64_t range)
{
	uint32_t index = (uint32_t)(range >> 40);

	return (range & WRITER_WRITTEN) != 0 &&
	       ((index - first_index) & ((1 << WRITER_INDEX_BITS) - 1)) <=
		   indexes - first_index;
}
