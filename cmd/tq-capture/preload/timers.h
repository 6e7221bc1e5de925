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
 * The program calls sigaction for that signal, and sets it or only asks: true
 * if *before has the answer.
 */
bool timers_sigaction(int number, bool sets, struct sigaction *before);

#endif
