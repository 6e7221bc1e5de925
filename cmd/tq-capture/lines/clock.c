/* clock.c - ticks of the programs to nanoseconds of the trace */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "clock.h"
#include "arena/ticks.h"

__extension__ typedef unsigned __int128 wide;

enum { LEARN_NS = 5000000, TRIES = 32, SECOND = 1000000000 };

/* the kernel keeps its own time by the counter, so it is one for all */
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

/* both clocks at one moment: the tightest of some tries */
static void
read_both(uint64_t *ticks, int64_t *ns)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = ticks_counter();
		uint64_t t = ticks_system();
		uint64_t after = ticks_counter();

		if (after - before < least) {
			least = after - before;
			*ticks = before + (after - before) / 2;
			*ns = (int64_t)t;
		}
	}
}

static uint64_t
slope_of(uint64_t ticks, int64_t ns)
{
	return (uint64_t)(((wide)ns << 32) / ticks);
}

static void
add_piece(struct clock *c, uint64_t at, int64_t from, uint64_t slope)
{
	c->pieces = mem_resize(c->pieces, c->count + 1, sizeof(*c->pieces));
	c->pieces[c->count++] = (struct clock_piece){at, from, slope};
}

bool
clock_open(struct clock *c, enum clock_choice choice)
{
	struct timespec utc, pause = {0, LEARN_NS};
	uint64_t later;
	int64_t ns;

	*c = (struct clock){.counter = choice != CLOCK_SYSTEM && is_trusted()};
	if (choice == CLOCK_COUNTER && !c->counter)
		return false;
	if (c->counter) {
		read_both(&c->first_tick, &c->origin);
	} else {
		c->first_tick = ticks_system();
		c->origin = (int64_t)c->first_tick;
	}
	clock_gettime(CLOCK_REALTIME, &utc);
	c->origin_utc = (int64_t)utc.tv_sec * SECOND + utc.tv_nsec -
			((int64_t)ticks_system() - c->origin);
	if (!c->counter) {
		add_piece(c, c->first_tick, 0, (uint64_t)1 << 32);
		return true;
	}
	nanosleep(&pause, NULL);
	read_both(&later, &ns);
	add_piece(c, c->first_tick, 0,
	    slope_of(later - c->first_tick, ns - c->origin));
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
	uint64_t now;
	int64_t real, ours, left;

	if (!c->counter)
		return;
	read_both(&now, &real);
	real -= c->origin;
	ours = clock_ns(c, now);
	if (real <= 0 || now <= c->pieces[c->count - 1].at)
		return;
	/* what the counter does in a second, but for what we are off by */
	left = real - ours;
	if (left > SECOND / 1000)
		left = SECOND / 1000;
	if (left < -SECOND / 1000)
		left = -SECOND / 1000;
	add_piece(c, now, ours,
	    (uint64_t)((wide)slope_of(now - c->first_tick, real) *
		       (uint64_t)(SECOND + left) / SECOND));
}

int64_t
clock_ns(const struct clock *c, uint64_t ticks)
{
	size_t low = 0, high = c->count;

	/* nearly always of the last piece */
	if (ticks >= c->pieces[c->count - 1].at)
		return convert(&c->pieces[c->count - 1], ticks);
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (c->pieces[middle].at <= ticks)
			low = middle;
		else
			high = middle;
	}
	return convert(&c->pieces[low], ticks);
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
	/* the sum is used, so that the readings are */
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
