/*
 * wrappers.c - functions of the C library, which read the clock before and
 * after the real ones
 *
 * A call that took long enough goes to libtq-capture.so; all others cost two
 * readings of the clock, and a lock that is free not even these.  A wrapper
 * keeps nothing from before the call: the call may not return (longjmp,
 * pthread_cancel), or return in another process.
 *
 * There is none for vfork, whose frame must not go, and none for functions that
 * never wait, as pthread_mutex_trylock.
 */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <wchar.h>

#include "agent/osrt_call.h"
#include "arena/kernel_numbers.h"
#include "arena/ticks.h"
#include "call_slot.h"
#include "exec_wrappers.h"
#include "gil.h"
#include "real.h"
#include "timers.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EXPORT __attribute__((visibility("default")))
#define COLD __attribute__((noinline, cold))

/* calls of before main are not recorded until this library begins */
static struct osrt_limits limits = OSRT_LIMITS_NONE;
static bool counter;

static inline uint64_t
ticks(void)
{
	return counter ? ticks_counter() : ticks_system();
}

/* ---- wrappers that need no clock ---- */

static inline bool
mutex_is_free(const pthread_mutex_t *m)
{
	return *(const volatile int *)&m->__data.__lock == 0;
}

/* bits of __readers: 1 it is the turn of writers, 2 one has it, 8 a reader */
static inline bool
is_free_to_read(const pthread_rwlock_t *l)
{
	return (*(const volatile unsigned *)&l->__data.__readers & 3) == 0;
}

static inline bool
is_free_to_write(const pthread_rwlock_t *l)
{
	unsigned readers = *(const volatile unsigned *)&l->__data.__readers;

	return (readers & 2) == 0 && readers >> 3 == 0;
}

static inline bool
spin_is_free(const pthread_spinlock_t *l)
{
#if defined(__x86_64__)
	return *l > 0;
#else
	return *l == 0;
#endif
}

static inline bool
has_no_waiters(const pthread_cond_t *c)
{
	return *(const volatile unsigned *)&c->__data.__wrefs >> 3 == 0;
}

static inline bool
semaphore_is_free(sem_t *s)
{
	int value = 0;

	sem_getvalue(s, &value);
	return value > 0;
}

/* A guess where another thread has the file: then its call may wait unseen. */
static inline size_t
bytes_to_read(const FILE *f)
{
	return f->_IO_read_end > f->_IO_read_ptr
		   ? (size_t)(f->_IO_read_end - f->_IO_read_ptr)
		   : 0;
}

static inline size_t
bytes_to_write(const FILE *f)
{
	return f->_IO_write_end > f->_IO_write_ptr
		   ? (size_t)(f->_IO_write_end - f->_IO_write_ptr)
		   : 0;
}

static inline bool
has_byte(const FILE *f, int c, int n)
{
	size_t here = bytes_to_read(f);

	return here > 0 && ((n > 0 && here >= (size_t)n) ||
			       memchr(f->_IO_read_ptr, c, here) != NULL);
}

static inline bool
has_line(const FILE *f, int n)
{
	return has_byte(f, '\n', n);
}

static inline bool
has_room_for(const FILE *f, const char *text)
{
	size_t room = bytes_to_write(f);

	return room > 0 && strnlen(text, room) < room;
}

/* ---- descriptors ---- */

/* -1: it has none; keeps errno, which is the one of the call */
static int
descriptor_of(FILE *f)
{
	int error = errno, fd = f != NULL ? fileno(f) : -1;

	errno = error;
	return fd;
}

static int
directory_of(DIR *d)
{
	int error = errno, fd = d != NULL ? dirfd(d) : -1;

	errno = error;
	return fd;
}

static inline void
forget(int fd)
{
	if (fd >= 0)
		tq_capture_osrt_forget(fd);
}

static inline void
forget_pair(int r, const int *fds)
{
	if (r == 0) {
		forget(fds[0]);
		forget(fds[1]);
	}
}

/* before the call, and after it */
#define BEFORE_NONE
#define BEFORE_OPENS
#define BEFORE_OPENS_PAIR
#define BEFORE_OPENS_STREAM
#define BEFORE_CONNECTS
#define BEFORE_FCNTL
#define BEFORE_CLOSES forget(fd);
#define BEFORE_CLOSES_ALL tq_capture_osrt_forget_all();
#define BEFORE_CLOSES_STREAM \
	int fd = descriptor_of(f); \
	forget(fd);
#define BEFORE_WAITS_FOR_SIGNAL \
	sigset_t others; \
	set = timers_wait(set, &others);
#define BEFORE_OPENS_SIGNALS BEFORE_WAITS_FOR_SIGNAL
#define BEFORE_SPAWNS EXEC_KEEP(path, false, env);
#define BEFORE_SPAWNS_NAMED EXEC_KEEP(path, true, env);
#define BEFORE_OPENS_DIR
#define BEFORE_CLOSES_DIR \
	int fd = directory_of(d); \
	forget(fd);
#define AFTER_NONE
#define AFTER_OPENS_DIR forget(directory_of(r));
#define AFTER_CLOSES_DIR
#define AFTER_SPAWNS
#define AFTER_SPAWNS_NAMED
#define AFTER_CLOSES
#define AFTER_CLOSES_ALL
#define AFTER_CLOSES_STREAM
#define AFTER_OPENS forget(r);
#define AFTER_WAITS_FOR_SIGNAL
#define AFTER_OPENS_SIGNALS forget(r);
#define AFTER_OPENS_PAIR forget_pair(r, fds);
#define AFTER_OPENS_STREAM forget(descriptor_of(r));
#define AFTER_CONNECTS forget(fd);
#define AFTER_FCNTL \
	if (what == F_DUPFD || what == F_DUPFD_CLOEXEC) \
		forget(r);

/* true if the descriptor is closed by now */
#define CLOSED_NONE false
#define CLOSED_SPAWNS false
#define CLOSED_SPAWNS_NAMED false
#define CLOSED_OPENS false
#define CLOSED_OPENS_DIR false
#define CLOSED_CLOSES_DIR true
#define CLOSED_OPENS_PAIR false
#define CLOSED_OPENS_STREAM false
#define CLOSED_CONNECTS false
#define CLOSED_FCNTL false
#define CLOSED_CLOSES true
#define CLOSED_CLOSES_ALL false
#define CLOSED_CLOSES_STREAM true
#define CLOSED_WAITS_FOR_SIGNAL false
#define CLOSED_OPENS_SIGNALS false

/* ---- the record ---- */

#define SUBJECT_NOTHING .fd = -1
#define SUBJECT_FD .fd = fd
#define SUBJECT_FD_TO .fd = fd, .to = to, .has_to = true
#define SUBJECT_STREAM .fd = descriptor_of(f)
#define SUBJECT_INPUT .fd = descriptor_of(stdin)
#define SUBJECT_OUTPUT .fd = descriptor_of(stdout)
#define SUBJECT_DIR .fd = directory_of(d)
#define SUBJECT_PATH .fd = -1, .path = path
#define SUBJECT_OPENED .fd = r, .path = path
#define SUBJECT_OPENED_STREAM .fd = descriptor_of(r), .path = path
#define SUBJECT_LOCK .fd = -1, .object = (const void *)(uintptr_t)lock

/* the same, as it is published while the call lasts: kind, value */
#define PUBLISH_NOTHING SUBJECT_IS_NONE, 0
#define PUBLISH_FD SUBJECT_IS_FD, (uint32_t)fd
#define PUBLISH_FD_TO PUBLISH_FD
#define PUBLISH_STREAM PUBLISH_NOTHING
#define PUBLISH_INPUT PUBLISH_NOTHING
#define PUBLISH_OUTPUT PUBLISH_NOTHING
#define PUBLISH_DIR PUBLISH_NOTHING
#define PUBLISH_PATH SUBJECT_IS_PATH, (uintptr_t)path
#define PUBLISH_OPENED PUBLISH_PATH
#define PUBLISH_OPENED_STREAM PUBLISH_PATH
#define PUBLISH_LOCK SUBJECT_IS_LOCK, (uintptr_t)lock

#define RESULT_INT .result = OSRT_INT, .ret = (int64_t)(r)
#define RESULT_CHILD RESULT_INT
#define RESULT_SIZE .result = OSRT_SIZE, .ret = (int64_t)(r)
#define RESULT_CODE .result = OSRT_CODE, .ret = (int64_t)(r)
#define RESULT_PLAIN .result = OSRT_PLAIN, .ret = (int64_t)(r)
#define RESULT_ITEMS \
	.result = OSRT_PLAIN, .ret = (int64_t)(r), .bytes = (int64_t)(r * size)
#define RESULT_VOID .result = OSRT_VOID
#define RESULT_POINTER .result = OSRT_POINTER, .ret = (int64_t)(intptr_t)(r)
#define RESULT_MAP .result = OSRT_MAP, .ret = (int64_t)(intptr_t)(r)

/* the child of a fork has not waited for it */
#define IS_CHILD_INT false
#define IS_CHILD_SIZE false
#define IS_CHILD_CODE false
#define IS_CHILD_PLAIN false
#define IS_CHILD_VOID false
#define IS_CHILD_ITEMS false
#define IS_CHILD_POINTER false
#define IS_CHILD_MAP false
#define IS_CHILD_CHILD r == 0

#define LIMIT(class) limits.calls[OSRT_GROUP_##class]

/* by the munmap that this thread is in; a signal handler may make calls then */
static __thread struct osrt_memory gone
    __attribute__((tls_model("initial-exec")));

static COLD void
record(struct osrt_call *c)
{
	c->gone = gone;
	tq_capture_osrt(c);
}

/* The call that begins is published, until call_slot_leave. */
#define ENTER_AS(name, from, kind, value) \
	call_slot_enter(from, OSRT_##name, kind, value)
#define ENTER(name, from, ...) ENTER_AS(name, from, __VA_ARGS__)

/* A name of its own in C: headers declare the function in many ways. */
#define WRAPPER(type, name, params) \
	EXPORT type wrap_##name params __asm__(#name); \
	type wrap_##name params

/* clang-format off */
#define LOOK(result, type, name, params, args, class, subject, effect, quick) \
	WRAPPER(type, name, params) \
	{ \
		type (*real) params = real_of(OSRT_##name); \
		BEFORE_##effect \
		if (quick) \
			return real args; \
		uint64_t began = ticks(); \
		struct arena_thread *slot = \
		    ENTER(name, began, PUBLISH_##subject); \
		type r = real args; \
		uint64_t ended = ticks(); \
		call_slot_leave(slot); \
		AFTER_##effect \
		if (UNLIKELY(ended - began >= LIMIT(class)) && \
		    !(IS_CHILD_##result)) \
			record(&(struct osrt_call){.call = OSRT_##name, \
			    .from = began, .till = ended, \
			    .caller = __builtin_return_address(0), \
			    .closed = CLOSED_##effect, \
			    RESULT_##result, SUBJECT_##subject}); \
		return r; \
	}
#define CALL(result, type, name, params, args, class, subject, effect) \
	LOOK(result, type, name, params, args, class, subject, effect, false)
/* clang-format on */

/* what ticks to read a pointer of void as one of a function with: POSIX does */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include "arena/osrt_calls.def"

/* ---- the others ---- */

#define FINISH(name_, class, result_, ret_, ...) \
	do { \
		uint64_t ended = ticks(); \
\
		call_slot_leave(slot); \
		if (UNLIKELY(ended - began >= LIMIT(class))) \
			record(&(struct osrt_call){.call = OSRT_##name_, \
			    .from = began, \
			    .till = ended, \
			    .caller = __builtin_return_address(0), \
			    .result = (result_), \
			    .ret = (ret_), \
			    __VA_ARGS__}); \
	} while (0)

/* one that is there is taken at once; it is a cancellation point even then */
WRAPPER(int, sem_wait, (sem_t * lock))
{
	int (*real)(sem_t *) = real_of(OSRT_sem_wait);
	int error = errno, r;
	uint64_t began;
	struct arena_thread *slot;

	pthread_testcancel();
	if (sem_trywait(lock) == 0)
		return 0;
	errno = error;
	began = ticks();
	slot = ENTER(sem_wait, began, PUBLISH_LOCK);
	r = real(lock);
	FINISH(sem_wait, LOCK, OSRT_INT, r, .fd = -1, .object = lock);
	return r;
}

/* the lock of a file begins with the word of a mutex */
WRAPPER(void, flockfile, (FILE * f))
{
	void (*real)(FILE *) = real_of(OSRT_flockfile);
	uint64_t began;
	struct arena_thread *slot;

	if (*(const volatile int *)f->_lock == 0) {
		real(f);
		return;
	}
	began = ticks();
	slot = ENTER(flockfile, began, PUBLISH_NOTHING);
	real(f);
	FINISH(flockfile, LOCK, OSRT_VOID, 0, .fd = descriptor_of(f));
}

/* ---- system calls ---- */

static bool
is_futex_wait(long number, long operation)
{
	if (number != SYS_futex)
		return false;
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	default:
		return false;
	}
}

/* Descriptors that a call closes, or gives another file, lose their names. */
static void
forget_of(long number, const long *a)
{
	switch (number) {
	case SYS_close:
		forget((int)a[0]);
		break;
#ifdef SYS_dup2
	case SYS_dup2:
#endif
	case SYS_dup3:
		forget((int)a[1]);
		break;
	case SYS_close_range:
		tq_capture_osrt_forget_all();
		break;
	default:
		break;
	}
}

/*
 * Rust's locks and C++'s std::atomic::wait are futexes by syscall(3).  As the
 * real function does, this one reads six arguments, whatever there are.
 */
WRAPPER(long, syscall, (long number, ...))
{
	long (*real)(long, ...) = real_of(OSRT_syscall);
	long a[6], r;
	uint64_t began;
	struct arena_thread *slot;
	va_list list;

	va_start(list, number);
	for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (!is_futex_wait(number, a[1])) {
		forget_of(number, a);
		r = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
		forget_of(number, a);
		return r;
	}
	began = ticks();
	slot = ENTER(futex, began, SUBJECT_IS_LOCK, (uint64_t)a[0]);
	r = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	FINISH(futex, LOCK, OSRT_INT, r, .fd = -1,
	    .object = (const void *)(uintptr_t)a[0]);
	return r;
}

/* ---- formatted text ---- */

/*
 * A function of a format and arguments calls the one of a list of them: with
 * these, up to the list.  Behind them: result and subject.
 */
#define FORMAT(name, params, last, list_type, list_name, of, ...) \
	WRAPPER(int, name, params) \
	{ \
		int(*real) list_type = real_of(OSRT_##list_name); \
		uint64_t began = ticks(), ended; \
		struct arena_thread *slot = \
		    ENTER(name, began, PUBLISH_NOTHING); \
		va_list list; \
		int r; \
\
		va_start(list, last); \
		r = real of; \
		va_end(list); \
		ended = ticks(); \
		call_slot_leave(slot); \
		if (UNLIKELY(ended - began >= LIMIT(STDIO))) \
			record(&(struct osrt_call){.call = OSRT_##name, \
			    .from = began, \
			    .till = ended, \
			    .caller = __builtin_return_address(0), \
			    __VA_ARGS__}); \
		return r; \
	}
#define FORMAT_PLAIN(name, params, list_name, stream, ...) \
	FORMAT(name, params, format, (FILE *, const char *, va_list), \
	    list_name, (stream, format, list), __VA_ARGS__)
#define FORMAT_CHECKED(name, params, list_name, stream, ...) \
	FORMAT(name, params, format, (FILE *, int, const char *, va_list), \
	    list_name, (stream, flag, format, list), __VA_ARGS__)

/* clang-format off */
FORMAT_PLAIN(printf, (const char *format, ...),
    vfprintf, stdout, RESULT_INT, SUBJECT_OUTPUT)
FORMAT_PLAIN(fprintf, (FILE *f, const char *format, ...),
    vfprintf, f, RESULT_INT, SUBJECT_STREAM)
FORMAT(dprintf, (int fd, const char *format, ...), format,
    (int, const char *, va_list), vdprintf, (fd, format, list),
    RESULT_INT, SUBJECT_FD)
FORMAT_CHECKED(__printf_chk, (int flag, const char *format, ...),
    __vfprintf_chk, stdout, RESULT_INT, SUBJECT_OUTPUT)
FORMAT_CHECKED(__fprintf_chk, (FILE *f, int flag, const char *format, ...),
    __vfprintf_chk, f, RESULT_INT, SUBJECT_STREAM)
FORMAT(__dprintf_chk, (int fd, int flag, const char *format, ...), format,
    (int, int, const char *, va_list), __vdprintf_chk,
    (fd, flag, format, list), RESULT_INT, SUBJECT_FD)

/* the end of the input is no error */
FORMAT_PLAIN(scanf, (const char *format, ...),
    vfscanf, stdin, RESULT_PLAIN, SUBJECT_INPUT)
FORMAT_PLAIN(fscanf, (FILE *f, const char *format, ...),
    vfscanf, f, RESULT_PLAIN, SUBJECT_STREAM)
FORMAT_PLAIN(__isoc99_scanf, (const char *format, ...),
    __isoc99_vfscanf, stdin, RESULT_PLAIN, SUBJECT_INPUT)
FORMAT_PLAIN(__isoc99_fscanf, (FILE *f, const char *format, ...),
    __isoc99_vfscanf, f, RESULT_PLAIN, SUBJECT_STREAM)
FORMAT_PLAIN(__isoc23_scanf, (const char *format, ...),
    __isoc23_vfscanf, stdin, RESULT_PLAIN, SUBJECT_INPUT)
FORMAT_PLAIN(__isoc23_fscanf, (FILE *f, const char *format, ...),
    __isoc23_vfscanf, f, RESULT_PLAIN, SUBJECT_STREAM)
/* clang-format on */

/* ---- locks, of which one may be Python's: see gil.h ---- */

WRAPPER(int, pthread_mutex_lock, (pthread_mutex_t * lock))
{
	int (*real)(pthread_mutex_t *) = real_of(OSRT_pthread_mutex_lock);
	uint64_t began;
	struct arena_thread *slot;
	int r;

	if (UNLIKELY(lock == gil_lock.mutex))
		gil_locks();
	if (mutex_is_free(lock))
		return real(lock);
	began = ticks();
	slot = ENTER(pthread_mutex_lock, began, PUBLISH_LOCK);
	r = real(lock);
	FINISH(
	    pthread_mutex_lock, LOCK, OSRT_CODE, r, .fd = -1, .object = lock);
	return r;
}

/* not recorded: it never waits */
WRAPPER(int, pthread_mutex_unlock, (pthread_mutex_t * lock))
{
	int (*real)(pthread_mutex_t *) = real_of(OSRT_pthread_mutex_unlock);
	int r;

	if (lock != gil_lock.mutex)
		return real(lock);
	gil_unlocks();
	r = real(lock);
	gil_unlocked();
	return r;
}

WRAPPER(int, pthread_cond_timedwait,
    (pthread_cond_t * lock, pthread_mutex_t *mutex,
	const struct timespec *until))
{
	int (*real)(pthread_cond_t *, pthread_mutex_t *,
	    const struct timespec *) = real_of(OSRT_pthread_cond_timedwait);
	uint64_t began;
	struct arena_thread *slot;
	int r;

	if (UNLIKELY(gil_may_be(lock)))
		gil_found(lock, mutex);
	began = ticks();
	slot = ENTER(pthread_cond_timedwait, began, PUBLISH_LOCK);
	r = real(lock, mutex, until);
	FINISH(pthread_cond_timedwait, LOCK, OSRT_CODE, r, .fd = -1,
	    .object = lock);
	return r;
}

WRAPPER(int, pthread_cond_signal, (pthread_cond_t * lock))
{
	int (*real)(pthread_cond_t *) = real_of(OSRT_pthread_cond_signal);
	uint64_t began;
	struct arena_thread *slot;
	int r;

	if (UNLIKELY(lock == gil_lock.condition))
		gil_signals();
	if (has_no_waiters(lock))
		return real(lock);
	began = ticks();
	slot = ENTER(pthread_cond_signal, began, PUBLISH_LOCK);
	r = real(lock);
	FINISH(
	    pthread_cond_signal, LOCK, OSRT_CODE, r, .fd = -1, .object = lock);
	return r;
}

/* ---- threads and signals, which timers are about: see timers.h ---- */

WRAPPER(int, pthread_create,
    (pthread_t * thread, const pthread_attr_t *attributes, void *run,
	void *arg))
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *, void *) =
	    real_of(OSRT_pthread_create);
	uint64_t began;
	struct arena_thread *slot;
	int r;

	timers_thread(&run, &arg);
	began = ticks();
	slot = ENTER(pthread_create, began, PUBLISH_NOTHING);
	r = real(thread, attributes, run, arg);
	if (r != 0)
		timers_no_thread(run, arg);
	FINISH(pthread_create, LOCK, OSRT_CODE, r, .fd = -1);
	return r;
}

WRAPPER(int, sigaction,
    (int number, const struct sigaction *to, struct sigaction *before))
{
	int (*real)(int, const struct sigaction *, struct sigaction *) =
	    real_of(OSRT_sigaction);
	uint64_t began;
	struct arena_thread *slot;
	int r;

	if (timers_sigaction(
		number, to != NULL && to->sa_handler != SIG_DFL, before))
		return 0;
	began = ticks();
	slot = ENTER(sigaction, began, PUBLISH_NOTHING);
	r = real(number, to, before);
	FINISH(sigaction, PROCESS, OSRT_INT, r, .fd = -1);
	return r;
}

/* not recorded: it calls sigaction within the C library, which sees no wrapper
 */
WRAPPER(sighandler_t, signal, (int number, sighandler_t handler))
{
	sighandler_t (*real)(int, sighandler_t) = real_of(OSRT_signal);

	if (timers_sigaction(number, handler != SIG_DFL, NULL))
		return SIG_DFL;
	return real(number, handler);
}

/* ---- and ---- */

WRAPPER(int, munmap, (void *at, size_t n))
{
	int (*real)(void *, size_t) = real_of(OSRT_munmap);
	uint64_t began;
	struct arena_thread *slot;
	int r;

	gone = (struct osrt_memory){at, n};
	began = ticks();
	slot = ENTER(munmap, began, PUBLISH_NOTHING);
	r = real(at, n);
	FINISH(munmap, PROCESS, OSRT_INT, r, .fd = -1);
	gone = (struct osrt_memory){NULL, 0};
	return r;
}

WRAPPER(void, sync, (void))
{
	void (*real)(void) = real_of(OSRT_sync);
	uint64_t began = ticks();
	struct arena_thread *slot = ENTER(sync, began, PUBLISH_NOTHING);

	real();
	FINISH(sync, IO, OSRT_VOID, 0, .fd = -1);
}
#pragma GCC diagnostic pop

/* ---- the beginning ---- */

/*
 * The loader must not be called in the middle of code that it, or malloc, waits
 * for: where it is asked for a function it frees the text of its last error.
 * So these are found now: locks, as a program's malloc may take one; what
 * handlers of signals may call, see signal-safety(7), and ours does; and what
 * the child of a vfork(2) does, which calls exec.
 */
static void
find_early(void)
{
	static const uint16_t early[] = {
#define EARLY(name) OSRT_##name,
#include "early_calls.def"
	};

	for (size_t i = 0; i < sizeof(early) / sizeof(early[0]); i++)
		real_of((enum osrt_number)early[i]);
}

static __attribute__((constructor)) void
begin(void)
{
	void (*const agents)(const struct osrt_call *) = tq_capture_osrt;
	const _Atomic uint32_t *generation;
	struct osrt_limits l;
	int error = errno;

	find_early();
	exec_begin((const void *)(uintptr_t)agents);
	if (tq_capture_osrt_begin(&l, &counter, &generation)) {
		call_slot_begin(generation);
		limits = l;
	}
	errno = error;
}
