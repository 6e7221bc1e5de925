/*
 * unwind_oracle.c - stacks of a program as tq-capture follows them, and as
 * libdw of elfutils does
 *
 *	unwind_oracle [-s] SAMPLES COMMAND [ARGUMENT ...]
 *
 * stops the command now and then or, with -s, before each instruction, and
 * prints how many stacks there were, how many are the same in each frame, how
 * many libdw did not follow to the end, how many frames there were in all, and
 * how many leaves that differ from the one before.  The first stacks that
 *differ are on stderr.
 */

#include <elfutils/libdwfl.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stacks/code_map.h"
#include "stacks/unwind.h"

enum { STACK = 1 << 20, SHOWN = 3, PAUSE_US = 1500, PAUSES = 1000 };

static struct modules modules;

/* ---- libdw ---- */

struct expected_stack {
	uint64_t pcs[UNWIND_FRAMES];
	size_t count;
};

static int
add_frame(Dwfl_Frame *frame, void *arg)
{
	struct expected_stack *e = arg;
	Dwarf_Addr pc;
	bool leaf;

	if (e->count == UNWIND_FRAMES || !dwfl_frame_pc(frame, &pc, &leaf))
		return DWARF_CB_ABORT;
	e->pcs[e->count++] = leaf ? pc : pc - 1;
	return DWARF_CB_OK;
}

/* false: it did not come to the end */
static bool
ask_libdw(struct expected_stack *e, pid_t pid)
{
	static const Dwfl_Callbacks callbacks = {
	    .find_elf = dwfl_linux_proc_find_elf,
	    .find_debuginfo = dwfl_standard_find_debuginfo};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	bool whole;

	e->count = 0;
	if (dwfl == NULL || dwfl_linux_proc_report(dwfl, pid) != 0 ||
	    dwfl_report_end(dwfl, NULL, NULL) != 0 ||
	    dwfl_linux_proc_attach(dwfl, pid, true) < 0)
		errx(2, "libdw: %s", dwfl_errmsg(-1));
	whole = dwfl_getthread_frames(dwfl, pid, add_frame, e) == 0;
	dwfl_end(dwfl);
	return whole;
}

/* ---- ours ---- */

static void
follow(struct unwind_frames *f, pid_t pid)
{
	static char stack[STACK];
	struct user_regs_struct regs;
	struct code_map map = {0};
	struct iovec to = {stack, sizeof(stack)}, from;
	ssize_t n = -1;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) != 0)
		err(2, "PTRACE_GETREGS");
	/* less, where the stack is shorter */
	for (; n < 0 && to.iov_len > 0; to.iov_len /= 2) {
		from = (struct iovec){
		    (void *)(uintptr_t)regs.rsp, to.iov_len}; // NOLINT
		n = process_vm_readv(pid, &to, 1, &from, 1, 0);
	}
	code_map_add_process(&map, &modules, pid);
	unwind_stack(f, &map,
	    &(struct unwind_input){.pc = regs.rip,
		.sp = regs.rsp,
		.bp = regs.rbp,
		.stack = {stack, n > 0 ? (size_t)n : 0}});
	code_map_free(&map);
}

/* ---- both ---- */

static void
show(const char *who, const uint64_t *pcs, size_t count)
{
	fprintf(stderr, "%s:", who);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, " %" PRIx64, pcs[i]);
	fputc('\n', stderr);
}

static long frames, leaves;

static void
count(const struct expected_stack *e)
{
	static uint64_t last;

	frames += (long)e->count;
	leaves += e->count > 0 && e->pcs[0] != last;
	last = e->count > 0 ? e->pcs[0] : 0;
}

/* 1: the same; 0: not; -1: libdw came less far, and ours begins like it */
static int
compare(pid_t pid)
{
	static struct unwind_frames f;
	static struct expected_stack e;
	static int shown;
	bool whole = ask_libdw(&e, pid);
	size_t least;

	follow(&f, pid);
	count(&e);
	least = f.count < e.count ? f.count : e.count;
	if (memcmp(f.pcs, e.pcs, least * sizeof(*e.pcs)) == 0) {
		if (f.count == e.count)
			return 1;
		if (!whole && e.count < f.count)
			return -1;
	}
	if (shown++ < SHOWN) {
		show("libdw", e.pcs, e.count);
		show("ours ", f.pcs, f.count);
	}
	return 0;
}

/* stop the process; false: it has ended */
static bool
stop(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) != 0)
		return false;
	for (;;) {
		if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
			return false;
		if (status >> 16 == PTRACE_EVENT_STOP)
			return true;
		/* a signal of its own: it goes on with it */
		ptrace(PTRACE_CONT, pid, NULL, WSTOPSIG(status));
	}
}

/* some time later */
static bool
stop_later(pid_t pid)
{
	static unsigned random = 1;

	ptrace(PTRACE_CONT, pid, NULL, NULL);
	random = random * 1103515245 + 12345;
	usleep(PAUSE_US + (random >> 16) % PAUSES);
	return stop(pid);
}

/* after another instruction; false: the process has ended, or got a signal */
static bool
stop_at_next(pid_t pid)
{
	int status;

	return ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) == 0 &&
	       waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == SIGTRAP;
}

int
main(int argc, char *argv[])
{
	bool steps = argc > 1 && strcmp(argv[1], "-s") == 0;
	char **operands = argv + 1 + steps;
	long samples = argc > 2 + steps ? strtol(operands[0], NULL, 10) : 0;
	long all = 0, same = 0, short_of = 0;
	int pipes[2];
	bool stopped;
	pid_t pid;

	if (samples <= 0)
		errx(2, "usage: unwind_oracle [-s] SAMPLES COMMAND ...");
	if (pipe(pipes) != 0 || (pid = fork()) < 0)
		err(2, "fork");
	if (pid == 0) {
		char go;

		if (read(pipes[0], &go, 1) != 1)
			_exit(127);
		execvp(operands[1], operands + 1);
		err(127, "%s", operands[1]);
	}
	if (ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_EXITKILL) != 0 ||
	    write(pipes[1], "", 1) != 1)
		err(2, "PTRACE_SEIZE");
	usleep(200 * PAUSE_US); /* exec, and the first libraries */
	for (stopped = stop(pid); stopped && all < samples;
	     stopped = steps ? stop_at_next(pid) : stop_later(pid)) {
		int result = compare(pid);

		all++;
		same += result > 0;
		short_of += result < 0;
	}
	kill(pid, SIGKILL);
	printf("%ld %ld %ld %ld %ld\n", all, same, short_of, frames, leaves);
	return 0;
}
