/* open_calls.c - system calls in which threads of a process are */

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lines.h"

enum { THREADS_MAX = 4096 };

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

/* ---- looking ---- */

static int64_t
stack_of(struct lines *l, const struct open_call *c)
{
	char copy[THREAD_LOOK_STACK];
	size_t n = thread_look_stack(&c->call, c->tid, copy);

	if (n == 0)
		return 0;
	/* the register of frames is not known: functions that need it end it */
	unwind_stack(&l->stacks->frames, &l->code,
	    &(struct unwind_input){
		.pc = c->call.pc, .sp = c->call.sp, .stack = {copy, n}});
	return stack_lines_frames(l->stacks, l->out, l->pid, &l->code);
}

static void
find_file(const struct lines *l, struct open_call *c)
{
	size_t row = find_call(c->call.number);
	char path[64];
	ssize_t n;

	if (row == CALLS || !calls[row].descriptor)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/fd/%d", l->pid,
	    (int)c->tid, (int)c->call.first);
	n = readlink(path, c->file, sizeof(c->file) - 1);
	c->file[n > 0 ? n : 0] = '\0';
	if (strncmp(c->file, "socket:", 7) == 0 ||
	    strncmp(c->file, "pipe:", 5) == 0)
		*strchr(c->file, ':') = '\0';
}

static void
look_at(struct lines *l, int32_t tid, int64_t now)
{
	struct open_call c = {.tid = tid, .ts = now, .seen = now}, *old;
	bool fresh;

	if (!thread_look_call(&c.call, l->pid, tid)) {
		if (c.call.runs)
			open_calls_over(&l->open_calls, tid, now);
		return;
	}
	old = keyed_get(&l->open_calls.threads, (uint32_t)tid, 0, &fresh);
	if (!fresh && !old->over && thread_look_same(&old->call, &c.call)) {
		old->seen = now;
		return;
	}
	find_file(l, &c);
	c.stack = stack_of(l, &c);
	*old = c;
}

void
open_calls_look(struct lines *l)
{
	int64_t now = clock_now(l->clock);
	char path[64];
	struct dirent *e;
	size_t count = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", l->pid);
	if ((tasks = opendir(path)) == NULL)
		return;
	/* the program did not record all */
	code_map_add_process(&l->code, &l->stacks->names.modules, l->pid);
	while ((e = readdir(tasks)) != NULL && count < THREADS_MAX)
		if (e->d_name[0] != '.') {
			look_at(l, (int32_t)strtol(e->d_name, NULL, 10), now);
			count++;
		}
	closedir(tasks);
}

void
open_calls_over(struct open_calls *o, int32_t tid, int64_t end)
{
	struct open_call *c;

	if (o->threads.count == 0)
		return;
	c = keyed_find(&o->threads, (uint32_t)tid, 0);
	if (c != NULL && end >= c->seen)
		c->over = true;
}

/* ---- writing ---- */

static void
write_call(struct lines *l, const struct open_call *c)
{
	struct output *o = &l->out->line;
	size_t row = find_call(c->call.number);
	char name[32] = "";

	nvtx_lines_define_thread(l, c->tid);
	if (row == CALLS)
		snprintf(
		    name, sizeof(name), "syscall %" PRIu64, c->call.number);
	out_stream_begin(l->out, LINE_EVENT, l->process, 0);
	emit_open(o, KIND_osrt);
	emit_int(o, KEY_ts, c->ts);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, c->tid);
	emit_str(o, KEY_name, span_of(row < CALLS ? calls[row].name : name));
	emit_bool(o, KEY_open, true);
	if (c->file[0] != '\0')
		emit_str(o, KEY_file, span_of(c->file));
	if (c->stack > 0)
		emit_int(o, KEY_stack, c->stack);
	if (row < CALLS && calls[row].descriptor) {
		emit_key(o, KEY_args);
		text_printf(&o->buf, "{\"fd\":%d}", (int)c->call.first);
	}
	emit_close(o);
	out_stream_put(l->out, c->ts, INT64_MAX);
}

int
open_calls_write(struct lines *l)
{
	int n = 0;

	for (size_t i = 0; i < l->open_calls.threads.count; i++) {
		struct open_call *c = &l->open_calls.threads.all[i];

		if (c->over)
			continue;
		write_call(l, c);
		c->over = true;
		n++;
	}
	return n;
}

void
open_calls_free(struct open_calls *o)
{
	keyed_free(&o->threads);
}
