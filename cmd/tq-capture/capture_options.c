/* capture_options.c - the command line of tq-capture */

#include <ctype.h>
#include <err.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tq/io/status.h"
#include "tq/base/units.h"

#include "arena/arena.h"
#include "launcher/child.h"
#include "capture_options.h"

static const char help[] =
    "usage: tq-capture [-hqvVz] [-c range] [-d time] [-o file] [-p range]\n"
    "                  [-t list] [-w all|primary] [-y time] [--buffer size]\n"
    "                  [--capture-range-end none|stop|stop-shutdown|repeat]\n"
    "                  [--clock auto|tsc|monotonic] [--cuda-events]\n"
    "                  [--cuda-graph graph|node] [--cuda-memory]\n"
    "                  [--cuda-nested] [--hotkey[=key]] [--live]\n"
    "                  [--max-overhead percent] [--on-full drop|block|spill]\n"
    "                  [--ranks list] [--registered-only] [--require-range]\n"
    "                  [--session name] [--split] [--] command [argument ...]\n"
    "       tq-capture start|stop|status --session name\n"
    "\n"
    "  -c, --capture-range WHAT  what begins and ends it: none (default),\n"
    "                            cudaProfilerApi, nvtx, signal\n"
    "  -d, --duration TIME       stop that long after it began\n"
    "  -h, --help                show this help\n"
    "  -o, --output FILE         write to FILE; %p %h %q{ENV} %{rank} in it\n"
    "                            are the process, host, variable, rank\n"
    "  -p, --nvtx-capture RANGE  capture while RANGE is open: NAME[@DOMAIN]\n"
    "  -q, --quiet               say nothing at the end\n"
    "  -t, --trace LIST          of cuda, nvtx (default: both), none\n"
    "  -v, --verbose             tell of each process\n"
    "  -V, --version             show the version\n"
    "  -w, --wait WHOM           end with all processes (default), or with\n"
    "                            the primary one\n"
    "  -y, --delay TIME          begin that long after the command\n"
    "  -z, --zstd                compress with zstd\n"
    "      --buffer SIZE         memory for records, per process (64MiB)\n"
    "      --capture-range-end WHAT  none, stop, stop-shutdown, repeat[:N]\n"
    "      --clock CLOCK         auto (default), tsc, monotonic\n"
    "      --cuda-events         also CUDA events as the device saw them\n"
    "      --cuda-graph HOW      graph (default): as a whole; node\n"
    "      --cuda-memory         also memory taken and given back\n"
    "      --cuda-nested         also calls of the driver by the runtime\n"
    "      --hotkey[=KEY]        start and stop by KEY (c) on the terminal\n"
    "      --live                write each event at once, not in order\n"
    "      --max-overhead PCT    record less where it costs more\n"
    "      --on-full WHAT        drop (default), block, spill\n"
    "      --ranks LIST          only processes of these ranks\n"
    "      --registered-only     -p means registered strings only\n"
    "      --require-range       exit 125 if no range began\n"
    "      --session NAME        can be started and stopped by NAME\n"
    "      --split               a file for each process, named by -o\n";

enum {
	OPT_BUFFER = 256,
	OPT_END,
	OPT_CLOCK,
	OPT_EVENTS,
	OPT_GRAPH,
	OPT_MEMORY,
	OPT_NESTED,
	OPT_HOTKEY,
	OPT_LIVE,
	OPT_OVERHEAD,
	OPT_FULL,
	OPT_RANKS,
	OPT_REGISTERED,
	OPT_REQUIRE,
	OPT_SESSION,
	OPT_SPLIT
};

static const struct option longopts[] = {
    {"buffer", required_argument, NULL, OPT_BUFFER},
    {"capture-range", required_argument, NULL, 'c'},
    {"capture-range-end", required_argument, NULL, OPT_END},
    {"clock", required_argument, NULL, OPT_CLOCK},
    {"cuda-events", no_argument, NULL, OPT_EVENTS},
    {"cuda-graph", required_argument, NULL, OPT_GRAPH},
    {"cuda-memory", no_argument, NULL, OPT_MEMORY},
    {"cuda-nested", no_argument, NULL, OPT_NESTED},
    {"delay", required_argument, NULL, 'y'},
    {"duration", required_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {"hotkey", optional_argument, NULL, OPT_HOTKEY},
    {"live", no_argument, NULL, OPT_LIVE},
    {"max-overhead", required_argument, NULL, OPT_OVERHEAD},
    {"nvtx-capture", required_argument, NULL, 'p'},
    {"on-full", required_argument, NULL, OPT_FULL},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"ranks", required_argument, NULL, OPT_RANKS},
    {"registered-only", no_argument, NULL, OPT_REGISTERED},
    {"require-range", no_argument, NULL, OPT_REQUIRE},
    {"session", required_argument, NULL, OPT_SESSION},
    {"split", no_argument, NULL, OPT_SPLIT},
    {"trace", required_argument, NULL, 't'},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {"wait", required_argument, NULL, 'w'},
    {"zstd", no_argument, NULL, 'z'},
    {0},
};

/* a word of a list, and what it stands for */
struct word {
	const char *word;
	int value;
};

static const struct word triggers[] = {
    {"none", FOCUS_ALWAYS},
    {"cudaProfilerApi", FOCUS_PROFILER},
    {"nvtx", FOCUS_NVTX},
    {"signal", FOCUS_SIGNAL},
    {0},
};

static const struct word clocks[] = {
    {"auto", CLOCK_AUTO},
    {"tsc", CLOCK_COUNTER},
    {"monotonic", CLOCK_SYSTEM},
    {0},
};

static const struct word fulls[] = {
    {"drop", FULL_DROP},
    {"block", FULL_BLOCK},
    {"spill", FULL_SPILL},
    {0},
};

static const struct word graphs[] = {
    {"graph", 0},
    {"node", ARENA_NODES},
    {0},
};

static const struct word waits[] = {
    {"all", true},
    {"primary", false},
    {0},
};

static const struct word traces[] = {
    {"cuda", ARENA_CUDA},
    {"nvtx", ARENA_NVTX},
    {"none", 0},
    {0},
};

static _Noreturn void
usage(void)
{
	status_usage_as(help, CHILD_TROUBLE);
}

static _Noreturn void
refuse(const char *option, const char *value, const char *problem)
{
	errx(CHILD_TROUBLE, "--%s: %s: %s", option, value, problem);
}

static int
choose(const char *option, const struct word *words, const char *value)
{
	for (const struct word *w = words; w->word != NULL; w++)
		if (strcmp(value, w->word) == 0)
			return w->value;
	refuse(option, value, "not one of its words");
}

static int
choose_some(const char *option, const struct word *words, const char *value)
{
	char *copy = strdup(value), *rest = copy, *word;
	int set = 0;

	while ((word = strsep(&rest, ",")) != NULL)
		set |= choose(option, words, word);
	free(copy);
	return set;
}

static int64_t
time_of(const char *option, const char *value)
{
	int64_t ns;

	if (!units_time(value, &ns) || ns < 0)
		refuse(option, value, "not a time");
	return ns;
}

static void
parse_end(struct focus *f, const char *value)
{
	static const struct word ends[] = {
	    {"none", FOCUS_END_NONE},
	    {"stop", FOCUS_END_STOP},
	    {"stop-shutdown", FOCUS_END_SHUTDOWN},
	    {"repeat", FOCUS_END_REPEAT},
	    {0},
	};
	char *end;

	if (strncmp(value, "repeat:", 7) == 0) {
		f->end = FOCUS_END_REPEAT;
		f->repeats = strtoll(value + 7, &end, 10);
		if (!isdigit((unsigned char)value[7]) || *end != '\0' ||
		    f->repeats < 1)
			refuse("capture-range-end", value, "not a number");
		return;
	}
	f->end = (enum focus_end)choose("capture-range-end", ends, value);
}

static void
parse_range(struct focus *f, const char *value)
{
	const char *problem;
	size_t at;

	range_spec_free(&f->range);
	problem = range_spec_parse(&f->range, value, &at);
	if (problem != NULL)
		refuse("nvtx-capture", value, problem);
}

static void
parse_buffer(struct capture_options *o, const char *value)
{
	if (!units_size(value, &o->buffer) || o->buffer < 4 * ARENA_CHUNK ||
	    o->buffer > (int64_t)ARENA_CHUNKS_MAX * ARENA_CHUNK)
		refuse("buffer", value, "not a size of 256KiB to 256MiB");
}

static void
parse_overhead(struct capture_options *o, const char *value)
{
	char *end;

	o->max_overhead = strtod(value, &end);
	if (*value == '\0' || (*end != '\0' && strcmp(end, "%") != 0) ||
	    !(o->max_overhead > 0))
		refuse("max-overhead", value, "not a percentage");
}

static void
parse_ranks(struct capture_options *o, const char *value)
{
	if (*value == '\0' || value[strspn(value, "0123456789,")] != '\0')
		refuse("ranks", value, "not a list of numbers");
	o->ranks = value;
}

/* what does not go together, and what follows from what was given */
static void
check(struct capture_options *o)
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
	if (o->key != NULL)
		o->hotkey = (unsigned char)o->key[0];
	if (o->split && o->file == NULL)
		errx(CHILD_TROUBLE, "--split needs --output");
}

/* the options up to the first operand */
static void
parse_options(struct capture_options *o, int argc, char *argv[])
{
	int c;

	while ((c = getopt_long(
		    argc, argv, "+c:d:ho:p:qt:vVw:y:z", longopts, NULL)) != -1)
		switch (c) {
		case 'c':
			o->focus.trigger = (enum focus_trigger)choose(
			    "capture-range", triggers, optarg);
			break;
		case 'd':
			o->focus.duration = time_of("duration", optarg);
			break;
		case 'h':
			status_help(help);
		case 'o':
			o->file = optarg;
			break;
		case 'p':
			parse_range(&o->focus, optarg);
			break;
		case 'q':
			o->quiet = true;
			break;
		case 't':
			o->on = (uint32_t)choose_some("trace", traces, optarg);
			o->trace_given = true;
			break;
		case 'v':
			o->verbose = true;
			break;
		case 'V':
			status_version("tq-capture");
		case 'w':
			o->wait_for_all = choose("wait", waits, optarg);
			break;
		case 'y':
			o->focus.delay = time_of("delay", optarg);
			break;
		case 'z':
			o->format = ZIO_ZSTD;
			break;
		case OPT_BUFFER:
			parse_buffer(o, optarg);
			break;
		case OPT_END:
			parse_end(&o->focus, optarg);
			o->end_given = true;
			break;
		case OPT_CLOCK:
			o->clock =
			    (enum clock_choice)choose("clock", clocks, optarg);
			break;
		case OPT_GRAPH:
			o->more &= ~(uint32_t)ARENA_NODES;
			o->more |=
			    (uint32_t)choose("cuda-graph", graphs, optarg);
			break;
		case OPT_EVENTS:
			o->more |= ARENA_EVENTS;
			break;
		case OPT_MEMORY:
			o->more |= ARENA_MEMORY;
			break;
		case OPT_NESTED:
			o->keep_nested = true;
			break;
		case OPT_HOTKEY:
			o->hotkey = 'c';
			o->key = optarg;
			break;
		case OPT_LIVE:
			o->live = true;
			break;
		case OPT_OVERHEAD:
			parse_overhead(o, optarg);
			break;
		case OPT_FULL:
			o->full =
			    (enum on_full)choose("on-full", fulls, optarg);
			break;
		case OPT_RANKS:
			parse_ranks(o, optarg);
			break;
		case OPT_REGISTERED:
			o->focus.registered_only = true;
			break;
		case OPT_REQUIRE:
			o->require_range = true;
			break;
		case OPT_SESSION:
			o->session = optarg;
			break;
		case OPT_SPLIT:
			o->split = true;
			break;
		default:
			usage();
		}
}

void
capture_options_parse(struct capture_options *o, int argc, char *argv[])
{
	static const char *const orders[] = {"start", "stop", "status"};

	*o = (struct capture_options){.on = ARENA_CUDA | ARENA_NVTX,
	    .buffer = 64 << 20,
	    .wait_for_all = true};
	parse_options(o, argc, argv);
	if (optind == argc)
		usage();
	o->command = argv + optind;
	/* behind -- it is a command, whatever its name */
	for (size_t i = 0; strcmp(argv[optind - 1], "--") != 0 && i < 3; i++)
		if (strcmp(argv[optind], orders[i]) == 0)
			o->order = orders[i];
	if (o->order != NULL) {
		optind++; /* its options may stand behind it */
		parse_options(o, argc, argv);
		if (optind < argc || o->session == NULL)
			usage();
		return;
	}
	if (o->on & ARENA_GPU)
		o->on |= o->more;
	if (o->format == ZIO_PLAIN && o->file != NULL)
		o->format = zio_format_of(o->file);
	check(o);
}
