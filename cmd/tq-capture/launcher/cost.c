/* cost.c - the cost of the capture for the programs, estimated */

#include <inttypes.h>

#include "cost.h"

/*
 * ns without the clock, and readings of the clock, as make bench-capture
 * measures them for NVTX.  CUPTI reads our clock at both ends of a call; device
 * operations cost time on its own threads only.
 */
static const struct {
	double fixed, readings;
} prices[COUNTS] = {
    [COUNT_RANGES] = {20, 2},
    [COUNT_MARKS] = {12, 1},
    [COUNT_CALLS] = {10, 2},
    [COUNT_WORK] = {0, 0},
    [COUNT_OSRT] = {170, 2},
    [COUNT_MPI] = {40, 2},
    [COUNT_NCCL] = {40, 2},
    [COUNT_SAMPLES] = {2100, 1},
    [COUNT_OTHER] = {0, 0},
};

void
cost_open(struct cost *c, const struct clock *clock)
{
	c->clock = clock_cost(clock);
}

double
cost_of(const struct cost *c, enum count_kind kind, int64_t n)
{
	return (double)n *
	       (prices[kind].fixed + prices[kind].readings * c->clock);
}

double
cost_of_short(const struct cost *c, int64_t n)
{
	static const double fixed = 5, readings = 2;

	return (double)n * (fixed + readings * c->clock);
}

double
cost_total(const struct cost *c, const struct captured_process *p)
{
	double sum = (double)p->busy;

	for (int k = 0; k < COUNTS; k++)
		sum += cost_of(c, (enum count_kind)k, p->lines.counts[k]);
	return sum;
}

uint32_t
cost_shed(uint32_t on, const char **what)
{
	static const struct {
		uint32_t bits;
		const char *what;
	} order[] = {
	    {ARENA_PYTHON, "Python stacks"},
	    {ARENA_CUDA_STACKS, "stacks of calls of CUDA"},
	    {ARENA_STACKS, "stacks of OS calls"},
	    {ARENA_GIL, "waits for the lock of Python"},
	    {ARENA_LOCKS, "OS calls that take locks"},
	    {ARENA_SAMPLES, "samples"},
	    {ARENA_OSRT, "OS calls"},
	    {ARENA_MPI, "MPI calls"},
	    {ARENA_NCCL, "NCCL events"},
	    {ARENA_DRIVER, "driver API calls"},
	    {ARENA_SYNC | ARENA_EVENTS, "synchronisations"},
	    {ARENA_RUNTIME, "runtime API calls"},
	    {ARENA_NVTX, "NVTX"},
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (on & order[i].bits) {
			*what = order[i].what;
			return on & order[i].bits;
		}
	return 0;
}

static void
write_cost(const struct captured_process *p, const char *what, int64_t events,
    int64_t ns)
{
	struct output *o = out_stream_begin(
	    p->lines.out, KIND_overhead, LINE_ALWAYS, p->lines.process, 0);
	int64_t now = clock_now(p->lines.clock);

	emit_int(o, KEY_ts, now);
	emit_int(o, KEY_dur, 0);
	emit_int(o, KEY_pid, p->lines.pid);
	emit_str(o, KEY_name, SPAN("tq-capture"));
	emit_str(o, KEY_what, span_of(what));
	emit_key(o, KEY_args);
	text_printf(&o->buf,
	    "{\"events\":%" PRId64 ",\"spent_ns\":%" PRId64 "}", events, ns);
	out_stream_put(p->lines.out, now, 0);
}

void
cost_report(const struct cost *c, const struct captured_process *p)
{
	for (int k = 0; k < COUNTS; k++)
		if (p->lines.counts[k] > 0)
			write_cost(p, lines_count_names[k], p->lines.counts[k],
			    (int64_t)cost_of(
				c, (enum count_kind)k, p->lines.counts[k]));
	if (p->short_calls > 0)
		write_cost(p, COST_SHORT, p->short_calls,
		    (int64_t)cost_of_short(c, p->short_calls));
	if (p->busy > 0)
		write_cost(p, "buffers of CUPTI", p->lines.counts[COUNT_WORK],
		    p->busy);
	if (p->blocked > 0)
		write_cost(p, "waiting for space", 0, p->blocked);
}
