/* sorter.c - lines come out in order, whatever the order and memory */

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "tq/base/mem.h"
#include "tq/io/sorter.h"

/* ---- what the sorter should hold ---- */

struct item {
	int64_t ts, dur;
	uint64_t n; /* the how manieth that was added */
	size_t len;
	uint32_t tag;
};

struct model {
	struct sorter *sorter;
	struct item *item; /* held */
	size_t count, cap;
	size_t given; /* of these, in the emit at hand */
	uint64_t added, late;
	int64_t emitted;
	bool wrong;
};

static uint64_t
random_number(void)
{
	static uint64_t state = 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static int64_t
below(int64_t n)
{
	return (int64_t)(random_number() % (uint64_t)n);
}

static int
by_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if (x->dur != y->dur)
		return x->dur > y->dur ? -1 : 1;
	return x->n < y->n ? -1 : 1;
}

/* the text of an item: its number, over and over */
static void
text_of(struct text *t, const struct item *i)
{
	t->len = 0;
	text_reserve(t, i->len + TEXT_INT_MAX + 1);
	while (t->len < i->len) {
		text_add_int(t, (int64_t)i->n);
		text_add_char(t, ' ');
	}
	t->len = i->len;
}

static void
expect(void *arg, const struct sorter_line *l)
{
	struct model *m = arg;
	const struct item *i = &m->item[m->given++];
	struct text t = {0};

	if (m->given > m->count) {
		m->wrong = true;
		return;
	}
	text_of(&t, i);
	if (l->ts != i->ts || l->dur != i->dur || l->tag != i->tag ||
	    !span_eq(l->line, text_span(&t))) {
		if (!m->wrong)
			printf("expected %" PRId64 "+%" PRId64 " %" PRIu64
			       ", got %" PRId64 "+%" PRId64 " %.20s\n",
			    i->ts, i->dur, i->n, l->ts, l->dur, l->line.p);
		m->wrong = true;
	}
	text_free(&t);
}

static bool
add(struct model *m, int64_t ts, int64_t dur, size_t len)
{
	struct item i = {
	    ts, dur, m->added, len, (uint32_t)(m->added * 2654435761)};
	struct text t = {0};
	bool ok;

	text_of(&t, &i);
	ok = sorter_add(m->sorter, ts, dur, text_span(&t), i.tag);
	text_free(&t);
	if (!ok)
		return false;
	m->added++;
	m->late += ts < m->emitted;
	if (m->count == m->cap) {
		m->cap = m->cap * 2 + 64;
		m->item = mem_resize(m->item, m->cap, sizeof(*m->item));
	}
	m->item[m->count++] = i;
	return true;
}

/* emit and compare; all where all is true */
static void
emit(struct model *m, const char *what, int64_t until, bool all)
{
	size_t expected = 0;
	bool ok;

	if (m->count > 0)
		qsort(m->item, m->count, sizeof(*m->item), by_order);
	while (expected < m->count && (all || m->item[expected].ts < until))
		expected++;
	m->given = 0;
	ok = all ? sorter_finish(m->sorter, expect, m)
		 : sorter_emit(m->sorter, until, expect, m);
	CHECK(ok && !m->wrong && m->given == expected,
	    "%s: %zu lines, %zu expected%s", what, m->given, expected,
	    m->wrong ? ", not those" : "");
	m->wrong = false;
	m->count -= expected;
	if (m->count > 0)
		memmove(
		    m->item, m->item + expected, m->count * sizeof(*m->item));
	m->emitted = all ? INT64_MIN : until > m->emitted ? until : m->emitted;
	CHECK(sorter_counts(m->sorter).held == m->count, "%s: held", what);
	CHECK(sorter_counts(m->sorter).late == m->late, "%s: late", what);
}

static void
open_model(struct model *m, size_t memory)
{
	*m =
	    (struct model){.sorter = sorter_open(memory), .emitted = INT64_MIN};
}

static void
close_model(struct model *m)
{
	sorter_free(m->sorter);
	free(m->item);
}

/* ---- orders in which lines come ---- */

enum shape { ORDERED, EQUAL, NESTED, STREAMS, ANY, BACKWARDS, SHAPES };

static const char *const shape_name[] = {
    "ordered", "equal", "nested", "streams", "any", "backwards"};

static int64_t
ts_of(enum shape shape, int64_t i)
{
	switch (shape) {
	case ORDERED:
		return i * 10;
	case EQUAL:
		return i / 50;
	case NESTED: /* the inner ones first, some after a long time */
		return i * 10 - (i % 7) * 15 - (i % 97 == 0) * i * 9;
	case STREAMS: /* buffers that are each in order */
		return (i % 256) * 10 + i / 256 % 4 + i / 1024 * 2560;
	case ANY:
		return below(100000) - 50000;
	case BACKWARDS:
	default:
		return -i / 3;
	}
}

static size_t
length(void)
{
	int64_t kind = below(1000);

	if (kind == 0)
		return (size_t)below(300000);
	return (size_t)(kind < 20 ? below(20000) : below(120));
}

/* lines, with an emit every so often, up to so far behind the last one */
static void
run(enum shape shape, size_t memory, int64_t lines, int64_t every)
{
	struct model m;
	char what[80];

	snprintf(what, sizeof(what), "%s, %zu bytes, every %" PRId64,
	    shape_name[shape], memory, every);
	open_model(&m, memory);
	for (int64_t i = 0; i < lines; i++) {
		int64_t ts = ts_of(shape, i);

		CHECK(add(&m, ts, below(3), length()), "%s: %s", what,
		    strerror(errno));
		if (every > 0 && below(every) == 0)
			emit(&m, what, ts - below(every * 10), false);
	}
	emit(&m, what, 0, true);
	/* and once more */
	add(&m, 1, 0, 10);
	add(&m, 0, 0, 10);
	emit(&m, what, 0, true);
	close_model(&m);
}

static void
test_shapes(void)
{
	static const size_t memory[] = {0, 1 << 18, 1 << 22, 1 << 30};

	for (int shape = 0; shape < SHAPES; shape++)
		for (size_t i = 0; i < sizeof(memory) / sizeof(*memory); i++) {
			int64_t lines = memory[i] > 0 ? 3000 : 200;

			run((enum shape)shape, memory[i], lines, 0);
			run((enum shape)shape, memory[i], lines, 10);
			run((enum shape)shape, memory[i], lines, 500);
		}
}

/* more runs than are kept, of many lines */
static void
test_many_runs(void)
{
	run(ANY, 1 << 18, 30000, 0);
	run(ANY, 1 << 18, 30000, 5000);
	run(BACKWARDS, 1 << 18, 30000, 0);
}

static void
test_limits(void)
{
	static const int64_t time[] = {
	    INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
	struct model m;

	open_model(&m, 1 << 20);
	for (int i = 0; i < 200; i++)
		add(&m, time[below(7)], time[below(7)], 5);
	emit(&m, "limits", INT64_MIN, false);
	emit(&m, "limits", 0, false);
	emit(&m, "limits", INT64_MAX, false);
	emit(&m, "limits", 0, true);
	emit(&m, "nothing", 0, true);
	close_model(&m);
}

/* ---- the disk ---- */

/* what was read leaves the disk before all is read */
static void
test_room(void)
{
	enum { LINES = 40000, LENGTH = 1000, MEMORY = 1 << 22 };
	struct model m;
	uint64_t all;

	open_model(&m, MEMORY);
	for (int64_t i = 0; i < LINES; i++)
		add(&m, i, 0, LENGTH);
	all = sorter_counts(m.sorter).bytes;
	CHECK(
	    all > (uint64_t)LINES * LENGTH - MEMORY, "%" PRIu64 " bytes", all);
	emit(&m, "half", LINES / 2, false);
	CHECK(sorter_counts(m.sorter).bytes < all / 2 + MEMORY,
	    "half: %" PRIu64 " bytes", sorter_counts(m.sorter).bytes);
	emit(&m, "all", 0, true);
	CHECK(sorter_counts(m.sorter).bytes == 0, "all: bytes");
	close_model(&m);
}

static void
count_line(void *arg, const struct sorter_line *l)
{
	uint64_t *lines = arg;

	(void)l;
	++*lines;
}

/* lines of a file that broke are counted, and all others are given */
static void
test_broken(void)
{
	enum { LINES = 3000, SHORT = 1 << 16 };
	struct sorter *s = sorter_open(1 << 18);
	struct sorter_counts c;
	char line[100] = "text";
	uint64_t given = 0;
	int files = 0;

	for (int i = 0; i < LINES; i++)
		sorter_add(s, i, 0, (struct span){line, sizeof(line)}, 0);
	for (int fd = 3; fd < 10; fd++)
		files +=
		    lseek(fd, 0, SEEK_END) > SHORT && ftruncate(fd, SHORT) == 0;
	CHECK(files > 0, "no files to be broken");
	CHECK(!sorter_finish(s, count_line, &given) && errno == EIO,
	    "broken files: %s", strerror(errno));
	c = sorter_counts(s);
	CHECK(c.lost > 0 && c.held == 0 && given + c.lost == LINES,
	    "%" PRIu64 " lines given, %" PRIu64 " lost", given, c.lost);
	CHECK(sorter_finish(s, count_line, &given), "again");
	sorter_free(s);
}

static void
limit_files(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* add lines until it is refused; what is held is still there */
static void
refused(const char *what, int error, size_t memory, int64_t most)
{
	struct model m;
	int64_t i = 0;

	open_model(&m, memory);
	while (i < most && add(&m, below(1000), 0, 200))
		i++;
	CHECK(i < most && errno == error, "%s: %" PRId64 " lines, %s", what, i,
	    strerror(errno));
	CHECK(!add(&m, 1, 0, 200) && errno == error, "%s again", what);
	emit(&m, what, 100, false);
	if (error == EFBIG)
		limit_files(RLIM_INFINITY);
	else
		emit(&m, what, 1000, false);
	CHECK(add(&m, 500, 0, 200), "%s: after an emit", what);
	emit(&m, what, 0, true);
	close_model(&m);
}

static void
test_errors(void)
{
	const char *dir = getenv("TMPDIR");
	char *saved = dir != NULL ? mem_copy(dir, strlen(dir)) : NULL;

	signal(SIGXFSZ, SIG_IGN);
	limit_files(1 << 16);
	refused("a file that is too large", EFBIG, 1 << 20, 100000);
	/* large enough for runs, not for what they become */
	limit_files(3 << 19);
	refused("runs that are too large", EFBIG, 1 << 20, 1000000);
	setenv("TMPDIR", "/nonexistent", 1);
	refused("no directory", ENOENT, 1 << 20, 100000);
	if (saved != NULL)
		setenv("TMPDIR", saved, 1);
	else
		unsetenv("TMPDIR");
	free(saved);
}

int
main(void)
{
	test_shapes();
	test_many_runs();
	test_limits();
	test_room();
	test_broken();
	test_errors();
	return check_status();
}
