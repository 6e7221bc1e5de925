/*
 * writer.h - the writer of a thread: its chunk, and which of its ranges are
 * open; the fast half of write.h, for the agent's own callbacks
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
 *	writer_leave();
 *
 * A thread is inside from enter to leave; a signal handler that comes in
 * between is turned away.
 *
 * A push that is written sets the bytes of its pop aside in the chunk: place +
 * room + WRITER_POP * open is the end of the chunk or before it.  So a pop
 * asks for nothing.
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
	WRITER_STACKS = 8,      /* domains that need no more memory */
	WRITER_INDEX_BITS = 24, /* of threads, in the id of a range */
	WRITER_WRITTEN = 1      /* bit of such an id */
};

/* the push/pop ranges of one domain that are open on one thread */
struct open_levels {
	uint32_t depth;
	uint32_t words;    /* of bits; deeper ones are not written */
	uint64_t *bits;    /* of each level: was its push written? */
	uint64_t few_bits; /* bits, at first */
};

struct writer {
	uint32_t generation; /* of the arena that it writes into */
	uint32_t room;       /* bytes that may be taken at place */
	char *place;
	struct chunk *chunk; /* NULL: none yet */
	uint32_t open;       /* ranges whose push is written and pop is not */
	uint32_t type;       /* enum chunk_type */
	uint32_t index;      /* of the thread, from 1; never used again */
	int32_t tid;
	uint64_t ranges;            /* start/end ranges so far */
	struct open_levels *stacks; /* by domain */
	uint32_t n_stacks;
	struct open_levels few_stacks[WRITER_STACKS];
	struct writer *next; /* that no thread has */
};

/* all that a thread has of its own; in a library that is loaded late, more
   than a few bytes might not be had */
struct writer_self {
	struct writer *writer;
	uint32_t inside;
};

extern __thread struct writer_self writer_self
    __attribute__((tls_model("initial-exec")));

/* process_open for a thread that is not inside: no signal handler may come to
   wait for the lock that it takes.  Preserves errno. */
bool writer_open(void);

/* writer_enter where the thread has no writer, or one of its parent's */
struct writer *writer_enter_first(void);

/* The writer of this thread, or NULL: see agent_thread. */
static inline struct writer *
writer_enter(void)
{
	struct writer *w = writer_self.writer;

	if (w == NULL || writer_self.inside ||
	    w->generation != atomic_load_explicit(
				 &process->generation, memory_order_relaxed))
		return writer_enter_first();
	writer_self.inside = 1;
	atomic_signal_fence(memory_order_seq_cst);
	return w;
}

static inline void
writer_leave(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	writer_self.inside = 0;
}

/* The bits of arena.on, for who has a writer. */
static inline uint32_t
writer_on(void)
{
	return atomic_load_explicit(&process->arena->on, memory_order_relaxed);
}

/* A chunk with room for bytes; false where there is none, after waiting for
   it where that is asked for. */
bool writer_next_chunk(struct writer *w, size_t bytes);

/* The chunk is no longer written to. */
void writer_close(struct writer *w);

/* count more of a kind are lost; LOSSES: nothing is counted */
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

/* bytes at place are complete */
static inline void
writer_publish(struct writer *w, size_t bytes)
{
	char *first = (char *)(w->chunk + 1);

	w->place += bytes;
	atomic_store_explicit(&w->chunk->committed,
	    (uint32_t)(w->place - first), memory_order_release);
}

/* the same, of what writer_room gave; aside bytes of it are set aside */
static inline void
writer_commit(struct writer *w, size_t bytes, size_t aside)
{
	w->room -= (uint32_t)(bytes + aside);
	writer_publish(w, bytes);
}

/* The stack of a domain; NULL where there is no memory for it. */
struct open_levels *writer_more_stacks(struct writer *w, uint32_t domain);

static inline struct open_levels *
writer_stack(struct writer *w, uint32_t domain)
{
	return domain < w->n_stacks ? &w->stacks[domain]
				    : writer_more_stacks(w, domain);
}

/* Make the stack one level deeper, which has no more bits. */
bool writer_more_bits(struct open_levels *s);

/*
 * The level of a range that is pushed now: open, and known as not written.
 * Where it can't be known, *mark is NULL, else writer_pushed is to be
 * called when its push was written.
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

/* was the push of the top range, which is there, written?  It is popped. */
static inline bool
writer_pop(struct open_levels *s)
{
	uint32_t level = --s->depth;

	return level / 64 < s->words &&
	       (s->bits[level / 64] >> level % 64 & 1) != 0;
}

/* An id for a start/end range, to which WRITER_WRITTEN is added where its
   start is written. */
static inline uint64_t
writer_range(struct writer *w)
{
	return (uint64_t)w->index << 40 |
	       (++w->ranges << 1 & ((UINT64_C(1) << 40) - 1));
}

/* Was the start of a range with that id written, by this process? */
bool writer_knows(uint64_t range);

#endif
