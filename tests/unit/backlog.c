/* backlog.c - records wait in a file, and come back in order or not at all */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/backlog.h"
#include "check.h"

enum { ROOM = 1 << 16 };

static char bytes[ROOM];

/* the n-th piece: its length, and what is in it */
static size_t
fill(struct chunk *head, char *p, uint32_t n)
{
	size_t length = n * 7919 % ROOM / 8 * 8;

	*head = (struct chunk){.seq = n, .tid = (int32_t)n + 1, .name = "it"};
	memset(p, (int)(n * 31 & 0xff), length);
	return length;
}

static bool
put(struct backlog *b, uint32_t n)
{
	struct chunk head;
	size_t length = fill(&head, bytes, n);

	return backlog_put(b, &head, bytes, length);
}

static void
check_get(struct backlog *b, uint32_t n)
{
	static char expect[ROOM], got[ROOM];
	struct chunk head, back;
	size_t length = fill(&head, expect, n);

	CHECK(backlog_get(b, &back, got, ROOM) == length, "length of %u", n);
	CHECK(back.seq == head.seq && back.tid == head.tid &&
		  strcmp(back.name, head.name) == 0,
	    "head of %u", n);
	CHECK(memcmp(got, expect, length) == 0, "bytes of %u", n);
}

static off_t
size_of(const struct backlog *b, bool blocks)
{
	struct stat st;

	if (fstat(b->file - 1, &st) != 0)
		return -1;
	return blocks ? st.st_blocks * 512 : st.st_size;
}

/* some are put, some are got, often enough for the file to grow and shrink */
static void
test_order(void)
{
	struct backlog b = {0};
	struct chunk head;
	uint32_t in = 1, out = 1;

	CHECK(backlog_is_empty(&b), "empty at first");
	CHECK(backlog_get(&b, &head, bytes, ROOM) == 0, "nothing");
	for (int round = 0; round < 8; round++) {
		for (int i = 0; i < 200; i++)
			CHECK(put(&b, in++), "put");
		for (int i = 0; i < 150; i++)
			check_get(&b, out++);
	}
	CHECK(!backlog_is_empty(&b), "not all was got");
	CHECK(b.read > 32 << 20 && size_of(&b, true) < size_of(&b, false) / 2,
	    "what was read takes %jd bytes of %jd", (intmax_t)size_of(&b, true),
	    (intmax_t)size_of(&b, false));
	while (out < in)
		check_get(&b, out++);
	CHECK(backlog_is_empty(&b) && b.read == 0 && size_of(&b, false) == 0,
	    "empty again");
	CHECK(put(&b, 5), "put");
	check_get(&b, 5);
	CHECK(!b.broken, "broken");
	backlog_free(&b);
	CHECK(b.file == 0, "freed");
}

/* what did not fit is not there, and what did is */
static void
test_full(void)
{
	struct rlimit before, limit;
	struct backlog b = {0};
	uint32_t n = 1;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_FSIZE, &limit);
	while (put(&b, n) && n < 1000)
		n++;
	CHECK(n > 10 && n < 100, "%u fit", n);
	CHECK(errno == EFBIG || errno == ENOSPC, "errno %d", errno);
	CHECK(!put(&b, n), "still full");
	for (uint32_t i = 1; i < n; i++)
		check_get(&b, i);
	CHECK(backlog_is_empty(&b), "no half of one");
	CHECK(put(&b, 1), "room again");
	check_get(&b, 1);
	setrlimit(RLIMIT_FSIZE, &before);
	backlog_free(&b);
}

static void
test_broken(void)
{
	struct backlog b = {0};
	struct chunk head;

	CHECK(put(&b, 9) && put(&b, 10), "put");
	CHECK(backlog_get(&b, &head, bytes, 8) == 0 && b.broken,
	    "more than there is room for");
	CHECK(backlog_is_empty(&b) && size_of(&b, false) == 0, "all forgotten");
	b.broken = false;
	CHECK(put(&b, 9) && ftruncate(b.file - 1, 100) == 0, "put");
	CHECK(backlog_get(&b, &head, bytes, ROOM) == 0 && b.broken, "cut");
	b.broken = false;
	CHECK(put(&b, 11), "put");
	check_get(&b, 11);
	backlog_free(&b);
}

int
main(void)
{
	test_order();
	test_full();
	test_broken();
	return check_status();
}
