/* sample_method.c - how processors are sampled here */

#include <err.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/arena.h"
#include "counters/counter_thread.h"
#include "sample_method.h"
#include "samples/perf_reason.h"
#include "stacks/thread_look.h"

enum {
	/* bytes of stack in a sample: what rings hold at 1 kHz, and above */
	STACK_SLOW = 16384,
	STACK_FAST = 8192,
	SLOW_HZ = 1000,
	NS_PER_S = 1000000000,
	COUNTED_HZ = 20 /* time on and off processors, without switches */
};

struct perf_wish
sample_method_wish(const struct capture_options *o)
{
	bool samples = o->samples && !(o->on & ARENA_SAMPLES);

	return (struct perf_wish){.hz = samples ? o->sample_hz : 0,
	    .switches = o->switches,
	    .running = o->attach != 0,
	    .chains = samples && o->backtrace == BACKTRACE_FP,
	    .stack = samples && o->backtrace == BACKTRACE_DWARF
			 ? sample_method_stack(o->sample_hz)
			 : 0};
}

uint32_t
sample_method_stack(int64_t hz)
{
	return hz <= SLOW_HZ ? STACK_SLOW : STACK_FAST;
}

int64_t
sample_method_timer_hz(void)
{
	struct timespec tick;

	/* the coarse clock is set at each tick */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 ||
	    tick.tv_nsec == 0)
		return 1;
	return NS_PER_S / tick.tv_nsec;
}

/* print the text appended from there on, and end it */
static void
say(struct text *said, size_t from)
{
	text_add_char(said, '\0');
	warnx("%s", said->p + from);
}

/* what timers need, and perf_event_open does not */
#if defined(__x86_64__) || defined(__aarch64__)
enum { KNOWN_REGISTERS = 1 };
#else
enum { KNOWN_REGISTERS = 0 };
#endif

static void
use_timers(struct capture_options *o, struct text *said, int error)
{
	size_t from = said->len;

	text_add_str(said, "sampling: ");
	perf_reason_add(said, error);
	if (KNOWN_REGISTERS && o->attach == 0) {
		o->on |= ARENA_SAMPLES;
		text_printf(said,
		    ": timers in the program are used, at most %" PRId64 " Hz",
		    sample_method_timer_hz());
	} else {
		o->samples = false;
		text_add_str(said, ": CPU samples are not recorded");
	}
	say(said, from);
}

static void
count_instead(struct capture_options *o, struct text *said, int error)
{
	size_t from = said->len;

	text_add_str(said, "context switches are not recorded (");
	if (o->samples)
		text_add_str(said, "the same");
	else
		perf_reason_add(said, error);
	text_printf(said,
	    "): time on and off processors is counted %d times a second",
	    COUNTED_HZ);
	o->switches = false;
	o->counters |= COUNTERS_CPU;
	if (o->counter_hz < COUNTED_HZ)
		o->counter_hz = COUNTED_HZ;
	say(said, from);
}

/* Stacks of threads that wait need both, and the right to look at them. */
static bool
choose_blocked(struct capture_options *o, struct text *said)
{
	const char *failed = NULL;
	size_t from = said->len;
	int error;

	o->blocked = o->samples && o->switches;
	if (o->blocked)
		failed = thread_look_try((pid_t)o->attach, &error);
	if (failed == NULL)
		return true;
	text_printf(said,
	    "stacks of threads that wait are not recorded: %s: %s", failed,
	    strerror(error));
	say(said, from);
	o->blocked = false;
	return !o->strict;
}

int
sample_method_try(const struct perf_wish *wish)
{
	struct perf_rings rings;
	int error = perf_rings_open(&rings, wish, getpid());

	if (error == 0)
		perf_rings_close(&rings);
	return error;
}

bool
sample_method_choose(struct capture_options *o, struct text *said)
{
	struct perf_wish wish = sample_method_wish(o);
	int error;

	if (!o->samples && !o->switches)
		return true;
	if (!choose_blocked(o, said))
		return false;
	wish.running = false; /* we are not to be recorded */
	error = sample_method_try(&wish);
	if (error == 0)
		return true;
	if (o->samples)
		use_timers(o, said, error);
	if (o->switches)
		count_instead(o, said, error);
	/* looked at from outside, which takes no library in the program */
	o->blocked &= o->samples || o->attach != 0;
	return !o->strict;
}
