/* drain.c - the chunks of an arena, read and given back */

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

/* bytes of records that are put off and then read in one go */
enum { READ_AT_ONCE = 4 << 20 };

/* a chunk that is in use, as it was when it was found */
struct used_chunk {
	uint32_t index, seq, state, committed;
	uint32_t age; /* seq, counted from the next one: the oldest is least */
};

static int
in_order(const void *a, const void *b)
{
	const struct used_chunk *x = a, *y = b;

	return (x->age > y->age) - (x->age < y->age);
}

/*
 * The chunks in use, of names or of records.  One that a thread takes while
 * we look is left for the next time, since we may have seen the one before
 * it, and not its last records.  Of a process that has ended there are none
 * such, and nothing is left.
 */
static size_t
find_chunks(struct target *p, bool names, struct used_chunk *found)
{
	uint32_t next = atomic_load(&p->arena->next);
	uint32_t high = atomic_load(&p->arena->high);
	size_t n = 0;

	if (high > p->chunks)
		high = p->chunks;
	for (uint32_t i = 0; i < high; i++) {
		struct chunk *c = arena_chunk(p->arena, i);
		struct used_chunk *f = &found[n];

		/* state first: what is full gets no more records */
		f->state =
		    atomic_load_explicit(&c->state, memory_order_acquire);
		if (f->state == CHUNK_FREE || (c->type == CHUNK_NAMES) != names)
			continue;
		f->committed =
		    atomic_load_explicit(&c->committed, memory_order_acquire);
		f->index = i;
		f->seq = c->seq;
		f->age = f->seq - next;
		n += (int32_t)f->age < 0 || p->is_dead;
	}
	if (n > 1)
		qsort(found, n, sizeof(*found), in_order);
	return n;
}

static void
give_back(struct target *p, const struct used_chunk *f)
{
	struct arena *a = p->arena;
	struct chunk *c = arena_chunk(a, f->index);

	p->readings[f->index] = (struct chunk_progress){0};
	atomic_store(&c->committed, 0);
	atomic_store(&c->state, CHUNK_FREE);
	atomic_fetch_or(&a->free[f->index / 64], UINT64_C(1) << f->index % 64);
	atomic_fetch_add(&a->space, 1);
	if (atomic_load(&a->waiting) > 0)
		syscall(
		    SYS_futex, &a->space, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* records that are ours now, so that the program can't change them */
static void
take_all(
    struct target *p, const struct chunk *c, const char *records, size_t bytes)
{
	size_t n;

	for (size_t at = 0; at < bytes; at += n) {
		n = record_parts_length(records + at, bytes - at);
		if (n == 0) {
			p->garbage++;
			return;
		}
		lines_dispatch(p, c, (const void *)(records + at));
	}
}

/*
 * The records of a chunk up to its committed bytes: told, or put off.  Their
 * bytes are added to *sum.  False: they can't be put off.
 */
static bool
read_chunk(
    struct target *p, const struct used_chunk *f, bool put_off, size_t *sum)
{
	static char copy[ARENA_CHUNK] __attribute__((aligned(8)));
	struct chunk *c = arena_chunk(p->arena, f->index), head;
	struct chunk_progress *r = &p->readings[f->index];
	uint32_t committed = f->committed;
	size_t bytes;

	if (committed > ARENA_CHUNK - sizeof(*c))
		committed = ARENA_CHUNK - sizeof(*c);
	if (r->seq != f->seq)
		*r = (struct chunk_progress){f->seq, 0};
	bytes = committed > r->at ? committed - r->at : 0;
	memcpy(&head, c, sizeof(head));
	memcpy(copy, (const char *)(c + 1) + r->at, bytes);
	if (put_off) {
		if (bytes > 0 && !backlog_put(&p->backlog, &head, copy, bytes))
			return false; /* it stays where it is */
	} else {
		take_all(p, &head, copy, bytes);
	}
	r->at += (uint32_t)bytes;
	if (f->state == CHUNK_FULL)
		give_back(p, f);
	*sum += bytes;
	return true;
}

/* what was put off, up to that many bytes */
static void
read_backlog(struct target *p, size_t most)
{
	static char copy[ARENA_CHUNK] __attribute__((aligned(8)));
	size_t bytes = 0, n;
	struct chunk head;

	while (bytes < most &&
	       (n = backlog_get(&p->backlog, &head, copy, sizeof(copy))) > 0) {
		take_all(p, &head, copy, n);
		bytes += n;
	}
	if (p->backlog.broken) {
		p->backlog.broken = false;
		out_stream_note(p->from.out, clock_now(p->from.clock),
		    "records that were put off can't be read back:",
		    strerror(errno));
	}
}

static size_t
read_names(struct target *p)
{
	struct used_chunk found[ARENA_CHUNKS_MAX];
	size_t n = find_chunks(p, true, found), bytes = 0;

	for (size_t i = 0; i < n; i++)
		read_chunk(p, &found[i], false, &bytes);
	return bytes;
}

/* names come between: they were written before the records that were found */
size_t
drain_target(struct target *p, bool spill)
{
	struct used_chunk found[ARENA_CHUNKS_MAX];
	int64_t now = clock_now(p->from.clock);
	size_t n, full = 0, bytes = 0;
	bool put_off;

	if (p->arena == NULL)
		return 0;
	n = find_chunks(p, false, found);
	for (size_t i = 0; i < n; i++)
		full += found[i].state == CHUNK_FULL;
	put_off =
	    spill && (full > p->chunks / 4 || !backlog_is_empty(&p->backlog));
	bytes += read_names(p);
	/* the disk is full: what comes behind must not get before it */
	for (size_t i = 0; put_off && i < n; i++)
		if (found[i].state == CHUNK_FULL &&
		    !read_chunk(p, &found[i], true, &bytes))
			break;
	if (put_off) {
		read_backlog(p, READ_AT_ONCE);
		return bytes + READ_AT_ONCE;
	}
	for (size_t i = 0; i < n; i++)
		read_chunk(p, &found[i], false, &bytes);
	p->read_until = now;
	return bytes;
}

void
drain_rest(struct target *p)
{
	p->is_dead = true;
	read_backlog(p, SIZE_MAX);
	drain_target(p, false);
}
