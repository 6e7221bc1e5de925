/*
 * shim - a library to preload: system calls and allocations of one program
 * fail, or do less than they could
 *
 *	FAULT="program call number"	that call of the program fails, once
 *	FAULT="program call number+"	that call and all later ones fail
 *	FAULT="program short seed"	reads and writes move few bytes
 *	FAULT="program interrupted seed"  half of them first fail with EINTR
 *	FAULT="program late ms"	it gets no processor for so long where it has
 *		just seen that nothing is ready, or that nobody connects
 *	FAULT="program storm us"	a signal comes so often, and its handler
 *		does not restart system calls
 *	FAULT="program step s"	the time of day goes forth and back by so many
 *		seconds: every third time it is asked for it is the right one
 *	FAULT="program count"		nothing fails
 *
 * The calls have the names of the table below.  FAULT_COUNTS names a file to
 * which the program appends at its end how often it made each call.
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* what fails together, and the error that it fails with */
#define CALLS(CALL) \
	CALL(malloc, ENOMEM) \
	CALL(read, EIO) \
	CALL(pread, EIO) \
	CALL(write, ENOSPC) \
	CALL(close, EIO) \
	CALL(open, EMFILE) \
	CALL(lseek, EIO) \
	CALL(stat, EIO) \
	CALL(poll, ENOMEM) \
	CALL(fallocate, ENOSPC) \
	CALL(fcntl, EPERM) \
	CALL(ftruncate, EIO) \
	CALL(fsync, EIO) \
	CALL(link, EMLINK) \
	CALL(rename, EACCES) \
	CALL(chmod, EPERM)

enum call {
#define CALL(name, error) CALL_##name,
	CALLS(CALL)
#undef CALL
	    CALL_COUNT
};

static const struct {
	const char *name;
	int error;
} calls[] = {
#define CALL(name, error) {#name, error},
    CALLS(CALL)
#undef CALL
};

static enum { NOTHING, FAIL, SHORT, INTERRUPT, LATE, STEP } fault;
static enum call failing;
static unsigned long at;
static bool for_ever, counted;
static atomic_ulong made[CALL_COUNT];
static atomic_ulong state; /* of the random numbers */

static void
take_signal(int signal)
{
	(void)signal;
}

static void
begin_storm(void)
{
	const struct timeval every = {
	    (time_t)(at / 1000000), (suseconds_t)(at % 1000000)};
	const struct itimerval timer = {every, every};
	const struct sigaction action = {.sa_handler = take_signal};

	if (sigaction(SIGALRM, &action, NULL) != 0 ||
	    setitimer(ITIMER_REAL, &timer, NULL) != 0)
		abort();
}

__attribute__((constructor)) static void
shim_begin(void)
{
	const char *text = getenv("FAULT");
	char program[32], what[32], *rest;
	int used = 0;

	if (text == NULL ||
	    sscanf(text, "%31s %31s%n", program, what, &used) != 2 ||
	    strcmp(program, program_invocation_short_name) != 0)
		return;
	at = strtoul(text + used, &rest, 10);
	memset(made, 0, sizeof(made));
	counted = true;
	for_ever = *rest == '+';
	state = at;
	if (strcmp(what, "short") == 0)
		fault = SHORT;
	if (strcmp(what, "interrupted") == 0)
		fault = INTERRUPT;
	if (strcmp(what, "late") == 0)
		fault = LATE;
	if (strcmp(what, "step") == 0)
		fault = STEP;
	if (strcmp(what, "storm") == 0)
		begin_storm();
	for (size_t i = 0; i < CALL_COUNT; i++)
		if (strcmp(what, calls[i].name) == 0) {
			failing = (enum call)i;
			fault = FAIL;
		}
}

/* xorshift, good enough for a size */
static unsigned long
random_number(void)
{
	unsigned long x = atomic_fetch_add(&state, 0x9e3779b97f4a7c15) + 1;

	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9;
	x ^= x >> 27;
	return x >> 8;
}

/* True if this call is to fail; sets errno. */
static bool
fails(enum call call)
{
	unsigned long n = atomic_fetch_add(&made[call], 1) + 1;

	if (fault != FAIL || call != failing || (for_ever ? n < at : n != at))
		return false;
	errno = calls[call].error;
	return true;
}

static bool
interrupts(void)
{
	if (fault != INTERRUPT || random_number() % 2 == 0)
		return false;
	errno = EINTR;
	return true;
}

static void
come_late(void)
{
	struct timespec t = {(time_t)(at / 1000), (long)(at % 1000) * 1000000};
	int error = errno;

	if (fault == LATE)
		nanosleep(&t, NULL);
	errno = error;
}

/* how many of n bytes are moved: of few often a single one */
static size_t
some(size_t n)
{
	static const size_t most[] = {1, 16, 4096, 1 << 20};
	unsigned long x = random_number();

	if (fault != SHORT || n == 0)
		return n;
	if (n > most[x % 4])
		n = most[x % 4];
	return 1 + (x >> 8) % n;
}

#define REAL(name) \
	static __typeof__(name) *real; \
	if (real == NULL) \
	*(void **)&real = dlsym(RTLD_NEXT, #name)

/* a function that fails as a whole, or not at all */
#define FAILING(call, type, bad, name, parameters, ...) \
	type name parameters \
	{ \
		REAL(name); \
		return fails(CALL_##call) ? (bad) : real(__VA_ARGS__); \
	}

FAILING(malloc, void *, NULL, malloc, (size_t n), n)
FAILING(malloc, void *, NULL, calloc, (size_t n, size_t size), n, size)
FAILING(malloc, void *, NULL, realloc, (void *p, size_t n), p, n)
FAILING(malloc, void *, NULL, reallocarray, (void *p, size_t n, size_t size), p,
    n, size)
FAILING(open, FILE *, NULL, fopen,
    (const char *restrict file, const char *restrict mode), file, mode)
FAILING(lseek, off_t, -1, lseek, (int fd, off_t n, int from), fd, n, from)
FAILING(lseek, off64_t, -1, lseek64, (int fd, off64_t n, int from), fd, n, from)
FAILING(stat, int, -1, fstat, (int fd, struct stat *st), fd, st)
FAILING(stat, int, -1, fstat64, (int fd, struct stat64 *st), fd, st)
FAILING(stat, int, -1, stat,
    (const char *restrict file, struct stat *restrict st), file, st)
FAILING(stat, int, -1, stat64,
    (const char *restrict file, struct stat64 *restrict st), file, st)
FAILING(fallocate, int, -1, fallocate, (int fd, int mode, off_t from, off_t n),
    fd, mode, from, n)
FAILING(ftruncate, int, -1, ftruncate, (int fd, off_t n), fd, n)
FAILING(fsync, int, -1, fsync, (int fd), fd)
FAILING(fsync, int, -1, fdatasync, (int fd), fd)
FAILING(link, int, -1, linkat,
    (int dir, const char *from, int other, const char *to, int flags), dir,
    from, other, to, flags)
FAILING(rename, int, -1, rename, (const char *from, const char *to), from, to)
FAILING(rename, int, -1, renameat,
    (int dir, const char *from, int other, const char *to), dir, from, other,
    to)
FAILING(chmod, int, -1, fchmod, (int fd, mode_t mode), fd, mode)

/* a function that moves n bytes; it may be interrupted or move fewer */
#define MOVING(call, name, parameters, ...) \
	ssize_t name parameters \
	{ \
		REAL(name); \
		if (fails(CALL_##call) || interrupts()) \
			return -1; \
		n = some(n); \
		return real(__VA_ARGS__); \
	}

MOVING(read, read, (int fd, void *p, size_t n), fd, p, n)
MOVING(write, write, (int fd, const void *p, size_t n), fd, p, n)
MOVING(pread, pread, (int fd, void *p, size_t n, off_t from), fd, p, n, from)
MOVING(
    pread, pread64, (int fd, void *p, size_t n, off64_t from), fd, p, n, from)
MOVING(write, pwrite, (int fd, const void *p, size_t n, off_t to), fd, p, n, to)
MOVING(write, pwrite64, (int fd, const void *p, size_t n, off64_t to), fd, p, n,
    to)

int
poll(struct pollfd *fds, nfds_t n, int timeout)
{
	REAL(poll);
	int ready;

	if (fails(CALL_poll) || interrupts())
		return -1;
	ready = real(fds, n, timeout);
	if (ready == 0 && timeout != 0)
		come_late();
	return ready;
}

int
clock_gettime(clockid_t clock, struct timespec *t)
{
	static atomic_ulong asked;
	REAL(clock_gettime);
	int status = real(clock, t);

	if (fault == STEP && status == 0 && clock == CLOCK_REALTIME)
		t->tv_sec += (time_t)at * (1 - (long)(asked++ % 3));
	return status;
}

int
accept4(int fd, __SOCKADDR_ARG from, socklen_t *bytes, int flags)
{
	REAL(accept4);
	int got = real(fd, from, bytes, flags);

	if (got < 0)
		come_late();
	return got;
}

/* the descriptor is gone all the same, as on Linux */
int
close(int fd)
{
	REAL(close);
	int status = real(fd);

	return fails(CALL_close) ? -1 : status;
}

/* the third argument, where there is one: a mode, a number or a pointer */
#define THIRD(type, last) \
	va_list list; \
	type third; \
	va_start(list, last); \
	third = va_arg(list, type); \
	va_end(list)

#define OPENING(name) \
	int name(const char *file, int flags, ...) \
	{ \
		THIRD(mode_t, flags); \
		REAL(name); \
		return fails(CALL_open) ? -1 : real(file, flags, third); \
	}

#define OPENING_AT(name) \
	int name(int dir, const char *file, int flags, ...) \
	{ \
		THIRD(mode_t, flags); \
		REAL(name); \
		return fails(CALL_open) ? -1 : real(dir, file, flags, third); \
	}

#define CONTROLLING(name) \
	int name(int fd, int command, ...) \
	{ \
		THIRD(void *, command); \
		REAL(name); \
		return fails(CALL_fcntl) ? -1 : real(fd, command, third); \
	}

OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)
CONTROLLING(fcntl)
CONTROLLING(fcntl64)

__attribute__((destructor)) static void
shim_end(void)
{
	const char *file = getenv("FAULT_COUNTS");
	unsigned long counts[CALL_COUNT];

	if (!counted || file == NULL)
		return;
	fault = NOTHING;
	for (size_t i = 0; i < CALL_COUNT; i++)
		counts[i] = made[i];
	int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	for (size_t i = 0; i < CALL_COUNT; i++)
		dprintf(fd, "%s %lu\n", calls[i].name, counts[i]);
	close(fd);
}
