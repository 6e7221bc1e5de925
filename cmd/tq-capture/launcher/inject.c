/* inject.c - the agent loaded into a process that runs already */

#include "inject.h"

#if defined(__x86_64__)

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "stacks/proc_maps.h"
#include "stacks/thread_look.h"
#include "stacks/unwind.h"

enum {
	STACK = 256 << 10, /* bytes of a stack that are followed */
	ROOM = 128 << 10,  /* bytes below it that our calls may need */
	RED_ZONE = 128,
	STATE = 64 << 10,   /* bytes of vector registers, at most */
	TRIES = 200,        /* rounds over all threads */
	PAUSE_US = 10000,   /* between rounds */
	STOP_TRIES = 10000, /* looks whether a thread has stopped */
	STOP_US = 200,
	CALL_US = 100
};

/* the functions that are called in the process */
struct entry {
	pid_t pid;
	uint64_t open, sym; /* dlopen, dlsym */
	struct mapped_area stack;
	uint64_t sp;
};

/* a thread that is stopped, and its state, which is restored */
struct stopped {
	pid_t tid;
	struct user_regs_struct regs;
	char *state; /* vector registers */
	size_t state_size;
	uint64_t mask;
	int signal; /* one that came meanwhile */
};

enum outcome { DONE, NOT_NOW, FAILED };

/* ---- where dlopen is ---- */

static uint64_t
find_function(const struct elf_symbols *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->names + s->all[i].name, name) == 0)
			return s->all[i].address;
	return 0;
}

static void
look_in_file(struct entry *to, const struct mapped_area *a, int fd)
{
	struct elf_symbols symbols = {0};
	struct elf_file e;
	uint64_t address;

	if (!elf_file_open(&e, fd))
		return;
	if (e.machine == EM_X86_64 &&
	    elf_file_address(&e, a->offset, &address)) {
		uint64_t bias = a->start - address;

		elf_symbols_read(&symbols, &e);
		to->open = find_function(&symbols, "dlopen");
		to->sym = find_function(&symbols, "dlsym");
		to->open += to->open != 0 ? bias : 0;
		to->sym += to->sym != 0 ? bias : 0;
		elf_symbols_free(&symbols);
	}
	elf_file_close(&e);
}

/* libc.so.6 has both, or libdl.so.2 before glibc 2.34 */
static bool
take_area(void *arg, const struct mapped_area *a)
{
	struct entry *to = arg;
	const char *name = basename(a->path);
	char path[4200];
	int fd;

	if (strcmp(name, "libc.so.6") != 0 && strcmp(name, "libdl.so.2") != 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/root%s", (int)to->pid, a->path);
	if ((fd = elf_file_descriptor(path)) < 0)
		return true;
	look_in_file(to, a, fd);
	close(fd);
	return to->open == 0 || to->sym == 0;
}

static bool
same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* by which our calls end; a signal that is ignored would lose that */
static bool
ignores_faults(pid_t pid)
{
	char path[64], *line = NULL;
	uint64_t set = 0;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if ((f = fopen(path, "re")) == NULL)
		return true;
	while (getline(&line, &size, f) > 0)
		if (strncmp(line, "SigIgn:", 7) == 0)
			set = strtoull(line + 7, NULL, 16);
	free(line);
	fclose(f);
	return (set >> (SIGSEGV - 1) & 1) != 0;
}

/* false: *why is the reason why the agent can't be loaded */
static bool
find_entry(struct entry *to, const char *agent, struct text *why)
{
	char path[4200], net[64];

	snprintf(path, sizeof(path), "/proc/%d/root%s", (int)to->pid, agent);
	snprintf(net, sizeof(net), "/proc/%d/ns/net", (int)to->pid);
	if (!proc_maps_read(to->pid, take_area, to))
		text_printf(why, "its memory: %s", strerror(errno));
	else if (to->open == 0 || to->sym == 0)
		text_add_str(why, "it has no dlopen: it is statically linked, "
				  "of another architecture or libc, or not "
				  "ours to read");
	else if (!same_file(agent, path))
		text_printf(why, "%s is not in its file system", agent);
	else if (!same_file("/proc/self/ns/net", net))
		text_add_str(why, "it is in another network namespace");
	else if (ignores_faults(to->pid))
		text_add_str(why, "it ignores SIGSEGV");
	else
		return true;
	return false;
}

/* ---- is a thread safe? ---- */

/* functions that may hold a lock that dlopen or pthread_create needs */
static bool
is_unsafe(const char *name)
{
	static const char *const begins[] = {"malloc", "free", "cfree",
	    "calloc", "realloc", "memalign", "posix_memalign", "aligned_alloc",
	    "valloc", "pvalloc", "_int_", "sysmalloc", "__libc_malloc",
	    "__libc_free", "__libc_calloc", "__libc_realloc", "__libc_memalign",
	    "_Znw", "_Zna", "_Zdl", "_Zda", "je_", "tc_", "dl", "_dl", "__dl",
	    "__libc_dl", "fork", "_Fork", "__fork", "vfork", "__vfork",
	    "posix_spawn", "exit", "__run_exit_handlers", "pthread_create",
	    "pthread_exit", "__restore_rt"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static bool
is_safe_frame(const struct code_map *code, uint64_t pc)
{
	const struct code_area *a = code_map_find(code, pc);
	const char *name;
	uint64_t address;

	if (a == NULL || strncmp(a->module->name, "ld-", 3) == 0)
		return false;
	module_read(a->module);
	if (!module_address(a->module, pc - a->start + a->offset, &address))
		return false;
	name = elf_symbols_find(&a->module->symbols, address);
	return name == NULL || !is_unsafe(name);
}

/* the whole stack is known, and no function of it holds such a lock */
static bool
has_safe_stack(pid_t pid, const struct user_regs_struct *r)
{
	struct unwind_frames *f = mem_alloc(sizeof(*f));
	char *bytes = mem_alloc(STACK);
	struct iovec here = {bytes, STACK};
	struct iovec there = {(void *)(uintptr_t)r->rsp, STACK};
	ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);
	struct modules modules = {0};
	struct code_map code = {0};
	bool safe;

	code_map_add_process(&code, &modules, pid);
	unwind_stack(f, &code,
	    &(struct unwind_input){.pc = r->rip,
		.sp = r->rsp,
		.bp = r->rbp,
		.stack = {bytes, n > 0 ? (size_t)n : 0}});
	safe = f->end == UNWIND_WHOLE;
	for (size_t i = 0; i < f->count && safe; i++)
		safe = is_safe_frame(&code, f->pcs[i]);
	code_map_free(&code);
	module_free_all(&modules);
	free(bytes);
	free(f);
	return safe;
}

static bool
take_stack(void *arg, const struct mapped_area *a)
{
	struct entry *e = arg;

	if (e->sp < a->start || e->sp >= a->end)
		return true;
	e->stack = *a;
	/* the first thread's grows */
	if (strcmp(a->path, "[stack]") == 0)
		e->stack.start = 0;
	return false;
}

static bool
has_room(struct entry *e, uint64_t sp)
{
	e->sp = sp;
	e->stack = (struct mapped_area){.start = sp};
	return proc_maps_read(e->pid, take_stack, e) &&
	       sp - e->stack.start >= ROOM;
}

/* ---- a thread stops, and goes on ---- */

/* its next stop, or its end; false: there is none yet */
static bool
wait_stop(pid_t tid, int *status)
{
	return waitpid(tid, status, __WALL | WNOHANG) == tid;
}

/*
 * Stop it as PTRACE_INTERRUPT does.  NOT_NOW: it has ended, is stopped by a
 * signal, or gets one just now, and it is as it was.  FAILED: it can't be
 * interrupted; the kernel lets go of it when this process ends.
 */
static enum outcome
stop_thread(pid_t tid)
{
	int status = 0;

	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0)
		return FAILED;
	for (int i = 0; !wait_stop(tid, &status); i++) {
		if (i == STOP_TRIES)
			return FAILED;
		usleep(STOP_US);
	}
	if (!WIFSTOPPED(status))
		return NOT_NOW;
	if (status >> 16 == PTRACE_EVENT_STOP && WSTOPSIG(status) == SIGTRAP)
		return DONE;
	ptrace(PTRACE_DETACH, tid, NULL,
	    (void *)(intptr_t)(status >> 16 == 0 ? WSTOPSIG(status) : 0));
	return NOT_NOW;
}

/* false: its registers can't be read, and nothing has changed */
static bool
save(struct stopped *t)
{
	struct iovec state = {t->state, STATE};

	if (ptrace(PTRACE_GETREGS, t->tid, NULL, &t->regs) != 0 ||
	    ptrace(PTRACE_GETREGSET, t->tid, (void *)NT_X86_XSTATE, &state) !=
		0 ||
	    ptrace(PTRACE_GETSIGMASK, t->tid, (void *)sizeof(t->mask),
		&t->mask) != 0)
		return false;
	t->state_size = state.iov_len;
	return true;
}

static void
put_back(struct stopped *t)
{
	struct iovec state = {t->state, t->state_size};

	ptrace(PTRACE_SETREGSET, t->tid, (void *)NT_X86_XSTATE, &state);
	/* with the number and the result of its system call, by which the
	   kernel begins it again */
	ptrace(PTRACE_SETREGS, t->tid, NULL, &t->regs);
	ptrace(PTRACE_SETSIGMASK, t->tid, (void *)sizeof(t->mask), &t->mask);
}

/* ---- calls ---- */

static uint64_t
bit_of(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

/* True if the call is over: it returned to 0.  *go_on: it runs on. */
static bool
is_over(struct stopped *t, int status, bool *go_on)
{
	struct user_regs_struct r;
	siginfo_t info = {0};

	*go_on = true;
	if (status >> 16 == PTRACE_EVENT_STOP)
		return false;
	ptrace(PTRACE_GETSIGINFO, t->tid, NULL, &info);
	if (info.si_code <= 0) { /* somebody sent it: it gets it later */
		t->signal = WSTOPSIG(status);
		return false;
	}
	*go_on = false;
	return WSTOPSIG(status) == SIGSEGV &&
	       ptrace(PTRACE_GETREGS, t->tid, NULL, &r) == 0 && r.rip == 0;
}

/* A function of the process, called by the thread.  False: it has crashed, or
   the process has ended (tid 0). */
static bool
call(struct stopped *t, const struct user_regs_struct *with, uint64_t *result)
{
	struct user_regs_struct r = *with;
	int status;
	bool go_on = true, over = false;

	if (ptrace(PTRACE_SETREGS, t->tid, NULL, &r) != 0)
		return false;
	while (go_on) {
		if (ptrace(PTRACE_CONT, t->tid, NULL, NULL) != 0 &&
		    errno != ESRCH)
			return false;
		while (!wait_stop(t->tid, &status))
			usleep(CALL_US);
		if (!WIFSTOPPED(status)) {
			t->tid = 0;
			return false;
		}
		over = is_over(t, status, &go_on);
	}
	if (!over || ptrace(PTRACE_GETREGS, t->tid, NULL, &r) != 0)
		return false;
	*result = r.rax;
	return true;
}

/* function(a, b), with this text on the stack; a 0: the text */
static bool
call_with(const struct entry *e, struct stopped *t, const uint64_t v[3],
    const char *text, uint64_t *result)
{
	size_t size = strlen(text) + 1;
	uint64_t at = (t->regs.rsp - RED_ZONE - size) & ~UINT64_C(15);
	uint64_t sp = at - 8, none = 0;
	struct user_regs_struct r = t->regs;
	struct iovec here[2] = {{&none, 8}, {(void *)(uintptr_t)text, size}};
	struct iovec there = {(void *)(uintptr_t)sp, 8 + size};

	if (process_vm_writev(e->pid, here, 2, &there, 1, 0) !=
	    (ssize_t)(8 + size))
		return false;
	r.rip = v[0];
	r.rdi = v[1] != 0 ? v[1] : at;
	r.rsi = v[1] != 0 ? at : v[2];
	r.rax = 0;
	r.rsp = sp;
	r.orig_rax = UINT64_MAX;      /* no system call to begin again */
	r.eflags &= ~UINT64_C(0x400); /* direction, as functions expect it */
	return call(t, &r, result);
}

static bool
load(const struct entry *e, struct stopped *t, const char *agent,
    const char *settings, struct text *why)
{
	const uint64_t open[] = {e->open, 0, RTLD_NOW | RTLD_LOCAL};
	uint64_t begin[] = {0, 0, 0}, sym[] = {e->sym, 0, 0}, result;

	if (!call_with(e, t, open, agent, &sym[1]))
		text_add_str(why, "dlopen did not return");
	else if (sym[1] == 0)
		text_printf(why, "its dlopen refuses %s", agent);
	else if (!call_with(e, t, sym, "tq_capture_attach", &begin[0]) ||
		 begin[0] == 0)
		text_add_str(why, "its agent is of another version");
	else if (!call_with(e, t, begin, settings, &result))
		text_add_str(why, "the agent did not return");
	else if ((int)result != 0)
		text_add_str(why, "it was captured before");
	else
		return true;
	return false;
}

/* the thread has stopped: load, and put everything back */
static enum outcome
use_stopped(const struct entry *e, struct stopped *t, const char *agent,
    const char *settings, struct text *why)
{
	/* a fault in our call is for us to see */
	uint64_t mask = ~(bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGILL) |
			  bit_of(SIGFPE) | bit_of(SIGTRAP));
	struct entry own = {.pid = e->pid};
	struct text unused = {0};
	bool done, found;

	/* again: the process may have become another program meanwhile */
	found = find_entry(&own, agent, &unused);
	text_free(&unused);
	if (!found || !save(t) || (int64_t)t->regs.orig_rax < 0 ||
	    t->regs.cs != 0x33 || !has_room(&own, t->regs.rsp) ||
	    !has_safe_stack(e->pid, &t->regs) ||
	    ptrace(PTRACE_SETSIGMASK, t->tid, (void *)sizeof(mask), &mask) != 0)
		return NOT_NOW;
	done = load(&own, t, agent, settings, why);
	if (t->tid != 0)
		put_back(t);
	return done ? DONE : FAILED;
}

static enum outcome
try_thread(const struct entry *e, pid_t tid, const char *agent,
    const char *settings, struct text *why)
{
	struct stopped t = {.tid = tid};
	struct thread_call c;
	enum outcome o;

	if (!thread_look_call(&c, e->pid, tid))
		return NOT_NOW;
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) {
		if (errno == ESRCH)
			return NOT_NOW;
		text_printf(why, "ptrace: %s", strerror(errno));
		return FAILED;
	}
	if ((o = stop_thread(tid)) != DONE) {
		if (o == FAILED)
			text_printf(
			    why, "thread %d can't be stopped", (int)tid);
		return o;
	}
	t.state = mem_alloc(STATE);
	o = use_stopped(e, &t, agent, settings, why);
	if (t.tid != 0)
		ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)t.signal);
	free(t.state);
	return o;
}

/* each of its threads, until one serves */
static enum outcome
try_threads(const struct entry *e, const char *agent, const char *settings,
    struct text *why)
{
	enum outcome o = NOT_NOW;
	struct dirent *d;
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)e->pid);
	if ((tasks = opendir(path)) == NULL) {
		text_add_str(why, "it has ended");
		return FAILED;
	}
	while (o == NOT_NOW && (d = readdir(tasks)) != NULL) {
		pid_t tid = (pid_t)strtol(d->d_name, NULL, 10);

		if (tid > 0)
			o = try_thread(e, tid, agent, settings, why);
	}
	closedir(tasks);
	return o;
}

bool
inject_agent(
    pid_t pid, const char *agent, const char *settings, struct text *why)
{
	struct entry e = {.pid = pid};
	enum outcome o = NOT_NOW;

	if (!find_entry(&e, agent, why))
		return false;
	for (int i = 0; i < TRIES && o == NOT_NOW; i++) {
		if (i > 0)
			usleep(PAUSE_US);
		o = try_threads(&e, agent, settings, why);
	}
	if (o == NOT_NOW)
		text_add_str(why, "no thread of it waits where the agent can "
				  "be loaded");
	return o == DONE;
}

#else

bool
inject_agent(
    pid_t pid, const char *agent, const char *settings, struct text *why)
{
	(void)pid;
	(void)agent;
	(void)settings;
	text_add_str(why, "that is for x86-64 only");
	return false;
}

#endif
