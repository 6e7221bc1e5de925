/*
 * launcher.c - in place of tq-capture, for the tests of the agent
 *
 *	launcher [-dnx] [-a settings] [-s socket] command [argument ...]
 *
 * runs the command with the agent in it, and prints the number of records of
 *all processes, "type count" by line; -d: first each record.  -n: read nothing
 * before the process has ended.  -x: read nothing at all, and overwrite the
 * counts and free chunks of each arena.  settings are words of TQ_CAPTURE,
 * socket is the abstract name to listen at.  Exits with the status of the
 * command, as a shell has it.
 */

#include <err.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader.h"

enum { PROCESSES = 512 };

static struct {
	struct reader *r;
	int pidfd, connection;
} process[PROCESSES];
static size_t n_processes;

static int
listen_at(const char *name)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t len = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(at.sun_path + 1, name, strlen(name));
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, (socklen_t)len) != 0 ||
	    listen(fd, PROCESSES) != 0)
		err(125, "socket");
	return fd;
}

/* what no launcher does: it frees the chunks that the arena does not have */
static void
overwrite(struct arena *a)
{
	a->chunks = ARENA_CHUNKS_MAX;
	a->buffers = ARENA_BUFFERS_MAX;
	a->high = ARENA_CHUNKS_MAX;
	a->free[0] = 0;
	for (size_t i = 1; i < ARENA_CHUNKS_MAX / 64; i++)
		a->free[i] = ~UINT64_C(0);
}

static void
accept_one(int at, bool dump)
{
	uint64_t magic;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = {&magic, sizeof(magic)};
	struct msghdr msg = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control)};
	struct ucred peer;
	socklen_t size = sizeof(peer);
	int connection = accept4(at, NULL, NULL, SOCK_CLOEXEC), fd;
	struct reader *r;
	ssize_t n;

	if (connection < 0 || n_processes == PROCESSES)
		errx(125, "too many processes");
	n = recvmsg(connection, &msg, MSG_CMSG_CLOEXEC);
	if (n != 0 && (n != sizeof(magic) || magic != ARENA_MAGIC))
		errx(125, "what came is no greeting");
	/* it does not trust us, or could make no arena */
	if (n == 0 || CMSG_FIRSTHDR(&msg) == NULL) {
		close(connection);
		return;
	}
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		err(125, "SO_PEERCRED");
	if ((r = reader_new(fd, peer.pid, dump)) == NULL)
		exit(125);
	process[n_processes].r = r;
	process[n_processes].connection = connection;
	process[n_processes].pidfd = (int)syscall(SYS_pidfd_open, peer.pid, 0);
	n_processes++;
}

static bool
alive(size_t i)
{
	struct pollfd p = {.fd = process[i].pidfd, .events = POLLIN};

	return process[i].pidfd >= 0 && poll(&p, 1, 0) == 0;
}

static uint64_t
lost(enum arena_loss_kind kind)
{
	uint64_t n = 0;

	for (size_t i = 0; i < n_processes; i++)
		n += process[i].r->a->lost[kind].count;
	return n;
}

static void
print_sum(const char *name, uint64_t sum)
{
	if (sum > 0)
		printf("%s %llu\n", name, (unsigned long long)sum);
}

static void
report(void)
{
	static const struct {
		const char *name;
		int type;
	} types[] = {{"push", RECORD_PUSH}, {"pop", RECORD_POP},
	    {"start", RECORD_START}, {"end", RECORD_END}, {"mark", RECORD_MARK},
	    {"counter", RECORD_COUNTER}, {"string", RECORD_STRING},
	    {"domain", RECORD_DOMAIN}, {"category", RECORD_CATEGORY},
	    {"schema", RECORD_SCHEMA}, {"enum", RECORD_ENUM},
	    {"counterdef", RECORD_COUNTERDEF}};
	static const char *const losses[LOSSES] = {"lost-range",
	    "lost-range-end", "lost-mark", "lost-counter", "lost-api",
	    "lost-gpu", "lost-cuda", "lost-name", "reentered", "lost-cupti",
	    "lost-launch"};
	uint64_t sums[READER_TYPES] = {0}, text = 0, malformed = 0;
	uint64_t undefined = 0, unpaired = 0, unordered = 0, blocked = 0;

	for (size_t i = 0; i < n_processes; i++) {
		const struct reader *r = process[i].r;

		for (size_t t = 0; t < READER_TYPES; t++)
			sums[t] += r->count[t];
		text += r->text;
		malformed += r->malformed;
		undefined += r->undefined;
		unpaired += r->unpaired;
		unordered += r->unordered;
		blocked += r->a->blocked > 0;
	}
	printf("arena %zu\n", n_processes);
	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++)
		print_sum(types[t].name, sums[types[t].type]);
	for (int k = 0; k < LOSSES; k++)
		print_sum(losses[k], lost((enum arena_loss_kind)k));
	print_sum("text", text);
	print_sum("malformed", malformed);
	print_sum("undefined", undefined);
	print_sum("unpaired", unpaired);
	print_sum("unordered", unordered);
	print_sum("blocked", blocked);
}

static void
drain(bool dump_about)
{
	for (size_t i = 0; i < n_processes; i++) {
		const char *s = process[i].r->a->about;

		reader_drain(process[i].r);
		for (; dump_about && *s != '\0'; s += strlen(s) + 1)
			printf("about %s\n", s);
	}
}

static bool
running(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) ==
		   0 &&
	       info.si_pid == 0;
}

static void
serve(int at, pid_t pid, bool late, bool dump, bool hostile)
{
	bool again = true;

	while (again) {
		struct pollfd p = {.fd = at, .events = POLLIN};
		/* asked first: a process that ends now has called before */
		bool runs = running(pid);
		int ready = poll(&p, 1, 1);

		again = ready > 0 || runs;
		if (ready > 0)
			accept_one(at, dump);
		for (size_t i = 0; i < n_processes; i++)
			again |= alive(i);
		for (size_t i = 0; hostile && i < n_processes; i++)
			overwrite(process[i].r->a);
		if (!late && !hostile)
			drain(false);
	}
}

static pid_t
start(char *argv[], const char *name, const char *settings)
{
	char value[1024];
	const char *build = getenv("BUILD");
	pid_t pid = fork();

	if (pid < 0)
		err(125, "fork");
	if (pid > 0)
		return pid;
	snprintf(value, sizeof(value),
	    "socket=%s clock=tsc on=1 chunks=1024 %s", name, settings);
	setenv(CAPTURE_VARIABLE, value, 1);
	snprintf(value, sizeof(value), "%s/libtq-capture.so",
	    build != NULL ? build : "build");
	setenv("NVTX_INJECTION64_PATH", value, 1);
	execvp(*argv, argv);
	err(127, "%s", *argv);
}

int
main(int argc, char *argv[])
{
	const char *settings = "";
	bool late = false, dump = false, hostile = false;
	char name[108];
	int at, status, c;
	pid_t pid;

	snprintf(name, sizeof(name), "tq-test-%d", (int)getpid());
	while ((c = getopt(argc, argv, "+a:dns:x")) != -1)
		switch (c) {
		case 'a':
			settings = optarg;
			break;
		case 'd':
			dump = true;
			break;
		case 'n':
			late = true;
			break;
		case 's':
			snprintf(name, sizeof(name), "%s", optarg);
			break;
		case 'x':
			hostile = true;
			break;
		default:
			return 2;
		}
	if (optind == argc)
		errx(2, "no command");
	at = listen_at(name);
	pid = start(argv + optind, name, settings);
	serve(at, pid, late, dump, hostile);
	if (!hostile) {
		drain(dump);
		report();
	}
	if (waitpid(pid, &status, 0) < 0)
		err(125, "waitpid");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}
