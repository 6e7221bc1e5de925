/* writer.c - the writer of a thread */

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arena/kernel_numbers.h"
#include "own_memory.h"
#include "permanent.h"
#include "settings.h"
#include "writer.h"

enum {
	RECORDS = ARENA_CHUNK - sizeof(struct chunk), /* bytes of a chunk */
	STACKS_MAX = 1 << 16,
	BITS_MAX = 1 << 14, /* words: ranges open in a domain, by 64 */
	WAIT_NS = 50000000,
	TAKEN = 48,   /* bytes of a RECORD_TAKEN */
	BARRIERS = 8, /* in a search for a chunk */
	PAUSE_NS = 1000000,
	PAUSES = 200 /* of a thread without a chunk, until one is idle */
};

__thread struct writer_self writer_self;

/* under the lock */
static struct writer *unused, *writers;
static struct writer *looked_at; /* the last one of take_over */

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

static bool
has_chunk_in(struct arena *a, enum chunk_state state)
{
	for (uint32_t i = 0; i < settings_get()->chunks; i++)
		if (arena_chunk(a, i)->state == state)
			return true;
	return false;
}

/* false if threads have all chunks: the launcher can't free any */
static bool
may_become_free(struct arena *a)
{
	return has_chunk_in(a, CHUNK_FREE) || has_chunk_in(a, CHUNK_FULL);
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
	if (!own_memory_advise(c, ARENA_CHUNK, MADV_POPULATE_WRITE) &&
	    errno != EINVAL) /* the kernel lacks it */
		return false;
	while (
	    high <= i && !atomic_compare_exchange_weak(&a->high, &high, i + 1))
		;
	return true;
}

/* ---- chunks of idle threads ---- */

/* all threads of the process see what this one has stored, and the reverse */
static bool
barrier(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) ==
	    0)
		return true;
	return syscall(SYS_membarrier,
		   MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
	       syscall(
		   SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* true if its chunk could be another's: ends of ranges need their place */
static bool
has_chunk_to_pass(const struct writer *w)
{
	return w->chunk != NULL && w->open == 0;
}

static bool
can_pass(const struct writer *w)
{
	return w->inside == 0 && has_chunk_to_pass(w);
}

/*
 * True if w has lost its chunk: its thread reads the generation once it is
 * inside, and we read whether it is inside once the generation has changed.
 */
static bool
pass_on(struct writer *w)
{
	w->generation = process->generation | WRITER_PASSED;
	if (barrier() && can_pass(w))
		return true;
	w->generation = process->generation;
	return false;
}

static bool
is_idle(struct writer *w)
{
	const struct chunk *c = w->chunk;
	uint32_t committed, seen = w->seen;

	if (c == NULL) /* its thread looks for another one */
		return false;
	committed = c->committed;
	w->seen = committed;
	return seen == committed;
}

/* the limit and the result of find_idle */
struct idle_search {
	const struct writer *own; /* who searches */
	size_t bytes;             /* that it needs */
	bool even_busy; /* not only writers that wrote nothing lately */
	bool soon;      /* out: a writer passes its chunk on once it has left */
};

/* a writer whose chunk has room, and no thread that writes into it now */
static struct writer *
find_idle(struct idle_search *s)
{
	struct writer *w = looked_at, *first = NULL;
	int barriers = 0;

	for (;;) {
		w = w == NULL || w->other == NULL ? writers : w->other;
		if (w == first || barriers == BARRIERS)
			return NULL;
		if (first == NULL)
			first = w;
		looked_at = w;
		if (w == s->own || w->generation != process->generation ||
		    !has_chunk_to_pass(w))
			continue;
		if (w->inside != 0) {
			s->soon = true;
			continue;
		}
		if (!is_idle(w) && !s->even_busy)
			continue;
		barriers++;
		if (!pass_on(w)) {
			s->soon = true;
			continue;
		}
		if (w->room >= s->bytes)
			return w;
		writer_close(w); /* the launcher gives it back */
	}
}

static void
put_taken(struct writer *w)
{
	struct record head = {.words = TAKEN / 8,
	    .type = RECORD_TAKEN,
	    .flags = FLAG_ID | FLAG_TEXT};
	uint64_t parts[4] = {(uint64_t)w->tid, 2 * sizeof(uint64_t)};

	prctl(PR_GET_NAME, &parts[2]);
	memcpy(w->place, &head, sizeof(head));
	memcpy(w->place + sizeof(head), parts, sizeof(parts));
	w->chunk->passed = 1;
	w->chunk->seq = atomic_fetch_add(&process->arena->next, 1);
	writer_commit(w, TAKEN, 0);
}

static bool
take_over(struct writer *w, size_t bytes, bool even_busy, bool *soon)
{
	size_t aside = (size_t)WRITER_POP * w->open;
	struct idle_search search = {
	    w, TAKEN + aside + bytes, even_busy, false};
	struct writer *from;

	if (w->type != CHUNK_RECORDS)
		return false;
	process_lock();
	from = find_idle(&search);
	if (from != NULL) {
		writer_close(w);
		w->chunk = from->chunk;
		w->place = from->place;
		w->room = from->room - (uint32_t)aside;
		from->chunk = NULL;
		from->place = NULL;
		from->room = 0;
		put_taken(w);
	}
	process_unlock();
	*soon = search.soon;
	return from != NULL;
}

/*
 * The same, also from a thread that is not idle.  The threads that have the
 * chunks, or just take one, may all be in the midst of a record while they wait
 * for a processor: a thread that has no chunk sleeps until one has gone on.
 * After a wait in vain, none waits until a chunk changes hands.
 */
static bool
take_over_any(struct writer *w, size_t bytes)
{
	static _Atomic uint32_t in_vain; /* arena.next + 1 then */
	static const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct arena *a = process->arena;
	bool soon = false;

	for (int i = 0; i < PAUSES; i++) {
		if (take_over(w, bytes, true, &soon))
			return true;
		soon = soon || has_chunk_in(a, CHUNK_FREE);
		if (!soon || w->chunk != NULL || in_vain == a->next + 1)
			return false;
		syscall(SYS_nanosleep, &pause, NULL);
	}
	in_vain = a->next + 1;
	return false;
}

/* true if more than a quarter of all chunks is in use */
static bool
is_scarce(struct arena *a)
{
	uint32_t left = 0, chunks = settings_get()->chunks;

	for (uint32_t i = 0; i * 64 < chunks; i++)
		left += (uint32_t)__builtin_popcountll(
		    a->free[i] & bits_of_chunks(i, chunks));
	return left < chunks / 4 * 3;
}

/* ---- the next chunk ---- */

bool
writer_next_chunk(struct writer *w, size_t bytes)
{
	struct arena *a = process->arena;
	size_t aside = (size_t)WRITER_POP * w->open;
	struct chunk *c;
	int i, error = errno;
	bool taken, soon;

	if (bytes + aside > RECORDS)
		return false;
	/* a thread that has none may never need a whole one */
	taken = w->chunk == NULL && is_scarce(a) &&
		take_over(w, bytes, false, &soon);
	i = taken ? -1 : wait_for_chunk(a);
	if (!taken && i < 0)
		taken = take_over_any(w, bytes);
	errno = error;
	if (i < 0)
		return taken;
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
	c->passed = 0;
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
	w->inside = WRITER_FRAME();
	process_lock();
	if (writer_is_here(w)) {
		w->generation = process->generation;
		w->at->since = 0; /* it jumped out of that call */
		/* else the next thread goes on in it */
		if (w->open > 0 || w->room < RECORDS / 2)
			writer_close(w);
		w->next = unused;
		unused = w;
	}
	writer_self.writer = NULL;
	w->inside = 0;
	process_unlock();
}

static pthread_key_t key;
static bool have_key;

static void
make_key(void)
{
	have_key = pthread_key_create(&key, thread_ends) == 0;
}

void
writer_prepare(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_key);
}

/* a place in the arena for the announcements of one more writer */
static struct arena_writer *
find_place(struct arena *a)
{
	static struct arena_writer nowhere;
	uint32_t i = a->writers_high;

	do
		if (i >= ARENA_WRITERS) {
			a->crowded = 1;
			return &nowhere;
		}
	while (!atomic_compare_exchange_weak(&a->writers_high, &i, i + 1));
	return &a->writers[i];
}

/* for this thread and this arena; another thread may have had it */
static void
reset_writer(struct writer *w)
{
	bool is_new = !writer_is_here(w);
	bool has_chunk =
	    w->generation == process->generation && w->chunk != NULL;

	if (is_new)
		w->at = find_place(process->arena);
	w->generation = process->generation;
	if (!has_chunk) {
		w->chunk = NULL;
		w->place = NULL;
		w->room = 0;
	}
	w->open = 0;
	w->type = CHUNK_RECORDS;
	do
		w->index = ++indexes & ((1 << WRITER_INDEX_BITS) - 1);
	while (w->index == 0);
	w->tid = (int32_t)syscall(SYS_gettid);
	w->at->tid = w->tid;
	if (has_chunk)
		put_taken(w);
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
	else if ((w = permanent_alloc(sizeof(*w))) != NULL) {
		w->other = writers;
		writers = w;
	}
	if (w != NULL) /* others look whether they may have its chunk */
		w->inside = writer_self.inside;
	process_unlock();
	return w;
}

bool
writer_wanted(void)
{
	struct writer *w = writer_self.writer;
	uintptr_t inside = w != NULL ? w->inside : writer_self.inside;
	bool wanted;

	if (w != NULL)
		w->inside = WRITER_FRAME();
	else
		writer_self.inside = WRITER_FRAME();
	wanted = process_is_wanted();
	if (w != NULL)
		w->inside = inside;
	else
		writer_self.inside = inside;
	return wanted;
}

/*
 * True if the frame that entered is gone: a frame that it called, as of a
 * signal handler, would be deeper.  A stack for signal handlers proves nothing.
 */
static bool
was_left(uintptr_t entered, uintptr_t frame)
{
	stack_t stack;
	int error = errno;
	bool other =
	    sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_ONSTACK);

	errno = error;
	return !other && frame >= entered;
}

static struct writer *
open_writer(void)
{
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
		writer_prepare();
		if (have_key)
			pthread_setspecific(key, w);
	}
	return w;
}

/* the chunk of w is another's now, or another writer tried to take it */
static void
resume(struct writer *w)
{
	process_lock();
	if (w->generation != process->generation)
		w->generation = process->generation;
	process_unlock();
}

static void
enter_again(struct writer *w, uintptr_t frame)
{
	w->inside = frame;
	atomic_signal_fence(memory_order_seq_cst);
	if (w->generation == (process->generation | WRITER_PASSED))
		resume(w);
}

void
writer_enter_again(struct writer *w, uintptr_t frame)
{
	enter_again(w, frame);
	writer_announce(w);
}

struct writer *
writer_enter_first(uintptr_t frame)
{
	struct writer *w = writer_self.writer;
	uintptr_t entered = w != NULL ? w->inside : writer_self.inside;
	int error = errno;

	if (entered != 0) {
		if (!was_left(entered, frame)) {
			writer_lost(LOSS_REENTERED, 1);
			return NULL;
		}
		process_forsake();
	}
	if (process != NULL && process->refused)
		return NULL;
	writer_self.inside = frame;
	if (w != NULL)
		enter_again(w, frame);
	if (w == NULL || w->generation != process->generation)
		w = open_writer();
	else
		w->inside = frame;
	if (w != NULL)
		writer_announce(w);
	atomic_signal_fence(memory_order_seq_cst);
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
