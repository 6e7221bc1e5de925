/* apply.c - a stream on the common clock */

#include <inttypes.h>
#include <stdio.h>

#include "tq/io/emit.h"
#include "tq/line/edit.h"

#include "apply.h"

/*
 * The times of a record on the clock of its section, each with its duration.
 * Both ends are mapped, so that what lay in something else still does.
 */
static const struct {
	enum key start, length;
} times[] = {{KEY_ts, KEY_dur}, {KEY_api_ts, KEY_api_dur},
    {KEY_range_ts, KEY_range_dur}};

/* lengths of time that begin nowhere */
static const enum key lengths[] = {KEY_busy};

enum {
	TIMES = sizeof(times) / sizeof(*times),
	LENGTHS = sizeof(lengths) / sizeof(*lengths),
	VALUES = 2 * TIMES + LENGTHS
};

struct applying {
	const struct clock_line *line;
	struct edit edit;
	char digits[VALUES][24];
	size_t used;
};

static void
set(struct applying *a, enum key key, int64_t v)
{
	char *to = a->digits[a->used++];
	int n = snprintf(to, sizeof(a->digits[0]), "%" PRId64, v);

	edit_set(&a->edit, key, (struct span){to, (size_t)n});
}

static void
map_time(
    struct applying *a, const struct event *ev, enum key start, enum key length)
{
	int64_t from = event_int(ev, start, 0), dur, mapped;

	mapped = clock_line_map(a->line, from);
	set(a, start, mapped);
	if (a->line->drift == 0 || !event_has(ev, length))
		return;
	dur = time_between(mapped,
	    clock_line_map(a->line, time_end(from, event_int(ev, length, 0))));
	if (dur != event_int(ev, length, 0))
		set(a, length, dur);
}

/* a length grows as the clock drifts in that length of time */
static void
map_length(struct applying *a, const struct event *ev, enum key key)
{
	int64_t was = event_int(ev, key, 0);
	struct clock_line rate = {.drift = a->line->drift};
	int64_t v = clock_line_map(&rate, was);

	if (v != was)
		set(a, key, v);
}

static void
map_record(struct applying *a, const struct event *ev)
{
	a->edit = (struct edit){0};
	a->used = 0;
	for (int i = 0; i < TIMES; i++)
		if (event_has(ev, times[i].start))
			map_time(a, ev, times[i].start, times[i].length);
	for (int i = 0; i < LENGTHS && a->line->drift != 0; i++)
		if (event_has(ev, lengths[i]))
			map_length(a, ev, lengths[i]);
}

/*
 * The trace record gets the change of the clock, and the common origin, unless
 * times stay on their own clock.
 */
/* The line from the clock of the recording, which may be aligned already. */
static struct clock_line
whole_line(const struct event *ev, const struct clock_line *line)
{
	const struct clock_line before = {
	    .offset = event_int(ev, KEY_clock_offset, 0),
	    .drift = event_int(ev, KEY_clock_drift, 0),
	    .error = event_int(ev, KEY_clock_error, NO_ID),
	    .spread = event_int(ev, KEY_clock_spread, NO_ID)};

	return event_has(ev, KEY_clock_offset) ? clock_line_join(&before, line)
					       : *line;
}

static void
write_trace(const struct event *ev, const struct rank_clock *clock, int64_t utc,
    struct output *o)
{
	static const enum key replaced[] = {KEY_rank, KEY_clock_offset,
	    KEY_clock_drift, KEY_clock_error, KEY_clock_spread, KEY_clock_by};
	bool common = clock->line.by != CLOCK_NONE;
	const struct clock_line whole = whole_line(ev, &clock->line);
	struct edit edit = {0};
	struct text line = {0};
	struct span s;

	for (size_t i = 0; i < sizeof(replaced) / sizeof(*replaced); i++)
		edit_drop(&edit, replaced[i]);
	if (common) {
		edit_drop(&edit, KEY_origin_utc_ns);
		edit_drop(&edit, KEY_origin_clock);
	}
	edit_write(&edit, ev->line, &line);
	s = text_span(&line);
	while (s.len > 0 && s.p[s.len - 1] != '}')
		s.len--;
	text_add_span(&o->buf, (struct span){s.p, s.len - 1});
	if (common && utc != NO_ID) {
		emit_key(o, KEY_origin_utc_ns);
		text_printf(&o->buf, "\"%" PRId64 "\"", utc);
	}
	emit_int(o, KEY_rank, clock->rank);
	solve_add_line(o, &whole);
	emit_close(o);
	text_free(&line);
}

static void
write_record(struct applying *a, const struct event *ev, struct output *o)
{
	map_record(a, ev);
	if (a->used == 0) {
		output_line(o, ev->line);
		return;
	}
	edit_write(&a->edit, ev->line, &o->buf);
	text_add_char(&o->buf, '\n');
	o->lines++;
	output_check(o);
}

void
apply_keys(struct keyset want[])
{
	for (int k = 0; k <= KIND_COUNT; k++) {
		for (int i = 0; i < TIMES; i++) {
			keyset_add(&want[k], times[i].start);
			keyset_add(&want[k], times[i].length);
		}
		for (int i = 0; i < LENGTHS; i++)
			keyset_add(&want[k], lengths[i]);
	}
}

void
apply(struct reader *in, const struct rank_clock *clocks, int64_t utc,
    struct output *o)
{
	const struct rank_clock *clock = clocks;
	struct applying a = {.line = &clocks->line};
	bool begun = false;

	while (reader_next(in)) {
		const struct event *ev = &in->event;

		if (ev->kind == KIND_trace) {
			clock += begun;
			begun = true;
			a.line = &clock->line;
			write_trace(ev, clock, utc, o);
		} else if (schema_role(ev->kind) == ROLE_FRAME) {
			output_line(o, ev->line); /* its dur is no time */
		} else {
			write_record(&a, ev, o);
		}
	}
}

void
apply_nothing(struct reader *in, struct output *o)
{
	while (reader_next(in))
		output_line(o, in->event.line);
}
