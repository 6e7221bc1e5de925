/*
 * writer.h - the writer of a thread: its chunk, and which of its ranges are
 * open; the fast path into the arena, for callbacks of NVTX
 *
 *	struct writer *w = writer_enter();
 *	char *p;
 *
 *	if (w == NULL)
 *		return;
 *	if ((p = writer_room(w, LOSS_MARK, bytes)) != NULL) {
 *		... bytes of a record ...
 *		writer_commit(w, bytes, 0);
 *	}
 *	writer_leave(w);
 *
 * A thread is inside from enter to leave; a signal handler that comes in
 * between gets no writer.  If the handler jumps out of the code it interrupted
 * (longjmp), there is no leave; the next enter from the same depth of the stack
 * or less detects that.
 *
 * Whoever is inside has announced that to the launcher, and may read the clock
 * for records: see struct arena_writer.
 *
 * A push that is written reserves the bytes of its pop in the chunk: place +
 * room + WRITER_POP * open is the end of the chunk or before it.  So there is
 * always room for a pop.
 */
#ifndef TQ_AGENT_WRITER_H
#define TQ_AGENT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/arena.h"
#include "arena/record.h"
#include "process.h"

enum {
	WRITER_POP = sizeof(struct record),
	WRITER_OPEN = 2048,     /* ranges of a thread that may be open */
	WRITER_STACKS = 8,      /* domains in the writer itself */
	WRITER_INDEX_BITS = 24, /* of threads, in the id of a range */
	WRITER_WRITTEN = 1,     /* bit of such an id: its start is written */
	WRITER_PASSED = 1 << 30 /* bit of a generation */
};

/* the push/pop ranges of one domain that are open on one thread */
struct open_levels {
	uint32_t depth;
	uint32_t words;    /* of bits; deeper levels are not written */
	uint64_t *bits;    /* by level: 1 if its push was written */
	uint64_t few_bits; /* where bits points at first */
};

struct writer {
	/* of the arena that it writes into; with WRITER_PASSED: another thread
	   has taken over its chunk */
	_Atomic uint32_t generation;
	uint32_t room; /* bytes free at place */
	char *place;
	struct chunk *chunk; /* NULL: none yet */
	uint32_t open;       /* ranges whose push is written and pop is not */
	uint32_t type;       /* enum chunk_type */
	uint32_t index;      /* of the thread, from 1; unique */
	int32_t tid;
	struct arena_writer *at;    /* where its records are announced */
	uint64_t ranges;            /* start/end ranges so far */
	struct open_levels *stacks; /* by domain */
	uint32_t n_stacks;
	struct open_levels few_stacks[WRITER_STACKS];
	_Atomic uintptr_t
	    inside;           /* 0: not; else the stack frame that entered */
	uint32_t seen;        /* bytes in its chunk when it was looked at */
	struct writer *next;  /* in the list of writers without a thread */
	struct writer *other; /* in the list of all */
};

/* the thread-local storage; a library that is loaded late may get no more than
   a few bytes of it */
struct writer_self {
	struct writer *writer;
	uintptr_t inside; /* as the writer's, while there is none */
};

extern __thread struct writer_self writer_self
    __attribute__((tls_model("initial-exec")));

/* process_is_wanted for a thread that is not inside: keeps signal handlers from
   waiting for the lock that it holds. */
bool writer_wanted(void);

/* deeper frames have lower addresses */
#define WRITER_FRAME() ((uintptr_t)__builtin_frame_address(0))

/* Make what writers need once, at a moment when malloc may be called. */
void writer_prepare(void);

/* writer_enter if the thread has no writer, or one of its parent's, or is
   inside; frame: of the caller */
struct writer *writer_enter_first(uintptr_t frame);

/* w is inside.  (A count of turns would be a chain of stores and loads, which
   takes 3 ns.) */
static inline void
writer_announce(struct writer *w)
{
	atomic_store_explicit(
	    &w->at->turn, (uintptr_t)w->place | 1, memory_order_relaxed);
	/* the clock is read behind it; the launcher allows for the time that
	   the processor takes to make a store visible */
	atomic_signal_fence(memory_order_seq_cst);
}

/* The writer of this thread, or NULL: see agent_thread. */
static inline struct writer *
writer_enter(void)
{
	struct writer *w = writer_self.writer;

	if (w == NULL ||
	    atomic_load_explicit(&w->inside, memory_order_relaxed) != 0)
		return writer_enter_first(WRITER_FRAME());
	atomic_store_explicit(&w->inside, WRITER_FRAME(), memory_order_relaxed);
	/* a thread that takes our chunk over has a barrier for both of us */
	atomic_signal_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&w->generation, memory_order_relaxed) !=
	    atomic_load_explicit(&process->generation, memory_order_relaxed)) {
		w->inside = 0;
		return writer_enter_first(WRITER_FRAME());
	}
	writer_announce(w);
	return w;
}

static inline void
writer_leave(struct writer *w)
{
	atomic_store_explicit(&w->at->turn, 0, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&w->inside, 0, memory_order_relaxed);
}

/* The same as writer_enter for a thread that has just left w. */
void writer_enter_again(struct writer *w, uintptr_t frame);

/* The bits of arena.on, for a thread with a writer. */
static inline uint32_t
writer_on(void)
{
	return atomic_load_explicit(&process->arena->on, memory_order_relaxed);
}

/* Another chunk, with room for bytes; false if there is none, with full=block
   after waiting. */
bool writer_next_chunk(struct writer *w, size_t bytes);

/* The thread is done with its chunk. */
void writer_close(struct writer *w);

/* True if w writes into the arena of this process, perhaps without a chunk. */
static inline bool
writer_is_here(const struct writer *w)
{
	return (w->generation & ~(uint32_t)WRITER_PASSED) ==
	       process->generation;
}

/* Count losses of a kind; LOSSES: none. */
void writer_lost(enum arena_loss_kind kind, uint64_t count);

/* Room for bytes, or NULL with a loss counted. */
static inline char *
writer_room(struct writer *w, enum arena_loss_kind kind, size_t bytes)
{
	if (bytes > w->room && !writer_next_chunk(w, bytes)) {
		writer_lost(kind, 1);
		return NULL;
	}
	return w->place;
}

/* The bytes at place are complete. */
static inline void
writer_publish(struct writer *w, size_t bytes)
{
	char *first = (char *)(w->chunk + 1);

	w->place += bytes;
	atomic_store_explicit(&w->chunk->committed,
	    (uint32_t)(w->place - first), memory_order_release);
}

/* The same for bytes of writer_room; aside bytes more are reserved. */
static inline void
writer_commit(struct writer *w, size_t bytes, size_t aside)
{
	w->room -= (uint32_t)(bytes + aside);
	writer_publish(w, bytes);
}

/* The levels of a domain; NULL if there is no memory for them. */
struct open_levels *writer_more_stacks(struct writer *w, uint32_t domain);

static inline struct open_levels *
writer_stack(struct writer *w, uint32_t domain)
{
	return domain < w->n_stacks ? &w->stacks[domain]
				    : writer_more_stacks(w, domain);
}

/* More bits for deeper levels. */
bool writer_more_bits(struct open_levels *s);

/*
 * The level of a range that is pushed now, marked as not written.  *word has
 * its bit, to be set once its push is written; NULL: there is no memory for it.
 */
static inline uint32_t
writer_push(struct open_levels *s, uint64_t **word)
{
	uint32_t level = s->depth++;

	*word = NULL;
	if (level / 64 < s->words || writer_more_bits(s)) {
		*word = &s->bits[level / 64];
		**word &= ~(UINT64_C(1) << level % 64);
	}
	return level;
}

/* Pop the top range, which exists; true if its push was written. */
static inline bool
writer_pop(struct open_levels *s)
{
	uint32_t level = --s->depth;

	return level / 64 < s->words &&
	       (s->bits[level / 64] >> level % 64 & 1) != 0;
}

/* An id for a start/end range; add WRITER_WRITTEN if its start is written. */
static inline uint64_t
writer_range(struct writer *w)
{
	return (uint64_t)w->index << 40 |
	       (++w->ranges << 1 & ((UINT64_C(1) << 40) - 1));
}

/* True if this process wrote the start of the range of that id. */
bool writer_knows(uint64_t range);

#endif
