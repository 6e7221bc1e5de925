/*
 * captured_process.c - an arena is read as it was written, and nothing in it
 * does harm
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "launcher/drain.h"
#include "check.h"

/* in place of sink.c: what was written */
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
	text_add_char(&s->all, '\0');
	return 0;
}

static size_t
count(const char *what)
{
	size_t n = 0;

	for (const char *p = sink.all.p; (p = strstr(p, what)) != NULL; p++)
		n++;
	return n;
}

/* ---- a capture of one process ---- */

static struct clock_piece piece = {.slope = UINT64_C(1) << 32};
static struct clock capture_clock = {.pieces = &piece, .count = 1};
static struct focus focus = {.trigger = FOCUS_ALWAYS};
static struct out_stream stream;
static struct capture_ids ids;

static struct arena *arena; /* as the program sees it */
static struct captured_process *target;

/* a file with the header of an arena in it */
static int
make(uint32_t chunks, uint32_t buffers, uint64_t size)
{
	int fd = memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (ftruncate(fd, (off_t)size) != 0)
		return -1;
	arena = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	arena->magic = ARENA_MAGIC;
	arena->chunks = chunks;
	arena->buffers = buffers;
	arena->high = chunks;
	return fd;
}

static const char *
open_fd(int fd)
{
	const char *error = "none";
	const struct lines lines = {.clock = &capture_clock,
	    .focus = &focus,
	    .out = &stream,
	    .ids = &ids};

	target = captured_process_open(fd, getpid(), &lines, &error);
	return error;
}

static void
begin(uint32_t chunks)
{
	struct trace_info about = {
	    .clock = &capture_clock, .mode = "", .rank = -1};

	out_stream_open(&stream, NULL, ZIO_PLAIN, &about, &focus, 1 << 20);
	open_fd(make(chunks, 1, arena_size(chunks, 1)));
}

static void
finish(void)
{
	captured_process_read_rest(target, "/nowhere");
	CHECK(out_stream_close(&stream, INT64_MIN), "close");
	munmap(arena, target->size);
	captured_process_free(target);
	out_stream_free(&stream);
}

/* ---- the program ---- */

static struct chunk *
take(uint32_t i, uint32_t seq, int32_t tid)
{
	struct chunk *c = arena_chunk(arena, i);

	c->type = CHUNK_RECORDS;
	c->tid = tid;
	c->seq = seq;
	c->committed = 0;
	c->state = CHUNK_ACTIVE;
	if (arena->next <= seq)
		arena->next = seq + 1;
	return c;
}

static void
add(struct chunk *c, enum record_type type, uint64_t ticks)
{
	struct record r = {.words = 2, .type = (uint8_t)type, .ticks = ticks};

	memcpy((char *)(c + 1) + c->committed, &r, sizeof(r));
	c->committed += sizeof(r);
}

/* ---- what is refused ---- */

static void
test_refused(void)
{
	uint64_t size = arena_size(4, 1);
	char path[] = "/tmp/tq-process.XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	CHECK(ftruncate(fd, (off_t)size) == 0, "ftruncate");
	CHECK(strcmp(open_fd(fd), "its memory can't be sealed") == 0, "a file");
	fd = memfd_create("arena", MFD_CLOEXEC);
	CHECK(strcmp(open_fd(fd), "its memory can't be sealed") == 0, "sealed");
	fd = memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	CHECK(strcmp(open_fd(fd), "its memory is too small") == 0, "empty");
	fd = make(4, 1, size);
	munmap(arena, size);
	CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0, "seal");
	CHECK(strcmp(open_fd(fd), "its memory can't be mapped") == 0, "sealed");

	static const struct {
		const char *what;
		uint32_t chunks, buffers;
		int64_t more;
	} rows[] = {
	    {"no chunks", 0, 0, 0},
	    {"too many chunks", ARENA_CHUNKS_MAX + 1, 0, 0},
	    {"too many buffers", 1, 65, 0},
	    {"a size that wraps", UINT32_MAX, 0, 0},
	    {"a little too small", 4, 1, -1},
	    {"a little too large", 4, 1, 4096},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t chunks = rows[i].chunks < 10000 ? rows[i].chunks : 1;

		size = arena_size(chunks, rows[i].buffers) +
		       (uint64_t)rows[i].more;
		fd = make(rows[i].chunks, rows[i].buffers, size);
		CHECK(
		    strcmp(open_fd(fd), "its agent is of another version") == 0,
		    "%s", rows[i].what);
		munmap(arena, size);
	}
	fd = make(4, 1, arena_size(4, 1));
	arena->magic++;
	CHECK(strcmp(open_fd(fd), "its agent is of another version") == 0,
	    "magic");
	munmap(arena, arena_size(4, 1));
}

static void
test_about(void)
{
	const char text[] = "name=it\0command=it -x\0env.RANK=3\0env.EMPTY=\0"
			    "env.A=B=C\0";
	int fd = make(1, 0, arena_size(1, 0));

	memcpy(arena->about, text, sizeof(text));
	open_fd(fd);
	memset(arena->about, 'x', sizeof(arena->about));
	CHECK(strcmp(target->lines.name, "it") == 0 &&
		  strcmp(target->command, "it -x") == 0 &&
		  target->lines.rank == 3,
	    "name %s, command %s", target->lines.name, target->command);
	CHECK(strcmp(captured_process_variable(target, "EMPTY"), "") == 0 &&
		  strcmp(captured_process_variable(target, "A"), "B=C") == 0,
	    "variables");
	CHECK(captured_process_variable(target, "A=B") != NULL, "by its bytes");
	CHECK(captured_process_variable(target, "NONE") == NULL &&
		  captured_process_variable(target, "RAN") == NULL,
	    "no variables");
	captured_process_free(target);
	munmap(arena, arena_size(1, 0));

	fd = make(1, 0, arena_size(1, 0));
	memset(arena->about, 'x', sizeof(arena->about));
	open_fd(fd);
	CHECK(target->lines.name == NULL && target->lines.rank == -1, "no end");
	captured_process_free(target);
	munmap(arena, arena_size(1, 0));
}

/* ---- order ---- */

/* one thread, whose chunks are all over the arena */
static void
test_order(void)
{
	enum { CHUNKS = ARENA_CHUNKS_MAX };

	begin(CHUNKS);
	for (uint32_t n = 0; n < CHUNKS; n++) {
		struct chunk *c = take(n * 1021 % CHUNKS, n, 7);

		/* open here, closed in the next chunk */
		if (n > 0)
			add(c, RECORD_POP, n * 10);
		add(c, RECORD_PUSH, n * 10 + 5);
		c->state = n + 1 < CHUNKS ? CHUNK_FULL : CHUNK_ACTIVE;
	}
	drain_target(target, false);
	CHECK(arena->space == CHUNKS - 1, "%" PRIu32 " chunks given back",
	    arena->space);
	for (uint32_t i = 0; i < CHUNKS / 64; i++)
		CHECK(~arena->free[i] == 0 ||
			  i == (CHUNKS - 1) * 1021 % CHUNKS / 64,
		    "bits %" PRIu32, i);
	finish();
	CHECK(count("\"kind\":\"range\"") == CHUNKS &&
		  count("\"dur\":5,") == CHUNKS - 1 &&
		  count("\"open\":true") == 1,
	    "%zu ranges, %zu open", count("\"kind\":\"range\""),
	    count("\"open\":true"));
}

/* a record with that type, flags, and words behind the head */
static void
add_words(struct chunk *c, enum record_type type, uint8_t flags,
    const uint64_t *words, size_t n)
{
	struct record r = {.words = (uint16_t)(2 + n),
	    .type = (uint8_t)type,
	    .flags = flags,
	    .ticks = 10};
	char *to = (char *)(c + 1) + c->committed;

	memcpy(to, &r, sizeof(r));
	memcpy(to + sizeof(r), words, n * sizeof(*words));
	c->committed += (uint32_t)(sizeof(r) + n * sizeof(*words));
}

/* what a program puts there is JSON all the same */
static void
test_args(void)
{
	/* a value, and a blob that ends too early: 8 of 16 bytes */
	static const uint64_t words[] = {1, 5, 8, 77};

	begin(4);
	add_words(take(0, 0, 7), RECORD_MARK, FLAG_PAYLOAD | FLAG_BLOB, words,
	    sizeof(words) / sizeof(words[0]));
	drain_target(target, false);
	finish();
	CHECK(count("\"args\":{\"uint64Value\":5}}") == 1, "%s", sink.all.p);
}

/* an event that the clock of the capture can't have seen is lost */
static void
test_times(void)
{
	const uint64_t now = (uint64_t)clock_now(&capture_clock);
	const uint64_t hour = UINT64_C(3600000000000);
	struct chunk *c;

	begin(4);
	c = take(0, 0, 7);
	add(c, RECORD_MARK, 10);
	add(c, RECORD_MARK, now + hour);
	add(c, RECORD_MARK, UINT64_MAX / 2);
	add(c, RECORD_PUSH, 20);
	add(c, RECORD_POP, now + hour);
	add(c, RECORD_PUSH, UINT64_MAX);
	drain_target(target, false);
	finish();
	CHECK(count("\"kind\":\"mark\"") == 1 &&
		  count("\"kind\":\"range\"") == 0 &&
		  count("\"its time is none of this recording\"") == 2 &&
		  count("\"count\":3}") == 1 && count("\"count\":1}") == 1,
	    "%s", sink.all.p);
}

/* a record of a buffer counts as copied once its chunk is committed so far */
static void
test_written(void)
{
	struct chunk *c;

	begin(4);
	c = take(2, 0, 7);
	add(c, RECORD_MARK, 10);
	CHECK(arena_written(arena, 0, 4) == 0, "nothing");
	arena->writing[0] = arena_writing(0, 2, 32);
	CHECK(arena_written(arena, 0, 4) == 0, "not yet");
	add(c, RECORD_MARK, 20);
	CHECK(arena_written(arena, 0, 4) == 1, "the first record");
	arena->writing[0] = arena_writing(ARENA_BUFFER - 8, 2, 16);
	CHECK(arena_written(arena, 0, 4) == ARENA_BUFFER - 7, "the last");
	arena->writing[0] = UINT64_MAX;
	CHECK(arena_written(arena, 0, 4) == 0, "garbage");
	finish();
}

/* what is behind a RECORD_TAKEN is of its thread, also in the next round */
static void
test_taken(void)
{
	/* id, and text of 16 bytes */
	uint64_t words[] = {8, 16, 0, 0};
	struct chunk *c;

	memcpy(&words[2], "other", 6);
	for (int spill = 0; spill < 2; spill++) {
		begin(4);
		c = take(0, 0, 7);
		add(c, RECORD_PUSH, 10);
		add(c, RECORD_POP, 20);
		add_words(c, RECORD_TAKEN, FLAG_ID | FLAG_TEXT, words, 4);
		c->seq = 1;
		arena->next = 2;
		c->state = spill ? CHUNK_FULL : CHUNK_ACTIVE;
		drain_target(target, spill != 0);
		if (!spill)
			add(c, RECORD_MARK, 30);
		finish();
		CHECK(count("\"tid\":7}") == 1 &&
			  count("\"dur\":10,\"pid\"") == 1 &&
			  count("\"tid\":8,\"name\":\"other\"") == !spill,
		    "%s", sink.all.p);
	}
}

/* a chunk that is taken after the search began waits for the next one */
static void
test_new_chunk(void)
{
	struct chunk *c;

	begin(4);
	c = take(0, 0, 7);
	add(c, RECORD_PUSH, 10);
	c = take(1, 1, 7);
	add(c, RECORD_POP, 20);
	arena->next = 1;
	drain_target(target, false);
	CHECK(target->progress[0].at == 16 && target->progress[1].at == 0,
	    "it was read");
	arena->next = 2;
	drain_target(target, false);
	CHECK(target->progress[1].at == 16, "it was not read");
	/* numbers begin anew, and what is in use is in order all the same */
	c->seq = UINT32_MAX;
	add(c, RECORD_PUSH, 30);
	c = take(2, 0, 7);
	add(c, RECORD_POP, 40);
	arena->next = 1;
	drain_target(target, false);
	/* a dead process takes no more */
	c = take(3, 1000, 8);
	add(c, RECORD_MARK, 50);
	arena->next = 1;
	finish();
	CHECK(count("\"dur\":10,") == 2 && count("\"kind\":\"mark\"") == 1 &&
		  count("\"open\":true") == 0,
	    "%s", sink.all.p);
}

/* a thread that announces a record holds back what is complete, a call of MPI
   its own time */
static void
test_announced(void)
{
	struct arena_writer *w;
	int64_t before;

	begin(4);
	w = &arena->writers[1];
	arena->writers_high = 2;
	drain_target(target, false);
	before = target->complete_until;
	w->turn = 0x1001;
	for (int i = 0; i < 3; i++)
		drain_target(target, false);
	CHECK(target->complete_until == before && target->read_until > before,
	    "%" PRId64 " of %" PRId64, target->complete_until, before);
	/* another record: it began after the last look */
	before = target->read_until;
	w->turn = 0x1011;
	drain_target(target, false);
	CHECK(target->complete_until == before, "%" PRId64 " of %" PRId64,
	    target->complete_until, before);
	w->turn = 0;
	w->since = 77;
	drain_target(target, false);
	CHECK(target->complete_until == target->read_until &&
		  target->announced.call == 77,
	    "%" PRId64 ", %" PRId64, target->complete_until,
	    target->announced.call);
	w->since = 0;
	before = target->complete_until;
	arena->crowded = 1;
	arena->writers_high = UINT32_MAX; /* garbage */
	drain_target(target, false);
	CHECK(target->complete_until == before &&
		  target->announced.call == INT64_MAX &&
		  target->announced.count == ARENA_WRITERS,
	    "%" PRIu32 " writers", target->announced.count);
	finish();
}

/* a thread that ended in the midst of a record is not waited for */
static void
test_announced_gone(void)
{
	begin(4);
	arena->pid = getpid();
	arena->writers[0].tid = 1; /* of no process but the first */
	arena->writers[0].turn = 1;
	arena->writers_high = 1;
	target->start = 1;
	/* it is looked for only after a second: the last look is long ago */
	target->announced.looked = 1;
	piece.from = INT64_C(3000000000);
	drain_target(target, false);
	CHECK(target->announced.turns[0].gone, "it is waited for");
	drain_target(target, false);
	CHECK(target->complete_until == target->read_until, "%" PRId64,
	    target->complete_until);
	piece.from = 0;
	finish();
}

/* a chunk that another thread takes over meanwhile has records that are not
   read yet */
static void
test_passed(void)
{
	struct chunk *c;
	int64_t before;

	begin(4);
	drain_target(target, false);
	before = target->complete_until;
	c = take(0, 0, 7);
	add(c, RECORD_MARK, 10);
	c->seq = arena->next; /* as between two looks of find_chunks */
	drain_target(target, false);
	CHECK(target->complete_until > before, "a new chunk holds nothing");
	before = target->complete_until;
	c->passed = 1;
	drain_target(target, false);
	CHECK(target->complete_until == before, "it is complete without it");
	arena->next = c->seq + 1;
	drain_target(target, false);
	CHECK(target->complete_until > before, "%" PRId64,
	    target->complete_until);
	finish();
	CHECK(count("\"kind\":\"mark\"") == 1, "%s", sink.all.p);
}

/* what is put off comes in order, whatever the disk has room for */
static void
test_spill(void)
{
	struct rlimit before, limit;
	uint32_t seq = 0;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	begin(16);
	for (int round = 0; round < 40; round++) {
		limit.rlim_cur = round % 3 == 1 ? 600 : 1 << 20;
		setrlimit(RLIMIT_FSIZE, &limit);
		for (uint32_t i = 0; i < 16; i++) {
			struct chunk *c = arena_chunk(arena, i);

			if (c->state != CHUNK_FREE)
				continue;
			c = take(i, seq, 7);
			if (seq > 0)
				add(c, RECORD_POP, seq * 10);
			/* some are longer */
			for (uint32_t k = 0; k < seq % 7 * 3; k++)
				add(c, RECORD_MARK, seq * 10 + 1);
			add(c, RECORD_PUSH, seq * 10 + 5);
			c->state = CHUNK_FULL;
			seq++;
		}
		drain_target(target, true);
	}
	setrlimit(RLIMIT_FSIZE, &before);
	finish();
	CHECK(seq > 100, "%" PRIu32 " chunks", seq);
	CHECK(count("\"dur\":5,") == seq - 1 && count("\"open\":true") == 1,
	    "%zu of %" PRIu32 " ranges, %zu open", count("\"dur\":5,"), seq,
	    count("\"open\":true"));
}

/* ---- garbage ---- */

static void
test_garbage(void)
{
	struct chunk *c;

	begin(4);
	c = take(0, 0, 7);
	add(c, RECORD_MARK, 10);
	c->committed = UINT32_MAX;
	c = take(1, 1, 8);
	add(c, RECORD_MARK, 20);
	c->committed += 3;
	c = take(2, 2, 9);
	add(c, RECORD_MARK, 30);
	drain_target(target, false);
	/* another seq: a thread took it over, and goes on in it */
	c->seq = 0;
	drain_target(target, false);
	/* what was committed goes back: it was read already */
	c->committed = 8;
	drain_target(target, false);
	c->state = 77;
	drain_target(target, false);
	arena->high = UINT32_MAX;
	arena->chunks = UINT32_MAX;
	arena->buffers = UINT32_MAX;
	for (int i = 0; i < ARENA_BUFFERS_MAX; i++)
		arena->buffer[i] = BUFFER_LENT;
	for (int i = 0; i < LOSSES; i++)
		arena->lost[i].count = UINT64_MAX;
	arena->busy = arena->blocked = UINT64_MAX;
	finish();
	CHECK(count("\"kind\":\"mark\"") == 3, "%s", sink.all.p);
	CHECK(count("\"dropped\":-") == 0, "lost");
}

static _Atomic bool over;

static void *
overwrite(void *arg)
{
	unsigned seed = 1;
	char *from = (char *)arena, *to = arg;

	while (!over)
		for (int i = 0; i < 1000; i++) {
			uint64_t v = (uint64_t)rand_r(&seed) << 32 |
				     (uint32_t)rand_r(&seed);
			size_t n = (size_t)(to - from) - sizeof(v);

			if (i % 4 == 0)
				v &= 0x000000001f001fff;
			memcpy(from + (size_t)rand_r(&seed) * 8 % n / 8 * 8, &v,
			    sizeof(v));
		}
	return NULL;
}

/* a program that writes anything anywhere while it is read */
static void
test_overwritten(void)
{
	pthread_t thread;

	begin(4);
	for (uint32_t i = 0; i < 4; i++)
		take(i, i, (int32_t)i)->type = i % 2;
	over = false;
	pthread_create(
	    &thread, NULL, overwrite, (char *)arena + arena_size(4, 0));
	for (int i = 0; i < 300; i++) {
		drain_target(target, i % 2);
		captured_process_report_losses(target);
	}
	over = true;
	pthread_join(thread, NULL);
	finish();
}

int
main(void)
{
	focus_start(&focus);
	test_refused();
	test_about();
	test_written();
	test_taken();
	test_args();
	test_times();
	test_order();
	test_new_chunk();
	test_announced();
	test_announced_gone();
	test_passed();
	test_spill();
	test_garbage();
	test_overwritten();
	map_free(&ids.symbol_ids);
	focus_free(&focus);
	text_free(&sink.all);
	return check_status();
}
