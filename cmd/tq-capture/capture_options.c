/* capture_options.c - the command line of tq-capture */

#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/base/units.h"
#include "tq/io/opts.h"

#include "arena/arena.h"
#include "capture_options.h"
#include "launcher/child.h"

/* ---- values ---- */

static _Noreturn void
refuse(const char *option, const char *value, const char *problem)
{
	errx(CHILD_TROUBLE, "--%s: %s: %s", option, value, problem);
}

static void
take_traces(void *options, const char *value)
{
	static const uint32_t traces[] = {ARENA_CUDA, ARENA_NVTX, 0};
	struct capture_options *o = options;
	char *copy = mem_copy(value, strlen(value)), *rest = copy, *word;

	o->trace_given = true;
	o->on = 0;
	while ((word = strsep(&rest, ",")) != NULL) {
		int i = opts_word("cuda|nvtx|none", word);

		if (i < 0)
			errx(CHILD_TROUBLE,
			    "--trace: unknown trace type '%s' (cuda, nvtx, "
			    "none)",
			    word);
		o->on |= traces[i];
	}
	free(copy);
}

static void
parse_time(const char *option, const char *value, int64_t *ns)
{
	if (!units_time(value, ns) || *ns < 0)
		refuse(option, value, "not a time");
}

static void
take_duration(void *ns, const char *value)
{
	parse_time("duration", value, ns);
}

static void
take_delay(void *ns, const char *value)
{
	parse_time("delay", value, ns);
}

static void
take_end(void *options, const char *value)
{
	struct capture_options *o = options;
	struct focus *f = &o->focus;
	int end = opts_word("none|stop|stop-shutdown|repeat", value);
	char *rest;

	o->end_given = true;
	if (end >= 0) {
		f->end = (enum focus_end)end;
		return;
	}
	if (strncmp(value, "repeat:", 7) != 0)
		errx(CHILD_TROUBLE,
		    "--capture-range-end: unknown value '%s' (none, stop, "
		    "stop-shutdown, repeat[:N])",
		    value);
	f->end = FOCUS_END_REPEAT;
	f->repeats = strtoll(value + 7, &rest, 10);
	if (!isdigit((unsigned char)value[7]) || *rest != '\0' ||
	    f->repeats < 1)
		refuse("capture-range-end", value, "not a number");
}

static void
take_range(void *range, const char *value)
{
	const char *problem;
	size_t at;

	range_spec_free(range);
	problem = range_spec_parse(range, value, &at);
	if (problem != NULL)
		refuse("nvtx-capture", value, problem);
}

static void
take_buffer(void *size, const char *value)
{
	int64_t *bytes = size;

	if (!units_size(value, bytes) || *bytes < 4 * ARENA_CHUNK ||
	    *bytes > (int64_t)ARENA_CHUNKS_MAX * ARENA_CHUNK)
		refuse("buffer", value, "not a size of 256KiB to 256MiB");
}

static void
take_overhead(void *percent, const char *value)
{
	double *limit = percent;
	char *end;

	*limit = strtod(value, &end);
	if (*value == '\0' || (*end != '\0' && strcmp(end, "%") != 0) ||
	    !(*limit > 0))
		refuse("max-overhead", value, "not a percentage");
}

static void
take_ranks(void *ranks, const char *value)
{
	const char **list = ranks;

	if (*value == '\0' || value[strspn(value, "0123456789,")] != '\0')
		refuse("ranks", value, "not a list of numbers");
	*list = value;
}

static void
take_hotkey(void *key, const char *value)
{
	const char **k = key;

	*k = value != NULL ? value : "c";
}

/* ---- the options ---- */

#define OPT_STRUCT struct capture_options
static const struct opt options[] = {
    {'c', "capture-range", "WHAT",
	"what starts and stops the capture: none\n"
	"(default), cudaProfilerApi, nvtx, signal",
	OPT_WORD(focus.trigger, "none|cudaProfilerApi|nvtx|signal")},
    {'d', "duration", "TIME", "stop TIME after the start of the capture",
	OPT_TAKE(focus.duration, take_duration)},
    {OPT_HELP},
    {'o', "output", "FILE",
	"write to FILE; %p %h %q{ENV} %{rank} stand\n"
	"for process, host, variable, rank",
	OPT_TAKE(file, opts_take_file)},
    {'p', "nvtx-capture", "RANGE", "capture while RANGE is open: NAME[@DOMAIN]",
	OPT_TAKE(focus.range, take_range)},
    {OPT_QUIET("print no summary at the end")},
    {'t', "trace", "LIST", "trace cuda, nvtx (default: both) or none",
	OPT_CALL(take_traces)},
    {OPT_VERBOSE("print each process that is captured")},
    {OPT_VERSION},
    {'w', "wait", "WHOM",
	"end with all processes (default), or with\n"
	"the primary process",
	OPT_WORD(wait_for_primary, "all|primary")},
    {'y', "delay", "TIME", "start TIME after the command",
	OPT_TAKE(focus.delay, take_delay)},
    {OPT_ZSTD},
    {0, "buffer", "SIZE", "memory for records of a process (64MiB)",
	OPT_TAKE(buffer, take_buffer)},
    {0, "capture-range-end", "WHAT", "none, stop, stop-shutdown, repeat[:N]",
	OPT_CALL(take_end)},
    {0, "clock", "CLOCK", "auto (default), tsc, monotonic",
	OPT_WORD(clock, "auto|tsc|monotonic")},
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
    {0, "hotkey", "[=KEY]", "KEY (c) on the terminal starts and stops",
	OPT_TAKE(key, take_hotkey)},
    {0, "live", NULL, "write each event at once, not in order",
	OPT_SET(live, true)},
    {0, "max-overhead", "PCT", "record less if the overhead exceeds PCT",
	OPT_TAKE(max_overhead, take_overhead)},
    {0, "on-full", "WHAT", "drop (default), block, spill",
	OPT_WORD(full, "drop|block|spill")},
    {0, "ranks", "LIST", "capture only processes of these ranks",
	OPT_TAKE(ranks, take_ranks)},
    {0, "registered-only", NULL, "-p matches registered strings only",
	OPT_SET(focus.registered_only, true)},
    {0, "require-range", NULL, "exit 125 if RANGE never began",
	OPT_SET(require_range, true)},
    {0, "session", "NAME", "tq-capture start and stop take NAME",
	OPT_TEXT(session)},
    {0, "split", NULL, "write a file per process, named by -o",
	OPT_SET(split, true)},
    {0},
};

static const struct opts opts = {
    "usage: tq-capture [-hqvVz] [-c range] [-d time] [-o file] [-p range]\n"
    "                  [-t list] [-w all|primary] [-y time] [--buffer size]\n"
    "                  [--capture-range-end none|stop|stop-shutdown|repeat]\n"
    "                  [--clock auto|tsc|monotonic] [--cuda-events]\n"
    "                  [--cuda-graph graph|node] [--cuda-memory]\n"
    "                  [--cuda-nested] [--hotkey[=key]] [--live]\n"
    "                  [--max-overhead percent] [--on-full drop|block|spill]\n"
    "                  [--ranks list] [--registered-only] [--require-range]\n"
    "                  [--session name] [--split] [--] command [argument ...]\n"
    "       tq-capture start|stop|status --session name",
    options,
    .column = 28,
    .status = CHILD_TROUBLE,
    .command = true,
};

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
	/* ranges end as with nsys; times and signals only stop */
	if (!o->end_given)
		f->end =
		    f->trigger == FOCUS_NVTX || f->trigger == FOCUS_PROFILER
			? FOCUS_END_SHUTDOWN
			: FOCUS_END_STOP;
	if (o->key != NULL && (o->key[0] == '\0' || o->key[1] != '\0'))
		refuse("hotkey", o->key, "not one key");
	if (o->split && o->file == NULL)
		errx(CHILD_TROUBLE, "--split needs --output");
}

void
capture_options_parse(struct capture_options *o, int argc, char *argv[])
{
	static const char *const orders[] = {"start", "stop", "status"};

	*o = (struct capture_options){
	    .on = ARENA_CUDA | ARENA_NVTX, .buffer = 64 << 20};
	o->command = opts_parse(&opts, o, argc, argv);
	if (*o->command == NULL)
		opts_usage(&opts);
	/* behind -- it is a command, whatever its name */
	for (size_t i = 0; strcmp(o->command[-1], "--") != 0 && i < 3; i++)
		if (strcmp(*o->command, orders[i]) == 0)
			o->order = orders[i];
	if (o->order != NULL) {
		optind++; /* its options may stand behind it */
		if (*opts_parse(&opts, o, argc, argv) != NULL ||
		    o->session == NULL)
			opts_usage(&opts);
		return;
	}
	if (o->on & ARENA_GPU) {
		o->on |= o->cuda_events ? ARENA_EVENTS : 0;
		o->on |= o->cuda_memory ? ARENA_MEMORY : 0;
		o->on |= o->graph_nodes ? ARENA_NODES : 0;
	}
	if (o->format == ZIO_PLAIN && o->file != NULL)
		o->format = zio_format_of(o->file);
	check_options(o);
}
