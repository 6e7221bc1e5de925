/*
 * capture.c - any bytes as what a program left in its arena: whatever it is,
 * the launcher writes a stream of canonical records of known kinds, in order
 * of time, with their number at the end, and nothing that it was given
 * breaks it.
 *
 * The input is a byte for the focus, then commands, a byte each, with what
 * they take behind them: see act().
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "launcher/drain.h"
#include "fuzz.h"
#include "tq/line/event.h"
#include "tq/line/json.h"

enum { CHUNKS = 4, BUFFERS = 1, PROCESSES = 2, RECORD_MOST = 512 };

/* the input, as far as it was not read */
struct input {
	const uint8_t *p;
	size_t left;
};

/* a process, from both sides */
struct program {
	struct arena *arena; /* as it sees it */
	struct captured_process *target;
};

/* in place of the thread that writes: into memory */
struct writer_thread {
	struct text all;
};

static struct writer_thread sink;

struct writer_thread *
writer_thread_open(const char *file, enum zio_format format)
{
	(void)file;
	(void)format;
	sink.all.len = 0;
	return &sink;
}

void
writer_thread_put(struct writer_thread *s, struct text *t)
{
	text_add_span(&s->all, text_span(t));
	t->len = 0;
}

void
writer_thread_flush(struct writer_thread *s)
{
	(void)s;
}

int
writer_thread_close(struct writer_thread *s, int64_t *undelivered)
{
	*undelivered = 0;
	(void)s;
	return 0;
}

static uint64_t
number(struct input *in, size_t bytes)
{
	uint64_t v = 0;

	if (bytes > in->left)
		bytes = in->left;
	memcpy(&v, in->p, bytes);
	in->p += bytes;
	in->left -= bytes;
	return v;
}

/* ---- the program ---- */

static int
make_arena(struct program *g, uint64_t start)
{
	uint64_t size = arena_size(CHUNKS, BUFFERS);
	int fd = memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	REQUIRE(fd >= 0 && ftruncate(fd, (off_t)size) == 0);
	g->arena = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	REQUIRE(g->arena != MAP_FAILED);
	g->arena->magic = ARENA_MAGIC;
	g->arena->chunks = CHUNKS;
	g->arena->buffers = BUFFERS;
	g->arena->start = start;
	g->arena->high = CHUNKS;
	g->arena->next = CHUNKS;
	for (uint32_t i = 0; i < CHUNKS; i++) {
		struct chunk *c = arena_chunk(g->arena, i);

		c->type = i == 0 ? CHUNK_NAMES : CHUNK_RECORDS;
		c->state = CHUNK_ACTIVE;
		c->seq = i;
		c->tid = (int32_t)i;
		memcpy(c->name, "thread", 6);
	}
	return fd;
}

/* one record behind those of the chunk, its length right unless it says so */
static void
append(struct chunk *c, struct input *in)
{
	char *to = (char *)(c + 1);
	uint32_t at = c->committed;
	struct record r = {.type = (uint8_t)number(in, 1)};
	size_t n;

	r.flags = (uint8_t)number(in, 1);
	r.domain = (uint32_t)number(in, 1);
	r.ticks = number(in, 4);
	n = number(in, 1) * 2 % RECORD_MOST / 8 * 8;
	if (at % 8 != 0 || at > ARENA_CHUNK / 2)
		return;
	r.words = (uint16_t)((sizeof(r) + n) / 8);
	memcpy(to + at, &r, sizeof(r));
	if (n > in->left)
		n = in->left;
	memcpy(to + at + sizeof(r), in->p, n);
	in->p += n;
	in->left -= n;
	c->committed = at + (uint32_t)r.words * 8;
}

/* anything, anywhere in the header or in the head of a chunk */
static void
overwrite(struct arena *a, struct input *in)
{
	uint64_t where = number(in, 2), what = number(in, 4);
	struct chunk *c = arena_chunk(a, where % CHUNKS);

	if (where & 0x8000)
		memcpy(
		    (char *)a + where % (sizeof(*a) - 8), &what, sizeof(what));
	else
		memcpy((char *)c + (where >> 2) % sizeof(*c), &what,
		    sizeof(what) / 2);
}

static void
act(struct program *g, struct input *in)
{
	uint8_t command = (uint8_t)number(in, 1);
	struct arena *a = g->arena;
	struct chunk *c = arena_chunk(a, command >> 4 & (CHUNKS - 1));

	switch (command % 16) {
	default:
		append(c, in);
		break;
	case 10:
		c->committed = (uint32_t)number(in, 4);
		break;
	case 11:
		c->state = (uint32_t)number(in, 1) % 4;
		break;
	case 12:
		overwrite(a, in);
		break;
	case 13:
		a->lost[number(in, 1) % LOSSES].count += number(in, 8);
		captured_process_report_losses(g->target);
		break;
	case 14:
		drain_target(g->target, (command & 0x40) != 0);
		break;
	case 15: /* it was read, and the thread goes on with it */
		if (c->state == CHUNK_FREE) {
			c->seq = a->next++;
			c->state = CHUNK_ACTIVE;
		}
		break;
	}
}

/* ---- what comes out ---- */

/* they are in the order of the schema */
static void
check_keys(struct span line)
{
	enum key before = KEY_NONE, k;
	struct text key = {0};
	struct span value;
	struct json j;

	json_open(&j, line);
	while (json_next(&j, &key, &value)) {
		k = schema_key(key.p, key.len);
		if (before != KEY_NONE && k <= before) {
			fprintf(stderr, "%s is not in order: %.*s\n",
			    schema_keys[k].name, (int)line.len, line.p);
			abort();
		}
		before = k;
	}
	text_free(&key);
}

static void
check_line(struct event *ev, struct span line, int64_t *ts, int64_t *lines)
{
	int64_t at;

	if (!json_valid(line) || !event_parse(ev, line, NULL)) {
		fprintf(stderr, "%s: %.*s\n",
		    ev->error != NULL ? ev->error : "not JSON", (int)line.len,
		    line.p);
		abort();
	}
	if (ev->kind == KIND_UNKNOWN || ev->unknown_count > 0) {
		fprintf(stderr, "not known: %.*s\n", (int)line.len, line.p);
		abort();
	}
	check_keys(line);
	if (ev->kind == KIND_end) {
		REQUIRE(event_int(ev, KEY_events, -1) == *lines - 1);
		REQUIRE(event_int(ev, KEY_dropped, -1) >= 0);
	}
	++*lines;
	if (!event_has(ev, KEY_ts))
		return;
	at = event_int(ev, KEY_ts, 0);
	REQUIRE(at >= *ts);
	REQUIRE(event_int(ev, KEY_dur, 0) >= 0);
	*ts = at;
}

static void
check_stream(struct text *t)
{
	static struct event ev;
	int64_t ts = INT64_MIN, lines = 0;
	const char *p = text_reserve(t, EVENT_PADDING) - t->len;
	const char *end = p + t->len, *newline;

	for (; p < end; p = newline + 1) {
		newline = memchr(p, '\n', (size_t)(end - p));
		REQUIRE(newline != NULL);
		check_line(
		    &ev, (struct span){p, (size_t)(newline - p)}, &ts, &lines);
	}
	REQUIRE(ev.kind == KIND_end);
}

/* ---- the launcher ---- */

struct capture {
	struct clock clock;
	struct focus focus;
	struct capture_ids ids;
	struct stack_lines stacks;
	struct out_stream stream;
	struct program programs[PROCESSES];
};

/* all of it, or what the programs' calls of the profiler choose */
static void
choose_focus(struct focus *f, unsigned how)
{
	f->trigger = how & 1 ? FOCUS_PROFILER : FOCUS_ALWAYS;
	f->end = (enum focus_end)(how >> 1 & 3);
	f->duration = how & 8 ? 100000 : 0;
	f->delay = how & 16 ? 1000 : 0;
}

static void
open_program(struct capture *c, uint32_t i)
{
	struct program *g = &c->programs[i];
	const struct lines lines = {.clock = &c->clock,
	    .call_stacks.any = {true, true},
	    .focus = &c->focus,
	    .process = i,
	    .out = &c->stream,
	    .ids = &c->ids,
	    .stacks = &c->stacks};
	const char *error;

	g->target =
	    captured_process_open(make_arena(g, 0), INT32_MAX, &lines, &error);
	REQUIRE(g->target != NULL);
	lines_define(&g->target->lines);
}

static void
close_program(struct program *g)
{
	captured_process_read_rest(g->target, "/nowhere");
	captured_process_free(g->target);
	munmap(g->arena, arena_size(CHUNKS, BUFFERS));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct clock_piece piece = {.slope = UINT64_C(1) << 32};
	struct capture c = {.clock = {.pieces = &piece, .count = 1}};
	struct trace_info about = {.clock = &c.clock, .mode = "", .rank = -1};
	struct input in = {data, size};

	choose_focus(&c.focus, (unsigned)number(&in, 1));
	focus_start(&c.focus);
	REQUIRE(out_stream_open(
	    &c.stream, NULL, ZIO_PLAIN, &about, &c.focus, 1 << 20));
	for (uint32_t i = 0; i < PROCESSES; i++)
		open_program(&c, i);
	while (in.left > 0)
		act(&c.programs[*in.p >> 7], &in);
	for (uint32_t i = 0; i < PROCESSES; i++)
		close_program(&c.programs[i]);
	focus_settle(&c.focus, INT64_MAX);
	REQUIRE(out_stream_close(&c.stream, INT64_MIN));
	check_stream(&sink.all);
	out_stream_free(&c.stream);
	map_free(&c.ids.symbol_ids);
	stack_lines_free(&c.stacks);
	focus_free(&c.focus);
	return 0;
}
