/* idle_cause.c - what a thread did while a device had nothing to do */

#include "tq/base/lower_bound.h"

#include "tq/account/idle_cause.h"

/* by enum api_role; calls that launch have none */
static const unsigned char causes[API_ROLES] = {
    [API_OTHER] = IDLE_CALL,
    [API_ALLOC] = IDLE_ALLOC,
    [API_ALLOC_ASYNC] = IDLE_ALLOC,
    [API_FREE] = IDLE_FREE,
    [API_REGISTER] = IDLE_ALLOC,
    [API_LOAD] = IDLE_LOAD,
    [API_GRAPH_BUILD] = IDLE_GRAPH_BUILD,
    [API_OBJECT] = IDLE_OBJECT,
    [API_WAIT] = IDLE_SYNC,
    [API_QUERY] = IDLE_CALL,
    [API_PROFILER_START] = IDLE_CALL,
    [API_PROFILER_STOP] = IDLE_CALL,
    [API_GROUP_START] = IDLE_CALL,
    [API_GROUP_END] = IDLE_HOST,
};

/* OS calls by their names without a "64" at the end and "__" before it; in
   order of the alphabet */
static const struct os_call {
	const char *name;
	enum idle_cause cause;
} os_calls[] = {
    {"accept", IDLE_WAIT},
    {"accept4", IDLE_WAIT},
    {"clock_nanosleep", IDLE_SLEEP},
    {"close", IDLE_IO},
    {"cnd_timedwait", IDLE_WAIT},
    {"cnd_wait", IDLE_WAIT},
    {"connect", IDLE_WAIT},
    {"copy_file_range", IDLE_IO},
    {"creat", IDLE_IO},
    {"epoll_pwait", IDLE_WAIT},
    {"epoll_pwait2", IDLE_WAIT},
    {"epoll_wait", IDLE_WAIT},
    {"fclose", IDLE_IO},
    {"fdatasync", IDLE_IO},
    {"fdopen", IDLE_IO},
    {"fflush", IDLE_IO},
    {"fgetc", IDLE_IO},
    {"fgets", IDLE_IO},
    {"flock", IDLE_LOCK},
    {"fopen", IDLE_IO},
    {"fputc", IDLE_IO},
    {"fputs", IDLE_IO},
    {"fread", IDLE_IO},
    {"freopen", IDLE_IO},
    {"fsync", IDLE_IO},
    {"ftruncate", IDLE_IO},
    {"futex", IDLE_LOCK},
    {"fwrite", IDLE_IO},
    {"getc", IDLE_IO},
    {"getdelim", IDLE_IO},
    {"getline", IDLE_IO},
    {"io_getevents", IDLE_IO},
    {"lockf", IDLE_LOCK},
    {"mmap", IDLE_IO},
    {"mq_receive", IDLE_WAIT},
    {"mq_timedreceive", IDLE_WAIT},
    {"msgrcv", IDLE_WAIT},
    {"msync", IDLE_IO},
    {"mtx_lock", IDLE_LOCK},
    {"mtx_timedlock", IDLE_LOCK},
    {"munmap", IDLE_IO},
    {"nanosleep", IDLE_SLEEP},
    {"open", IDLE_IO},
    {"openat", IDLE_IO},
    {"pause", IDLE_WAIT},
    {"poll", IDLE_WAIT},
    {"ppoll", IDLE_WAIT},
    {"pread", IDLE_IO},
    {"preadv", IDLE_IO},
    {"preadv2", IDLE_IO},
    {"pselect", IDLE_WAIT},
    {"pthread_barrier_wait", IDLE_WAIT},
    {"pthread_cond_clockwait", IDLE_WAIT},
    {"pthread_cond_timedwait", IDLE_WAIT},
    {"pthread_cond_wait", IDLE_WAIT},
    {"pthread_join", IDLE_WAIT},
    {"pthread_mutex_clocklock", IDLE_LOCK},
    {"pthread_mutex_lock", IDLE_LOCK},
    {"pthread_mutex_timedlock", IDLE_LOCK},
    {"pthread_rwlock_rdlock", IDLE_LOCK},
    {"pthread_rwlock_timedrdlock", IDLE_LOCK},
    {"pthread_rwlock_timedwrlock", IDLE_LOCK},
    {"pthread_rwlock_wrlock", IDLE_LOCK},
    {"pthread_spin_lock", IDLE_LOCK},
    {"pthread_timedjoin_np", IDLE_WAIT},
    {"pwrite", IDLE_IO},
    {"pwritev", IDLE_IO},
    {"pwritev2", IDLE_IO},
    {"read", IDLE_IO},
    {"readv", IDLE_IO},
    {"recv", IDLE_WAIT},
    {"recvfrom", IDLE_WAIT},
    {"recvmmsg", IDLE_WAIT},
    {"recvmsg", IDLE_WAIT},
    {"select", IDLE_WAIT},
    {"sem_clockwait", IDLE_WAIT},
    {"sem_timedwait", IDLE_WAIT},
    {"sem_wait", IDLE_LOCK},
    {"sendfile", IDLE_IO},
    {"sigsuspend", IDLE_WAIT},
    {"sigtimedwait", IDLE_WAIT},
    {"sigwait", IDLE_WAIT},
    {"sigwaitinfo", IDLE_WAIT},
    {"sleep", IDLE_SLEEP},
    {"splice", IDLE_IO},
    {"sync", IDLE_IO},
    {"sync_file_range", IDLE_IO},
    {"syncfs", IDLE_IO},
    {"tee", IDLE_IO},
    {"thrd_join", IDLE_WAIT},
    {"thrd_sleep", IDLE_SLEEP},
    {"usleep", IDLE_SLEEP},
    {"vmsplice", IDLE_IO},
    {"wait", IDLE_WAIT},
    {"wait3", IDLE_WAIT},
    {"wait4", IDLE_WAIT},
    {"waitid", IDLE_WAIT},
    {"waitpid", IDLE_WAIT},
    {"write", IDLE_IO},
    {"writev", IDLE_IO},
};

/* A JSON string without its quotes, and the name without what tells versions of
   one function apart. */
static struct span
plain_name(struct span name)
{
	if (name.len >= 2 && name.p[0] == '"')
		name = (struct span){name.p + 1, name.len - 2};
	while (name.len > 0 && name.p[0] == '_')
		name = (struct span){name.p + 1, name.len - 1};
	if (name.len > 2 && memcmp(name.p + name.len - 2, "64", 2) == 0)
		name.len -= 2;
	return name;
}

enum idle_cause
idle_cause_of_os(struct span name)
{
	const size_t count = sizeof(os_calls) / sizeof(*os_calls);
	size_t i;

	name = plain_name(name);
	LOWER_BOUND(i, 0, count, span_cmp(span_of(os_calls[i].name), name) < 0);
	return i < count && span_eq(span_of(os_calls[i].name), name)
		   ? os_calls[i].cause
		   : IDLE_OS;
}

const char *
idle_cause_name(enum idle_cause cause)
{
	static const char *const names[IDLE_CAUSES] = {"host", "host", "os",
	    "io", "wait", "lock", "sleep", "python-lock", "preempted", "other",
	    "object", "graph-build", "load", "free", "alloc", "profiler",
	    "sync", "launch", "first-use", "next", "queue", "page-fault",
	    "unknown"};

	return names[cause];
}

static enum idle_cause
cause_of_call(struct named_call call)
{
	return api_call_waits(call) ? IDLE_SYNC
				    : (enum idle_cause)causes[call.role];
}

enum idle_cause
idle_cause_of_call(struct named_call call)
{
	enum idle_cause cause = cause_of_call(call);

	return cause != IDLE_HOST ? cause : IDLE_CALL;
}

enum idle_cause
idle_cause_of(const struct event *ev)
{
	switch (ev->kind) {
	case KIND_range:
		return IDLE_RANGE;
	case KIND_osrt:
		return IDLE_OS;
	case KIND_api:
		return cause_of_call(api_call_of_event(ev));
	case KIND_gil:
		return event_is(ev, KEY_name, SPAN("wait")) ? IDLE_PYTHON_LOCK
							    : IDLE_HOST;
	case KIND_sched:
		return IDLE_PREEMPTED;
	default:
		return IDLE_HOST;
	}
}
