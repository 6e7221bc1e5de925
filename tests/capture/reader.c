/* reader.c - an arena read as tq-capture does it, and checked */

#include <err.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reader.h"

enum { ROOM = ARENA_CHUNK - sizeof(struct chunk) };

struct reader *
reader_new(int fd, int pid, bool dump)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct stat st;

	if (r == NULL || fstat(fd, &st) != 0)
		err(1, NULL);
	r->size = (size_t)st.st_size;
	r->a = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (r->a == MAP_FAILED || r->a->magic != ARENA_MAGIC ||
	    r->size != arena_size(r->a->chunks, r->a->buffers)) {
		warnx("not an arena");
		free(r);
		return NULL;
	}
	r->pid = pid;
	r->dump = dump;
	return r;
}

void
reader_free(struct reader *r)
{
	munmap(r->a, r->size);
	free(r);
}

static uint64_t
word(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* what a record has, and where */
struct parts {
	uint64_t id, color, category, payload_type, payload, string, range;
	const char *text, *blob;
	uint64_t text_len, blob_len;
};

static bool
bytes(const char **p, const char *end, const char **at, uint64_t *len)
{
	if (*p + 8 > end)
		return false;
	*len = word(*p);
	*at = *p + 8;
	if (*len > (uint64_t)(end - *at))
		return false;
	*p = *at + ((*len + 7) & ~UINT64_C(7));
	return true;
}

static bool
take_apart(const char *p, const struct record *r, struct parts *parts)
{
	const char *end = p + r->words * 8;

	*parts = (struct parts){0};
	p += sizeof(*r);
	if (r->flags & FLAG_ID) {
		parts->id = word(p);
		p += 8;
	}
	if (r->flags & FLAG_STYLE) {
		parts->color = word(p) & UINT32_MAX;
		parts->category = word(p) >> 32;
		p += 8;
	}
	if (r->flags & FLAG_PAYLOAD) {
		parts->payload_type = word(p);
		parts->payload = word(p + 8);
		p += 16;
	}
	if (r->flags & FLAG_STRING) {
		parts->string = word(p);
		p += 8;
	}
	if ((r->flags & FLAG_TEXT) &&
	    !bytes(&p, end, &parts->text, &parts->text_len))
		return false;
	if ((r->flags & FLAG_BLOB) &&
	    !bytes(&p, end, &parts->blob, &parts->blob_len))
		return false;
	if (r->flags & FLAG_RANGE) {
		parts->range = word(p);
		p += 8;
	}
	return p == end;
}

static const char *
type_name(unsigned type)
{
	static const char *const names[] = {[RECORD_PUSH] = "push",
	    [RECORD_POP] = "pop",
	    [RECORD_START] = "start",
	    [RECORD_END] = "end",
	    [RECORD_MARK] = "mark",
	    [RECORD_COUNTER] = "counter",
	    [RECORD_THREAD] = "thread",
	    [RECORD_OBJECT] = "object",
	    [RECORD_PART] = "part",
	    [RECORD_TAKEN] = "taken",
	    [RECORD_STRING] = "string",
	    [RECORD_DOMAIN] = "domain",
	    [RECORD_CATEGORY] = "category",
	    [RECORD_SCHEMA] = "schema",
	    [RECORD_ENUM] = "enum",
	    [RECORD_COUNTERDEF] = "counterdef"};

	if (type < sizeof(names) / sizeof(names[0]) && names[type] != NULL)
		return names[type];
	return "other";
}

static void
dump(const struct reader *r, int tid, const struct record *h,
    const struct parts *p)
{
	printf("pid=%d tid=%d %s", r->pid, tid, type_name(h->type));
	printf(" domain=%u", h->domain);
	if (h->flags & FLAG_ID)
		printf(" id=%llu", (unsigned long long)p->id);
	if (h->flags & FLAG_STYLE)
		printf(" color=%08x category=%u", (unsigned)p->color,
		    (unsigned)p->category);
	if (h->flags & FLAG_PAYLOAD)
		printf(" payload=%u:%llx", (unsigned)p->payload_type,
		    (unsigned long long)p->payload);
	if (h->flags & FLAG_STRING)
		printf(" string=%llu", (unsigned long long)p->string);
	if (h->flags & FLAG_TEXT)
		printf(" text=%.*s", p->text_len < 60 ? (int)p->text_len : 60,
		    p->text);
	if (h->flags & FLAG_BLOB)
		printf(" blob=%llu", (unsigned long long)p->blob_len);
	for (uint64_t i = 0; i + 8 <= p->blob_len && i < 64; i += 8)
		printf(" %llx", (unsigned long long)word(p->blob + i));
	if (h->flags & FLAG_PARTS)
		printf(" parts");
	putchar('\n');
}

static void
name(struct reader *r, const struct record *h, const struct parts *p)
{
	if (p->id >= READER_NAMES)
		return;
	if (h->type == RECORD_STRING)
		r->string[p->id] = true;
	if (h->type == RECORD_DOMAIN)
		r->domain[p->id] = true;
}

static size_t
thread(const struct reader *r, int32_t tid)
{
	size_t i = (uint32_t)tid % READER_THREADS;

	while (r->thread[i].tid != 0 && r->thread[i].tid != tid)
		i = (i + 1) % READER_THREADS;
	return i;
}

static void
event(struct reader *r, int32_t tid, const struct record *h,
    const struct parts *p)
{
	size_t i = thread(r, tid);

	r->thread[i].tid = tid;
	if (h->ticks < r->thread[i].ticks)
		r->unordered++;
	r->thread[i].ticks = h->ticks;
	if (h->type == RECORD_PUSH)
		r->thread[i].depth++;
	if (h->type == RECORD_POP && --r->thread[i].depth < 0)
		r->unpaired++;
	if (h->domain < READER_NAMES && h->domain != 0 &&
	    h->type != RECORD_OBJECT)
		r->undefined += !r->domain[h->domain];
	if (h->flags & FLAG_STRING)
		r->undefined +=
		    p->string >= READER_NAMES || !r->string[p->string];
	if (h->type == RECORD_PART) {
		r->thread[i].parts += p->text_len;
	} else {
		r->text += p->text_len;
		if (h->flags & FLAG_PARTS)
			r->text += r->thread[i].parts;
		r->thread[i].parts = 0;
	}
}

static void
read_chunk(struct reader *r, uint32_t i)
{
	struct chunk *c = arena_chunk(r->a, i);
	const char *records = (const char *)(c + 1);

	if (r->done[i] == 0)
		r->tid[i] = c->tid;
	while (r->done[i] < r->visible[i]) {
		const char *at = records + r->done[i];
		struct record h;
		struct parts p;

		memcpy(&h, at, sizeof(h));
		if (h.words < 2 || h.words * 8u > r->visible[i] - r->done[i] ||
		    !take_apart(at, &h, &p)) {
			r->malformed++;
			r->done[i] = r->visible[i];
			return;
		}
		r->count[h.type]++;
		if (h.type == RECORD_TAKEN)
			r->tid[i] = (int32_t)p.id;
		if (r->dump)
			dump(r, r->tid[i], &h, &p);
		if (h.type == RECORD_TAKEN)
			;
		else if (c->type == CHUNK_NAMES)
			name(r, &h, &p);
		else
			event(r, r->tid[i], &h, &p);
		r->done[i] += h.words * 8u;
	}
}

static struct arena *sorting;

static int
by_seq(const void *a, const void *b)
{
	uint32_t i = arena_chunk(sorting, *(const uint32_t *)a)->seq;
	uint32_t j = arena_chunk(sorting, *(const uint32_t *)b)->seq;

	return i < j ? -1 : i > j;
}

static void
give_back(struct reader *r, uint32_t i)
{
	struct arena *a = r->a;

	r->done[i] = 0;
	atomic_store(&arena_chunk(a, i)->state, CHUNK_FREE);
	atomic_fetch_or(&a->free[i / 64], UINT64_C(1) << i % 64);
	atomic_fetch_add(&a->space, 1);
	if (a->waiting > 0)
		syscall(SYS_futex, &a->space, FUTEX_WAKE, 1 << 30);
}

/* read the chunks of that type in order; of names up to now */
static void
read_all(struct reader *r, enum chunk_type type, const uint32_t *state)
{
	static uint32_t order[ARENA_CHUNKS_MAX];
	struct arena *a = r->a;
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->chunks; i++)
		if (state[i] != CHUNK_FREE && arena_chunk(a, i)->type == type)
			order[n++] = i;
	sorting = a;
	if (n > 0)
		qsort(order, n, sizeof(*order), by_seq);
	for (uint32_t j = 0; j < n; j++)
		read_chunk(r, order[j]);
}

static void
look(struct reader *r, uint32_t *state, enum chunk_type type)
{
	for (uint32_t i = 0; i < r->a->chunks; i++) {
		struct chunk *c = arena_chunk(r->a, i);
		uint32_t s = atomic_load(&c->state);

		if (type == CHUNK_NAMES &&
		    (s == CHUNK_FREE || c->type != CHUNK_NAMES))
			continue;
		state[i] = s;
		if (s == CHUNK_FREE)
			continue;
		r->visible[i] = atomic_load(&c->committed);
		if (r->visible[i] > ROOM) {
			r->malformed++;
			r->visible[i] = ROOM;
		}
	}
}

void
reader_drain(struct reader *r)
{
	static uint32_t state[ARENA_CHUNKS_MAX];

	look(r, state, CHUNK_RECORDS);
	look(r, state, CHUNK_NAMES);
	read_all(r, CHUNK_NAMES, state);
	read_all(r, CHUNK_RECORDS, state);
	for (uint32_t i = 0; i < r->a->chunks; i++)
		if (state[i] == CHUNK_FULL)
			give_back(r, i);
}
