/* thread_look.c - a thread of another process that waits */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "thread_look.h"

enum { PATIENCE = 5 }; /* s */

/* ---- the system call ---- */

bool
thread_look_parse(struct thread_call *c, const char *text)
{
	uint64_t v[9];
	char *end;

	*c = (struct thread_call){.runs = strncmp(text, "running", 7) == 0};
	for (size_t i = 0; i < 9; i++) {
		v[i] = strtoull(text, &end, 0);
		if (end == text || *text == '-')
			return false;
		text = end + (*end == ' ');
	}
	*c = (struct thread_call){.number = v[0],
	    .first = v[1],
	    .second = v[2],
	    .sp = v[7],
	    .pc = v[8]};
	return true;
}

static int
open_file(pid_t pid, pid_t tid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid,
	    name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int
thread_look_open(pid_t pid, pid_t tid)
{
	return open_file(pid, tid, "syscall");
}

/* from its beginning, as text; false with errno */
static bool
read_text(int fd, char *to, size_t size)
{
	ssize_t n = pread(fd, to, size - 1, 0);

	to[n > 0 ? n : 0] = '\0';
	return n >= 0;
}

bool
thread_look_read(struct thread_call *c, int fd)
{
	char text[256];

	return read_text(fd, text, sizeof(text)) && thread_look_parse(c, text);
}

bool
thread_look_call(struct thread_call *c, pid_t pid, pid_t tid)
{
	int fd = thread_look_open(pid, tid);
	bool read = fd >= 0 && thread_look_read(c, fd);

	if (fd >= 0)
		close(fd);
	return read;
}

bool
thread_look_parse_dies(const char *text)
{
	enum { FLAGS = 9, SIGNALS = 31 }; /* fields, of which the state is 3 */
	enum { EXITING = 0x4, SIGNALED = 0x400 }; /* of the kernel's flags */
	const char *at = strrchr(text, ')'); /* a name may have any bytes */
	uint64_t flags = 0, signals = 0;
	char *end;

	if (at == NULL || at[1] != ' ' || at[2] == '\0')
		return false;
	if (at[2] == 'Z' || at[2] == 'X')
		return true;
	at += 3;
	for (int field = 4; field <= SIGNALS; field++) {
		uint64_t v = strtoull(at, &end, 10);

		if (end == at)
			break;
		flags = field == FLAGS ? v : flags;
		signals = field == SIGNALS ? v : signals;
		at = end;
	}
	/* of a signal that ends the process each thread gets a SIGKILL */
	return (flags & (EXITING | SIGNALED)) != 0 ||
	       (signals & UINT64_C(1) << (SIGKILL - 1)) != 0;
}

bool
thread_look_dies(pid_t pid, pid_t tid)
{
	int fd = open_file(pid, tid, "stat");
	char text[1024];
	bool dies;

	if (fd < 0)
		return true;
	dies =
	    !read_text(fd, text, sizeof(text)) || thread_look_parse_dies(text);
	close(fd);
	return dies;
}

bool
thread_look_times(pid_t pid, pid_t tid, uint64_t *ran, uint64_t *slices)
{
	int fd = open_file(pid, tid, "schedstat");
	char text[96], *end;
	bool read;

	if (fd < 0)
		return false;
	read = read_text(fd, text, sizeof(text));
	close(fd);
	*ran = strtoull(text, &end, 10);
	strtoull(end, &end, 10); /* how long it waited for one */
	*slices = strtoull(end, &end, 10);
	return read && *end == '\n';
}

bool
thread_look_same(const struct thread_call *a, const struct thread_call *b)
{
	return a->number == b->number && a->first == b->first &&
	       a->sp == b->sp && a->pc == b->pc;
}

/* ---- the stack ---- */

size_t
thread_look_stack(const struct thread_call *c, pid_t tid, char *to)
{
	struct iovec there = {(void *)(uintptr_t)c->sp, THREAD_LOOK_STACK};
	struct iovec here = {to, THREAD_LOOK_STACK};
	ssize_t n = process_vm_readv(tid, &here, 1, &there, 1, 0);

	return n > 0 ? (size_t)n : 0;
}

/* ---- may we? ---- */

static const char *
try_process(pid_t pid)
{
	static char there;
	char here, text[256];
	struct iovec to = {&here, 1}, from = {&there, 1};
	const char *file = "/proc/PID/task/TID/syscall";
	int fd, error;
	bool read;

	/* another program need not have anything there */
	if (process_vm_readv(pid, &to, 1, &from, 1, 0) != 1 && errno != EFAULT)
		return "process_vm_readv";
	if ((fd = thread_look_open(pid, pid)) < 0)
		return file;
	read = read_text(fd, text, sizeof(text));
	error = errno;
	close(fd);
	errno = error;
	return read ? NULL : file;
}

const char *
thread_look_try(pid_t process, int *error)
{
	const char *failed;
	pid_t pid;

	if (process != 0) {
		failed = try_process(process);
		*error = errno;
		return failed;
	}
	pid = fork();
	*error = errno;
	if (pid < 0)
		return "fork";
	if (pid == 0) {
		alarm(PATIENCE);
		for (;;)
			pause();
	}
	failed = try_process(pid);
	*error = errno;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return failed;
}
