/* open_calls.c - calls in which threads of a process are */

#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lines.h"

enum { THREADS_MAX = 4096, FEW = 64 };

/* calls that wait, and whether their first argument is a descriptor */
static const struct {
	long number;
	const char *name;
	bool descriptor;
} calls[] = {
    {SYS_read, "read", true},
    {SYS_write, "write", true},
    {SYS_pread64, "pread64", true},
    {SYS_pwrite64, "pwrite64", true},
    {SYS_readv, "readv", true},
    {SYS_writev, "writev", true},
    {SYS_recvfrom, "recvfrom", true},
    {SYS_recvmsg, "recvmsg", true},
    {SYS_sendto, "sendto", true},
    {SYS_sendmsg, "sendmsg", true},
    {SYS_accept, "accept", true},
    {SYS_accept4, "accept4", true},
    {SYS_connect, "connect", true},
    {SYS_fsync, "fsync", true},
    {SYS_fdatasync, "fdatasync", true},
    {SYS_flock, "flock", true},
    {SYS_fcntl, "fcntl", true},
    {SYS_ioctl, "ioctl", true},
    {SYS_close, "close", true},
    {SYS_epoll_pwait, "epoll_pwait", true},
    {SYS_sendfile, "sendfile", false},
    {SYS_openat, "openat", false},
    {SYS_ppoll, "ppoll", false},
    {SYS_pselect6, "pselect6", false},
    {SYS_futex, "futex", false},
    {SYS_nanosleep, "nanosleep", false},
    {SYS_clock_nanosleep, "clock_nanosleep", false},
    {SYS_restart_syscall, "restart_syscall", false},
    {SYS_wait4, "wait4", false},
    {SYS_waitid, "waitid", false},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", false},
    {SYS_rt_sigsuspend, "rt_sigsuspend", false},
    {SYS_semtimedop, "semtimedop", false},
    {SYS_msgrcv, "msgrcv", false},
    {SYS_msgsnd, "msgsnd", false},
    {SYS_sync, "sync", false},
#if defined(__x86_64__)
    {SYS_open, "open", false},
    {SYS_poll, "poll", false},
    {SYS_select, "select", false},
    {SYS_epoll_wait, "epoll_wait", true},
    {SYS_pause, "pause", false},
    {SYS_semop, "semop", false},
#endif
};

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

/* its row, or CALLS */
static size_t
find_call(uint64_t number)
{
	size_t i = 0;

	while (i < CALLS && (uint64_t)calls[i].number != number)
		i++;
	return i;
}

static struct open_call *
thread_of(struct open_calls *o, int32_t tid)
{
	bool fresh;
	struct open_call *c = keyed_get(&o->threads, (uint32_t)tid, 0, &fresh);

	if (fresh)
		*c = (struct open_call){.tid = tid, .over = true};
	return c;
}

/* ---- what threads publish ---- */

static unsigned
number_of(const struct published_call *p)
{
	return (unsigned)p->call & ((1u << ARENA_CALL_BITS) - 1);
}

/* It makes calls of the C library, which are published too. */
static bool
is_of_cuda(const struct published_call *p)
{
	return (number_of(p) & ARENA_CALL_CUDA) != 0;
}

void
open_calls_read(struct open_calls *o, const struct arena *a)
{
	uint32_t n = a->threads_high;

	for (size_t i = 0; i < o->threads.count; i++)
		o->threads.all[i].published = (struct published_call){0};
	for (uint32_t i = 0; i < n && i < ARENA_THREADS; i++) {
		const struct arena_thread *t = &a->threads[i];
		int32_t tid = t->tid;
		struct published_call p = {t->call, t->from, t->subject};

		/* not one that is over by now, with the times of the next */
		if (tid > 0 && p.call != 0 && t->call == p.call &&
		    p.from >= o->start &&
		    !is_of_cuda(&thread_of(o, tid)->published))
			thread_of(o, tid)->published = p;
	}
}

static enum arena_subject
subject_of(const struct published_call *p)
{
	return (enum arena_subject)(p->call >> ARENA_CALL_BITS & 3);
}

/* ---- looking ---- */

/* bytes of the memory of a thread's process; how many there were */
static size_t
read_memory(int32_t tid, uint64_t from, void *to, size_t n)
{
	struct iovec there = {(void *)(uintptr_t)from, n}, here = {to, n};
	ssize_t got = process_vm_readv(tid, &here, 1, &there, 1, 0);

	return got > 0 ? (size_t)got : 0;
}

static int64_t
stack_of(struct lines *l, struct open_call *c)
{
	char copy[THREAD_LOOK_STACK];
	const struct thread_call *call = &c->seen.call;
	struct span source;
	size_t n = thread_look_stack(call, c->tid, copy);

	if (n == 0)
		return 0;
	/* the register of frames is not known: functions that need it end it */
	unwind_stack(&l->stacks->frames, &l->code,
	    &(struct unwind_input){
		.pc = call->pc, .sp = call->sp, .stack = {copy, n}});
	stack_names_cut_leaf(&l->stacks->frames, &l->code);
	source =
	    stack_names_source(&l->stacks->names, &l->code, &l->stacks->frames);
	snprintf(c->seen.source, sizeof(c->seen.source), "%.*s",
	    (int)source.len, source.p);
	return stack_lines_frames(l->stacks, l->out, l->pid, &l->code);
}

static void
find_descriptor(const struct lines *l, struct open_call *c)
{
	struct seen_call *s = &c->seen;
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/fd/%d", l->pid,
	    (int)c->tid, (int)s->call.first);
	n = readlink(path, s->file, sizeof(s->file) - 1);
	s->file[n > 0 ? n : 0] = '\0';
	if (strncmp(s->file, "socket:", 7) == 0 ||
	    strncmp(s->file, "pipe:", 5) == 0)
		*strchr(s->file, ':') = '\0';
}

/* of a call that opens a file */
static void
find_path(struct open_call *c, uint64_t address)
{
	size_t n = read_memory(
	    c->tid, address, c->seen.file, sizeof(c->seen.file) - 1);

	c->seen.file[n] = '\0';
}

static void
find_file(const struct lines *l, struct open_call *c)
{
	const struct thread_call *call = &c->seen.call;
	size_t row = find_call(call->number);

	if (row < CALLS && calls[row].descriptor)
		find_descriptor(l, c);
	else if (call->number == SYS_openat)
		find_path(c, call->second);
#if defined(__x86_64__)
	else if (call->number == SYS_open)
		find_path(c, call->first);
#endif
}

/* the thread that has the lock at an address, where the lock knows it */
static int32_t
owner_of(int32_t tid, unsigned function, uint64_t lock)
{
	size_t at;
	int32_t owner = 0;

	switch (function) {
	case OSRT_pthread_mutex_lock:
	case OSRT_pthread_mutex_timedlock:
		at = offsetof(pthread_mutex_t, __data.__owner);
		break;
	case OSRT_pthread_rwlock_rdlock:
	case OSRT_pthread_rwlock_wrlock:
		at = offsetof(pthread_rwlock_t, __data.__cur_writer);
		break;
	default:
		return 0;
	}
	if (read_memory(tid, lock + at, &owner, sizeof(owner)) != sizeof(owner))
		return 0;
	return owner > 0 ? owner : 0;
}

/* The word that a thread waits for is the first of a mutex. */
static bool
is_mutex(unsigned function)
{
	_Static_assert(offsetof(pthread_mutex_t, __data.__lock) == 0,
	    "the word of a mutex is elsewhere");
	return function == OSRT_pthread_mutex_lock ||
	       function == OSRT_pthread_mutex_timedlock;
}

/* A thread may be in a call since before its process had an arena. */
static void
find_function(const struct lines *l, struct open_call *c)
{
	struct seen_call *s = &c->seen;
	const char *symbol;

	if (s->call.number != SYS_futex || s->stack == 0)
		return;
	symbol = stack_names_entry(&l->stacks->frames, &l->code);
	if (symbol == NULL)
		return;
	s->function = osrt_lines_number(symbol);
	if (is_mutex(s->function))
		s->owner = owner_of(c->tid, s->function, s->call.first);
}

/* what costs more than a look; *code becomes true: the code is read */
static void
look_closely(struct lines *l, struct open_call *c, bool *code)
{
	struct seen_call *s = &c->seen;

	if (!*code) { /* the program did not record all */
		code_map_add_process(
		    &l->code, &l->stacks->names.modules, l->pid);
		python_look_begin(&l->python, l->pid);
	}
	*code = true;
	s->looked = true;
	if (!is_of_cuda(&c->published)) {
		find_file(l, c);
		if (c->published.call != 0)
			s->owner = owner_of(c->tid, number_of(&c->published),
			    c->published.subject);
	}
	s->stack = stack_of(l, c);
	s->function = OSRT_CALLS;
	if (c->published.call == 0)
		find_function(l, c);
	s->python = stack_lines_id(l->stacks, l->out,
	    python_look_stack(&l->python, c->tid, &l->stacks->names));
	if (s->python > 0) /* it has lines itself */
		s->source[0] = '\0';
	thread_comm_read(c->comm, l->pid, c->tid);
}

/* true if the call is the one that was seen before */
static bool
is_same(const struct open_call *c, const struct thread_call *now)
{
	if (c->seen.within != c->published.from)
		return false;
	return is_of_cuda(&c->published) ||
	       (!c->over && thread_look_same(&c->seen.call, now));
}

/* true of a call that was looked at, and did not return */
static bool
is_seen(const struct open_call *c)
{
	return c->seen.looked && (!c->over || is_of_cuda(&c->published));
}

static void
look_at(
    struct lines *l, struct open_call *c, int64_t now, bool at_once, bool *code)
{
	struct thread_call call;
	bool same;

	c->round = l->open_calls.round;
	if (!thread_look_call(&call, l->pid, c->tid) &&
	    !is_of_cuda(&c->published)) {
		if (call.runs &&
		    !(is_seen(c) && thread_look_dies(l->pid, c->tid)))
			open_calls_over(&l->open_calls, c->tid, now);
		return;
	}
	same = is_same(c, &call);
	if (!same)
		c->seen = (struct seen_call){
		    .call = call, .ts = now, .within = c->published.from};
	c->over = false;
	c->seen.last = now;
	if (!c->seen.looked && (same || at_once))
		look_closely(l, c, code);
}

/* Threads that were not seen in this round have ended. */
static void
forget_ended(struct open_calls *o)
{
	struct open_calls kept = {.round = o->round, .start = o->start};
	size_t alive = 0;

	for (size_t i = 0; i < o->threads.count; i++)
		alive += o->threads.all[i].round == o->round;
	if (o->threads.count < FEW || alive > o->threads.count / 2)
		return;
	for (size_t i = 0; i < o->threads.count; i++)
		if (o->threads.all[i].round == o->round)
			*thread_of(&kept, o->threads.all[i].tid) =
			    o->threads.all[i];
	open_calls_free(o);
	*o = kept;
}

static void
look_at_published(struct lines *l, bool at_once)
{
	struct open_calls *o = &l->open_calls;
	bool code = false;

	o->round++;
	for (size_t i = 0; i < o->threads.count; i++)
		if (o->threads.all[i].published.call != 0)
			look_at(l, &o->threads.all[i], clock_now(l->clock),
			    at_once, &code);
	forget_ended(o);
}

void
open_calls_look(struct lines *l, const struct arena *a, bool all, bool at_once)
{
	struct open_calls *o = &l->open_calls;
	int64_t now = clock_now(l->clock);
	bool code = false;
	char path[64];
	struct dirent *e;
	size_t count = 0;
	DIR *tasks;

	if (a != NULL)
		open_calls_read(o, a);
	if (!all) {
		look_at_published(l, at_once);
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/task", l->pid);
	if ((tasks = opendir(path)) == NULL)
		return;
	o->round++;
	while ((e = readdir(tasks)) != NULL && count < THREADS_MAX)
		if (e->d_name[0] != '.') {
			look_at(l,
			    thread_of(o, (int32_t)strtol(e->d_name, NULL, 10)),
			    now, at_once, &code);
			count++;
		}
	closedir(tasks);
	if (count < THREADS_MAX)
		forget_ended(o);
}

void
open_calls_over(struct open_calls *o, int32_t tid, int64_t end)
{
	struct open_call *c;

	if (o->threads.count == 0)
		return;
	c = keyed_find(&o->threads, (uint32_t)tid, 0);
	if (c != NULL && end >= c->seen.last)
		c->over = true;
}

/* ---- writing ---- */

/* true of a call that the thread does not publish, and that did not return */
static bool
is_seen_open(const struct open_call *c)
{
	return is_seen(c) && c->seen.within == 0;
}

bool
open_calls_any(const struct open_calls *o)
{
	for (size_t i = 0; i < o->threads.count; i++)
		if (o->threads.all[i].published.call != 0 ||
		    is_seen_open(&o->threads.all[i]))
			return true;
	return false;
}

/* The line of an open call; seen: what a look found, or NULL. */
static void
write_line(struct lines *l, const struct open_call *o, struct call_line *c,
    const struct seen_call *seen)
{
	nvtx_lines_define_as(l, o->tid, o->comm);
	c->kind = c->api != NULL ? KIND_api : KIND_osrt;
	c->tid = o->tid;
	c->dur = DUR_OPEN;
	if (seen != NULL) {
		c->file = span_of(seen->file);
		c->python = seen->python;
		c->native = seen->stack;
		c->source = span_of(seen->source);
		c->owner = c->fd == NULL ? seen->owner : 0;
	}
	call_line_write(l, c);
}

/* ts: when it began; where that was before the recording, when it was seen */
static void
write_published(struct lines *l, const struct open_call *o, int64_t ts)
{
	const struct published_call *p = &o->published;
	enum arena_subject subject = subject_of(p);
	const struct seen_call *seen =
	    is_seen(o) && o->seen.within == p->from ? &o->seen : NULL;
	unsigned number = number_of(p);
	bool runtime = (number & ARENA_CALL_RUNTIME) != 0;
	int32_t fd = (int32_t)p->subject;
	char text[OSRT_LINES_NAME], number_text[GPU_CALL_NAME];
	struct call_line c = {.ts = ts,
	    .lock = subject == SUBJECT_IS_LOCK ? p->subject : 0,
	    .fd = subject == SUBJECT_IS_FD ? &fd : NULL};

	if (seen != NULL && !focus_wants(l->focus, ts))
		c.ts = focus_last(l->focus, seen->ts);
	if (is_of_cuda(p)) {
		c.name = gpu_call_name(l, runtime ? API_RUNTIME : API_DRIVER,
		    number & (ARENA_CALL_RUNTIME - 1), number_text);
		c.api = runtime ? "cuda-runtime" : "cuda-driver";
	} else {
		c.name = osrt_lines_name(number, text);
	}
	write_line(l, o, &c, seen);
}

/* the function that a thread is in, else the system call */
static struct span
seen_name(const struct seen_call *s, char to[OSRT_LINES_NAME])
{
	size_t row = find_call(s->call.number);

	if (s->function < OSRT_CALLS)
		return osrt_lines_name(s->function, to);
	if (row < CALLS)
		return span_of(calls[row].name);
	snprintf(to, OSRT_LINES_NAME, "syscall %" PRIu64, s->call.number);
	return span_of(to);
}

static void
write_seen(struct lines *l, const struct open_call *o)
{
	const struct seen_call *s = &o->seen;
	size_t row = find_call(s->call.number);
	int32_t fd = (int32_t)s->call.first;
	char name[OSRT_LINES_NAME];

	write_line(l, o,
	    &(struct call_line){
		/* as the recording ends it is seen a moment later */
		.ts = focus_last(l->focus, s->ts),
		.name = seen_name(s, name),
		.lock = is_mutex(s->function) ? s->call.first : 0,
		.fd = row < CALLS && calls[row].descriptor ? &fd : NULL},
	    s);
}

static bool
write_call(struct lines *l, struct open_call *c, bool ended)
{
	const struct published_call *p = &c->published;
	int64_t ts = p->call != 0 ? clock_ns(l->clock, p->from) : 0;
	bool wrote = false;

	if (p->call != 0) {
		if ((number_of(p) >= OSRT_CALLS && !is_of_cuda(p)) ||
		    ts > l->latest)
			l->garbage++;
		else if (is_of_cuda(p) && !ended)
			return false;
		else if (p->from != c->written &&
			 l->latest - ts >= l->open_least) {
			write_published(l, c, ts);
			c->written = p->from;
			wrote = true;
		}
	} else if (is_seen_open(c)) {
		write_seen(l, c);
		wrote = true;
	}
	c->over = true;
	return wrote;
}

int
open_calls_write(struct lines *l, bool ended)
{
	int n = 0;

	l->latest = clock_now(l->clock);
	for (size_t i = 0; i < l->open_calls.threads.count; i++)
		n += write_call(l, &l->open_calls.threads.all[i], ended);
	return n;
}

void
open_calls_free(struct open_calls *o)
{
	keyed_free(&o->threads);
}
