/* capture.c - the processes under capture, from first message to end */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/array.h"

#include "agent/settings.h"
#include "agent_file.h"
#include "capture.h"
#include "drain.h"
#include "environment.h"
#include "inject.h"
#include "sample_method.h"
#include "python_start.h"

enum {
	BUFFERS = 32,   /* of CUPTI, 1 MiB each */
	FLUSH_MS = 250, /* period in which the agent flushes CUPTI */
	TICK_MIN_MS = 2,
	TICK_MAX_MS = 50,
	BUSY_BYTES = 1 << 18,  /* read in a tick: the next one is soon */
	BEHIND_MAX = 64 << 20, /* bytes that may wait for a slow reader */
	RARE_HZ = 10,          /* so few samples cost nothing */
	MODULES_MS = 500,      /* between two readings of the mappings */
	CHECK_MS = 200         /* between looks at which processes there are */
};

/* NVTX and the CUDA driver load the library that these name */
#define NVTX_VARIABLE "NVTX_INJECTION64_PATH"
#define CUDA_VARIABLE "CUDA_INJECTION64_PATH"
/* the loader of programs loads the libraries in it */
#define PRELOAD_VARIABLE "LD_PRELOAD"

static const int64_t SECOND = 1000000000;
static const int64_t COARSE = 10;   /* ns: so long a tick is worth a word */
static const int64_t NAMED = 10000; /* ns: a call whose file is looked up */
/* ns: so long an announcement of a record may take to be seen, and that is far
   more than any processor needs; in a live stream a whole record */
static const int64_t SETTLED = 100000000;

/* ---- start ---- */

/*
 * An agent that was built without cupti.h captures NVTX only.  False after a
 * message: programs can't load it; or an option names more, and --strict is on.
 */
static bool
check_agent(struct capture *c)
{
	struct capture_options *o = &c->options;
	struct text why = {0};
	bool missing = false, has;

	if (!agent_file_has(c->agent, "InitializeInjection", &has, &why) &&
	    o->on != 0) {
		warnx("%.*s", (int)why.len, why.p);
		text_free(&why);
		return false;
	}
	text_free(&why);
	if (has)
		return true;
	if (o->trace_given && (o->on & ARENA_CUDA)) {
		warnx("this agent was built without CUPTI: CUDA is not "
		      "captured");
		missing = true;
	}
	c->no_cupti = (o->on & ARENA_CUDA) != 0;
	o->on &=
	    ~(uint32_t)(ARENA_CUDA | ARENA_MEMORY | ARENA_NODES | ARENA_EVENTS |
			ARENA_PYTHON_CUDA | ARENA_CUDA_STACKS);
	return !(missing && o->strict);
}

/* libraries of wrappers, which are beside the agent */
static const struct {
	uint32_t bit; /* of arena.on: records that need it */
	const char *name, *option;
} wrappers[] = {
    {ARENA_OSRT, AGENT_FILE_OSRT, "--trace osrt"},
    {ARENA_GIL, AGENT_FILE_OSRT, "--trace python-gil"},
    {ARENA_SAMPLES, AGENT_FILE_OSRT, "--sample"},
    {ARENA_MPI, AGENT_FILE_MPI, "--trace mpi"},
};

enum { WRAPPERS = sizeof(wrappers) / sizeof(wrappers[0]) };

/* true if the path is in a list of them */
static bool
names(const struct text *paths, const char *path)
{
	return paths->len > 0 &&
	       memmem(paths->p, paths->len, path, strlen(path)) != NULL;
}

/* False after a message if the options need wrappers that can't be loaded. */
static bool
find_wrappers(struct capture *c)
{
	char path[AGENT_FILE_PRELOAD];
	struct text why = {0};
	bool ok = true;

	for (size_t i = 0; i < WRAPPERS && ok; i++) {
		if (!(c->options.on & wrappers[i].bit))
			continue;
		ok = agent_file_preload(c->agent, wrappers[i].name, path, &why);
		if (ok && !names(&c->wrappers, path))
			text_printf(&c->wrappers, ":%s", path);
		if (!ok)
			warnx("%s: %.*s", wrappers[i].option, (int)why.len,
			    why.p);
	}
	text_free(&why);
	return ok;
}

/*
 * The wrappers of the C library are of another one than the command's: they are
 * not preloaded, or it would not start.  False: they were to be there; *denied
 * as of try_python.
 */
static bool
try_wrappers(struct capture *c, struct text *denied)
{
	struct capture_options *o = &c->options;
	size_t from = denied->len;

	if (c->loader != PROGRAM_LOADER_MUSL || c->wrappers.len == 0)
		return true;
	text_printf(denied,
	    "%s: musl runs it, whose loader can't load our libraries: OS "
	    "calls, MPI and samples by timers are not recorded",
	    o->command[0]);
	text_add_char(denied, '\0');
	warnx("%s", denied->p + from);
	c->wrappers.len = 0;
	o->samples = o->samples && !(o->on & ARENA_SAMPLES);
	o->on &= ~(uint32_t)ARENA_PRELOADED;
	return !o->strict;
}

/*
 * NCCL has one profiler, and one that the user names stays.  False: its events
 * were to be recorded; *denied as of try_python.
 */
static bool
try_nccl(struct capture *c, struct text *denied)
{
	struct capture_options *o = &c->options;
	const char *other = capture_options_variable(o, AGENT_FILE_NCCL);
	size_t from = denied->len;

	if (!(o->on & ARENA_NCCL))
		return true;
	if (other != NULL && *other != '\0' && strcmp(other, c->agent) != 0)
		text_printf(denied,
		    "--trace nccl: %s is %s: NCCL is not recorded",
		    AGENT_FILE_NCCL, other);
	else if (strlen(c->agent) >= AGENT_FILE_NCCL_ROOM)
		text_printf(denied,
		    "--trace nccl: %s: too long a path for NCCL, which is not "
		    "recorded",
		    c->agent);
	else
		return true;
	text_add_char(denied, '\0');
	warnx("%s", denied->p + from);
	o->on &= ~(uint32_t)ARENA_NCCL;
	return !o->strict;
}

/*
 * False after a message if the options have functions of Python that can't be
 * annotated.
 */
static bool
find_functions(struct capture *c)
{
	struct text why = {0};
	bool ok = python_start_read(&c->functions, &c->options, c->agent, &why);

	if (!ok)
		warnx("%.*s", (int)why.len, why.p);
	text_free(&why);
	return ok;
}

/*
 * Counters may be missing in a recording that has begun, with a note in it;
 * with --strict they are tried before it begins.
 */
static bool
check_counters(const struct capture_options *o)
{
	struct text why = {0};
	bool ok = !o->strict || environment_counters(o->counters, &why);

	if (!ok)
		warnx("%s", why.p);
	text_free(&why);
	return ok;
}

/* ---- samples and context switches ---- */

/* Try to read memory, as samples of Python do; false: they were to be there.
 *denied is a note for the outputs, or empty. */
static bool
try_python(struct capture_options *o, struct text *denied)
{
	int error = o->python_samples ? python_sampler_try() : 0;

	if (error == 0)
		return true;
	text_printf(denied,
	    "--python-sampling: process_vm_readv: %s: Python is not sampled",
	    strerror(error));
	text_add_char(denied, '\0');
	warnx("%s", denied->p);
	o->python_samples = false;
	return !o->strict;
}

/* texts, each with its NUL */
static void
note_all(struct capture *c, const struct text *t)
{
	for (size_t at = 0; at < t->len; at += strlen(t->p + at) + 1)
		for (size_t i = 0; i < c->outputs.count; i++)
			out_stream_note(c->outputs.all[i], clock_now(&c->clock),
			    t->p + at, "");
}

bool
capture_open(struct capture *c)
{
	struct text denied = {0};
	bool ok;

	if (!agent_file_find(c->agent)) {
		warnx("%s", AGENT_FILE_NONE);
		return false;
	}
	ok = check_agent(c) && sample_method_choose(&c->options, &denied) &&
	     try_nccl(c, &denied) && find_wrappers(c) &&
	     try_wrappers(c, &denied) && find_functions(c) &&
	     check_counters(&c->options);
	if (!ok) {
		text_free(&denied);
		return false;
	}
	if (!clock_open(&c->clock, c->options.clock)) {
		warnx("--clock tsc: the kernel does not trust it here");
		return false;
	}
	if (clock_resolution(&c->clock) > COARSE)
		warnx("times are multiples of %" PRId64 " ns, the ticks of "
		      "the counter of this processor",
		    clock_resolution(&c->clock));
	cost_open(&c->cost, &c->clock);
	c->on = c->options.on;
	c->outputs = (struct outputs){.options = &c->options,
	    .clock = &c->clock,
	    .focus = &c->options.focus};
	focus_start(&c->options.focus);
	ok = try_python(&c->options, &denied) && outputs_open(&c->outputs);
	if (ok)
		note_all(c, &denied);
	text_free(&denied);
	return ok;
}

/* ---- the environment of the command ---- */

/* "A,B,...": see osrt_call.h */
static void
add_osrt(const struct capture *c, struct text *t)
{
	const struct capture_options *o = &c->options;
	const struct clock *clock = &c->clock;

	text_add_str(t, " osrt=");
	for (unsigned i = 0; i < OSRT_GROUPS; i++) {
		bool all = i == OSRT_GROUP_IO && o->osrt_files;

		text_printf(t, "%" PRIu64 ",",
		    o->osrt_groups & 1u << i
			? clock_ticks(clock, all ? 0 : o->osrt_ns)
			: UINT64_MAX);
	}
	text_printf(t, "%" PRIu64 ",%" PRIu64 ",", clock_ticks(clock, NAMED),
	    clock_ticks(clock, o->osrt_stack_ns));
	text_add_int(t, o->on & ARENA_STACKS ? o->osrt_stack : 0);
}

/* ticks between two readings of the mappings */
static uint64_t
modules_period(const struct capture *c)
{
	return clock_ticks(&c->clock, MODULES_MS * (SECOND / 1000));
}

/* "A,B,...": see settings.h */
static void
add_cuda(const struct capture *c, struct text *t)
{
	const struct capture_options *o = &c->options;

	text_add_str(t, " cuda=");
	for (int i = 0; i < CUDA_CLASSES; i++)
		text_printf(t, "%" PRIu64 ",",
		    o->cuda_ns[i] < 0 ? UINT64_MAX
				      : clock_ticks(&c->clock, o->cuda_ns[i]));
	text_printf(
	    t, "%" PRId64 ",%" PRIu64, o->osrt_stack, modules_period(c));
}

/*
 * Behind the command's own LD_PRELOAD.  The agent, which the wrappers need,
 * stands before them: the loader would look for it in many folders.
 */
static void
set_preload(struct capture *c)
{
	struct capture_options *o = &c->options;
	const char *old = capture_options_variable(o, PRELOAD_VARIABLE);
	struct text t = {0};

	if (old != NULL && *old != '\0')
		text_printf(&t, "%s:", old);
	text_printf(
	    &t, "%s%.*s", c->agent, (int)c->wrappers.len, c->wrappers.p);
	text_add_char(&t, '\0');
	capture_options_set(o, PRELOAD_VARIABLE, t.p);
	text_free(&t);
}

static void
name_agent(struct capture *c)
{
	struct capture_options *o = &c->options;

	capture_options_set(o, NVTX_VARIABLE, c->agent);
	if (o->on & ARENA_CUDA)
		capture_options_set(o, CUDA_VARIABLE, c->agent);
	if (o->on & ARENA_NCCL)
		capture_options_set(o, AGENT_FILE_NCCL, c->agent);
}

/* how the kinds that libraries of wrappers and callbacks see are recorded */
static void
add_kinds(const struct capture *c, struct text *t)
{
	const struct capture_options *o = &c->options;

	if (o->on & ARENA_OSRT)
		add_osrt(c, t);
	if (o->on & ARENA_CUDA_STACKS)
		add_cuda(c, t);
	if (o->on & ARENA_GIL)
		text_printf(
		    t, " gil=%" PRIu64, clock_ticks(&c->clock, o->osrt_ns));
	if (o->on & ARENA_SAMPLES)
		text_printf(t, " sample=%" PRId64 ",%" PRIu32 ",%" PRIu64,
		    SECOND / o->sample_hz,
		    o->backtrace != BACKTRACE_NONE
			? sample_method_stack(o->sample_hz)
			: 0,
		    modules_period(c));
}

/* those of every process that is captured */
static void
add_settings(
    const struct capture *c, struct text *t, const struct session_key *key)
{
	const struct capture_options *o = &c->options;

	text_printf(t,
	    "socket=%s secret=%s clock=%s on=%" PRIu32 " chunks=%" PRId64
	    " buffers=%d full=%s flush=%d",
	    key->name, key->secret, clock_name(&c->clock), c->on,
	    o->buffer / ARENA_CHUNK, o->on & ARENA_CUDA ? BUFFERS : 0,
	    o->full == FULL_BLOCK ? "block" : "drop", FLUSH_MS);
}

bool
capture_environment(struct capture *c, const struct session_key *key)
{
	struct capture_options *o = &c->options;
	struct text t = {0}, variables = {0};
	const char *chain = getenv(CUDA_VARIABLE);
	bool fits;

	outputs_variables(&variables, o->file);
	add_settings(c, &t, key);
	if (o->ranks != NULL)
		text_printf(&t, " ranks=%s", o->ranks);
	if (chain != NULL && chain[strcspn(chain, " ")] == '\0' &&
	    strcmp(chain, c->agent) != 0)
		text_printf(&t, " chain=%s", chain);
	if (variables.len > 0)
		text_printf(&t, " env=%.*s", (int)variables.len, variables.p);
	add_kinds(c, &t);
	if (c->wrappers.len > 0)
		set_preload(c);
	if (c->functions.len > 0)
		python_start_set(o, c->functions.p, c->agent);
	text_add_char(&t, '\0');
	fits = t.len <= CAPTURE_VARIABLE_MAX;
	if (!fits)
		warnx("too long for the environment: the list of --ranks, or "
		      "the variables in the name of the output");
	capture_options_set(o, CAPTURE_VARIABLE, t.p);
	name_agent(c);
	text_free(&t);
	text_free(&variables);
	return fits;
}

bool
capture_inject(struct capture *c, const struct session_key *key, pid_t pid)
{
	struct text t = {0}, why = {0};
	bool done;

	if (!(c->on & ARENA_CUDA))
		return true;
	add_settings(c, &t, key);
	text_add_char(&t, '\0');
	done = inject_agent(pid, c->agent, t.p, &why);
	if (!done)
		warnx("--attach %d: CUDA is not recorded: %.*s", (int)pid,
		    (int)why.len, why.p);
	text_free(&t);
	text_free(&why);
	return done;
}

/*
 * False after a message where nothing but samples of Python is asked for, or
 * all of it, and the memory of that process may not be read.
 */
bool
capture_may_attach(const struct capture *c, pid_t pid)
{
	const struct capture_options *o = &c->options;
	bool more = o->samples || o->switches || o->counters != 0 ||
		    (c->on & ARENA_CUDA) != 0;

	if (!o->python_samples || (more && !o->strict) ||
	    python_sampler_may_read(pid))
		return true;
	warnx("--attach %d: Python is not sampled: its memory may not be read",
	    (int)pid);
	return false;
}

/* ---- processes ---- */

/* ARENA_* bits that processes are to record now */
static uint32_t
wanted_bits(const struct capture *c)
{
	const struct focus *f = &c->options.focus;

	if (outputs_error(&c->outputs) != 0 || f->over)
		return 0;
	if (focus_wants_records(f, clock_now(&c->clock)))
		return c->on;
	/* switching CUPTI on is slow: it goes on, and the focus drops lines */
	return c->on & ~(uint32_t)(ARENA_NVTX | ARENA_NCCL | ARENA_CUDA_STACKS |
				   ARENA_PRELOADED);
}

/* at once, and not at the next tick */
static void
set_bits(const struct capture *c)
{
	uint32_t on = wanted_bits(c);

	for (size_t i = 0; i < c->count; i++) {
		struct arena *a = c->processes[i]->arena;

		if (c->processes[i]->ended)
			continue;
		atomic_store(&a->sample_every, c->sample_every);
		atomic_store(&a->on, on);
	}
}

void
capture_pause_all(struct capture *c)
{
	c->on = 0;
	set_bits(c);
}

static void
finish_process(struct capture *c, struct captured_process *p)
{
	captured_process_read_rest(p, c->agent);
	cost_report(&c->cost, p);
	captured_process_close(p);
	c->running--;
}

/* the process of this id whose arena is in use */
static struct captured_process *
find_process(struct capture *c, int pid)
{
	for (size_t i = c->count; i-- > 0;)
		if (c->processes[i]->lines.pid == pid &&
		    !c->processes[i]->ended)
			return c->processes[i];
	return NULL;
}

void
capture_refuse(struct capture *c, int pid, const char *why)
{
	struct text note = {0};

	text_printf(&note, "process %d is not captured: %s", pid, why);
	text_add_char(&note, '\0');
	warnx("%s", note.p);
	note_all(c, &note);
	text_free(&note);
	c->refused++;
}

/* of the next process */
static struct lines
lines_of(struct capture *c)
{
	return (struct lines){.clock = &c->clock,
	    .focus = &c->options.focus,
	    .domains = &c->options.domains,
	    .process = (uint32_t)c->count,
	    .open_least = c->options.osrt_files ? 0 : c->options.osrt_ns,
	    .ids = &c->ids,
	    .stacks = &c->stacks,
	    .call_stacks.any = {
		[CALL_PYTHON] = (c->on & ARENA_PYTHON_CUDA) != 0,
		[CALL_NATIVE] = (c->on & ARENA_CUDA_STACKS) != 0}};
}

void
capture_add(struct capture *c, int memfd, int connection, int pid)
{
	const struct lines lines = lines_of(c);
	struct captured_process *p, *old = find_process(c, pid);
	const char *error;

	p = captured_process_open(memfd, pid, &lines, &error);
	if (p != NULL) {
		p->lines.out = outputs_for(&c->outputs, p);
		if (p->lines.out == NULL) {
			captured_process_free(p);
			p = NULL;
			error = "no output for it";
		}
	}
	if (p == NULL) {
		capture_refuse(c, pid, error);
		close(connection);
		return;
	}
	unrecorded_processes_forget(&c->unrecorded, pid);
	if (old != NULL) /* exec made another program of it */
		finish_process(c, old);
	p->connection = connection;
	atomic_store(&p->arena->sample_every, c->sample_every);
	atomic_store(&p->arena->on, wanted_bits(c));
	*array_add(&c->processes, &c->count, &c->cap) = p;
	c->running++;
	lines_define(&p->lines);
	if (c->options.verbose)
		warnx("process %d: %s", pid,
		    p->command != NULL ? p->command : "no name");
}

static bool
is_dead(const struct captured_process *p)
{
	struct pollfd fd = {p->pidfd, POLLIN, 0};

	/* no pidfd: it is gone already, or the kernel has none */
	if (p->pidfd < 0)
		return kill(p->lines.pid, 0) != 0 && errno == ESRCH;
	return poll(&fd, 1, 0) > 0;
}

void
capture_prepare(struct capture *c, pid_t pid)
{
	const struct capture_options *o = &c->options;
	struct perf_wish wish = sample_method_wish(o);
	int error;

	if (wish.hz == 0 && !wish.switches)
		return;
	error = sampler_start(&c->sampler, &wish, &c->outputs, &c->stacks, pid);
	if (error == 0)
		return;
	/* it was allowed when it was tried */
	warnx("perf_event_open: %s", strerror(error));
	for (size_t i = 0; i < c->outputs.count; i++)
		out_stream_note(c->outputs.all[i], clock_now(&c->clock),
		    "perf_event_open:", strerror(error));
}

void
capture_watch(struct capture *c, pid_t pid)
{
	const struct capture_options *o = &c->options;

	c->root = pid;
	c->blocked.to = &c->outputs;
	c->blocked.stacks = &c->stacks;
	c->blocked.callers = o->backtrace != BACKTRACE_NONE;
	if (o->counters != 0)
		c->counters.from = counter_thread_start(
		    o->counters, o->counter_hz, &c->clock, pid);
	if (o->python_samples)
		python_sampler_start(
		    &c->python, o->python_hz, pid, &c->outputs, &c->stacks);
}

/* where the kernel records no context switches, waits are looked for */
static bool
polls_waits(const struct capture *c)
{
	return c->options.blocked && !c->options.switches && c->root != 0;
}

/* processes that run without a library that is preloaded are named */
static bool
names_unloaded(const struct capture *c)
{
	return (c->options.on & ARENA_PRELOADED) && c->root != 0;
}

/* ms between looks at which processes there are: early ones may be short */
static int
check_period(int64_t now)
{
	return now < SECOND ? CHECK_MS / 10 : CHECK_MS;
}

static void
check_processes(struct capture *c, int64_t now)
{
	struct unloaded_processes *u = &c->unloaded;
	struct text said = {0};

	if (!(polls_waits(c) || names_unloaded(c)) ||
	    (c->checked != 0 &&
		now - c->checked < check_period(now) * (SECOND / 1000)))
		return;
	c->checked = now;
	process_tree_read(&c->tree, c->root);
	if (!names_unloaded(c))
		return;
	u->timers = (c->options.on & ARENA_SAMPLES) != 0;
	u->library = (c->options.on & ARENA_PRELOADED) == ARENA_MPI
			 ? AGENT_FILE_MPI
			 : AGENT_FILE_OSRT;
	for (size_t i = 0; i < c->tree.count; i++)
		unloaded_processes_look(u, c->tree.pids[i],
		    find_process(c, c->tree.pids[i]) != NULL, now, &said);
	for (size_t at = 0; at < said.len; at += strlen(said.p + at) + 1)
		warnx("%s", said.p + at);
	note_all(c, &said);
	text_free(&said);
}

static void
poll_blocked(struct capture *c)
{
	if (polls_waits(c))
		blocked_poll_look(
		    &c->blocked, &c->tree, c->processes, c->count);
}

/* returns as counter_lines_write */
static int64_t
write_counters(struct capture *c)
{
	return counter_lines_write(
	    &c->counters, &c->outputs, &c->ids, c->processes, c->count);
}

/* ---- the work of a tick ---- */

/* ns: of all processes, every record from before it was read */
static int64_t
settled_until(const struct capture *c)
{
	int64_t until = c->heard;

	for (size_t i = 0; i < c->count; i++) {
		const struct captured_process *p = c->processes[i];
		int64_t read;

		if (p->ended)
			continue;
		read = p->lines.out->live ? p->read_until : p->complete_until;
		if (read < until)
			until = read;
	}
	return until - SETTLED;
}

/* ns: no event from before it can still come, so that lines may go out */
static int64_t
ordered_until(const struct capture *c, int64_t until)
{
	/* a process may connect when its first long call is over; so calls of
	   the C library, and holds of the lock of Python, are not announced */
	if ((c->options.on & (ARENA_OSRT | ARENA_GIL)) &&
	    !outputs_are_live(&c->outputs))
		return 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct captured_process *p = c->processes[i];
		int64_t oldest;

		if (p->ended || p->lines.out->live)
			continue;
		/* CUPTI delivers calls and kernels when they are over, or later
		 */
		oldest = p->arena->cupti != 0
			     ? clock_ns(&c->clock, p->start)
			     : nvtx_lines_oldest(&p->lines.annotations);
		if (oldest < until)
			until = oldest;
		if (p->announced.call < until)
			until = p->announced.call;
		oldest = nccl_lines_oldest(&p->lines);
		if (oldest < until)
			until = oldest;
	}
	return until;
}

/* false: they are rare already */
static bool
halve_samples(struct capture *c)
{
	int64_t hz = c->options.sample_hz, most = sample_method_timer_hz();
	int64_t every = c->sample_every > 0 ? c->sample_every : 1;

	if (hz > every * most)
		every = (hz + most - 1) / most;
	if (hz / every <= RARE_HZ)
		return false;
	c->sample_every = (uint32_t)every * 2;
	return true;
}

/* record less if the last ns nanoseconds cost more than allowed */
static void
limit_cost(struct capture *c, int64_t ns)
{
	double spent = 0, share;
	const char *what, *less = "no more";
	struct text note = {0};
	uint32_t bits;

	for (size_t i = 0; i < c->count; i++)
		spent += cost_total(&c->cost, c->processes[i]);
	share = (spent - c->spent) / (double)ns * 100;
	c->spent = spent;
	if (c->options.max_overhead == 0 || share <= c->options.max_overhead ||
	    (bits = cost_shed(c->on, &what)) == 0)
		return;
	if (bits == ARENA_SAMPLES && halve_samples(c))
		less = "half as many";
	else
		c->on &= ~bits;
	set_bits(c);
	warnx(
	    "the capture takes %.1f %% of the time: %s %s", share, less, what);
	text_printf(
	    &note, "the capture costs more than --max-overhead; %s", less);
	text_add_char(&note, '\0');
	for (size_t i = 0; i < c->outputs.count; i++)
		out_stream_note(
		    c->outputs.all[i], clock_now(&c->clock), note.p, what);
	text_free(&note);
}

/* of processes without records, which have no output of their own */
static void
look_at_silent(struct capture *c, bool at_once)
{
	struct lines lines = lines_of(c);

	if (c->root == 0 || c->options.split)
		return;
	lines.process = 0;
	lines.out = c->outputs.all[0];
	process_tree_read(&c->tree, c->root);
	for (size_t i = 0; i < c->tree.count; i++)
		if (find_process(c, c->tree.pids[i]) == NULL)
			unrecorded_processes_look(
			    &c->unrecorded, c->tree.pids[i], &lines, at_once);
	unrecorded_processes_end(&c->unrecorded);
}

static void
look(struct capture *c, bool at_once)
{
	bool all = (c->options.on & ARENA_OSRT) != 0;

	if (!all && !(c->options.on & ARENA_CUDA))
		return;
	for (size_t i = 0; i < c->count; i++)
		if (!c->processes[i]->ended)
			open_calls_look(&c->processes[i]->lines,
			    c->processes[i]->arena, all, at_once);
	if (all)
		look_at_silent(c, at_once);
}

void
capture_look(struct capture *c)
{
	look(c, true);
}

/* look, and write the calls that are open as they are now */
static void
write_open_calls(struct capture *c)
{
	capture_look(c);
	if (!(c->options.on & ARENA_OSRT))
		return;
	for (size_t i = 0; i < c->count; i++)
		if (!c->processes[i]->ended)
			open_calls_write(&c->processes[i]->lines, false);
	unrecorded_processes_write(&c->unrecorded);
}

/* lines of events of programs that have begun and go on */
static void
write_begun(struct capture *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct lines *l = &c->processes[i]->lines;

		if (c->processes[i]->ended)
			continue;
		nvtx_lines_open(l);
		gil_lines_open(l);
		mpi_lines_open(l);
		nccl_lines_open(l);
	}
}

static void
write_due_dump(struct capture *c)
{
	if (!dumps_due(c))
		return;
	write_begun(c);
	write_open_calls(c);
	dumps_write(c);
}

/* The recording ends before the program: write the calls that are open now. */
static void
end_focus(struct capture *c)
{
	if (c->options.focus.over && !c->is_over)
		write_open_calls(c);
	c->is_over = c->options.focus.over;
}

static void
each_second(struct capture *c)
{
	int64_t now = clock_now(&c->clock);

	if (now - c->second < SECOND)
		return;
	limit_cost(c, now - c->second);
	c->second = now;
	clock_adjust(&c->clock);
	python_sampler_report(&c->python);
	if (wanted_bits(c) != 0)
		look(c, false);
	for (size_t i = 0; i < c->count; i++)
		if (!c->processes[i]->ended)
			captured_process_report_losses(c->processes[i]);
	outputs_flush(&c->outputs);
	if (c->options.keep > 0)
		outputs_forget(&c->outputs, now - c->options.keep);
}

/* the focus has decided about the lines until now, and they go out */
static void
settle(struct capture *c, bool behind)
{
	int64_t settled = sampler_write(&c->sampler, c->processes, c->count);
	int64_t python =
	    python_sampler_write(&c->python, c->processes, c->count);
	int64_t counters = write_counters(c);

	if (python < settled)
		settled = python;
	/* a library may take long, and live streams wait for none */
	if (counters < settled && !outputs_are_live(&c->outputs))
		settled = counters;
	if (settled > settled_until(c))
		settled = settled_until(c);
	focus_settle(&c->options.focus, settled);
	if (!behind)
		outputs_release(&c->outputs, ordered_until(c, settled));
}

/* ms until the next tick, after one that read so many bytes */
static int
pause_of(const struct capture *c, bool busy, size_t bytes)
{
	if (c->sampler.thread != NULL || c->python.thread != NULL)
		return TICK_MIN_MS * 5;
	/* the end of a range, of a process that has ended, may shut down */
	if (c->running == 0 && c->options.focus.waiting_count == 0)
		return polls_waits(c) || (c->options.on & ARENA_SAMPLES)
			   ? BLOCKED_POLL_MS
		       : names_unloaded(c) ? check_period(clock_now(&c->clock))
					   : 1000;
	return busy || bytes > BUSY_BYTES ? TICK_MIN_MS
	       : bytes > 0                ? TICK_MIN_MS * 5
					  : TICK_MAX_MS;
}

int
capture_tick(struct capture *c)
{
	bool behind = outputs_behind(&c->outputs) > BEHIND_MAX;
	uint32_t on = wanted_bits(c);
	size_t bytes = 0;
	bool waiting = false, busy = false;
	int pause;

	for (size_t i = 0; i < c->count; i++) {
		struct captured_process *p = c->processes[i];
		size_t n = 0;
		bool dead;

		if (p->ended)
			continue;
		dead = is_dead(p);
		if (atomic_load(&p->arena->on) != on)
			atomic_store(&p->arena->on, on);
		waiting |= atomic_load(&p->arena->waiting) > 0 && !behind;
		if (dead)
			finish_process(c, p);
		else if (!behind || c->options.full == FULL_SPILL)
			n = drain_target(p, c->options.full == FULL_SPILL);
		/* a small arena is soon full */
		busy |= n > p->chunks * (ARENA_CHUNK / 4);
		bytes += n;
	}
	check_processes(c, clock_now(&c->clock));
	poll_blocked(c);
	settle(c, behind);
	end_focus(c);
	each_second(c);
	write_due_dump(c);
	pause = dumps_reply(c, pause_of(c, busy, bytes));
	return waiting ? 0 : pause;
}

bool
capture_set(struct capture *c, bool on)
{
	if (!on && focus_wants(&c->options.focus, clock_now(&c->clock)))
		write_open_calls(c);
	if (!focus_set(&c->options.focus, clock_now(&c->clock), on))
		return false;
	set_bits(c);
	return true;
}

void
capture_status(const struct capture *c, struct text *t)
{
	const struct focus *f = &c->options.focus;
	int64_t events = 0, lost = 0;

	for (size_t i = 0; i < c->count; i++) {
		for (int k = 0; k < COUNTS; k++)
			events += c->processes[i]->lines.counts[k];
		for (int k = 0; k < LOSSES; k++)
			lost += c->processes[i]->lost[k];
	}
	text_printf(t,
	    "%s, %zu processes running of %zu, %" PRId64
	    " events recorded, %" PRId64 " lost\n",
	    f->over                                ? "over"
	    : focus_wants(f, clock_now(&c->clock)) ? "on"
						   : "waiting",
	    c->running, c->count, events, lost);
}

static void
warn_of_homeless(int64_t count)
{
	if (count > 0)
		warnx("%" PRId64 " samples and switches are of processes that "
		      "have no file",
		    count);
}

bool
capture_finish(struct capture *c)
{
	bool ok;

	capture_look(c);
	unrecorded_processes_write(&c->unrecorded);
	for (size_t i = 0; i < c->count; i++) {
		struct captured_process *p = c->processes[i];

		if (p->ended)
			continue;
		/* a process that goes on is to record nothing */
		atomic_store(&p->arena->on, 0);
		finish_process(c, p);
	}
	if (c->counters.from != NULL)
		counter_thread_stop(c->counters.from);
	(void)write_counters(c);
	sampler_stop(&c->sampler);
	sampler_write(&c->sampler, c->processes, c->count);
	python_sampler_stop(&c->python);
	python_sampler_write(&c->python, c->processes, c->count);
	python_sampler_report(&c->python);
	warn_of_homeless(sampler_homeless(&c->sampler) + c->python.homeless +
			 c->blocked.homeless);
	focus_settle(&c->options.focus, INT64_MAX);
	ok = outputs_close(&c->outputs);
	dumps_finish(c);
	return ok;
}

bool
capture_is_empty(const struct capture *c)
{
	int64_t events = 0;

	for (size_t i = 0; i < c->outputs.count; i++)
		events +=
		    c->outputs.all[i]->events - c->outputs.all[i]->outside;
	return events == 0;
}

void
capture_free(struct capture *c)
{
	for (size_t i = 0; i < c->count; i++)
		captured_process_free(c->processes[i]);
	free(c->processes);
	counter_lines_free(&c->counters);
	sampler_free(&c->sampler);
	python_sampler_free(&c->python);
	process_tree_free(&c->tree);
	unrecorded_processes_free(&c->unrecorded);
	unloaded_processes_free(&c->unloaded);
	blocked_poll_free(&c->blocked);
	stack_lines_free(&c->stacks);
	outputs_free(&c->outputs);
	map_free(&c->ids.symbol_ids);
	focus_free(&c->options.focus);
	capture_options_free(&c->options);
	clock_close(&c->clock);
	text_free(&c->wrappers);
	text_free(&c->functions);
}
