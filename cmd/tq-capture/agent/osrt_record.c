/* osrt_record.c - calls of the C library that took long become records */

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"
#include "agent/python/python_frames.h"
#include "first_call.h"
#include "osrt_call.h"
#include "osrt_files.h"
#include "osrt_modules.h"
#include "settings.h"
#include "stack_copy.h"
#include "writer.h"

/* the parts of one record */
struct osrt_draft {
	const struct osrt_call *call;
	int error;
	const char *file;
	size_t file_len;
	uint32_t python;
	struct osrt_stack registers;
	size_t stack; /* bytes at most; 0: it has none */
};

bool
tq_capture_osrt_begin(struct osrt_limits *limits, bool *counter,
    const _Atomic uint32_t **generation)
{
	const struct agent_settings *s;

	first_call_preloaded();
	if (!process_is_wanted())
		return false;
	s = settings_get();
	*limits = s->osrt;
	*counter = s->tsc;
	*generation = &process->generation;
	process->owner = (int32_t)syscall(SYS_getpid);
	writer_prepare();
	return true;
}

struct arena_thread *
tq_capture_osrt_thread(void)
{
	struct arena *a = agent_arena();
	int32_t tid = (int32_t)syscall(SYS_gettid);
	uint32_t high;

	for (uint32_t i = 0; a != NULL && i < ARENA_THREADS; i++) {
		struct arena_thread *t = &a->threads[i];
		int32_t nobody = 0;

		if (t->tid != 0 ||
		    !atomic_compare_exchange_strong(&t->tid, &nobody, tid))
			continue;
		high = a->threads_high;
		while (high <= i && !atomic_compare_exchange_weak(
					&a->threads_high, &high, i + 1))
			;
		return t;
	}
	return NULL;
}

void
tq_capture_osrt_thread_ends(struct arena_thread *slot)
{
	slot->call = 0;
	slot->tid = 0;
}

void
tq_capture_osrt_forget(int fd)
{
	osrt_files_forget(fd);
}

void
tq_capture_osrt_forget_all(void)
{
	osrt_files_forget(-1);
}

/* ---- whose call it is ---- */

/* the bytes of this library in memory */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* of this library, which opens files and sockets itself */
static bool
is_own(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	return at >= (uintptr_t)__ehdr_start && at < (uintptr_t)_end;
}

/*
 * The child of a vfork runs in our memory, as our thread: its calls until its
 * exec are not recorded.  A child of a fork finds its page wiped.
 */
static bool
is_in_vfork(void)
{
	int32_t pid = (int32_t)syscall(SYS_getpid), none = 0;

	return process != NULL && process->owner != pid &&
	       !atomic_compare_exchange_strong(&process->owner, &none, pid);
}

/* ---- the record ---- */

static size_t
padded(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* at most */
static size_t
size_of(const struct osrt_draft *d)
{
	size_t n = sizeof(struct record_osrt);

	if (d->file_len > 0)
		n += 8 + padded(d->file_len);
	if (d->stack > 0)
		n += stack_copy_bytes(d->stack);
	return n;
}

/* the return value: false if it is not recorded */
static bool
result_of(const struct osrt_draft *d, int64_t *ret)
{
	const struct osrt_call *c = d->call;

	*ret = c->ret;
	switch ((enum osrt_result)c->result) {
	case OSRT_INT:
	case OSRT_SIZE:
		if (c->ret == -1)
			*ret = -(int64_t)d->error;
		return true;
	case OSRT_CODE:
		*ret = -c->ret;
		return true;
	case OSRT_PLAIN:
		return true;
	case OSRT_POINTER:
		*ret = -(int64_t)d->error;
		return c->ret == 0;
	case OSRT_MAP:
		*ret = -(int64_t)d->error;
		return c->ret == -1;
	default:
		return false;
	}
}

static int64_t
bytes_of(const struct osrt_call *c)
{
	return c->result == OSRT_SIZE && c->ret > 0 ? c->ret : c->bytes;
}

static char *
put_length(char *p, uint64_t n)
{
	memcpy(p, &n, sizeof(n));
	return p + sizeof(n);
}

/* returns the bytes of the record */
static size_t
put(char *first, const struct osrt_draft *d, int32_t tid)
{
	const struct osrt_call *c = d->call;
	struct record_osrt r = {.head = {.type = RECORD_OSRT, .ticks = c->from},
	    .end = c->till,
	    .bytes = bytes_of(c),
	    .object = (uint64_t)(uintptr_t)c->object,
	    .fd = c->fd,
	    .call = c->call,
	    .python = d->python};
	char *p = first + sizeof(r);

	r.has = result_of(d, &r.ret) ? OSRT_HAS_RET : 0;
	r.has |= c->has_to ? OSRT_HAS_TO : 0;
	r.to = c->to;
	r.head.flags |= d->file_len > 0 ? FLAG_TEXT : 0;
	r.head.flags |= d->stack > 0 ? FLAG_BLOB : 0;
	if (d->file_len > 0) {
		p = put_length(p, d->file_len);
		put_length(p + padded(d->file_len) - 8, 0);
		memcpy(p, d->file, d->file_len);
		p += padded(d->file_len);
	}
	if (d->stack > 0)
		p += stack_copy_put(p, &d->registers, d->stack, tid);
	r.head.words = (uint16_t)((size_t)(p - first) / 8);
	memcpy(first, &r, sizeof(r));
	return (size_t)(p - first);
}

/* with its stack if there is room, else without it */
static void
write_draft(struct writer *w, struct osrt_draft *d)
{
	char *p =
	    agent_begin(w, d->stack > 0 ? LOSS_STACK : LOSS_OSRT, size_of(d));

	if (p == NULL && d->stack > 0) {
		d->stack = 0;
		p = agent_begin(w, LOSS_OSRT, size_of(d));
	}
	if (p != NULL)
		agent_end(w, put(p, d, w->tid));
}

/* memory that the kernel could not read is not read here either */
static bool
is_bad_pointer(const struct osrt_draft *d)
{
	const struct osrt_call *c = d->call;

	if (c->result == OSRT_CODE)
		return c->ret == EFAULT;
	return d->error == EFAULT && (c->ret == -1 || c->ret == 0);
}

/* Behind a NUL: the name of the descriptor that it writes, too, if known. */
static void
add_target(struct osrt_draft *d, bool ask, char name[2 * OSRT_FILE_MAX])
{
	size_t n =
	    osrt_files_name(d->call->to, ask, false, name + d->file_len + 1);

	if (n == 0)
		return;
	name[d->file_len] = '\0';
	d->file = name;
	d->file_len += 1 + n;
}

/* the argument of a call that opens, or what its descriptor is; name has room
   for OSRT_FILE_MAX bytes, or for twice as many if the call has a target */
static void
find_file(struct osrt_draft *d, const struct osrt_limits *limits, char *name)
{
	const struct osrt_call *c = d->call;
	bool relative = c->fd >= 0 && c->path != NULL && c->path[0] != '/';
	bool ask = limits->calls[OSRT_GROUP_IO] == 0 || relative ||
		   c->till - c->from >= limits->names;

	d->file = name;
	d->file_len = osrt_files_name(c->fd, ask, c->closed, name);
	if (c->has_to) {
		add_target(d, ask, name);
		return;
	}
	if (d->file_len > 0 || c->path == NULL || is_bad_pointer(d))
		return;
	d->file = c->path;
	d->file_len = strnlen(c->path, OSRT_FILE_MAX);
}

static __attribute__((noinline)) void
write_named(const struct osrt_call *c, int error, char *name)
{
	const struct osrt_limits *limits = &settings_get()->osrt;
	struct osrt_draft d = {.call = c, .error = error};
	struct writer *w = agent_thread();

	if (w == NULL || !(agent_on() & ARENA_OSRT) ||
	    (c->object != NULL && !(agent_on() & ARENA_LOCKS)))
		return;
	find_file(&d, limits, name);
	if ((agent_on() & ARENA_PYTHON_OSRT) &&
	    !python_frames_begin_in(c->gone.at, c->gone.bytes))
		d.python = agent_python_stack(w);
	if (c->till - c->from >= limits->stacks && limits->stack > 0 &&
	    (agent_on() & ARENA_STACKS)) {
		osrt_modules_tell(
		    w, c->till, limits->names * OSRT_MODULES_PERIODS);
		d.stack = stack_copy_here(&d.registers, (size_t)limits->stack);
	}
	write_draft(w, &d);
}

/*
 * A signal handler may have a stack of a few KiB, on which signals nest: the
 * room for a second name is taken only where a call has one.
 */
static __attribute__((noinline)) void
write_call(const struct osrt_call *c, int error)
{
	char name[OSRT_FILE_MAX];

	write_named(c, error, name);
}

static __attribute__((noinline)) void
write_transfer(const struct osrt_call *c, int error)
{
	char names[2 * OSRT_FILE_MAX];

	write_named(c, error, names);
}

void
tq_capture_osrt(const struct osrt_call *c)
{
	int error = errno;

	if (!is_own(c->caller) && !is_in_vfork()) {
		if (c->has_to)
			write_transfer(c, error);
		else
			write_call(c, error);
	}
	errno = error;
}
