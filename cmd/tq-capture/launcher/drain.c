/* drain.c - records are read out of an arena, and its chunks given back */

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tq/io/temporary.h"

#include "drain.h"

/* bytes of the backlog that are read in one go */
enum { READ_AT_ONCE = 4 << 20 };

/* a chunk in use, as it was when find_chunks saw it */
struct used_chunk {
	uint32_t index, seq, state, committed;
	uint32_t age; /* seq - arena.next: the oldest chunk has the least */
};

static int
by_age(const void *a, const void *b)
{
	const struct used_chunk *x = a, *y = b;

	return (x->age > y->age) - (x->age < y->age);
}

/*
 * The chunks in use, of names or of records, the oldest first.  A chunk that a
 * thread takes while we look waits for the next call: its records may come
 * after records of an older chunk that we have not seen.  If it had another
 * thread before, *missed becomes true: records of that thread wait, too.  A
 * process that has ended takes no chunks, and all of its chunks are found.
 */
static size_t
find_chunks(struct captured_process *t, bool names, struct used_chunk *found,
    bool *missed)
{
	uint32_t next = atomic_load(&t->arena->next);
	uint32_t high = atomic_load(&t->arena->high);
	size_t n = 0;

	if (high > t->chunks)
		high = t->chunks;
	for (uint32_t i = 0; i < high; i++) {
		struct chunk *c = arena_chunk(t->arena, i);
		struct used_chunk *f = &found[n];

		/* state first: a full chunk gets no more records */
		f->state =
		    atomic_load_explicit(&c->state, memory_order_acquire);
		if (f->state == CHUNK_FREE || (c->type == CHUNK_NAMES) != names)
			continue;
		f->committed =
		    atomic_load_explicit(&c->committed, memory_order_acquire);
		f->index = i;
		f->seq = c->seq;
		f->age = f->seq - next;
		if ((int32_t)f->age < 0 || t->is_dead)
			n++;
		else
			*missed |= c->passed != 0;
	}
	if (n > 1)
		qsort(found, n, sizeof(*found), by_age);
	return n;
}

static void
free_chunk(struct captured_process *t, const struct used_chunk *f)
{
	struct arena *a = t->arena;
	struct chunk *c = arena_chunk(a, f->index);

	t->progress[f->index] = (struct chunk_progress){0};
	atomic_store(&c->committed, 0);
	atomic_store(&c->state, CHUNK_FREE);
	atomic_fetch_or(&a->free[f->index / 64], UINT64_C(1) << f->index % 64);
	atomic_fetch_add(&a->space, 1);
	if (atomic_load(&a->waiting) > 0)
		syscall(
		    SYS_futex, &a->space, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* behind a record of this type, records are of another thread */
static void
change_thread(struct chunk *c, const struct record *r)
{
	struct record_parts x;

	if (r->type != RECORD_TAKEN || !record_parts_parse(&x, r, sizeof(*r)))
		return;
	c->tid = (int32_t)x.id;
	memset(c->name, 0, sizeof(c->name));
	if (x.text.len > 0) /* else p may be NULL */
		memcpy(c->name, x.text.p,
		    x.text.len < sizeof(c->name) ? x.text.len
						 : sizeof(c->name));
}

/*
 * Records is a copy, which the program can't change.  c, too: it becomes the
 * chunk as the next record finds it.  just_look: as if they were dispatched.
 */
static void
dispatch_all(struct captured_process *t, struct chunk *c, const char *records,
    size_t bytes, bool just_look)
{
	size_t n;

	t->lines.latest = clock_now(t->lines.clock);
	for (size_t at = 0; at < bytes; at += n) {
		const struct record *r = (const void *)(records + at);

		n = record_parts_length(records + at, bytes - at);
		if (n == 0) {
			t->lines.garbage += !just_look;
			return;
		}
		if (r->type == RECORD_TAKEN)
			change_thread(c, r);
		else if (!just_look)
			lines_dispatch(&t->lines, c, r);
	}
}

/*
 * Dispatch the records of a chunk up to its committed bytes, or move them to
 * the backlog; add their bytes to *sum.  False if the backlog takes no more.
 */
static bool
read_chunk(struct captured_process *t, const struct used_chunk *f,
    bool spill_now, size_t *sum)
{
	static char copy[ARENA_CHUNK] __attribute__((aligned(8)));
	struct chunk *c = arena_chunk(t->arena, f->index), head;
	struct chunk_progress *r = &t->progress[f->index];
	uint32_t committed = f->committed;
	size_t bytes;

	if (committed > ARENA_CHUNK - sizeof(*c))
		committed = ARENA_CHUNK - sizeof(*c);
	bytes = committed > r->at ? committed - r->at : 0;
	memcpy(&head, c, sizeof(head));
	if (r->is_begun) {
		head.tid = r->tid;
		memcpy(head.name, r->name, sizeof(head.name));
	}
	memcpy(copy, (const char *)(c + 1) + r->at, bytes);
	if (spill_now) {
		if (bytes > 0 && !backlog_put(&t->backlog, &head, copy, bytes))
			return false; /* it stays where it is */
	}
	dispatch_all(t, &head, copy, bytes, spill_now);
	r->at += (uint32_t)bytes;
	r->is_begun = true;
	r->tid = head.tid;
	memcpy(r->name, head.name, sizeof(r->name));
	if (f->state == CHUNK_FULL)
		free_chunk(t, f);
	*sum += bytes;
	return true;
}

/* up to that many bytes of the backlog */
static void
read_backlog(struct captured_process *t, size_t most)
{
	static char copy[ARENA_CHUNK] __attribute__((aligned(8)));
	size_t bytes = 0, n;
	struct chunk head;

	while (bytes < most &&
	       (n = backlog_get(&t->backlog, &head, copy, sizeof(copy))) > 0) {
		dispatch_all(t, &head, copy, n, false);
		bytes += n;
	}
	if (t->backlog.broken) {
		t->backlog.broken = false;
		out_stream_note(t->lines.out, clock_now(t->lines.clock),
		    "records that were put off can't be read back:",
		    strerror(errno));
	}
}

/* the backlog takes no more: the program will lose records, for this reason */
static void
note_full(struct captured_process *t)
{
	struct text note = {0};

	if (t->is_full_noted)
		return;
	t->is_full_noted = true;
	text_printf(&note, "--on-full spill: %s: %s", temporary_directory(),
	    strerror(errno));
	lines_note(&t->lines, clock_now(t->lines.clock), t->lines.pid,
	    NOTE_WARNING, text_span(&note));
	text_free(&note);
}

static size_t
read_names(struct captured_process *t)
{
	struct used_chunk found[ARENA_CHUNKS_MAX];
	bool missed = false;
	size_t n = find_chunks(t, true, found, &missed), bytes = 0;

	for (size_t i = 0; i < n; i++)
		read_chunk(t, &found[i], false, &bytes);
	return bytes;
}

/*
 * The records are found first, then names are read, then the records: so each
 * name is known before a record uses it.
 */
size_t
drain_target(struct captured_process *t, bool spill)
{
	struct used_chunk found[ARENA_CHUNKS_MAX];
	int64_t now = clock_now(t->lines.clock), complete;
	size_t n, full = 0, bytes = 0;
	bool spill_now, missed = false;

	if (t->arena == NULL)
		return 0;
	complete =
	    announced_records_look(&t->announced, t->arena, t->lines.clock,
		t->lines.pid, clock_ns(t->lines.clock, t->start), now);
	n = find_chunks(t, false, found, &missed);
	for (size_t i = 0; i < n; i++)
		full += found[i].state == CHUNK_FULL;
	spill_now =
	    spill && (full > t->chunks / 4 || !backlog_is_empty(&t->backlog));
	bytes += read_names(t);
	/* if the disk is full, later records must wait behind this chunk */
	for (size_t i = 0; spill_now && i < n; i++)
		if (found[i].state == CHUNK_FULL &&
		    !read_chunk(t, &found[i], true, &bytes)) {
			note_full(t);
			break;
		}
	if (spill_now) {
		read_backlog(t, READ_AT_ONCE);
		return bytes + READ_AT_ONCE;
	}
	for (size_t i = 0; i < n; i++)
		read_chunk(t, &found[i], false, &bytes);
	lines_settle(&t->lines);
	t->lines.gil = (struct gil_holder){.start = t->start,
	    .since = atomic_load(&t->arena->gil_since),
	    .tid = atomic_load(&t->arena->gil_tid)};
	t->read_until = now;
	if (!missed && complete > t->complete_until)
		t->complete_until = complete;
	return bytes;
}

void
drain_rest(struct captured_process *t)
{
	t->is_dead = true;
	read_backlog(t, SIZE_MAX);
	drain_target(t, false);
}
