/*
 * sort_stream.c - the records of a stream are sorted by time
 *
 * Records wait in a sorter until their section is complete; definitions do
 * not, so that each comes before its first use.  A record without a time keeps
 * its place behind the newest record before it.
 */

#include <err.h>
#include <inttypes.h>

#include "source.h"
#include "tq/io/reader.h"
#include "tq/io/sorter.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"
#include "tq/line/edit.h"

enum { MEMORY = 128 << 20 }; /* of records that wait */

#define NO_SLACK INT64_MIN

/* the order of a record */
struct moment {
	int64_t ts, dur;
};

struct sorted_stream {
	const struct source_settings *settings;
	struct reader in;
	struct output *out, *frames;
	struct edit without; /* keys that are not chosen, of the record */
	struct sorter *sorter;
	bool in_section;      /* behind a trace record */
	struct moment newest; /* of the records of the section so far */
	int64_t slack;        /* of the section, in ns; or NO_SLACK */
	int64_t released;     /* older records were written (live) */
	uint64_t late;        /* records that came too late for that */
	struct text line;
	struct keyset want[KIND_COUNT + 1], want_open[KIND_COUNT + 1];
};

static void
write_line(void *arg, const struct sorter_line *l)
{
	output_line(arg, l->line);
}

/* ---- a record ---- */

static bool
is_chosen(const struct sorted_stream *s, enum kind kind)
{
	if (kind == KIND_lost && s->settings->only)
		return false;
	if (kind == KIND_UNKNOWN)
		return s->settings->kinds == UINT64_MAX;
	/* losses are reported for any choice */
	return kind == KIND_lost || (s->settings->kinds >> kind & 1) != 0;
}

/* true if other records may refer to it: unknown kinds, if without a time */
static bool
is_definition(const struct event *ev)
{
	return schema_role(ev->kind) == ROLE_DEF ||
	       (ev->kind == KIND_UNKNOWN && !event_has(ev, KEY_ts));
}

/* the moment of the current record, which has a ts */
static struct moment
read_moment(struct sorted_stream *s)
{
	struct event *ev = &s->in.event;
	struct moment at = {event_int(ev, KEY_ts, 0), 0};

	if (event_has(ev, KEY_dur))
		at.dur = event_int(ev, KEY_dur, 0);
	else if (event_parse(ev, ev->line, s->want_open) &&
		 event_true(ev, KEY_open))
		at.dur = NEVER_ENDED;
	return at;
}

/* true for the current record, which has a ts; losses belong to any window */
static bool
is_in_window(const struct sorted_stream *s, struct moment at)
{
	return s->in.event.kind == KIND_lost ||
	       time_window_overlaps(&s->settings->window, at.ts, at.dur);
}

static bool
follows(struct moment a, struct moment b)
{
	return a.ts > b.ts || (a.ts == b.ts && a.dur < b.dur);
}

/* the current record with the chosen keys */
static struct span
chosen_line(struct sorted_stream *s)
{
	const struct event *ev = &s->in.event;
	struct keyset keys;

	if (key_choice_all(&s->settings->keys, ev->kind))
		return ev->line;
	keys = key_choice_of(&s->settings->keys, ev->kind);
	s->without.dropped = keyset_without(keyset_all(), &keys);
	s->line.len = 0;
	edit_write(&s->without, ev->line, &s->line);
	return text_span(&s->line);
}

static void
add_to_sorter(struct sorted_stream *s, struct moment at)
{
	if (!sorter_add(s->sorter, at.ts, at.dur, chosen_line(s), 0))
		err(TQ_FAIL, "%s", temporary_directory());
}

/* write records older than the slack: no older ones are to come */
static void
release(struct sorted_stream *s)
{
	int64_t until;

	/* in steps, which cost less than each record alone would */
	if (__builtin_sub_overflow(s->newest.ts, s->slack, &until) ||
	    until <= s->released ||
	    (uint64_t)until - (uint64_t)s->released < (uint64_t)s->slack / 8)
		return;
	s->released = until;
	if (!sorter_emit(s->sorter, until, write_line, s->out))
		err(TQ_FAIL, "%s", temporary_directory());
}

static void
add_record(struct sorted_stream *s)
{
	const struct event *ev = &s->in.event;
	enum kind kind = ev->kind;
	struct moment at;

	if (is_definition(ev)) {
		output_line(s->frames, ev->line);
		return;
	}
	if (!is_chosen(s, kind))
		return;
	if (!event_has(ev, KEY_ts)) {
		add_to_sorter(s, s->newest);
		return;
	}
	at = read_moment(s);
	if (!is_in_window(s, at))
		return;
	/* a summary stays behind the records it sums up */
	if (schema_follows(kind) && follows(s->newest, at))
		at = s->newest;
	if (at.ts < s->released)
		s->late++;
	add_to_sorter(s, at);
	if (follows(at, s->newest))
		s->newest = at;
	if (s->settings->live && s->slack >= 0)
		release(s);
}

/* ---- a section ---- */

static void
begin_section(struct sorted_stream *s)
{
	s->in_section = s->in.in_section;
	s->newest = (struct moment){INT64_MIN, INT64_MAX};
	s->released = INT64_MIN;
	s->slack = NO_SLACK;
	s->late = 0;
	s->frames->lines = 0;
}

/* write the current record, a trace record, without its slack */
static void
write_trace(struct sorted_stream *s)
{
	const struct event *ev = &s->in.event;
	struct edit without = {0};

	s->slack = event_int(ev, KEY_slack, NO_SLACK);
	if (s->slack == NO_SLACK) {
		output_line(s->frames, ev->line);
	} else {
		edit_drop(&without, KEY_slack);
		s->line.len = 0;
		edit_write(&without, ev->line, &s->line);
		output_line(s->frames, text_span(&s->line));
	}
	s->frames->lines = 0;
}

static void
write_end(struct sorted_stream *s)
{
	const struct event *ev = &s->in.event;
	struct output *o = s->frames;
	struct edit count = {0};
	char digits[TEXT_INT_MAX];

	if (o->lines == event_int(ev, KEY_events, -1)) {
		output_line(o, ev->line);
		return;
	}
	edit_set(&count, KEY_events,
	    (struct span){
		digits, (size_t)(text_digits_int(digits, o->lines) - digits)});
	s->line.len = 0;
	edit_write(&count, ev->line, &s->line);
	output_line(o, text_span(&s->line));
}

/* the section is over; complete: the current record is its end record */
static void
finish_section(struct sorted_stream *s, bool complete)
{
	if (!sorter_finish(s->sorter, write_line, s->out))
		err(TQ_FAIL, "%s", temporary_directory());
	if (s->late > 0) {
		warnx("warning: %s: %" PRIu64 " record%s came later than the "
		      "slack of %s section",
		    s->in.in.name, s->late, s->late == 1 ? "" : "s",
		    s->late == 1 ? "its" : "their");
		s->in.status = TQ_FAIL;
	} else if (complete)
		write_end(s);
	begin_section(s);
}

/* ---- all ---- */

static void
choose_keys(struct sorted_stream *s)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		keyset_add(&s->want[k], KEY_kind);
		keyset_add(&s->want[k], KEY_ts);
		keyset_add(&s->want[k], KEY_dur);
		s->want_open[k] = s->want[k];
		keyset_add(&s->want_open[k], KEY_open);
	}
	keyset_add(&s->want[KIND_trace], KEY_slack);
	s->without.drop_unknown = s->settings->keys.listed;
}

/* instead of all else: count the chosen events by kind */
static void
count_records(struct sorted_stream *s, int64_t *counts)
{
	const struct event *ev = &s->in.event;

	while (reader_next(&s->in))
		if (ev->kind != KIND_UNKNOWN && !is_definition(ev) &&
		    schema_role(ev->kind) != ROLE_FRAME &&
		    is_chosen(s, ev->kind) &&
		    (!event_has(ev, KEY_ts) || is_in_window(s, read_moment(s))))
			counts[ev->kind]++;
}

static void
sort_records(struct sorted_stream *s)
{
	const struct event *ev = &s->in.event;

	begin_section(s);
	while (reader_next(&s->in)) {
		/* the reader also leaves a section that is cut short */
		if (ev->kind == KIND_trace || s->in.in_section != s->in_section)
			finish_section(s, ev->kind == KIND_end);
		if (ev->kind == KIND_trace)
			write_trace(s);
		else if (ev->kind != KIND_end)
			add_record(s);
	}
	finish_section(s, false);
}

static int
pass(const struct source_input *input)
{
	static char *none[] = {NULL};
	static struct sorted_stream s;
	struct operand *from = input->from;

	if (input->settings->check)
		errx(TQ_FAIL, "%s: is a stream: --check reads recordings only",
		    from->name);
	s = (struct sorted_stream){.settings = input->settings,
	    .out = input->out,
	    .frames = input->frames};
	s.sorter = sorter_open(MEMORY);
	choose_keys(&s);
	reader_init(&s.in, none, s.want, input->out);
	s.in.any_order = true;
	input_take(&s.in.in, from->name, from->fd, from->zio);
	from->zio = NULL;
	if (input->counts != NULL)
		count_records(&s, input->counts);
	else
		sort_records(&s);
	sorter_free(s.sorter);
	text_free(&s.line);
	reader_free(&s.in);
	return s.in.status;
}

static bool
detect(const struct source_input *in)
{
	return operand_is_stream(in->from);
}

const struct source sort_stream_source = {
    .name = "tq",
    .about = "a stream of these tools, to be put in order of time",
    .detect = detect,
    .pass = pass,
};
