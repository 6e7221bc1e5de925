/*
 * quiet_thread.h - threads of the launcher, which handle no signal
 */
#ifndef TQ_CAPTURE_QUIET_THREAD_H
#define TQ_CAPTURE_QUIET_THREAD_H

#include <pthread.h>

/* Start a thread with all signals blocked, SIGPIPE too; 0, or an errno. */
int quiet_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

#endif
