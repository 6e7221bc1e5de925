/*
 * paced_thread.h - threads of the launcher that wait for their next round, and
 * can be stopped at once
 */
#ifndef TQ_CAPTURE_PACED_THREAD_H
#define TQ_CAPTURE_PACED_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct paced_thread {
	pthread_t id;
	pthread_mutex_t lock; /* also of what its owner shares with it */
	pthread_cond_t stopped;
	bool stop; /* with the lock */
};

/* Start it as quiet_thread_start does; 0, or an errno. */
int paced_thread_start(struct paced_thread *t, void *(*run)(void *), void *arg);

/* In the thread: wait until a time of CLOCK_MONOTONIC, ns; false if it has to
   stop. */
bool paced_thread_wait(struct paced_thread *t, int64_t ns);

/* Stop it; the caller joins it. */
void paced_thread_stop(struct paced_thread *t);

/* After it was joined. */
void paced_thread_free(struct paced_thread *t);

#endif
