/* live.c - the intervals of a stream that goes on */

#include <err.h>

#include "tq/io/status.h"
#include "tq/io/temporary.h"

#include "live.h"
#include "live_screen.h"

enum {
	WINDOW_MEMORY = 64 << 20,
	CHECK_EACH = 64, /* records */
	MS = 1000000
};

/* ---- the window ---- */

/* a record, in order of time */
static void
go_on(struct live *l, const struct event *ev)
{
	if (schema_role(ev->kind) == ROLE_WORK)
		live_sums_operation(&l->sums, l->names, ev);
	if (l->form == LIVE_SCREEN)
		l->hand_on(l->arg, ev);
}

static void
leave_window(void *live, const struct sorter_line *x)
{
	struct live *l = live;

	l->line.len = 0;
	text_reserve(&l->line, x->line.len + EVENT_PADDING);
	text_add_span(&l->line, x->line);
	memset(l->line.p + l->line.len, 0, EVENT_PADDING);
	if (event_parse(&l->waited, text_span(&l->line), l->want))
		go_on(l, &l->waited);
}

static _Noreturn void
lose_window(void)
{
	err(TQ_FAIL, "%s", temporary_directory());
}

static void
empty_window(struct live *l)
{
	if (!sorter_finish(l->window, leave_window, l))
		lose_window();
	l->released = INT64_MIN;
	l->mark = NO_ID;
}

/* records older than ts go on */
static void
release(struct live *l, int64_t ts)
{
	if (!sorter_emit(l->window, ts, leave_window, l))
		lose_window();
	l->released = ts;
	live_sums_settle(&l->sums, ts);
}

/* in steps, which cost less than each record alone would */
static void
move_window(struct live *l)
{
	int64_t until;

	if (l->sums.newest == NO_ID ||
	    __builtin_sub_overflow(l->sums.newest, LIVE_WINDOW, &until) ||
	    until < l->released ||
	    (uint64_t)until - (uint64_t)l->released < LIVE_WINDOW / 8)
		return;
	release(l, until);
}

/* what came long ago goes on, even if nothing comes after it */
static void
expire_window(struct live *l, int64_t now)
{
	if (now - l->marked < LIVE_WINDOW)
		return;
	if (l->mark != NO_ID && l->mark > l->released)
		release(l, l->mark);
	l->marked = now;
	l->mark = l->sums.newest != NO_ID ? time_end(l->sums.newest, 1) : NO_ID;
}

static void
enter_window(struct live *l, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (l->form != LIVE_SCREEN && schema_role(ev->kind) != ROLE_WORK)
		return;
	if (!sorter_add(l->window, ts, event_int(ev, KEY_dur, 0), ev->line, 0))
		lose_window();
	move_window(l);
}

/* ---- intervals ---- */

static void
write_metrics(struct live *l)
{
	struct output file;

	output_open(&file, l->file, ZIO_PLAIN);
	live_metrics_add(&file.buf, &l->sums, &l->at);
	output_finish(&file, true);
}

/* the interval ends now */
static void
end_interval(struct live *l, int64_t now)
{
	if (l->in_any_order)
		expire_window(l, now);
	else
		live_sums_settle(&l->sums, l->sums.newest);
	l->at.now_utc = time_of_clock(CLOCK_REALTIME);
	l->at.elapsed = now - l->start;
	l->at.length = now - l->began;
	live_sums_next(&l->sums);
	switch (l->form) {
	case LIVE_NDJSON:
		live_json_add(&l->out->buf, &l->sums, &l->at);
		output_flush(l->out);
		break;
	case LIVE_METRICS:
		write_metrics(l);
		break;
	case LIVE_SCREEN:
		if (!l->at.final) /* the page takes its place */
			live_screen_show(&l->sums, &l->at);
		break;
	}
	l->at.number++;
	l->began = now;
	/* an interval that was missed is part of this one */
	l->next += ((now - l->next) / l->every + 1) * l->every;
}

/* returns ns until the next interval ends */
static int64_t
check(struct live *l)
{
	int64_t now = time_of_clock(CLOCK_MONOTONIC);

	l->unchecked = 0;
	if (now >= l->next)
		end_interval(l, now);
	return l->next - now;
}

int
live_idle(void *live)
{
	struct live *l = live;
	int64_t ms = check(l) / MS + 1;

	if (l->form == LIVE_SCREEN)
		live_screen_resize(&l->sums, &l->at);
	return ms < INT32_MAX ? (int)ms : INT32_MAX;
}

/* ---- the stream ---- */

void
live_begin(struct live *l)
{
	size_t at;

	if (l->step->name == NULL) {
		range_spec_parse_step(&l->standard, "0..", &at);
		l->step = &l->standard;
	}
	l->sums.step = l->step;
	l->start = l->began = time_of_clock(CLOCK_MONOTONIC);
	l->next = l->start + l->every;
	l->window = sorter_open(WINDOW_MEMORY);
	l->released = INT64_MIN;
	l->mark = NO_ID;
	live_sums_begin(&l->sums);
	if (l->form == LIVE_SCREEN)
		live_screen_begin(l->color);
}

void
live_event(struct live *l, const struct event *ev, bool live)
{
	enum role role = schema_role(ev->kind);

	l->in_any_order = live;
	live_sums_event(&l->sums, ev);
	if (ev->kind == KIND_end)
		empty_window(l);
	/* before messages about the end of the stream */
	if (ev->kind == KIND_end && l->form == LIVE_SCREEN)
		live_screen_erase();
	if (role == ROLE_DEF || role == ROLE_FRAME)
		l->hand_on(l->arg, ev);
	else if (live && event_has(ev, KEY_ts))
		enter_window(l, ev);
	else
		go_on(l, ev);
	if (++l->unchecked >= CHECK_EACH)
		check(l);
}

void
live_section_end(struct live *l)
{
	empty_window(l);
	live_sums_end(&l->sums);
}

void
live_finish(struct live *l)
{
	l->at.final = true;
	end_interval(l, time_of_clock(CLOCK_MONOTONIC));
	if (l->form == LIVE_SCREEN)
		live_screen_end();
}

void
live_free(struct live *l)
{
	sorter_free(l->window);
	event_free(&l->waited);
	text_free(&l->line);
	live_sums_free(&l->sums);
	range_spec_free(&l->standard);
}
