/*
 * thread_look.h - a thread of another process that waits: the system call it is
 * in, and its stack, without its help
 *
 *	/proc/PID/task/TID/syscall: NUMBER ARGUMENT1 ... ARGUMENT6 SP PC
 *	"running", or -1 SP PC, if the thread is in none
 *	/proc/PID/task/TID/schedstat: RAN WAITED SLICES
 *	/proc/PID/task/TID/stat: TID (NAME) STATE ..., as of proc(5)
 */
#ifndef TQ_CAPTURE_THREAD_LOOK_H
#define TQ_CAPTURE_THREAD_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { THREAD_LOOK_STACK = 16384 }; /* bytes of a stack that are read */

/* first, second: arguments of the system call */
struct thread_call {
	uint64_t number, first, second, sp, pc;
	bool runs; /* it is in no call: the rest is 0 */
};

/* False: the text is of no thread in a system call. */
bool thread_look_parse(struct thread_call *c, const char *text);

/* The file with the state of a thread, for thread_look_read; -1 with errno. */
int thread_look_open(pid_t pid, pid_t tid);

/* The system call in which the thread is; false: it is in none, or has ended.
 */
bool thread_look_read(struct thread_call *c, int fd);

/* The same, opened and closed. */
bool thread_look_call(struct thread_call *c, pid_t pid, pid_t tid);

/*
 * True if a thread that runs only does to end, by a signal: it did not return
 * from the call that it was in.
 */
bool thread_look_dies(pid_t pid, pid_t tid);

/* The same of the text of its file stat. */
bool thread_look_parse_dies(const char *text);

/* True if they are of one call, as far as it can be seen. */
bool thread_look_same(const struct thread_call *a, const struct thread_call *b);

/*
 * Copy the stack from sp on into to, which has THREAD_LOOK_STACK bytes; returns
 * how many there were.  If the thread has run meanwhile they make no sense.
 * By the thread: the first one of its process may have ended.
 */
size_t thread_look_stack(const struct thread_call *c, pid_t tid, char *to);

/*
 * How long a thread has run, ns, and how often it got a processor.  False: the
 * kernel does not provide it, or the thread has ended.
 */
bool thread_look_times(pid_t pid, pid_t tid, uint64_t *ran, uint64_t *slices);

/*
 * Try both with a process; 0: with a child of ours.  NULL, or the name of what
 * fails, with its errno in *error.
 */
const char *thread_look_try(pid_t process, int *error);

#endif
