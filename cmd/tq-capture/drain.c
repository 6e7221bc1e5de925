/* drain.c - the records of an arena, read and told to whom they concern */

#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"

/* ---- records ---- */

/* a thread of which there is no chunk: what the kernel calls it */
static void
define_thread(struct process *p, int32_t tid)
{
	struct thread *t = ranges_thread(&p->ranges, tid);
	char file[64], name[32];
	ssize_t n = 0;
	int fd;

	if (t->is_defined)
		return;
	snprintf(file, sizeof(file), "/proc/%d/task/%d/comm", p->pid, (int)tid);
	if ((fd = open(file, O_RDONLY | O_CLOEXEC)) >= 0) {
		n = read(fd, name, sizeof(name));
		close(fd);
	}
	if (n > 0 && name[n - 1] == '\n')
		n--;
	ranges_define(t, &p->from, (struct span){name, n > 0 ? (size_t)n : 0});
}

static void
write_note(struct process *p, const struct record *r, int32_t tid)
{
	static const char *const severities[] = {"info", "warning", "error"};
	struct output *o = &p->from.out->line;
	int64_t ts = clock_ns(p->from.clock, r->ticks);
	struct parts x;

	if (!parts_parse(&x, r, sizeof(*r)) || r->domain > NOTE_ERROR)
		return;
	stream_begin(p->from.out, LINE_ALWAYS, p->from.process, 0);
	emit_open(o, KIND_diagnostic);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, p->pid);
	emit_int(o, KEY_tid, tid);
	emit_str(o, KEY_source, SPAN("tq-capture"));
	emit_str(o, KEY_severity, span_of(severities[r->domain]));
	emit_str(o, KEY_text, x.text);
	emit_close(o);
	stream_put(p->from.out, ts, 0);
	if (r->domain > NOTE_INFO)
		fprintf(stderr, "tq-capture: process %d: %.*s\n", p->pid,
		    (int)x.text.len, x.text.p);
}

static enum count_kind
counted_as(unsigned type)
{
	switch (type) {
	case RECORD_POP:
	case RECORD_END:
		return COUNT_RANGES;
	case RECORD_MARK:
	case RECORD_COUNTER:
		return COUNT_MARKS;
	case RECORD_API:
		return COUNT_CALLS;
	case RECORD_KERNEL:
	case RECORD_MEMCPY:
	case RECORD_MEMSET:
	case RECORD_GRAPH:
		return COUNT_WORK;
	default:
		return COUNT_OTHER;
	}
}

void
process_take(struct process *p, const struct chunk *c, const struct record *r)
{
	struct thread *t;
	struct parts x;
	int n = 0;

	switch (r->type) {
	case RECORD_PUSH:
	case RECORD_POP:
	case RECORD_START:
	case RECORD_END:
	case RECORD_MARK:
	case RECORD_COUNTER:
	case RECORD_THREAD:
	case RECORD_PART:
		t = ranges_thread(&p->ranges, c->tid);
		if (!t->is_defined)
			ranges_define(t, &p->from,
			    (struct span){
				c->name, strnlen(c->name, sizeof(c->name))});
		n = ranges_record(&p->ranges, t, &p->from, r);
		break;
	case RECORD_PROFILER_START:
	case RECORD_PROFILER_STOP:
		if (p->from.focus->trigger == FOCUS_PROFILER)
			focus_change(p->from.focus,
			    clock_ns(p->from.clock, r->ticks),
			    r->type == RECORD_PROFILER_START ? 1 : -1);
		break;
	case RECORD_NOTE:
		write_note(p, r, c->tid);
		break;
	case RECORD_STRING:
	case RECORD_DOMAIN:
	case RECORD_CATEGORY:
	case RECORD_SYMBOL:
	case RECORD_FUNCTION:
	case RECORD_SCHEMA:
	case RECORD_ENUM:
	case RECORD_COUNTERDEF:
		if (parts_parse(&x, r, sizeof(*r)))
			names_define(&p->names, r, &x);
		else
			p->garbage++;
		break;
	case RECORD_API:
		if (r->words * 8 >= (int)sizeof(struct record_api))
			define_thread(p,
			    (int32_t)((const struct record_api *)(const void *)
					  r)
				->tid);
		n = gpu_record(&p->gpu, p->symbols, &p->from, r);
		break;
	case RECORD_OVERHEAD:
		if (r->words * 8 >= (int)sizeof(struct record_overhead))
			p->cupti += clock_span(p->from.clock,
			    ((const struct record_overhead *)(const void *)r)
				    ->end -
				r->ticks);
		/* fall through */
	default:
		n = gpu_record(&p->gpu, p->symbols, &p->from, r);
	}
	p->counts[counted_as(r->type)] += n;
}

/* ---- chunks ---- */

/* a chunk that is in use, as it was when the drain began */
struct found {
	uint32_t index, seq, state, type, committed;
};

static int
in_order(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (int32_t)(x->seq - y->seq);
}

static size_t
find_chunks(struct process *p, struct found *found)
{
	uint32_t high = atomic_load(&p->arena->high);
	size_t n = 0;

	if (high > p->chunks)
		high = p->chunks;
	for (uint32_t i = 0; i < high; i++) {
		struct chunk *c = arena_chunk(p->arena, i);
		struct found *f = &found[n];

		/* state first: what is full gets no more records */
		f->state =
		    atomic_load_explicit(&c->state, memory_order_acquire);
		if (f->state == CHUNK_FREE)
			continue;
		f->committed =
		    atomic_load_explicit(&c->committed, memory_order_acquire);
		f->index = i;
		f->seq = c->seq;
		f->type = c->type;
		n++;
	}
	if (n > 1)
		qsort(found, n, sizeof(*found), in_order);
	return n;
}

static void
give_back(struct process *p, const struct found *f)
{
	struct arena *a = p->arena;
	struct chunk *c = arena_chunk(a, f->index);

	p->readings[f->index] = (struct reading){0};
	atomic_store(&c->committed, 0);
	atomic_store(&c->state, CHUNK_FREE);
	atomic_fetch_or(&a->free[f->index / 64], UINT64_C(1) << f->index % 64);
	atomic_fetch_add(&a->space, 1);
	if (atomic_load(&a->waiting) > 0)
		syscall(
		    SYS_futex, &a->space, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* the records of a chunk up to its committed bytes; how many bytes */
static size_t
read_chunk(struct process *p, const struct found *f)
{
	struct chunk *c = arena_chunk(p->arena, f->index);
	struct reading *r = &p->readings[f->index];
	const char *records = (const char *)(c + 1);
	uint32_t committed = f->committed, start;

	if (committed > ARENA_CHUNK - sizeof(*c))
		committed = ARENA_CHUNK - sizeof(*c);
	if (r->seq != f->seq)
		*r = (struct reading){f->seq, 0};
	start = r->at;
	while (r->at < committed) {
		const struct record *rec = (const void *)(records + r->at);
		size_t n = parts_length(records + r->at, committed - r->at);

		if (n == 0) {
			p->garbage++;
			r->at = committed;
			break;
		}
		process_take(p, c, rec);
		r->at += (uint32_t)n;
	}
	start = r->at - start;
	if (f->state == CHUNK_FULL)
		give_back(p, f);
	return start;
}

size_t
process_drain(struct process *p)
{
	struct found found[ARENA_CHUNKS_MAX];
	size_t n, bytes = 0;

	if (p->arena == NULL)
		return 0;
	n = find_chunks(p, found);
	/* names first: they were written before what uses them */
	for (size_t i = 0; i < n; i++) {
		struct found *f = &found[i];

		if (f->type != CHUNK_NAMES)
			continue;
		f->committed = atomic_load_explicit(
		    &arena_chunk(p->arena, f->index)->committed,
		    memory_order_acquire);
		bytes += read_chunk(p, f);
	}
	for (size_t i = 0; i < n; i++)
		if (found[i].type != CHUNK_NAMES)
			bytes += read_chunk(p, &found[i]);
	return bytes;
}
