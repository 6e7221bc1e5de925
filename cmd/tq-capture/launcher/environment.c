/*
 * environment.c - kinds of records that this machine allows, and why not others
 *
 * Each kind is tried, and libraries of others are tried in a child: they may
 * crash, or never return.
 */
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent_file.h"
#include "child.h"
#include "counters/poll.h"
#include "environment.h"
#include "sample_method.h"
#include "python_start.h"
#include "samples/perf_reason.h"
#include "samples/perf_rings.h"
#include "stacks/thread_look.h"

enum { PATIENCE = 5, HZ = 1000, STACK = 8192 }; /* PATIENCE: s */

/* ---- trying a library in a child ---- */

/* the end of a child: its result is written, or SIGALRM ends it */
static void
answer_apart(int to, const char *(*try)(void))
{
	sigset_t set;
	const char *why;

	signal(SIGALRM, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	alarm(PATIENCE);
	why = try();
	if (why != NULL && write(to, why, strlen(why)) < 0)
		_exit(1);
	_exit(0);
}

/* try(), which returns NULL or why not, in a child; true: it is there */
static bool
try_apart(const char *(*try)(void), struct text *why)
{
	char said[256];
	size_t before = why->len;
	int fds[2], status = 0;
	ssize_t n;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0) {
		text_add_str(why, strerror(errno));
		return false;
	}
	pid = fork();
	if (pid < 0)
		text_add_str(why, strerror(errno));
	if (pid == 0)
		answer_apart(fds[1], try);
	close(fds[1]);
	while ((n = read(fds[0], said, sizeof(said))) > 0)
		text_add(why, said, (size_t)n);
	close(fds[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		text_add_str(why, "its library does not return");
	else if (status != 0) /* or it called exit() */
		text_add_str(why, "its library crashes");
	return why->len == before;
}

static const char *
try_driver(void)
{
	return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != NULL
		   ? NULL
		   : "no libcuda.so.1: NVIDIA's driver is not here; its "
		     "container toolkit brings it into containers";
}

/* ---- counters ---- */

static bool
try_file(const char *path, struct text *why)
{
	char byte;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, &byte, 1) : -1;

	if (n < 0)
		text_printf(why, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return n >= 0;
}

static bool
try_gpus(struct text *t)
{
	if (try_apart(gpu_counters_missing, t))
		return true;
	if (access("/dev/nvidiactl", F_OK) == 0)
		text_add_str(t, "; a container can be given "
				"NVIDIA_DRIVER_CAPABILITIES=utility");
	return false;
}

static bool
try_cpu(struct text *t)
{
	return try_file("/proc/self/stat", t);
}

static bool
try_io(struct text *t)
{
	if (!try_file("/proc/self/io", t))
		return false;
	/* of the machine; some kernels do not count it */
	try_file("/proc/pressure/io", t);
	return true;
}

static bool
try_net(struct text *t)
{
	return try_file("/proc/net/dev", t);
}

bool
environment_counters(uint32_t sets, struct text *why)
{
	static const struct {
		uint32_t set;
		const char *name;
		bool (*try)(struct text *);
	} rows[] = {{COUNTERS_GPU, "gpu", try_gpus},
	    {COUNTERS_CPU, "cpu", try_cpu}, {COUNTERS_IO, "io", try_io},
	    {COUNTERS_NET, "net", try_net}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text t = {0};
		bool ok = !(sets & rows[i].set) || rows[i].try(&t);

		if (!ok) {
			text_printf(why, "--counters %s: %.*s", rows[i].name,
			    (int)t.len, t.p);
			text_add_char(why, '\0');
		}
		text_free(&t);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- perf_event_open ---- */

static bool
try_perf(const struct perf_wish *wish, struct text *t)
{
	struct perf_rings rings;
	int error = perf_rings_open(&rings, wish, getpid());
	int64_t paranoid;

	if (error == 0) {
		if (!rings.kernel && wish->hz > 0 &&
		    perf_reason_paranoid(&paranoid))
			text_printf(t,
			    "but not in the kernel "
			    "(kernel.perf_event_paranoid is %" PRId64 ")",
			    paranoid);
		perf_rings_close(&rings);
		return true;
	}
	perf_reason_add(t, error);
	if (error == EACCES)
		text_add_str(t, "; sysctl kernel.perf_event_paranoid=2 allows "
				"it");
	return false;
}

static bool
try_samples(struct text *t)
{
	if (try_perf(&(struct perf_wish){.hz = HZ, .stack = STACK}, t))
		return true;
	text_printf(t,
	    ": timers in the program are used, at most %" PRId64 " Hz",
	    sample_method_timer_hz());
	return false;
}

static bool
try_switches(struct text *t)
{
	if (try_perf(&(struct perf_wish){.switches = true}, t))
		return true;
	text_add_str(t, ": time on and off processors is counted");
	return false;
}

/* ---- the memory of a process ---- */

/* what kernel.yama.ptrace_scope is; '0' without Yama */
static char
yama_scope(void)
{
	char scope = '0';
	int fd =
	    open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, &scope, 1) != 1)
		scope = '0';
	if (fd >= 0)
		close(fd);
	return scope;
}

static bool
try_memory(struct text *t)
{
	int error;
	const char *failed = thread_look_try(0, &error);
	char yama = yama_scope();

	if (failed == NULL)
		return true;
	text_printf(t, "%s: %s", failed, strerror(error));
	if (yama > '1')
		text_printf(t,
		    " (kernel.yama.ptrace_scope is %c); sysctl "
		    "kernel.yama.ptrace_scope=1 allows it",
		    yama);
	else if (error == EPERM)
		text_add_str(t, " (denied by seccomp; a container can be "
				"given CAP_SYS_PTRACE)");
	return false;
}

/* ---- libraries ---- */

/* true if the agent can be loaded, and has that function */
static bool
agent_has(const char *function, struct text *t, const char *without)
{
	char path[AGENT_FILE_PATH];
	bool has;

	if (!agent_file_find(path)) {
		text_add_str(t, AGENT_FILE_NONE);
		return false;
	}
	if (!agent_file_has(path, function, &has, t))
		return false;
	if (!has)
		text_add_str(t, without);
	return has;
}

static bool
try_nvtx(struct text *t)
{
	return agent_has("InitializeInjectionNvtx2", t,
	    "TQ_CAPTURE_AGENT is not libtq-capture.so");
}

static bool
try_cuda(struct text *t)
{
	if (!agent_has("InitializeInjection", t,
		"libtq-capture.so was built without CUPTI") ||
	    !try_apart(try_driver, t))
		return false;
	text_add_str(t, "with the libcupti that the program finds");
	return true;
}

static bool
try_wrappers(const char *name, struct text *t)
{
	char agent[AGENT_FILE_PATH], path[AGENT_FILE_PRELOAD];

	if (!agent_file_find(agent)) {
		text_add_str(t, AGENT_FILE_NONE);
		return false;
	}
	return agent_file_preload(agent, name, path, t);
}

static bool
try_osrt(struct text *t)
{
	return try_wrappers(AGENT_FILE_OSRT, t);
}

static bool
try_mpi(struct text *t)
{
	if (!try_wrappers(AGENT_FILE_MPI, t))
		return false;
	text_add_str(t, "of programs that load MPICH, its kin or Open MPI");
	return true;
}

static bool
try_nccl(struct text *t)
{
	const char *other = getenv(AGENT_FILE_NCCL);

	if (!agent_has("ncclProfiler_v5", t,
		"TQ_CAPTURE_AGENT is not libtq-capture.so"))
		return false;
	if (other != NULL && *other != '\0') {
		text_printf(t, "%s is %s", AGENT_FILE_NCCL, other);
		return false;
	}
	text_add_str(t, "of programs with NCCL 2.23 or later");
	return true;
}

static bool
try_functions(struct text *t)
{
	char agent[AGENT_FILE_PATH];

	if (!agent_file_find(agent)) {
		text_add_str(t, AGENT_FILE_NONE);
		return false;
	}
	if (!python_start_try(agent, t))
		return false;
	text_add_str(t, "of CPython 3.8 to 3.13");
	return true;
}

/* ---- the lines ---- */

int
environment_print(void)
{
	static const struct {
		const char *name;
		bool (*try)(struct text *);
	} rows[] = {{"--trace cuda", try_cuda}, {"--trace nvtx", try_nvtx},
	    {"--trace osrt", try_osrt}, {"--trace python-gil", try_osrt},
	    {"--trace mpi", try_mpi}, {"--trace nccl", try_nccl},
	    {"stacks of calls that hang", try_memory},
	    {"--sample", try_samples}, {"--cpuctxsw", try_switches},
	    {"--python-sampling", try_memory},
	    {"--python-functions-trace", try_functions},
	    {"--counters gpu", try_gpus}, {"--counters cpu", try_cpu},
	    {"--counters io", try_io}, {"--counters net", try_net}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text t = {0};
		bool ok = rows[i].try(&t);

		printf("%s: %s%s%.*s\n", rows[i].name, ok ? "ok" : "no",
		    t.len == 0 ? ""
		    : ok       ? ", "
			       : ": ",
		    (int)t.len, t.len > 0 ? t.p : "");
		text_free(&t);
		/* the next one may take seconds */
		if (fflush(stdout) != 0) {
			warn("<stdout>");
			return CHILD_TROUBLE;
		}
	}
	return 0;
}
