/*
 * cupti_buffers.c - what CUPTI is lent: zeroed, of the arena while some is
 * free, never nothing where that would crash it, and not in a child after fork
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/cupti/cupti_buffers.h"
#include "agent/cupti/cupti_translate.h"
#include "agent/process.h"
#include "agent/agent.h"
#include "check.h"

enum { CHUNKS = 2, BUFFERS = 3, MOST = 300 };

/* ---- what the buffers stand on ---- */

static size_t translated;
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;

uint64_t
agent_clock(void)
{
	static uint64_t now;

	errno = ENOSYS; /* which must not be seen */
	return ++now;
}

static struct arena *arena;

char *
process_lend_buffers(uint32_t *count)
{
	*count = BUFFERS;
	return arena_buffer(arena, 0);
}

void
cupti_translate(const struct cupti_lib *lib, uint8_t *buffer, size_t bytes)
{
	(void)lib;
	(void)buffer;
	translated += bytes;
}

static CUptiResult
register_buffers(CUpti_BuffersCallbackRequestFunc requested,
    CUpti_BuffersCallbackCompleteFunc completed)
{
	request = requested;
	complete = completed;
	return CUPTI_SUCCESS;
}

/* ---- tests ---- */

static struct cupti_lib lib = {.register_buffers = register_buffers};

static uint8_t *
ask(void)
{
	uint8_t *p = NULL;
	size_t size = 0, most = 1, i;

	errno = 0;
	request(&p, &size, &most);
	CHECK(errno == 0, "errno is %d", errno);
	CHECK(most == 0, "%zu records at most", most);
	CHECK(size == (p == NULL ? 0 : ARENA_BUFFER), "%zu bytes", size);
	for (i = 0; i < size; i++)
		if (p[i] != 0)
			break;
	CHECK(i == size, "byte %zu is not zero", i);
	return p;
}

static void
give(uint8_t *p, size_t used)
{
	errno = 0;
	complete(NULL, 0, p, ARENA_BUFFER, used);
	CHECK(errno == 0, "errno is %d", errno);
}

static bool
of_arena(const uint8_t *p)
{
	return p >= (uint8_t *)arena &&
	       p < (uint8_t *)arena + arena_size(CHUNKS, BUFFERS);
}

static void
test_lending(void)
{
	uint8_t *p[BUFFERS + 2];
	int i;

	for (i = 0; i < BUFFERS + 2; i++) {
		p[i] = ask();
		CHECK(of_arena(p[i]) == (i < BUFFERS), "buffer %d", i);
		if (i < BUFFERS)
			CHECK(arena->buffer[i] == BUFFER_LENT, "free");
	}
	memset(p[1], 1, 500);
	memset(p[1] + 400, 1, 6000); /* more than is said */
	memset(p[4], 1, 100);
	translated = 0;
	give(p[1], 500);
	give(p[4], 100);
	CHECK(translated == 600, "%zu bytes were translated", translated);
	CHECK(arena->buffer[1] == BUFFER_FREE, "not free");
	CHECK(ask() == p[1], "the buffer that is free is not lent");
	for (i = 0; i < BUFFERS + 1; i++)
		give(p[i], ARENA_BUFFER + 8);
	CHECK(translated == 600 + 4 * ARENA_BUFFER, "beyond the end");
}

/* how many are lent, when it is asked for more and more */
static int
lent(void)
{
	static uint8_t *p[MOST];
	int i, n = 0;

	while (n < MOST && (p[n] = ask()) != NULL)
		n++;
	for (i = 0; i < n; i++)
		give(p[i], 0);
	return n;
}

static void
test_limit(void)
{
	lib.version = 22;
	CHECK(lent() == MOST, "an old libcupti would have crashed");
	lib.version = 130000;
	CHECK(lent() == BUFFERS + 256, "the limit is another");
	CHECK(lent() == BUFFERS + 256, "the limit is another now");
}

/* what a child does to a buffer is not seen by its parent */
static void
test_fork(void)
{
	uint8_t *p = ask();
	int status;
	pid_t child;

	memset(p, 5, 64);
	child = fork();
	if (child == 0) {
		memset(p, 7, ARENA_BUFFER);
		translated = 0;
		give(p, 64);
		_exit(translated != 0 || of_arena(ask()));
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0,
	    "the child ended with %d", status);
	CHECK(p[0] == 5 && p[64] == 0, "the child wrote to the arena");
	CHECK(arena->buffer[0] == BUFFER_LENT, "the child gave it back");
	give(p, 64);
}

int
main(void)
{
	arena = mmap(NULL, arena_size(CHUNKS, BUFFERS), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED)
		return 1;
	arena->chunks = CHUNKS;
	arena->buffers = BUFFERS;
	CHECK(cupti_buffers_register(&lib, arena) == CUPTI_SUCCESS, "no");
	test_lending();
	test_limit();
	test_fork();
	return check_status();
}
