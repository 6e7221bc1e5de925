/* os_calls.c - which calls of the operating system wait */

#include <stdlib.h>

#include "os_calls.h"

/* in the order of span_cmp */
static const char *const waits[] = {
    "accept",
    "accept4",
    "clock_nanosleep",
    "cnd_timedwait",
    "cnd_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "epoll_wait",
    "flock",
    "futex",
    "io_getevents",
    "msgrcv",
    "mtx_lock",
    "mtx_timedlock",
    "nanosleep",
    "pause",
    "poll",
    "ppoll",
    "pselect",
    "pselect6",
    "pthread_barrier_wait",
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_wrlock",
    "pthread_timedjoin_np",
    "rt_sigtimedwait",
    "select",
    "sem_clockwait",
    "sem_timedwait",
    "sem_wait",
    "semop",
    "semtimedop",
    "sigsuspend",
    "sigtimedwait",
    "sigwait",
    "sigwaitinfo",
    "sleep",
    "thrd_join",
    "thrd_sleep",
    "usleep",
    "wait",
    "wait3",
    "wait4",
    "waitid",
    "waitpid",
};

static int
compare_names(const void *name, const void *entry)
{
	const char *const *of = entry;

	return span_cmp(*(const struct span *)name, span_of(*of));
}

bool
os_calls_waits(struct span name)
{
	return bsearch(&name, waits, sizeof(waits) / sizeof(waits[0]),
		   sizeof(waits[0]), compare_names) != NULL;
}
