/* clock.c - from ticks of the agents to nanoseconds of the trace */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tq/base/array.h"
#include "tq/base/lower_bound.h"

#include "clock.h"
#include "arena/ticks.h"

__extension__ typedef unsigned __int128 wide;

enum { LEARN_NS = 5000000, TRIES = 32, SECOND = 1000000000 };

/* true if the kernel keeps its own time by the counter, which is then the same
   on all processors */
static bool
is_trusted(void)
{
#if defined(__aarch64__)
	return true; /* the architecture promises it */
#elif defined(__x86_64__)
	static const char file[] =
	    "/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char name[16] = "";
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, name, sizeof(name) - 1);
	close(fd);
	return n > 0 && strcmp(name, "tsc\n") == 0;
#else
	return false;
#endif
}

/* both clocks at one moment */
struct both_clocks {
	uint64_t ticks; /* of the counter */
	int64_t ns;     /* of CLOCK_MONOTONIC */
	uint64_t width; /* ticks that reading them took */
};

static struct both_clocks
read_once(void)
{
	uint64_t before = ticks_counter();
	int64_t ns = (int64_t)ticks_system();
	uint64_t width = ticks_counter() - before;

	return (struct both_clocks){before + width / 2, ns, width};
}

/* the narrowest of some tries */
static struct both_clocks
read_both(void)
{
	struct both_clocks best = read_once();

	for (int i = 1; i < TRIES; i++) {
		struct both_clocks b = read_once();

		if (b.width < best.width)
			best = b;
	}
	return best;
}

static uint64_t
slope_of(uint64_t ticks, int64_t ns)
{
	return (uint64_t)(((wide)ns << 32) / ticks);
}

static void
add_piece(struct clock *c, uint64_t at, int64_t from, uint64_t slope)
{
	*array_add(&c->pieces, &c->count, &c->cap) =
	    (struct clock_piece){at, from, slope};
}

static void
set_origin(struct clock *c)
{
	c->first_tick = ticks_system();
	c->origin = (int64_t)c->first_tick;
	if (c->counter) {
		struct both_clocks start = read_both();

		c->first_tick = start.ticks;
		c->origin = start.ns;
	}
	c->origin_utc = (int64_t)ticks_utc();
	c->origin_utc -= (int64_t)ticks_system() - c->origin;
}

bool
clock_open(struct clock *c, enum clock_choice choice)
{
	const struct timespec pause = {0, LEARN_NS};
	struct both_clocks later;

	*c = (struct clock){.counter = choice != CLOCK_SYSTEM && is_trusted()};
	if (choice == CLOCK_COUNTER && !c->counter)
		return false;
	set_origin(c);
	if (!c->counter) {
		add_piece(c, c->first_tick, 0, (uint64_t)1 << 32);
		return true;
	}
	nanosleep(&pause, NULL);
	later = read_both();
	add_piece(c, c->first_tick, 0,
	    slope_of(later.ticks - c->first_tick, later.ns - c->origin));
	return true;
}

static int64_t
span_of_ticks(uint64_t ticks, uint64_t slope)
{
	wide ns = (wide)ticks * slope >> 32;

	return ns < (wide)CLOCK_MOST ? (int64_t)ns : CLOCK_MOST;
}

static int64_t
convert(const struct clock_piece *p, uint64_t ticks)
{
	int64_t ns = ticks < p->at
			 ? p->from - span_of_ticks(p->at - ticks, p->slope)
			 : p->from + span_of_ticks(ticks - p->at, p->slope);

	if (ns > CLOCK_MOST)
		return CLOCK_MOST;
	return ns < -CLOCK_MOST ? -CLOCK_MOST : ns;
}

void
clock_adjust(struct clock *c)
{
	struct both_clocks now;
	int64_t real, ours, left;

	if (!c->counter)
		return;
	now = read_both();
	real = now.ns - c->origin;
	ours = clock_ns(c, now.ticks);
	if (real <= 0 || now.ticks <= c->pieces[c->count - 1].at)
		return;
	/* the rate since the origin, and our error corrected in a second */
	left = real - ours;
	if (left > SECOND / 1000)
		left = SECOND / 1000;
	if (left < -SECOND / 1000)
		left = -SECOND / 1000;
	add_piece(c, now.ticks, ours,
	    (uint64_t)((wide)slope_of(now.ticks - c->first_tick, real) *
		       (uint64_t)(SECOND + left) / SECOND));
}

int64_t
clock_ns(const struct clock *c, uint64_t ticks)
{
	size_t last = c->count - 1, i;

	/* nearly always */
	if (ticks >= c->pieces[last].at)
		return convert(&c->pieces[last], ticks);
	LOWER_BOUND(i, (size_t)1, c->count, c->pieces[i].at <= ticks);
	return convert(&c->pieces[i - 1], ticks);
}

uint64_t
clock_ticks(const struct clock *c, int64_t ns)
{
	uint64_t slope = c->pieces[c->count - 1].slope;

	return (uint64_t)((((wide)(uint64_t)ns << 32) + slope - 1) / slope);
}

int64_t
clock_span(const struct clock *c, uint64_t ticks)
{
	int64_t ns = span_of_ticks(ticks, c->pieces[c->count - 1].slope);

	return ns < CLOCK_MOST ? ns : 0;
}

int64_t
clock_now(const struct clock *c)
{
	return clock_ns(c, c->counter ? ticks_counter() : ticks_system());
}

int64_t
clock_resolution(const struct clock *c)
{
	uint64_t slope = c->pieces[c->count - 1].slope;

	/* the rate is measured: 40.00001 ns are 40 */
	return (int64_t)((slope + ((uint64_t)255 << 24)) >> 32);
}

double
clock_cost(const struct clock *c)
{
	enum { READS = 1000 };
	uint64_t start, least = UINT64_MAX, sum = 0;

	for (int i = 0; i < 10; i++) {
		start = ticks_system();
		for (int k = 0; k < READS; k++)
			sum += c->counter ? ticks_counter() : ticks_system();
		start = ticks_system() - start;
		if (start < least)
			least = start;
	}
	/* the sum keeps the compiler from dropping the readings */
	return (double)(least + (sum == 1)) / READS;
}

const char *
clock_name(const struct clock *c)
{
	return c->counter ? "tsc" : "monotonic";
}

void
clock_close(struct clock *c)
{
	free(c->pieces);
	c->pieces = NULL;
}
