/* exec_wrappers.c - the capture goes on in programs that a process starts */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arena/arena.h"
#include "arena/program_loader.h"
#include "exec_wrappers.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))

enum { OURS = 8192 };
static const char variable[] = "LD_PRELOAD=";

/* "AGENT:WRAPPERS" without the colon at the end; empty: nothing is done */
static char ours[OURS];
static size_t ours_len;
static char folder[PATH_MAX]; /* of the wrappers, with the slash */

/* ---- lists of libraries ---- */

static size_t
entry_length(const char *list)
{
	return strcspn(list, ": ");
}

static const char *
next_entry(const char *entry, size_t n)
{
	return entry[n] == '\0' ? NULL : entry + n + 1;
}

static bool
is_agent(const char *entry, size_t n)
{
	size_t len = strcspn(ours, ":");

	return n == len && memcmp(entry, ours, n) == 0;
}

/* the agent, or a library beside it whose name is one of ours */
static bool
is_ours(const char *entry, size_t n)
{
	static const char begin[] = "libtq-";
	size_t head = strlen(folder);

	if (is_agent(entry, n))
		return true;
	return n > head + sizeof(begin) - 1 &&
	       memcmp(entry, folder, head) == 0 &&
	       memcmp(entry + head, begin, sizeof(begin) - 1) == 0 &&
	       memchr(entry + head, '/', n - head) == NULL;
}

static bool
has_agent(const char *list)
{
	for (const char *e = list; e != NULL;
	     e = next_entry(e, entry_length(e)))
		if (is_agent(e, entry_length(e)))
			return true;
	return false;
}

static void
find_ours(const char *agent)
{
	const char *list = getenv("LD_PRELOAD");
	const char *slash = strrchr(agent, '/');
	size_t n = strlen(agent), len = n;

	if (list == NULL || slash == NULL || n >= sizeof(ours) ||
	    (size_t)(slash + 1 - agent) >= sizeof(folder))
		return;
	memcpy(folder, agent, (size_t)(slash + 1 - agent));
	memcpy(ours, agent, n + 1);
	if (!has_agent(list))
		return;
	for (const char *e = list; e != NULL; e = next_entry(e, n)) {
		n = entry_length(e);
		if (is_agent(e, n) || !is_ours(e, n))
			continue;
		if (len + 1 + n >= sizeof(ours))
			return;
		ours[len] = ':';
		memcpy(ours + len + 1, e, n);
		len += 1 + n;
	}
	ours_len = len;
}

void
exec_begin(const void *in_agent)
{
	Dl_info agent;

	if (dladdr(in_agent, &agent) != 0)
		find_ours(agent.dli_fname);
}

/* ---- the plan ---- */

/* the index of "NAME=VALUE"; the number of all: it is not there */
static size_t
find_variable(char *const *env, const char *name, size_t n)
{
	size_t i = 0;

	while (env[i] != NULL && strncmp(env[i], name, n) != 0)
		i++;
	return i;
}

static bool
is_musl(const char *path)
{
	return program_loader_of(path) == PROGRAM_LOADER_MUSL;
}

/* as execvp(3) finds it */
static bool
is_named_musl(const char *name)
{
	const char *path = getenv("PATH");
	size_t len = strlen(name), n;
	char file[PATH_MAX];

	if (strchr(name, '/') != NULL)
		return is_musl(name);
	for (; path != NULL; path = path[n] == ':' ? path + n + 1 : NULL) {
		n = strcspn(path, ":");
		if (n + len + 2 > sizeof(file))
			continue;
		memcpy(file, path, n);
		file[n] = '/';
		memcpy(file + n + (n > 0), name, len + 1);
		if (syscall(SYS_faccessat, AT_FDCWD, file, X_OK) == 0)
			return is_musl(file);
	}
	return false;
}

bool
exec_plan(
    struct exec_plan *p, const char *program, bool by_name, char *const *env)
{
	const char *list;
	int error = errno;
	bool is_there;

	if (ours_len == 0 || env == NULL || program == NULL)
		return false;
	p->at = find_variable(env, variable, sizeof(variable) - 1);
	p->count = p->at;
	if (env[p->at] == NULL)
		return false;
	while (env[p->count] != NULL)
		p->count++;
	list = env[p->at] + sizeof(variable) - 1;
	is_there = has_agent(list);
	p->leave = by_name ? is_named_musl(program) : is_musl(program);
	p->room = (p->count + 1) * sizeof(char *) + sizeof(variable) +
		  ours_len + 1 + strlen(list);
	errno = error;
	return p->leave == is_there && *list != '\0' &&
	       env[find_variable(env, CAPTURE_VARIABLE "=",
		   sizeof(CAPTURE_VARIABLE))] != NULL;
}

/* the entries that are not ours, to a text; returns its end */
static char *
put_others(char *to, const char *list)
{
	const char *first = to;

	for (const char *e = list, *next; e != NULL; e = next) {
		size_t n = entry_length(e);

		next = next_entry(e, n);
		if (n == 0 || is_ours(e, n))
			continue;
		if (to > first)
			*to++ = ':';
		memcpy(to, e, n);
		to += n;
	}
	return to;
}

char *const *
exec_environment(const struct exec_plan *p, char *const *env, void *room)
{
	char **all = room;
	char *text = (char *)(all + p->count + 1), *to = text;
	const char *list = env[p->at] + sizeof(variable) - 1;

	memcpy(all, env, (p->count + 1) * sizeof(*all));
	memcpy(to, variable, sizeof(variable) - 1);
	to += sizeof(variable) - 1;
	if (p->leave) {
		to = put_others(to, list);
	} else {
		memcpy(to, ours, ours_len);
		to += ours_len;
		*to++ = ':';
		memcpy(to, list, strlen(list));
		to += strlen(list);
	}
	*to = '\0';
	all[p->at] = text;
	return all;
}

/* ---- the functions ---- */

EXPORT int
execve(const char *path, char *const *argv, char *const *env)
{
	int (*real)(const char *, char *const *, char *const *) =
	    (int (*)(const char *, char *const *, char *const *))(
		uintptr_t)real_of(OSRT_execve);

	EXEC_KEEP(path, false, env);
	return real(path, argv, env);
}

EXPORT int
execvpe(const char *file, char *const *argv, char *const *env)
{
	int (*real)(const char *, char *const *, char *const *) =
	    (int (*)(const char *, char *const *, char *const *))(
		uintptr_t)real_of(OSRT_execvpe);

	EXEC_KEEP(file, true, env);
	return real(file, argv, env);
}

#if !__GLIBC_PREREQ(2, 34) /* which declares it */
int execveat(int, const char *, char *const *, char *const *, int);
#endif

EXPORT int
execveat(
    int dir, const char *path, char *const *argv, char *const *env, int flags)
{
	int (*real)(int, const char *, char *const *, char *const *, int) =
	    (int (*)(int, const char *, char *const *, char *const *, int))(
		uintptr_t)real_of(OSRT_execveat);

	EXEC_KEEP(path, false, env);
	return real(dir, path, argv, env, flags);
}

EXPORT int
fexecve(int fd, char *const *argv, char *const *env)
{
	int (*real)(int, char *const *, char *const *) = (int (*)(
	    int, char *const *, char *const *))(uintptr_t)real_of(OSRT_fexecve);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	EXEC_KEEP(path, false, env);
	return real(fd, argv, env);
}

EXPORT int
execv(const char *path, char *const *argv)
{
	return execve(path, argv, environ);
}

EXPORT int
execvp(const char *file, char *const *argv)
{
	return execvpe(file, argv, environ);
}

/* the arguments behind the first one, up to the NULL */
static size_t
count_arguments(va_list list)
{
	size_t n = 1;

	while (va_arg(list, char *) != NULL)
		n++;
	return n;
}

/* argv, in the frame of the caller, and list at what is behind its NULL */
#define TAKE_ARGUMENTS(first, argv, list) \
	do { \
		va_start(list, first); \
		size_t count_ = count_arguments(list); \
\
		va_end(list); \
		(argv) = __builtin_alloca((count_ + 1) * sizeof(char *)); \
		(argv)[0] = (char *)(uintptr_t)(first); \
		va_start(list, first); \
		for (size_t i_ = 1; i_ <= count_; i_++) \
			(argv)[i_] = va_arg(list, char *); \
	} while (0)

EXPORT int
execl(const char *path, const char *arg, ...)
{
	va_list list;
	char **argv;

	TAKE_ARGUMENTS(arg, argv, list);
	va_end(list);
	return execve(path, argv, environ);
}

EXPORT int
execlp(const char *file, const char *arg, ...)
{
	va_list list;
	char **argv;

	TAKE_ARGUMENTS(arg, argv, list);
	va_end(list);
	return execvpe(file, argv, environ);
}

EXPORT int
execle(const char *path, const char *arg, ...)
{
	va_list list;
	char **argv, *const *env;

	TAKE_ARGUMENTS(arg, argv, list);
	env = va_arg(list, char *const *);
	va_end(list);
	return execve(path, argv, env);
}
