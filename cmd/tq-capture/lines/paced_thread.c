/* paced_thread.c - threads that wait for their next round */

#include <errno.h>
#include <time.h>

#include "paced_thread.h"
#include "quiet_thread.h"

int
paced_thread_start(struct paced_thread *t, void *(*run)(void *), void *arg)
{
	pthread_condattr_t monotonic;
	int error;

	t->stop = false;
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&t->stopped, &monotonic);
	pthread_condattr_destroy(&monotonic);
	error = quiet_thread_start(&t->id, run, arg);
	if (error != 0)
		paced_thread_free(t);
	return error;
}

bool
paced_thread_wait(struct paced_thread *t, int64_t ns)
{
	static const int64_t second = 1000000000;
	struct timespec until = {ns / second, ns % second};
	bool stop;

	pthread_mutex_lock(&t->lock);
	while (!t->stop && pthread_cond_timedwait(
			       &t->stopped, &t->lock, &until) != ETIMEDOUT)
		;
	stop = t->stop;
	pthread_mutex_unlock(&t->lock);
	return !stop;
}

void
paced_thread_stop(struct paced_thread *t)
{
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->stopped);
	pthread_mutex_unlock(&t->lock);
}

void
paced_thread_free(struct paced_thread *t)
{
	pthread_cond_destroy(&t->stopped);
	pthread_mutex_destroy(&t->lock);
}
