/*
 * device_lanes.c - lanes of devices, streams and GPUs, and pieces of time, are
 * those of a count of each ns
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tq/account/device_pieces.h"
#include "tq/names/model.h"

enum {
	TIMES = 600,
	OPS = 40,
	RUNS = 3000,
	LANES = 64,
	PIDS = 2,
	DEVICES = 2,
	STREAMS = 2
};

struct operation {
	int64_t pid, device, stream, ts, end; /* end: INT64_MAX: never */
	enum device_class group;
};

struct recording {
	struct operation all[OPS];
	size_t count;
	bool one_gpu; /* device 0 of both processes is one */
	int64_t last;
};

/* what was handed out */
struct seen {
	int64_t gaps[LANES]; /* ns */
	int64_t parts[LANES][ACCOUNT_PARTS];
	int64_t now[LANES]; /* pieces leave nothing out */
	size_t holes;
};

static int64_t
random_below(int64_t n)
{
	return (int64_t)(check_random() % (uint64_t)n);
}

static void
make_recording(struct recording *x)
{
	int64_t ts = random_below(20);

	*x = (struct recording){.count = 1 + (size_t)random_below(OPS),
	    .one_gpu = random_below(2) == 0};
	for (size_t i = 0; i < x->count; i++) {
		int64_t dur = random_below(30);

		ts += random_below(3) > 0 ? random_below(20) : 0;
		if (ts >= TIMES - 40)
			ts = TIMES - 40;
		x->all[i] = (struct operation){.pid = 1 + random_below(PIDS),
		    .device = random_below(DEVICES),
		    .stream = random_below(STREAMS),
		    .ts = ts,
		    .end = random_below(40) == 0 ? INT64_MAX : ts + dur,
		    .group = (enum device_class)random_below(DEVICE_CLASSES)};
		if (x->last < ts)
			x->last = ts;
		if (x->all[i].end != INT64_MAX && x->last < x->all[i].end)
			x->last = x->all[i].end;
	}
}

/* ---- counting each ns ---- */

static bool
is_of(const struct operation *o, const struct device_lane *l)
{
	if (l->pid == NO_ID) /* the GPU of both */
		return o->device == 0;
	return o->pid == l->pid && o->device == l->device &&
	       (l->stream == NO_ID || o->stream == l->stream);
}

/* The class that the lane is busy with at ts; DEVICE_CLASSES: it is idle. */
static int
class_at(const struct recording *x, const struct device_lane *l, int64_t ts)
{
	int c = DEVICE_CLASSES;

	for (size_t i = 0; i < x->count; i++) {
		const struct operation *o = &x->all[i];

		if (is_of(o, l) && o->ts <= ts && ts < o->end && ts < x->last &&
		    (int)o->group < c)
			c = (int)o->group;
	}
	return c;
}

/* ---- the records ---- */

static void
parse(struct event *ev, char *line, size_t size, const struct operation *o)
{
	static const char *const what[DEVICE_CLASSES] = {
	    "\"kernel\",\"name\":\"k\"", "\"kernel\",\"name\":\"nccl\"",
	    "\"memcpy\""};
	int n = snprintf(line, size,
	    "{\"kind\":%s,\"ts\":%" PRId64 ",\"pid\":%" PRId64
	    ",\"device\":%" PRId64 ",\"context\":1,\"stream\":%" PRId64,
	    what[o->group], o->ts, o->pid, o->device, o->stream);

	if (o->end == INT64_MAX)
		n += snprintf(line + n, size - (size_t)n, ",\"open\":true}");
	else
		n += snprintf(line + n, size - (size_t)n,
		    ",\"dur\":%" PRId64 "}", o->end - o->ts);
	CHECK(event_parse(ev, (struct span){line, (size_t)n}, NULL), "parsed");
	model_event(ev->model, ev);
}

static void
define(struct names *names)
{
	struct event ev = {0};
	char line[256] = {0};

	for (int pid = 1; pid <= PIDS; pid++) {
		int n = snprintf(line, sizeof(line),
		    "{\"kind\":\"device\",\"pid\":%d,\"device\":0,"
		    "\"uuid\":\"GPU-1\"}",
		    pid);

		CHECK(event_parse(&ev, (struct span){line, (size_t)n}, NULL),
		    "a device");
		names_define(names, &ev);
	}
	event_free(&ev);
}

/* ---- lanes ---- */

static void
add_gap(void *seen, const struct lane_gap *gap)
{
	struct seen *s = seen;

	s->gaps[gap->lane] += gap->to - gap->from;
	s->holes += gap->to <= gap->from ||
		    gap->parts.sync + gap->parts.host + gap->parts.rest !=
			gap->to - gap->from;
}

static void
add_lane(void *seen, size_t lane, size_t of)
{
	struct seen *s = seen;

	if (of != SIZE_MAX)
		s->gaps[lane] = s->gaps[of];
}

static void
check_lanes(const struct recording *x, const struct names *names, bool streams)
{
	struct seen s = {0};
	struct device_lanes l = {.by_stream = streams,
	    .names = x->one_gpu ? names : NULL,
	    .gap = add_gap,
	    .made = add_lane,
	    .arg = &s};
	struct model m = {0};
	struct event ev = {.model = &m};
	char line[512] = {0};

	device_lanes_open(&l);
	for (size_t i = 0; i < x->count; i++) {
		const struct operation *o = &x->all[i];

		parse(&ev, line, sizeof(line) - EVENT_PADDING, o);
		device_lanes_add(
		    &l, device_lanes_find(&l, &ev, o->ts), &ev, o->ts, o->end);
	}
	device_lanes_end(&l, x->last);
	for (size_t i = 0; i < l.all.count; i++) {
		const struct device_lane *d = &l.all.all[i];
		int64_t idle = 0;

		for (int64_t ts = d->first; ts < d->until; ts++)
			idle += class_at(x, d, ts) == DEVICE_CLASSES;
		CHECK(idle == s.gaps[i],
		    "gaps of lane %zu: %" PRId64 ", counted %" PRId64, i,
		    s.gaps[i], idle);
		for (int64_t ts = d->until; ts < x->last; ts++)
			CHECK(class_at(x, d, ts) == DEVICE_CLASSES,
			    "lane %zu works after its end", i);
	}
	CHECK(s.holes == 0, "gaps are not empty, and their parts add up");
	device_lanes_reset(&l);
	device_lanes_free(&l);
	event_free(&ev);
	model_free(&m);
}

/* ---- pieces ---- */

static void
add_piece(void *seen, const struct piece *p)
{
	struct seen *s = seen;

	s->holes += s->now[p->device] != p->ts || p->end <= p->ts;
	s->now[p->device] = p->end;
	s->parts[p->device][p->part] += p->end - p->ts;
}

static void
check_pieces(const struct recording *x)
{
	struct seen s = {0};
	struct device_pieces p = {.piece = add_piece, .arg = &s};
	struct device_lane lanes[LANES];
	struct model m = {0};
	struct event ev = {.model = &m};
	char line[512] = {0};
	size_t count;

	for (size_t i = 0; i < LANES; i++)
		s.now[i] = x->all[0].ts;
	device_pieces_open(&p);
	for (size_t i = 0; i < x->count; i++) {
		parse(&ev, line, sizeof(line) - EVENT_PADDING, &x->all[i]);
		device_pieces_event(&p, &ev, (struct part_tag){0});
	}
	count = p.device_count;
	for (size_t i = 0; i < count; i++)
		lanes[i] = *device_pieces_lane(&p, i);
	device_pieces_section_end(&p);
	for (size_t i = 0; i < count; i++) {
		int64_t counted[DEVICE_CLASSES + 1] = {0};

		for (int64_t ts = x->all[0].ts; ts < x->last; ts++)
			counted[class_at(x, &lanes[i], ts)]++;
		for (size_t c = 0; c < DEVICE_CLASSES; c++)
			CHECK(s.parts[i][c] == counted[c],
			    "class %zu of device %zu", c, i);
		CHECK(
		    s.now[i] == x->last, "pieces of device %zu to the end", i);
	}
	CHECK(s.holes == 0, "pieces leave nothing out");
	device_pieces_free(&p);
	event_free(&ev);
	model_free(&m);
}

int
main(void)
{
	struct names names = {0};
	struct recording x;

	define(&names);
	for (int i = 0; i < RUNS; i++) {
		make_recording(&x);
		check_lanes(&x, &names, false);
		check_lanes(&x, &names, true);
		check_pieces(&x);
	}
	names_free(&names);
	return check_status();
}
