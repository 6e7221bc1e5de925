/* process.c - a process under capture: its arena read, its records as lines */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tq/mem.h"

#include "process.h"
#include "salvage.h"

enum { SALVAGE_BYTES = 1 << 16 };

const char *const count_names[COUNTS] = {
    "ranges", "marks", "calls", "device operations", "other records"};

/* what is lost, and why */
static const struct {
	const char *what, *reason;
} losses[LOSSES] = {
    [LOSS_RANGE] = {"range", "buffer full"},
    [LOSS_RANGE_END] = {"end of range", "buffer full"},
    [LOSS_MARK] = {"mark", "buffer full"},
    [LOSS_COUNTER] = {"counter", "buffer full"},
    [LOSS_API] = {"api", "buffer full"},
    [LOSS_GPU] = {"device operation", "buffer full"},
    [LOSS_CUDA] = {"record of CUDA", "buffer full"},
    [LOSS_NAME] = {"name", "buffer full"},
    [LOSS_REENTERED] = {"event", "in a signal handler"},
    [LOSS_CUPTI] = {"record of CUDA", "dropped by CUPTI"},
};

/* ---- the arena ---- */

static struct arena *
map_arena(int fd, uint64_t *size, const char **error)
{
	struct stat st;
	struct arena *a;

	/* one that could be made shorter later would end us by SIGBUS */
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0 ||
	    fstat(fd, &st) != 0) {
		*error = "its memory can't be sealed";
		return NULL;
	}
	if (st.st_size < ARENA_HEADER) {
		*error = "its memory is too small";
		return NULL;
	}
	*size = (uint64_t)st.st_size;
	a = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (a == MAP_FAILED) {
		*error = "its memory can't be mapped";
		return NULL;
	}
	if (a->magic != ARENA_MAGIC || a->chunks == 0 ||
	    a->chunks > ARENA_CHUNKS_MAX || a->buffers > ARENA_BUFFERS_MAX ||
	    arena_size(a->chunks, a->buffers) != *size) {
		munmap(a, *size);
		*error = "its agent is of another version";
		return NULL;
	}
	return a;
}

/* the value of KEY=VALUE in what the process says of itself */
static const char *
about(const struct arena *a, const char *key)
{
	const char *p = a->about, *end = a->about + sizeof(a->about);
	size_t n = strlen(key);

	while (p < end && *p != '\0') {
		size_t len = strnlen(p, (size_t)(end - p));

		if (p + len == end)
			break;
		if (len > n && p[n] == '=' && memcmp(p, key, n) == 0)
			return p + n + 1;
		p += len + 1;
	}
	return NULL;
}

const char *
process_variable(const struct process *p, const char *name)
{
	char key[256];

	snprintf(key, sizeof(key), "env.%s", name);
	return about(p->arena, key);
}

static int64_t
rank_of(const struct process *p)
{
	static const char *const variables[] = {RANK_VARIABLES};
	const char *v = NULL;
	char *end;
	long long rank;

	for (size_t i = 0; v == NULL &&
	                   i < sizeof(variables) / sizeof(variables[0]);
	     i++)
		v = process_variable(p, variables[i]);
	if (v == NULL || *v == '\0')
		return -1;
	rank = strtoll(v, &end, 10);
	return *end == '\0' && rank >= 0 ? rank : -1;
}

static char *
copy_about(const struct arena *a, const char *key)
{
	const char *v = about(a, key);

	return v != NULL ? mem_copy(v, strlen(v)) : NULL;
}

struct process *
process_open(int memfd, int pid, const struct source *from,
    struct symbols *symbols, const char **error)
{
	uint64_t size;
	struct arena *a = map_arena(memfd, &size, error);
	struct process *p;

	close(memfd);
	if (a == NULL)
		return NULL;
	p = mem_alloc(sizeof(*p));
	p->pid = pid;
	p->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	p->connection = -1;
	p->arena = a;
	p->size = size;
	p->chunks = a->chunks;
	p->buffers = a->buffers;
	p->readings = mem_alloc(p->chunks * sizeof(*p->readings));
	p->name = copy_about(a, "name");
	p->command = copy_about(a, "command");
	p->rank = rank_of(p);
	p->symbols = symbols;
	p->from = *from;
	p->from.pid = pid;
	p->from.names = &p->names;
	return p;
}

void
process_define(const struct process *p)
{
	struct output *o = &p->from.out->line;

	emit_open(o, KIND_process);
	emit_int(o, KEY_pid, p->pid);
	if (p->name != NULL)
		emit_str(o, KEY_name, span_of(p->name));
	if (p->rank >= 0)
		emit_int(o, KEY_rank, p->rank);
	emit_close(o);
	stream_define(p->from.out);
}

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
	snprintf(
	    file, sizeof(file), "/proc/%d/task/%d/comm", p->pid, (int)tid);
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

static void
take_record(struct process *p, const struct chunk *c, const struct record *r)
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
			    (struct span){c->name,
			        strnlen(c->name, sizeof(c->name))});
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
			                  r)->tid);
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
		f->state = atomic_load_explicit(
		    &c->state, memory_order_acquire);
		if (f->state == CHUNK_FREE)
			continue;
		f->committed = atomic_load_explicit(
		    &c->committed, memory_order_acquire);
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
		syscall(SYS_futex, &a->space, FUTEX_WAKE, INT32_MAX, NULL,
		    NULL, 0);
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
		const struct record *rec =
		    (const void *)(records + r->at);
		size_t n = parts_length(records + r->at, committed - r->at);

		if (n == 0) {
			p->garbage++;
			r->at = committed;
			break;
		}
		take_record(p, c, rec);
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

/* ---- losses, the end ---- */

void
process_losses(struct process *p)
{
	struct output *o = &p->from.out->line;
	const struct clock *c = p->from.clock;
	int64_t now = clock_now(c);

	p->busy = clock_span(c, atomic_load(&p->arena->busy));
	p->blocked = clock_span(c, atomic_load(&p->arena->blocked));
	for (int i = 0; i < LOSSES; i++) {
		int64_t n = (int64_t)atomic_load(&p->arena->lost[i].count) -
		            p->lost[i];

		if (n <= 0)
			continue;
		p->lost[i] += n;
		p->from.out->dropped += n;
		stream_begin(p->from.out, LINE_ALWAYS, p->from.process, 0);
		emit_open(o, KIND_lost);
		emit_int(o, KEY_ts, now);
		emit_int(o, KEY_pid, p->pid);
		emit_str(o, KEY_reason, span_of(losses[i].reason));
		emit_str(o, KEY_what, span_of(losses[i].what));
		emit_int(o, KEY_count, n);
		emit_close(o);
		stream_put(p->from.out, now, 0);
	}
}

/* what the agent knows of CUPTI, which is nowhere else */
struct salvager {
	size_t (*next)(struct salvage *s, char *out, size_t room);
	const char *(*function)(enum api_source source, uint32_t callback);
};

static bool
load_salvager(struct salvager *s, const char *agent)
{
	void *library = dlopen(agent, RTLD_LAZY | RTLD_LOCAL);

	*s = (struct salvager){0};
	if (library == NULL)
		return false;
	*(void **)&s->next = dlsym(library, "tq_capture_salvage");
	*(void **)&s->function = dlsym(library, "tq_capture_function");
	return s->next != NULL && s->function != NULL;
}

/* a call whose process did not come to say its name */
static void
name_function(
    struct process *p, const struct salvager *s, const struct record *r)
{
	const struct record_api *a = (const void *)r;
	struct record head = {.type = RECORD_FUNCTION, .flags = FLAG_TEXT};
	struct parts x = {.id = (uint64_t)a->source << 32 | a->callback};
	const char *name;

	if (names_find(&p->names, RECORD_FUNCTION, 0, x.id) != NULL)
		return;
	name = s->function((enum api_source)a->source, a->callback);
	if (name == NULL)
		return;
	x.text = span_of(name);
	names_define(&p->names, &head, &x);
}

static void
salvage_buffer(struct process *p, const struct salvager *s, uint32_t i)
{
	static char out[SALVAGE_BYTES] __attribute__((aligned(8)));
	const struct chunk none = {.tid = p->pid};
	struct salvage at = {.arena = p->arena,
	    .buffer = arena_buffer(p->arena, i),
	    .bytes = ARENA_BUFFER};
	size_t n, length;

	while ((n = s->next(&at, out, sizeof(out))) > 0)
		for (size_t k = 0; k < n; k += length) {
			const struct record *r = (const void *)(out + k);

			if ((length = parts_length(out + k, n - k)) == 0)
				return;
			if (r->type == RECORD_API)
				name_function(p, s, r);
			take_record(p, &none, r);
			p->salvaged++;
		}
}

/* the records in the buffers that CUPTI had when the process died */
static void
salvage(struct process *p, const char *agent)
{
	struct salvager s;
	bool loaded = false;

	for (uint32_t i = 0; i < p->buffers; i++) {
		if (atomic_load(&p->arena->buffer[i]) != BUFFER_LENT)
			continue;
		if (!loaded && !load_salvager(&s, agent))
			return; /* an agent without CUPTI lends no buffers */
		loaded = true;
		salvage_buffer(p, &s, i);
	}
}

void
process_read_all(struct process *p, const char *agent)
{
	process_drain(p);
	salvage(p, agent);
	process_losses(p);
	p->counts[COUNT_RANGES] += ranges_finish(&p->ranges, &p->from);
}

void
process_end(struct process *p)
{
	munmap(p->arena, p->size);
	p->arena = NULL;
	p->ended = true;
	if (p->pidfd >= 0)
		close(p->pidfd);
	if (p->connection >= 0)
		close(p->connection);
	p->pidfd = p->connection = -1;
	free(p->readings);
	p->readings = NULL;
	names_free(&p->names);
	ranges_free(&p->ranges);
	gpu_free(&p->gpu);
}

void
process_free(struct process *p)
{
	if (p->arena != NULL)
		munmap(p->arena, p->size);
	free(p->name);
	free(p->command);
	free(p);
}
