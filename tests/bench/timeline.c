/* timeline.c - the events of a made-up training run */

#include <err.h>
#include <stdbool.h>
#include <stdlib.h>

#include "timeline.h"
#include "vocabulary.h"

enum {
	US = 1000,
	MS = 1000 * US,
	DEPTH = 16, /* of ranges; 8 are used */
	OPS_PER_LAYER = 8
};

#define NO_EVENT UINT32_MAX

/* How many rows of a table there are for 1000 kernels. */
static const size_t shares[TABLES] = {
    [T_RUNTIME] = 2500, [T_OSRT] = 300, [T_SCHED] = 200, [T_SAMPLE] = 30};

/*
 * A process. Its threads take turns, so one clock will do; the watchdog and
 * the loader work beside them.
 */
struct process {
	struct table *tables;
	size_t rows[TABLES]; /* of this process */
	size_t target;       /* kernels */
	uint64_t random;
	int64_t now;
	int64_t busy[THREADS]; /* until then */
	int64_t idle[STREAMS]; /* from then */
	int64_t switched[THREADS];
	size_t open[THREADS][DEPTH]; /* ranges, as rows */
	size_t depth[THREADS];
	size_t prefetch; /* a row + 1 */
	uint32_t cpu[THREADS];
	bool on[THREADS];
	uint32_t corr, op, range, event, graph;
	uint8_t number, thread; /* thread: who runs */
};

static uint32_t
below(struct process *p, uint32_t limit)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return (uint32_t)((p->random >> 32) * limit >> 32);
}

static bool
one_in(struct process *p, uint32_t n)
{
	return below(p, n) == 0;
}

/* About TYPICAL, seldom much more. */
static int64_t
about(struct process *p, int64_t typical)
{
	int64_t ns = typical * 3 / 4 + below(p, (uint32_t)typical / 2 + 1);

	return one_in(p, 100) ? ns * 6 : ns;
}

static size_t
add(struct process *p, int table, const struct event *e)
{
	struct table *t = &p->tables[table];
	struct event *rows;

	if (t->count == t->room) {
		t->room = t->room != 0 ? t->room * 2 : 4096;
		rows = realloc(t->rows, t->room * sizeof(*t->rows));
		if (rows == NULL)
			err(1, NULL);
		t->rows = rows;
	}
	p->rows[table]++;
	t->rows[t->count] = *e;
	return t->count++;
}

static struct event
begin(const struct process *p, int thread)
{
	uint8_t id = (uint8_t)(p->number * THREADS + thread);

	return (struct event){
	    .start = p->now, .end = p->now, .thread = id, .end_thread = id};
}

/* Whether TABLE has fewer rows than are due by now. */
static bool
due(const struct process *p, int table)
{
	return p->rows[table] * 1000 < p->rows[T_KERNEL] * shares[table];
}

static void
push(struct process *p, int name, int domain, uint32_t op)
{
	struct event e = begin(p, p->thread);
	size_t *depth = &p->depth[p->thread];

	e.name = (uint16_t)name;
	e.domain = (uint8_t)domain;
	e.corr = op;
	e.kind = NVTX_PUSH;
	p->open[p->thread][(*depth)++] = add(p, T_NVTX, &e);
	p->now += about(p, 240);
}

static void
pop(struct process *p)
{
	size_t row = p->open[p->thread][--p->depth[p->thread]];

	p->now += about(p, 140);
	p->tables[T_NVTX].rows[row].end = p->now;
	p->now += about(p, 110);
}

static void
mark(struct process *p)
{
	struct event e = begin(p, p->thread);

	e.name = RANGE_MARK;
	e.domain = DOMAIN_TRAIN;
	e.kind = NVTX_MARK;
	e.end = OPEN;
	add(p, T_NVTX, &e);
	p->now += about(p, 150);
}

/* End the start/end range that is open, and start the next. */
static void
prefetch(struct process *p)
{
	struct event e = begin(p, p->thread), *last;

	if (p->prefetch != 0) {
		last = &p->tables[T_NVTX].rows[p->prefetch - 1];
		last->end = p->now;
		last->end_thread = e.thread;
		e.start = p->now += about(p, 200);
	}
	e.name = RANGE_PREFETCH;
	e.data = ++p->range;
	e.kind = NVTX_START;
	e.end = OPEN;
	p->prefetch = add(p, T_NVTX, &e) + 1;
	p->now += about(p, 200);
}

/* An API call that takes UNTIL that moment, or as long as usual. */
static struct event
call(struct process *p, int which, int64_t until)
{
	struct event e = begin(p, p->thread);

	e.end = e.start + about(p, vocabulary_calls[which].cost);
	if (e.end < until)
		e.end = until + about(p, 2 * US);
	e.name = (uint16_t)which;
	e.kind = (uint8_t)vocabulary_calls[which].api_class;
	e.corr = p->corr += 1 + below(p, 3);
	add(p, T_RUNTIME, &e);
	p->now = e.end + about(p, 300);
	return e;
}

/* Work for a stream, asked for by the call; returns its row. */
static struct event
queue(struct process *p, const struct event *cause, int stream, int64_t ns)
{
	struct event e = *cause;
	int64_t earliest = e.start + (e.end - e.start) / 2 + about(p, US);

	if (earliest < p->idle[stream])
		earliest = p->idle[stream];
	e.start = earliest + about(p, 400);
	e.end = e.start + ns;
	e.stream = (uint8_t)stream;
	p->idle[stream] = e.end;
	return e;
}

static void
run_kernel(struct process *p, const struct event *cause, int stream,
    size_t number, uint32_t node)
{
	/* some kernels are long, and stay so; times are multiples of 32 ns */
	int64_t typical =
	    number % 11 == 0 ? 40 * US : (int64_t)(1000 + number * 29 % 7919);
	struct event e = queue(p, cause, stream, about(p, typical) & ~31LL);

	e.name = (uint16_t)number;
	e.data = node;
	add(p, T_KERNEL, &e);
}

/* Some kernels run often, most seldom. */
static size_t
pick(struct process *p)
{
	uint32_t limit = 1 + below(p, KERNELS - KERNELS_NCCL);

	return KERNELS_NCCL +
	       (size_t)below(p, limit) * 83 % (KERNELS - KERNELS_NCCL);
}

static bool
enough(const struct process *p)
{
	return p->rows[T_KERNEL] >= p->target;
}

static void
launch(struct process *p)
{
	size_t number = pick(p);
	struct event e;

	if (enough(p))
		return;
	e = call(p, vocabulary_launch(number), 0);
	run_kernel(p, &e, one_in(p, 40) ? S_SIDE : S_COMPUTE, number, 0);
}

static void
launch_graph(struct process *p)
{
	uint32_t number = p->graph++ % 8, nodes = 12 + number * 3, node;
	struct event e;

	if (enough(p))
		return;
	e = call(p, CALL_GRAPH_LAUNCH, 0);
	for (node = number * 64 + 1; nodes-- > 0 && !enough(p); node++)
		run_kernel(p, &e, S_COMPUTE,
		    KERNELS_NCCL + node * 83 % (KERNELS - KERNELS_NCCL), node);
}

static void
collect(struct process *p)
{
	struct event e;

	if (enough(p))
		return;
	push(p, RANGE_ALLREDUCE, DOMAIN_NCCL, 0);
	e = call(p, CALL_LAUNCH_EX, 0);
	run_kernel(p, &e, S_NCCL, below(p, KERNELS_NCCL), 0);
	pop(p);
}

static void
copy(struct process *p)
{
	static const uint8_t kinds[] = {1, 2, 8, 1};
	struct event e = call(p, CALL_MEMCPY, 0);
	uint32_t bytes = 4U << below(p, 22);

	e = queue(p, &e, S_COPY, about(p, 900 + bytes / 40));
	e.data = bytes;
	e.kind = kinds[below(p, 4)];
	add(p, T_MEMCPY, &e);
}

static void
set(struct process *p)
{
	struct event e = call(p, CALL_MEMSET, 0);

	e = queue(p, &e, S_COMPUTE, about(p, 900));
	e.data = 4U << below(p, 16);
	add(p, T_MEMSET, &e);
}

/* A call that waits, for STREAM or (STREAMS) for all of them. */
static void
synchronise(struct process *p, int which, int type, int stream)
{
	int64_t until = 0;
	struct event e;
	int i;

	for (i = 0; i < STREAMS; i++)
		if ((i == stream || stream == STREAMS) && p->idle[i] > until)
			until = p->idle[i];
	e = call(p, which, type == 2 ? 0 : until);
	e.start += (e.end - e.start) / 8;
	e.end -= (e.end - e.start) / 8;
	e.kind = (uint8_t)type;
	e.stream = (uint8_t)stream;
	e.data = type <= 2 ? p->event : NO_EVENT;
	add(p, T_SYNC, &e);
}

static void
record(struct process *p)
{
	struct event e = call(p, CALL_RECORD, 0);

	p->event++;
	e.data = p->event;
	add(p, T_RECORD, &e);
	if (one_in(p, 2))
		synchronise(p, CALL_WAIT_EVENT, 2, S_SIDE);
	else if (one_in(p, 16))
		synchronise(p, CALL_EVENT_SYNC, 1, STREAMS);
}

/* What the watchdog asks meanwhile. */
static void
watch(struct process *p)
{
	int64_t now = p->now;
	uint8_t thread = p->thread;

	if (p->busy[WATCHDOG] > now)
		p->now = p->busy[WATCHDOG];
	p->thread = WATCHDOG;
	call(p, CALL_QUERY, 0);
	p->busy[WATCHDOG] = p->now;
	p->now = now;
	p->thread = thread;
}

static void
use_system(struct process *p)
{
	int thread = one_in(p, 2) ? p->thread : LOADER;
	struct event e = begin(p, thread);

	if (p->busy[thread] > e.start)
		e.start = p->busy[thread];
	e.name = (uint16_t)below(p, OSRTS - 1);
	e.end = e.start + about(p, thread == LOADER ? 9 * US : 2 * US);
	add(p, T_OSRT, &e);
	p->busy[thread] = e.end + about(p, US);
	if (thread == p->thread)
		p->now = p->busy[thread];
}

static void
switch_thread(struct process *p)
{
	int thread = (int)below(p, THREADS);
	struct event e = begin(p, thread);

	if (p->switched[thread] >= e.start)
		e.start = p->switched[thread] + 1;
	p->switched[thread] = e.start;
	p->on[thread] = !p->on[thread];
	if (p->on[thread])
		p->cpu[thread] = below(p, 32);
	e.kind = p->on[thread];
	e.data = p->cpu[thread];
	add(p, T_SCHED, &e);
}

static void
sample(struct process *p)
{
	struct event e = begin(p, p->thread);

	e.data = p->cpu[p->thread];
	add(p, T_SAMPLE, &e);
}

/* What goes on between two kernels. */
static void
pass_time(struct process *p)
{
	int i;

	for (i = 0; i < 4 && due(p, T_RUNTIME); i++)
		call(
		    p, CALL_QUESTION + (int)below(p, CALLS - CALL_QUESTION), 0);
	if (one_in(p, 20))
		watch(p);
	if (due(p, T_OSRT))
		use_system(p);
	if (due(p, T_SCHED))
		switch_thread(p);
	if (due(p, T_SAMPLE))
		sample(p);
}

static void
submit(struct process *p)
{
	pass_time(p);
	if (one_in(p, 9))
		copy(p);
	if (one_in(p, 18))
		set(p);
	if (one_in(p, 15))
		record(p);
	if (one_in(p, 220))
		launch_graph(p);
	else
		launch(p);
}

static void
operate(struct process *p, uint32_t depth)
{
	push(p, (int)below(p, OPS), DOMAIN_DEFAULT, ++p->op);
	if (depth <= 1 || one_in(p, 2))
		submit(p);
	if (depth > 1)
		operate(p, depth - 1);
	pop(p);
}

static void
run_layer(struct process *p, int layer)
{
	int i;

	push(p, RANGE_LAYER + layer, DOMAIN_DEFAULT, 0);
	for (i = 0; i < OPS_PER_LAYER && !enough(p); i++)
		operate(p, 1 + below(p, 5));
	if (p->thread == AUTOGRAD)
		collect(p);
	prefetch(p);
	pop(p);
}

static void
run_phase(struct process *p, int name)
{
	int i;

	push(p, name, DOMAIN_TRAIN, 0);
	for (i = 0; i < LAYERS && !enough(p); i++)
		run_layer(p, name == RANGE_BACKWARD ? LAYERS - 1 - i : i);
	pop(p);
}

/* The other thread runs the backward pass, while the main thread waits. */
static void
run_backward(struct process *p)
{
	struct event e = begin(p, MAIN);

	p->now += about(p, 5 * US);
	p->thread = AUTOGRAD;
	push(p, RANGE_ENGINE, DOMAIN_DEFAULT, 0);
	run_phase(p, RANGE_BACKWARD);
	pop(p);
	p->thread = MAIN;
	p->now += about(p, 5 * US);
	e.end = p->now;
	e.name = OSRTS - 1;
	add(p, T_OSRT, &e);
	p->busy[MAIN] = p->now += about(p, US);
}

static void
run_step(struct process *p)
{
	push(p, RANGE_STEP, DOMAIN_DEFAULT, 0);
	run_phase(p, RANGE_FORWARD);
	mark(p);
	run_backward(p);
	run_phase(p, RANGE_OPTIMIZER);
	synchronise(p, CALL_STREAM_SYNC, 3, S_COMPUTE);
	if (one_in(p, 10))
		synchronise(p, CALL_DEVICE_SYNC, 4, STREAMS);
	pop(p);
}

void
timeline_make(struct table *tables, size_t kernels)
{
	struct process p;
	size_t i, done = 0;

	for (i = 0; i < PROCESSES; i++) {
		p = (struct process){.tables = tables,
		    .number = (uint8_t)i,
		    .random = 0x9E3779B97F4A7C15ULL * (i + 1),
		    .now = 2000 * (int64_t)MS + (int64_t)i * 37 * US,
		    .corr = 100};
		p.target = (kernels - done) / (PROCESSES - i);
		while (!enough(&p))
			run_step(&p);
		done += p.rows[T_KERNEL];
	}
}
