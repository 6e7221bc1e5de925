/*
 * timers.h - a timer for each thread, whose signal takes a sample of it: where
 * perf_event_open(2) is denied
 */
#ifndef TQ_PRELOAD_TIMERS_H
#define TQ_PRELOAD_TIMERS_H

#include <signal.h>
#include <stdbool.h>

/*
 * A thread is to be made that calls *run(*arg): with samples it calls another
 * function first, which *run and *arg become.
 */
void timers_thread(void **run, void **arg);

/* It was not made. */
void timers_no_thread(void *run, void *arg);

/*
 * The program calls sigaction for that signal.  To handle or ignore it: false.
 * To query it, or for the default, which the program sees as set: true, and
 * *before is set.
 */
bool timers_sigaction(int number, bool handles, struct sigaction *before);

/*
 * The program waits for a signal of that set, or gets a descriptor for it: the
 * set that it is to wait for, which is *others if it is another one.
 */
const sigset_t *timers_wait(const sigset_t *set, sigset_t *others);

#endif
