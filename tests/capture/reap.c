/*
 * reap.c - run a command under the agent, and print its records of CUDA
 *
 *	reap [-l on] settings command [argument ...]
 *
 * A launcher that reads nothing before the command and all its children have
 * ended: it shows what the agent writes, and what can be salvaged.  settings
 * are words of TQ_CAPTURE (see arena.h); -l: arena.on becomes that as soon as
 * CUPTI has a buffer.  The agent is in $BUILD.
 *
 * A line for each record (see lines.h); and "process PID", "cupti VERSION",
 * "stride KIND BYTES", "busy TICKS", "lost KIND N".  Those behind "lent
 * BUFFER" were salvaged.  Exits as the command does, 128 + signal.
 */
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/arena.h"
#include "arena/record.h"
#include "arena/salvage_abi.h"
#include "lines.h"

enum { ARENAS = 64, NAMES = 8192 };

struct name {
	uint8_t type;
	uint64_t id, address;
	char text[64];
};

static struct arena *arenas[ARENAS];
static int n_arenas;
static struct name names[NAMES];
static int n_names;
static char agent[4096];

/* ---- records ---- */

static void
define(const char *p)
{
	struct name *n = &names[n_names];
	struct record head;
	const char *s;
	size_t len;

	memcpy(&head, p, sizeof(head));
	if (n_names == NAMES)
		errx(1, "too many names");
	n->type = head.type;
	n->address = 0;
	if ((s = lines_part(p, FLAG_ID, &len)) != NULL)
		memcpy(&n->id, s, sizeof(n->id));
	if ((s = lines_part(p, FLAG_RANGE, &len)) != NULL)
		memcpy(&n->address, s, sizeof(n->address));
	if ((s = lines_part(p, FLAG_TEXT, &len)) == NULL)
		errx(1, "a name without text");
	snprintf(n->text, sizeof(n->text), "%.*s", (int)len, s);
	n_names++;
}

static const char *
name_of(uint8_t type, uint64_t id, uint64_t address)
{
	int i;

	for (i = n_names; i-- > 0;)
		if (names[i].type == type &&
		    (id != 0 ? names[i].id == id : names[i].address == address))
			return names[i].text;
	return "?";
}

static void
print(const char *p)
{
	lines_print(p, name_of, false);
}

static void
each_record(const char *p, size_t bytes, void (*take)(const char *))
{
	struct record head;
	size_t at;

	for (at = 0; at < bytes; at += (size_t)head.words * 8) {
		memcpy(&head, p + at, sizeof(head));
		if (head.words < 2 || (size_t)head.words * 8 > bytes - at)
			errx(1, "a record of %u words", head.words);
		take(p + at);
	}
}

static void
each_chunk(struct arena *a, uint32_t type, void (*take)(const char *))
{
	struct chunk *c;
	uint32_t i;

	for (i = 0; i < a->high && i < a->chunks; i++) {
		c = arena_chunk(a, i);
		if (c->state != CHUNK_FREE && c->type == type)
			each_record((char *)(c + 1), c->committed, take);
	}
}

/* ---- the arena of a process that has ended ---- */

static void
salvage(struct arena *a)
{
	static char out[1 << 16];
	size_t (*next)(struct salvage *, char *, size_t);
	void *handle = dlopen(agent, RTLD_NOW);
	uint64_t incomplete = 0;
	uint32_t i;
	size_t n;

	if (handle == NULL)
		errx(1, "%s", dlerror());
	*(void **)&next = dlsym(handle, "tq_capture_salvage");
	if (next == NULL)
		errx(1, "%s", dlerror());
	for (i = 0; i < a->buffers; i++) {
		struct salvage s = {.arena = a,
		    .buffer = arena_buffer(a, i),
		    .bytes = ARENA_BUFFER,
		    .written = arena_written(a, i, a->chunks)};

		if (a->buffer[i] != BUFFER_LENT)
			continue;
		printf("lent %" PRIu32 "\n", i);
		while ((n = next(&s, out, sizeof(out))) != 0)
			each_record(out, n, print);
		incomplete += s.incomplete;
	}
	if (incomplete != 0)
		printf("incomplete %" PRIu64 "\n", incomplete);
}

static void
print_arena(struct arena *a)
{
	static const char *const losses[LOSSES] = {"range", "range-end", "mark",
	    "counter", "api", "gpu", "cuda", "name", "reentered", "cupti",
	    "launch"};
	int i;

	n_names = 0;
	printf("process %" PRId32 "\n", a->pid);
	if (a->cupti != 0)
		printf("cupti %" PRIu32 "\n", a->cupti);
	for (i = 0; i < ARENA_STRIDES; i++)
		if (a->stride[i] != 0)
			printf("stride %d %u\n", i, a->stride[i]);
	each_chunk(a, CHUNK_NAMES, define);
	each_chunk(a, CHUNK_RECORDS, print);
	salvage(a);
	printf("busy %" PRIu64 "\n", (uint64_t)a->busy);
	for (i = 0; i < LOSSES; i++)
		if (a->lost[i].count != 0)
			printf("lost %s %" PRIu64 "\n", losses[i],
			    (uint64_t)a->lost[i].count);
}

/* ---- processes ---- */

static int
listen_as(const char *name)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int s =
	    socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	size_t len = strlen(name);

	memcpy(to.sun_path + 1, name, len);
	len += offsetof(struct sockaddr_un, sun_path) + 1;
	if (s < 0 || bind(s, (struct sockaddr *)&to, (socklen_t)len) != 0 ||
	    listen(s, ARENAS) != 0)
		err(1, "socket");
	return s;
}

/* The arenas that were sent so far; the processes may be gone. */
static void
receive(int s)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	uint64_t magic;
	struct iovec iov = {&magic, sizeof(magic)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	struct stat st;
	int c, fd;

	/* what a process sends first is there when it connects, or soon */
	while ((c = accept4(s, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
		if (recvmsg(c, &m, 0) != sizeof(magic) ||
		    CMSG_FIRSTHDR(&m) == NULL)
			errx(1, "no arena came");
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
		if (fstat(fd, &st) != 0 || n_arenas == ARENAS)
			errx(1, "too many arenas");
		arenas[n_arenas++] = mmap(NULL, (size_t)st.st_size,
		    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
}

/* -l */
static void
set_late(uint32_t on)
{
	if (n_arenas > 0 && arenas[0]->buffer[0] == BUFFER_LENT)
		arenas[0]->on = on;
}

static pid_t
start(const char *socket_name, const char *settings, char *argv[])
{
	char value[4096];
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	snprintf(value, sizeof(value), "socket=%s %s", socket_name, settings);
	setenv(CAPTURE_VARIABLE, value, 1);
	setenv("CUDA_INJECTION64_PATH", agent, 1);
	execvp(argv[0], argv);
	err(127, "%s", argv[0]);
}

int
main(int argc, char *argv[])
{
	const char *build = getenv("BUILD");
	char name[64];
	int i, c, s, status;
	long late = -1;
	pid_t pid;

	while ((c = getopt(argc, argv, "+l:")) != -1)
		if (c == 'l')
			late = strtol(optarg, NULL, 0);
		else
			return 2;
	if (argc - optind < 2)
		errx(2, "usage: reap [-l on] settings command ...");
	snprintf(agent, sizeof(agent), "%s/libtq-capture.so",
	    build == NULL ? "build" : build);
	snprintf(name, sizeof(name), "reap-%d", getpid());
	s = listen_as(name);
	pid = start(name, argv[optind], argv + optind + 1);
	while (waitpid(pid, &status, WNOHANG) != pid) {
		receive(s);
		usleep(1000);
		if (late >= 0)
			set_late((uint32_t)late);
	}
	receive(s);
	for (i = 0; i < n_arenas; i++)
		print_arena(arenas[i]);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}
