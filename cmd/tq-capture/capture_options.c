/* capture_options.c - the command line of tq-capture */

#include <ctype.h>
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/base/units.h"
#include "tq/io/opts.h"

#include "arena/arena.h"
#include "capture_options.h"
#include "counters/counter_thread.h"
#include "launcher/child.h"

/* ---- values ---- */

/* true if nsys has that word, and tq-capture does not record it */
static bool
is_not_traced(const char *word)
{
	static const char *const words[] = {
#define NSYS_TRACE(w) w,
#include "nsys.def"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

#define TRACES "cuda|nvtx|osrt|python-gil|mpi|nccl|none"

static void
take_traces(void *options, const char *value)
{
	static const uint32_t traces[] = {ARENA_CUDA, ARENA_NVTX, ARENA_OSRT,
	    ARENA_GIL, ARENA_MPI, ARENA_NCCL, 0, ARENA_CUDA, ARENA_CUDA};
	struct capture_options *o = options;
	char *copy = mem_copy(value, strlen(value)), *rest = copy, *word;

	o->trace_given = true;
	o->on = 0;
	o->osrt_groups = 0;
	while ((word = strsep(&rest, ",")) != NULL) {
		char *groups = strchr(word, '=');
		int i;

		if (groups != NULL && strncmp(word, "osrt=", 5) == 0) {
			*groups = '\0';
			o->osrt_groups |= opts_bits(CHILD_TROUBLE, "trace",
			    span_of(groups + 1), '+',
			    "io|net|wait|lock|process|meta");
		} else if (strcmp(word, "osrt") == 0) {
			o->osrt_groups = (1u << OSRT_GROUPS) - 1;
		}
		i = opts_word(TRACES "|cuda-sw|cuda-hw", word);
		if (i < 0 && is_not_traced(word)) {
			if (o->not_traced.len > 0)
				text_add_char(&o->not_traced, ',');
			text_add_str(&o->not_traced, word);
			continue;
		}
		if (i < 0)
			opts_refuse_word(
			    CHILD_TROUBLE, "trace", span_of(word), TRACES);
		o->on |= traces[i];
	}
	free(copy);
}

static const char *
parse_end(void *options, const char *value)
{
	struct capture_options *o = options;
	struct focus *f = &o->focus;
	int end = opts_word("none|stop|stop-shutdown|repeat", value);
	const char *times;
	char *rest;

	o->end_given = true;
	if (end >= 0) {
		f->end = (enum focus_end)end;
		return NULL;
	}
	f->shutdown_last = strncmp(value, "repeat-shutdown:", 16) == 0;
	if (!f->shutdown_last && strncmp(value, "repeat:", 7) != 0)
		return "expected none, stop, stop-shutdown, repeat, repeat:N "
		       "or repeat-shutdown:N";
	f->end = FOCUS_END_REPEAT;
	times = strchr(value, ':') + 1;
	f->repeats = strtoll(times, &rest, 10);
	return isdigit((unsigned char)*times) && *rest == '\0' && f->repeats > 0
		   ? NULL
		   : "expected a number from 1 behind the ':'";
}

static const char *
parse_range(void *range, const char *value)
{
	size_t at;

	range_spec_free(range);
	return range_spec_parse(range, value, &at);
}

/* "gpu,cpu:20": sets, and how often a second they are read */
static const char *
parse_counters(void *options, const char *value)
{
	enum { HZ_MAX = 1000 };
	struct capture_options *o = options;
	size_t n = strcspn(value, ":");
	char *end;

	o->counters = opts_bits(CHILD_TROUBLE, "counters",
	    (struct span){value, n}, ',', COUNTERS_WORDS);
	if (value[n] == '\0')
		return NULL;
	o->counter_hz = strtoll(value + n + 1, &end, 10);
	return isdigit((unsigned char)value[n + 1]) && *end == '\0' &&
		       o->counter_hz >= 1 && o->counter_hz <= HZ_MAX
		   ? NULL
		   : "expected a number from 1 to 1000 behind the ':'";
}

/* "system-wide", and "cpu" of --sample, are of nsys */
static const char *
parse_sampling(void *samples, const char *value)
{
	int i = opts_word("none|process-tree|cpu|system-wide", value);

	*(bool *)samples = i > 0;
	if (i == 3)
		return "only the command and its descendants are sampled";
	return i < 0 ? "expected none or process-tree" : NULL;
}

static const char *
parse_switches(void *switches, const char *value)
{
	int i = opts_word("none|process-tree|system-wide", value);

	*(bool *)switches = i > 0;
	if (i == 2)
		return "only the command and its descendants are recorded";
	return i < 0 ? "expected none or process-tree" : NULL;
}

/* auto: what works without frame pointers, where it works */
static const char *
parse_backtrace(void *how, const char *value)
{
#ifdef __x86_64__
	const enum backtrace best = BACKTRACE_DWARF;
#else
	const enum backtrace best = BACKTRACE_FP;
#endif
	int i = opts_word("dwarf|fp|none|auto|lbr", value);

	if (i < 0)
		return "expected auto, dwarf, fp or none";
	if (i == 4)
		warnx("--backtrace lbr: taken as auto");
	if (i == BACKTRACE_DWARF && best != BACKTRACE_DWARF)
		warnx("--backtrace dwarf: only on x86-64: taken as fp");
	*(enum backtrace *)how =
	    i < 3 && i != BACKTRACE_DWARF ? (enum backtrace)i : best;
	return NULL;
}

/* "kernel,sync:5000": calls of CUDA with a native stack */
static const char *
parse_cuda_stacks(void *thresholds, const char *value)
{
	static const char words[] = CUDA_CLASS_WORDS "|all|none";
	const int64_t usual = 1000;
	int64_t *all = thresholds, ns;
	char *copy = mem_copy(value, strlen(value)), *rest = copy, *word;
	const char *bad = NULL;

	for (int i = 0; i < CUDA_CLASSES; i++)
		all[i] = -1;
	while (bad == NULL && (word = strsep(&rest, ",")) != NULL) {
		char *colon = strchr(word, ':');
		unsigned classes;

		ns = usual;
		if (colon != NULL) {
			bad = units_option_time_in(colon + 1, "ns", &ns);
			*colon = '\0';
		}
		classes = opts_bits(
		    CHILD_TROUBLE, "cudabacktrace", span_of(word), ',', words);
		for (int i = 0; i < CUDA_CLASSES; i++)
			if (classes & (1u << i | 1u << CUDA_CLASSES))
				all[i] = ns;
	}
	free(copy);
	return bad != NULL || ns >= 0 ? bad : "a duration is not negative";
}

static const char *
parse_hotkey(void *key, const char *value)
{
	const char **k = key;

	*k = value != NULL ? value : "c";
	return strlen(*k) == 1 ? NULL : "expected one key";
}

/* "graph", "node", and with nsys more behind a ':' */
static void
take_graph_trace(void *options, const char *value)
{
	struct capture_options *o = options;
	struct span how = {value, strcspn(value, ":")};

	o->graph_nodes = span_eq(how, SPAN("node"));
	if (!o->graph_nodes && !span_eq(how, SPAN("graph")))
		opts_refuse_word(
		    CHILD_TROUBLE, "cuda-graph-trace", how, "graph|node");
}

static void
add_domains(struct domain_choice *d, const char *value, bool exclude)
{
	if (d->count > 0 && d->exclude != exclude)
		errx(CHILD_TROUBLE, "--nvtx-domain-include and "
				    "--nvtx-domain-exclude exclude each other");
	d->exclude = exclude;
	domain_choice_add(d, value);
}

static void
take_domains(void *domains, const char *value)
{
	add_domains(domains, value, false);
}

static void
take_domains_out(void *domains, const char *value)
{
	add_domains(domains, value, true);
}

static const char *
parse_kill(void *options, const char *value)
{
	static const int signals[] = {0, SIGTERM, SIGKILL};
	struct capture_options *o = options;
	int i = opts_word("none|sigterm|sigkill", value);
	char *end;
	long number = strtol(value, &end, 10);

	o->kill_given = true;
	o->kill = i >= 0 ? signals[i] : (int)number;
	return i >= 0 || (isdigit((unsigned char)*value) && *end == '\0' &&
			     number <= SIGRTMAX)
		   ? NULL
		   : "expected none, sigterm, sigkill or the number of a "
		     "signal";
}

void
capture_options_set(
    struct capture_options *o, const char *name, const char *value)
{
	if (setenv(name, value, 1) != 0)
		err(CHILD_TROUBLE, "%s", name);
	o->variables = mem_resize(
	    o->variables, o->variables_count + 2, sizeof(*o->variables));
	o->variables[o->variables_count++] = mem_copy(name, strlen(name));
	o->variables[o->variables_count] = NULL;
}

const char *
capture_options_variable(const struct capture_options *o, const char *name)
{
	bool given = !o->clean_environment;

	for (size_t i = 0; i < o->variables_count; i++)
		given |= strcmp(o->variables[i], name) == 0;
	return given ? getenv(name) : NULL;
}

void
capture_options_free(struct capture_options *o)
{
	for (size_t i = 0; i < o->variables_count; i++)
		free(o->variables[i]);
	free(o->variables);
	text_free(&o->not_traced);
	domain_choice_free(&o->domains);
}

static void
set_variable(struct capture_options *o, const char *text, size_t len)
{
	char *name = mem_copy(text, len), *equals = strchr(name, '=');

	*equals = '\0';
	capture_options_set(o, name, equals + 1);
	free(name);
}

/* A=1,B=2; a part without '=' belongs to the value before it: A=1,2 */
static const char *
parse_variables(void *options, const char *value)
{
	size_t len, next;

	for (const char *at = value;; at += len + 1) {
		len = strcspn(at, ",");
		if (*at == '=' || memchr(at, '=', len) == NULL)
			return "expected NAME=VALUE";
		while (at[len] == ',') {
			next = strcspn(at + len + 1, ",");
			if (memchr(at + len + 1, '=', next) != NULL)
				break;
			len += 1 + next;
		}
		set_variable(options, at, len);
		if (at[len] == '\0')
			return NULL;
	}
}

/* ---- the options ---- */

#define OPT_STRUCT struct capture_options
static const struct opt options[] = {
    {'b', "backtrace", "HOW",
	"how stacks of samples are found: auto\n"
	"(default), dwarf, fp, none",
	OPT_PARSE(backtrace, parse_backtrace)},
    {'c', "capture-range", "WHAT",
	"what starts and stops the capture: none\n"
	"(default), cudaProfilerApi, nvtx, signal",
	OPT_WORD(focus.trigger, "none|cudaProfilerApi|nvtx|signal")},
    {'d', "duration", "TIME", "stop TIME after the start of the capture",
	OPT_DURATION_IN(focus.duration, 1, "s")},
    {'e', "env-var", "LIST", "set variables of the command: A=1,B=2",
	.how = OPT_PARSER, .parse = parse_variables},
    {'f', "force-overwrite", "BOOL", "replace FILE: true (default), false",
	OPT_WORD(keep_existing, "true|false")},
    {OPT_HELP},
    {'n', "inherit-environment", "BOOL",
	"the command inherits all variables: true\n"
	"(default); false: only those of -e",
	OPT_WORD(clean_environment, "true|false")},
    {'o', "output", "FILE",
	"write to FILE, on a terminal to a new one;\n"
	"%p %h %q{ENV} %{rank} stand for process,\n"
	"host, variable, rank",
	OPT_TEXT(file)},
    {'p', "nvtx-capture", "RANGE", "capture while RANGE is open: NAME[@DOMAIN]",
	OPT_PARSE(focus.range, parse_range)},
    {OPT_QUIET},
    {'s', "sample", "WHOM",
	"sample what runs on processors: none\n"
	"(default), process-tree",
	OPT_PARSE(samples, parse_sampling)},
    {'t', "trace", "LIST",
	"trace cuda, nvtx (default: both), osrt,\n"
	"python-gil, mpi, nccl or none; osrt=io+net+\n"
	"wait+lock+process+meta: only such OS calls",
	OPT_CALL(take_traces)},
    {OPT_VERBOSE("print each process that is captured")},
    {OPT_VERSION},
    {'w', "show-output", "BOOL",
	"show what the command prints: true\n"
	"(default), false",
	OPT_WORD(hide_output, "true|false")},
    {'y', "delay", "TIME", "start TIME after the command",
	OPT_DURATION_IN(focus.delay, 0, "s")},
    {OPT_ZSTD},
    {0, "attach", "PID",
	"look at a process that runs: samples,\n"
	"context switches, counters; -t cuda",
	OPT_COUNT(attach, 1, INT32_MAX), .synopsis = OPT_ELSEWHERE},
    {0, "buffer", "SIZE", "memory for records of a process (64MiB)",
	OPT_SIZE(
	    buffer, 4 * ARENA_CHUNK, (int64_t)ARENA_CHUNKS_MAX *ARENA_CHUNK)},
    {0, "capture-range-end", "WHAT",
	"none, stop, stop-shutdown, repeat[:N],\n"
	"repeat-shutdown:N",
	.how = OPT_PARSER, .parse = parse_end},
    {0, "clock", "CLOCK", "auto (default), tsc, monotonic",
	OPT_WORD(clock, "auto|tsc|monotonic")},
    {0, "counters", "LIST",
	"read counters of gpu, cpu, io, net, 10 times a\n"
	"second; LIST:HZ sets how often",
	.how = OPT_PARSER, .parse = parse_counters},
    {0, "cpuctxsw", "WHOM",
	"record context switches: none (default),\n"
	"process-tree",
	OPT_PARSE(switches, parse_switches)},
    {0, "cuda-events", NULL, "also record CUDA events on the device",
	OPT_SET(cuda_events, true)},
    {0, "cuda-graph", "HOW",
	"record graphs as a whole: graph (default);\n"
	"or each of their nodes: node",
	OPT_WORD(graph_nodes, "graph|node")},
    {0, "cuda-memory", NULL, "also record CUDA allocations and frees",
	OPT_SET(cuda_memory, true)},
    {0, "cuda-nested", NULL, "also record driver calls of the runtime",
	OPT_SET(keep_nested, true)},
    {0, "cudabacktrace", "LIST",
	"native stacks of calls of CUDA: kernel, memory,\n"
	"sync, other, each with :NS, all, or none\n"
	"(default)",
	OPT_PARSE(cuda_ns, parse_cuda_stacks)},
    {0, "environment", NULL, "with status: what can be recorded here",
	OPT_SET(environment, true), .synopsis = OPT_ELSEWHERE},
    {0, "hotkey", "[=KEY]", "KEY (c) on the terminal starts and stops",
	OPT_PARSE(key, parse_hotkey)},
    {0, "keep", "TIME",
	"keep the last TIME in memory, and write it\n"
	"when it is asked for and at the end",
	OPT_DURATION_IN(keep, 1, "s")},
    {0, "kill", "SIGNAL",
	"end the command when the capture ends:\n"
	"none, sigterm, sigkill, or a number",
	.how = OPT_PARSER, .parse = parse_kill},
    {0, "live", NULL, "write each event at once, not in order",
	OPT_SET(live, true)},
    {0, "max-overhead", "PCT", "record less if the overhead exceeds PCT",
	OPT_PERCENT(max_overhead, 1, INT64_MAX)},
    {0, "nvtx-domain-exclude", "NAMES",
	"do not record NVTX of these domains: a,b",
	OPT_TAKE(domains, take_domains_out)},
    {0, "nvtx-domain-include", "NAMES",
	"record NVTX of these domains only: a,b",
	OPT_TAKE(domains, take_domains)},
    {0, "on-full", "WHAT", "drop (default), block, spill",
	OPT_WORD(full, "drop|block|spill")},
    {0, "osrt-backtrace-stack-size", "SIZE",
	"bytes of stack of an OS call (8192)",
	OPT_SIZE(osrt_stack, 256, 32768)},
    {0, "osrt-backtrace-threshold", "NS",
	"OS calls of NS ns have a stack\n(80000; 0: none)",
	OPT_DURATION_IN(osrt_stack_ns, 0, "ns")},
    {0, "osrt-file-access", "BOOL",
	"record all OS calls of files: false (default),\n"
	"true",
	OPT_WORD(osrt_files, "false|true")},
    {0, "osrt-threshold", "NS", "record OS calls of NS ns or more (1000)",
	OPT_DURATION_IN(osrt_ns, 0, "ns")},
    {0, "python-backtrace", "LIST",
	"Python stacks of cuda, nvtx, osrt or none\n"
	"(default)",
	OPT_LIST(python, "nvtx|osrt|cuda|none")},
    {0, "python-functions-trace", "FILE",
	"ranges of calls of the Python\n"
	"functions that FILE (JSON) names",
	OPT_TEXT(functions)},
    {0, "python-sampling", "BOOL",
	"sample Python stacks of all threads: false\n"
	"(default), true",
	OPT_WORD(python_samples, "false|true")},
    {0, "python-sampling-frequency", "HZ", "samples a second and thread (1000)",
	OPT_COUNT(python_hz, 1, 2000)},
    {0, "pytorch", "LIST",
	"ranges of PyTorch: autograd-nvtx,\n"
	"autograd-shapes-nvtx, functions-trace,\n"
	"functions-trace-shapes or none (default)",
	OPT_LIST(pytorch, PYTORCH_WORDS "|none")},
    {0, "ranks", "LIST", "capture only processes of these ranks",
	OPT_NUMBERS(ranks)},
    {0, "registered-only", NULL, "-p matches registered strings only",
	OPT_SET(focus.registered_only, true)},
    {0, "require-range", NULL, "exit 125 if RANGE never began",
	OPT_SET(require_range, true)},
    {0, "sampling-frequency", "HZ", "samples a second and processor (1000)",
	OPT_COUNT(sample_hz, 100, 8000)},
    {0, "session", "NAME", "tq-capture start and stop take NAME",
	OPT_TEXT(session)},
    {0, "split", NULL, "write a file per process, named by -o",
	OPT_SET(split, true)},
    {0, "strict", NULL, "exit 125 if something is not recorded",
	OPT_SET(strict, true)},
    {0, "wait", "WHOM",
	"end with all processes (default), or with\n"
	"the primary process",
	OPT_WORD(wait_for_primary, "all|primary")},
    /* of nsys; not in --help */
    {0, "cuda-event-trace", "BOOL", NULL, OPT_WORD(cuda_events, "false|true")},
    {0, "cuda-graph-trace", "HOW", NULL, OPT_CALL(take_graph_trace)},
    {0, "cuda-memory-usage", "BOOL", NULL, OPT_WORD(cuda_memory, "false|true")},
    {0, "session-new", "NAME", NULL, OPT_TEXT(session)},
#define NSYS(ID, letter, name, harmless, instead) \
	{letter, name, "VALUE", NULL, OPT_TEXT(nsys[NSYS_##ID])},
#include "nsys.def"
    {0},
};

static const struct opts opts = {
    .tool = "tq-capture",
    .operands = "[--] COMMAND [ARGUMENT ...]",
    .forms = {"--attach PID [OPTION ...]",
	"start|stop|dump|status --session NAME", "status --environment"},
    .all = options,
    .column = 28,
    .status = CHILD_TROUBLE,
    .command = true,
};

/* ranges end as with nsys; times and signals only stop */
static enum focus_end
usual_end(const struct focus *f)
{
	if (f->recorder)
		return FOCUS_END_NONE;
	return f->trigger == FOCUS_NVTX || f->trigger == FOCUS_PROFILER
		   ? FOCUS_END_SHUTDOWN
		   : FOCUS_END_STOP;
}

/* refuse options that contradict each other, and complete the others */
static void
check_options(struct capture_options *o)
{
	struct focus *f = &o->focus;
	bool range_given = f->range.name != NULL;

	if (range_given && f->trigger == FOCUS_ALWAYS)
		f->trigger = FOCUS_NVTX;
	if (f->trigger == FOCUS_NVTX && !range_given)
		errx(
		    CHILD_TROUBLE, "--capture-range nvtx needs --nvtx-capture");
	if (range_given && f->trigger != FOCUS_NVTX)
		errx(
		    CHILD_TROUBLE, "--nvtx-capture needs --capture-range nvtx");
	if (o->keep > 0 && f->trigger == FOCUS_SIGNAL)
		errx(CHILD_TROUBLE, "--keep and --capture-range signal exclude "
				    "each other: SIGUSR1 asks for a dump");
	f->recorder = o->keep > 0;
	if (!o->end_given)
		f->end = usual_end(f);
	if (o->kill_given && !o->end_given)
		f->end = FOCUS_END_SHUTDOWN;
	if (o->split && o->file == NULL)
		errx(CHILD_TROUBLE, "--split needs --output");
}

/* kinds of records of an agent that is loaded late */
static const uint32_t ATTACHED =
    ARENA_CUDA | ARENA_MEMORY | ARENA_NODES | ARENA_EVENTS;

/* settings for a process that runs already */
static void
check_attached(struct capture_options *o)
{
	if (*o->command != NULL)
		errx(CHILD_TROUBLE,
		    "--attach: a command is not started as well: %s",
		    *o->command);
	if (o->trace_given && (o->on & ~ATTACHED) != 0)
		errx(CHILD_TROUBLE,
		    "--attach: NVTX, OS calls, the GIL, MPI and NCCL are "
		    "recorded only of a command that tq-capture starts");
	if (!o->trace_given)
		o->on &= ~ATTACHED;
	if (o->functions != NULL || o->pytorch != 0 ||
	    (o->on & ARENA_CUDA_STACKS))
		errx(CHILD_TROUBLE,
		    "--attach: functions of Python and stacks of calls of CUDA "
		    "are recorded only of a command that tq-capture starts");
	if (o->focus.trigger == FOCUS_NVTX ||
	    o->focus.trigger == FOCUS_PROFILER)
		errx(CHILD_TROUBLE, "--attach: ranges of the program are not "
				    "seen; see --duration");
	if (o->split)
		errx(CHILD_TROUBLE, "--attach and --split exclude each other");
	if (!o->samples && !o->switches && !o->python_samples &&
	    o->counters == 0 && !(o->on & ATTACHED))
		errx(CHILD_TROUBLE,
		    "--attach: nothing to record: --sample, --cpuctxsw, "
		    "--python-sampling, --counters or --trace cuda");
	o->on &= ATTACHED;
}

/* a line for each part of an option that is not available */
static void
tell_missing(const struct capture_options *o)
{
	static const struct {
		const char *name, *harmless, *instead;
	} rows[] = {
#define NSYS(ID, letter, name, harmless, instead) {name, harmless, instead},
#include "nsys.def"
	};
	bool missing = o->not_traced.len > 0;

	if (missing)
		warnx("--trace %.*s: not recorded; cuda, nvtx, osrt, "
		      "python-gil, mpi and nccl are",
		    (int)o->not_traced.len, o->not_traced.p);
	for (int i = 0; i < NSYS_OPTIONS; i++) {
		if (o->nsys[i] == NULL ||
		    opts_word(rows[i].harmless, o->nsys[i]) >= 0)
			continue;
		warnx("--%s %s: %s", rows[i].name, o->nsys[i], rows[i].instead);
		missing = true;
	}
	if (missing && o->strict)
		exit(CHILD_TROUBLE);
}

/* bits that go with others, or come from options beside --trace */
static void
complete_bits(struct capture_options *o)
{
	o->python *= ARENA_PYTHON_NVTX; /* the first of its three bits */
	if (o->functions != NULL || o->pytorch != 0)
		o->on |= ARENA_NVTX;
	if (o->on & ARENA_GPU) {
		o->on |= o->cuda_events ? ARENA_EVENTS : 0;
		o->on |= o->cuda_memory ? ARENA_MEMORY : 0;
		o->on |= o->graph_nodes ? ARENA_NODES : 0;
	}
	if (o->on & ARENA_OSRT)
		o->on |= ARENA_LOCKS;
	if ((o->on & ARENA_OSRT) && o->osrt_stack_ns > 0)
		o->on |= ARENA_STACKS;
	for (int i = 0; i < CUDA_CLASSES; i++)
		if (o->cuda_ns[i] >= 0 && (o->on & ARENA_CUDA))
			o->on |= ARENA_CUDA_STACKS;
	o->on |= o->on & ARENA_CUDA ? o->python & ARENA_PYTHON_CUDA : 0;
	o->on |= o->on & ARENA_NVTX ? o->python & ARENA_PYTHON_NVTX : 0;
	o->on |= o->on & ARENA_OSRT ? o->python & ARENA_PYTHON_OSRT : 0;
}

/* True if it is an order to a session. */
static bool
take_order(struct capture_options *o, int argc, char *argv[])
{
	static const char *const orders[] = {"start", "stop", "dump", "status"};

	/* behind -- it is a command, whatever its name */
	for (size_t i = 0;
	     *o->command != NULL && strcmp(o->command[-1], "--") != 0 && i < 4;
	     i++)
		if (strcmp(*o->command, orders[i]) == 0)
			o->order = orders[i];
	if (o->order != NULL) {
		optind++; /* its options may stand behind it */
		if (*opts_parse(&opts, o, argc, argv) != NULL ||
		    (o->session == NULL) != o->environment ||
		    (o->environment && strcmp(o->order, "status") != 0))
			opts_usage(&opts);
	}
	return o->order != NULL;
}

/* in the current folder, where no file has that name; free(3) it */
static char *
new_file(void)
{
	char *name = NULL;
	int n = asprintf(&name, "tq-capture.%d.tq", (int)getpid());

	for (int i = 2; n >= 0 && access(name, F_OK) == 0; i++) {
		free(name);
		n = asprintf(&name, "tq-capture.%d-%d.tq", (int)getpid(), i);
	}
	if (n < 0)
		err(CHILD_TROUBLE, "the name of the output");
	return name;
}

void
capture_options_parse(struct capture_options *o, int argc, char *argv[])
{
	*o = (struct capture_options){.on = ARENA_CUDA | ARENA_NVTX,
	    .buffer = 64 << 20,
	    .counter_hz = 10,
	    .osrt_ns = 1000,
	    .osrt_stack_ns = 80000,
	    .osrt_stack = 8192,
	    .cuda_ns = {-1, -1, -1, -1},
	    .python_hz = 1000,
	    .sample_hz = 1000,
	    .kill = SIGTERM};
	parse_backtrace(&o->backtrace, "auto");
	o->command = opts_parse(&opts, o, argc, argv);
	if (*o->command == NULL && o->attach == 0)
		opts_usage(&opts);
	if (take_order(o, argc, argv))
		return;
	if (o->environment)
		opts_usage(&opts);
	o->chosen = o->file == NULL && isatty(STDOUT_FILENO);
	if (o->file != NULL)
		opts_take_file(&o->file, o->file);
	complete_bits(o);
	check_options(o);
	if (o->chosen)
		o->file = new_file();
	o->format = zio_format_for(o->format, o->file);
	if (o->attach != 0)
		check_attached(o);
	tell_missing(o);
}
