/* agent.c - the agent of tq-capture, seen from within the program that it is
   in, which is its launcher too */

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../capture/reader.h"
#include "check.h"

static struct reader *reader;

/* what came since the last call, of a type */
static uint64_t
came(enum record_type type)
{
	static uint64_t before[READER_TYPES];
	uint64_t n;

	reader_drain(reader);
	n = reader->count[type] - before[type];
	before[type] += n;
	return n;
}

#define CAME(type, expect) \
	do { \
		uint64_t n_came = came(type); \
		CHECK(n_came == (expect), #type ": %llu, not %llu", \
		    (unsigned long long)n_came, (unsigned long long)(expect)); \
	} while (0)

static void
on(uint32_t bits)
{
	atomic_store(&reader->a->on, bits);
}

static void
test_paused_ranges(void)
{
	CHECK(nvtxRangePushA("written") == 0, "level");
	on(0);
	CHECK(nvtxRangePushA("not written") == 1, "level");
	on(ARENA_NVTX);
	CHECK(nvtxRangePushA("written") == 2, "level");
	CHECK(nvtxRangePop() == 2, "level");
	CHECK(nvtxRangePop() == 1, "level");
	on(0);
	CHECK(nvtxRangePop() == 0, "level");
	CHECK(nvtxRangePop() == -1, "nothing to pop");
	on(ARENA_NVTX);
	CAME(RECORD_PUSH, 2);
	CAME(RECORD_POP, 2);
}

static void
test_paused_starts(void)
{
	nvtxRangeId_t written = nvtxRangeStartA("written"), not_written;

	on(0);
	not_written = nvtxRangeStartA("not written");
	nvtxRangeEnd(written);
	on(ARENA_NVTX);
	nvtxRangeEnd(not_written);
	CHECK(written != 0 && not_written != 0, "an id is 0");
	CHECK(written != not_written, "ids are the same");
	CAME(RECORD_START, 1);
	CAME(RECORD_END, 1);
}

/* each domain has levels of its own, also where there are many, and deep */
static void
test_many_stacks(void)
{
	enum { DOMAINS = 40, DEPTH = 300 };
	nvtxDomainHandle_t d[DOMAINS];
	nvtxEventAttributes_t a = {
	    .version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};
	char name[24];

	for (int i = 0; i < DOMAINS; i++) {
		snprintf(name, sizeof(name), "domain %d", i);
		d[i] = nvtxDomainCreateA(name);
		CHECK(d[i] == nvtxDomainCreateA(name), "two of a name");
	}
	for (int level = 0; level < 40; level++)
		for (int i = 0; i < DOMAINS; i++)
			CHECK(nvtxDomainRangePushEx(d[i], &a) == level,
			    "level of domain %d", i);
	for (int level = 40; level < DEPTH; level++)
		CHECK(nvtxDomainRangePushEx(d[7], &a) == level, "deep");
	for (int level = DEPTH - 1; level >= 40; level--)
		CHECK(nvtxDomainRangePop(d[7]) == level, "deep");
	for (int level = 39; level >= 0; level--)
		for (int i = 0; i < DOMAINS; i++)
			CHECK(nvtxDomainRangePop(d[i]) == level,
			    "level of domain %d", i);
	CAME(RECORD_PUSH, 40 * DOMAINS + DEPTH - 40);
	CAME(RECORD_POP, 40 * DOMAINS + DEPTH - 40);
	CAME(RECORD_DOMAIN, DOMAINS);
}

/* with the arena full, what was begun ends, and all goes on when there is room
   again */
static void
test_full(void)
{
	struct arena_loss *lost = reader->a->lost;
	uint64_t pushed = 0, made = 0;

	while (lost[LOSS_RANGE].count == 0 && pushed < 2000) {
		nvtxRangePushA("open");
		pushed++;
	}
	while (lost[LOSS_MARK].count == 0) {
		nvtxMarkA("until it is full");
		made++;
	}
	nvtxRangePushA("lost");
	for (uint64_t i = 0; i <= pushed; i++)
		nvtxRangePop();
	CHECK(lost[LOSS_RANGE].count == 1, "ranges lost");
	CHECK(lost[LOSS_RANGE].first != 0 && lost[LOSS_RANGE].last != 0,
	    "no time of the loss");
	CAME(RECORD_PUSH, pushed);
	CAME(RECORD_POP, pushed);
	CAME(RECORD_MARK, made - 1);
	nvtxMarkA("there is room again");
	CAME(RECORD_MARK, 1);
}

static void *
thread(void *unused)
{
	(void)unused;
	nvtxRangePushA("in a thread");
	return NULL;
}

static void
test_thread_end(void)
{
	pthread_t t;

	for (int i = 0; i < 20; i++) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		CAME(RECORD_PUSH, 1);
	}
	CHECK(nvtxRangePop() == -1, "a range of another thread");
}

static void
test_errno(void)
{
	int (*calls[])(void) = {nvtxRangePop};

	errno = 77;
	nvtxMarkA("errno");
	calls[0]();
	nvtxDomainCreateA("errno");
	CHECK(errno == 77, "errno is %d", errno);
	CAME(RECORD_MARK, 1);
	CAME(RECORD_DOMAIN, 1);
}

static int
listen_at(const char *name)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t len = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(at.sun_path + 1, name, strlen(name));
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, (socklen_t)len) != 0 ||
	    listen(fd, 1) != 0)
		return -1;
	return fd;
}

/* the memfd that the agent sent, or -1 */
static int
receive(int at)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	uint64_t magic;
	struct iovec iov = {&magic, sizeof(magic)};
	struct msghdr msg = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control)};
	int connection = accept(at, NULL, NULL), fd = -1;

	if (connection >= 0 && recvmsg(connection, &msg, 0) == sizeof(magic) &&
	    CMSG_FIRSTHDR(&msg) != NULL)
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

int
main(int argc, char *argv[])
{
	char name[32], text[PATH_MAX];
	int at, fd;

	(void)argc;
	snprintf(name, sizeof(name), "tq-unit-%d", (int)getpid());
	at = listen_at(name);
	snprintf(text, sizeof(text), "socket=%s clock=monotonic on=1 chunks=4",
	    name);
	setenv(CAPTURE_VARIABLE, text, 1);
	snprintf(
	    text, sizeof(text), "%s/../libtq-capture.so", dirname(argv[0]));
	setenv("NVTX_INJECTION64_PATH", text, 1);

	errno = 77;
	CHECK(nvtxRangePop() == -1, "nothing to pop");
	CHECK(errno == 77, "errno is %d after the start", errno);
	fd = receive(at);
	if (fd < 0 || (reader = reader_new(fd, getpid(), false)) == NULL) {
		printf("the agent did not say hello\n");
		return 1;
	}
	test_errno();
	test_paused_ranges();
	test_paused_starts();
	test_many_stacks();
	test_full();
	test_thread_end();
	CHECK(reader->malformed + reader->undefined + reader->unpaired +
		      reader->unordered ==
		  0,
	    "what came is not in order");
	reader_free(reader);
	return check_status();
}
