/* out_stream.c - one output of the capture: lines in order of time */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tq/base/hash.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"

#include "out_stream.h"

/* the tag of a line in the sorter: class and process */
enum { PROCESS_BITS = 28 };

/* of a line in the sorter */
static uint32_t
process_of(const struct sorter_line *l)
{
	return l->tag & ((1u << PROCESS_BITS) - 1);
}

static enum line_class
class_of(const struct sorter_line *l)
{
	return (enum line_class)(l->tag >> PROCESS_BITS);
}

enum {
	BATCH = 1 << 17,       /* bytes for the writer at once */
	DUMP_MEMORY = 64 << 20 /* to put the lines of a dump in order */
};

static void
write_trace(struct out_stream *s, const struct trace_info *info)
{
	struct output *o = &s->line;
	struct utsname sys;
	char host[256] = "";

	emit_open(o, KIND_trace);
	emit_int(o, KEY_version, EMIT_VERSION);
	emit_str(o, KEY_source, SPAN("tq-capture"));
	emit_str(o, KEY_producer, SPAN(TQ_VERSION));
	emit_key(o, KEY_origin_utc_ns);
	text_printf(&o->buf, "\"%" PRId64 "\"", info->clock->origin_utc);
	if (uname(&sys) == 0) {
		emit_key(o, KEY_os);
		text_printf(&o->buf, "\"%s %s\"", sys.sysname, sys.release);
	}
	if (info->command != NULL)
		emit_str(o, KEY_command, span_of(info->command));
	if (info->slack > 0)
		emit_int(o, KEY_slack, info->slack);
	emit_str(o, KEY_clock, span_of(clock_name(info->clock)));
	if (gethostname(host, sizeof(host) - 1) == 0)
		emit_str(o, KEY_host, span_of(host));
	if (info->rank >= 0)
		emit_int(o, KEY_rank, info->rank);
	emit_str(o, KEY_mode, span_of(info->mode));
	out_stream_define(s);
	s->lines = 0;
}

bool
out_stream_open(struct out_stream *s, const char *file, enum zio_format format,
    const struct trace_info *info, struct focus *focus, size_t memory)
{
	*s = (struct out_stream){.focus = focus,
	    .live = info->slack > 0 || info->recorder,
	    .keep_nested = info->keep_nested};
	s->writer = writer_thread_open(file, format);
	if (s->writer == NULL)
		return false;
	s->name = file != NULL ? mem_copy(file, strlen(file)) : NULL;
	s->sorter = sorter_open(memory);
	if (info->recorder)
		s->recorder = flight_recorder_open();
	write_trace(s, info);
	return true;
}

struct output *
out_stream_begin(struct out_stream *s, enum kind kind, enum line_class which,
    uint32_t process, uint32_t corr)
{
	s->tag = (uint32_t)which << PROCESS_BITS | process;
	text_add(&s->line.buf, (const char *)&corr, sizeof(corr));
	emit_open(&s->line, kind);
	return &s->line;
}

static void
send_out(struct out_stream *s, struct span line)
{
	if (s->ready.len > 0 && s->ready.len + line.len > BATCH)
		writer_thread_put(s->writer, &s->ready);
	text_add_span(&s->ready, line);
	s->lines++;
	s->bytes += (int64_t)line.len;
}

void
out_stream_put(struct out_stream *s, int64_t ts, int64_t dur)
{
	emit_close(&s->line);
	s->events += s->tag >> PROCESS_BITS < LINE_ALWAYS;
	if (!sorter_add(s->sorter, ts, dur, text_span(&s->line.buf), s->tag)) {
		s->error = errno;
		s->temporary = true;
		s->lost++;
	}
	s->line.buf.len = 0;
}

void
out_stream_drop(struct out_stream *s)
{
	s->line.buf.len = 0;
}

void
out_stream_define(struct out_stream *s)
{
	emit_close(&s->line);
	if (s->recorder != NULL)
		flight_recorder_define(s->recorder, text_span(&s->line.buf));
	else
		send_out(s, text_span(&s->line.buf));
	s->line.buf.len = 0;
}

/* true if it says more than the last definition, which it becomes */
static bool
is_news(struct out_stream *s, const struct stream_name *n)
{
	uint64_t at = hash_mix((uint64_t)n->pid + 1, (uint64_t)n->tid + 1);
	struct stream_name *last = &s->named[at % OUT_STREAM_NAMES];

	if (last->pid == n->pid && last->tid == n->tid &&
	    last->name == n->name && (last->ranked || !n->ranked))
		return false;
	*last = *n;
	return true;
}

void
out_stream_name(struct out_stream *s, int64_t pid, int64_t tid,
    struct span name, int64_t rank)
{
	struct output *o = &s->line;

	if (!is_news(s, &(struct stream_name){pid, tid,
			    name.len > 0 ? hash_text(name) : 0, rank >= 0}))
		return;
	emit_open(o, tid != 0 ? KIND_thread : KIND_process);
	emit_int(o, KEY_pid, pid);
	if (tid != 0)
		emit_int(o, KEY_tid, tid);
	if (name.len > 0)
		emit_str(o, KEY_name, name);
	if (rank >= 0)
		emit_int(o, KEY_rank, rank);
	out_stream_define(s);
}

void
out_stream_note(
    struct out_stream *s, int64_t ts, const char *text, const char *what)
{
	struct output *o =
	    out_stream_begin(s, KIND_diagnostic, LINE_NOTE, 0, 0);

	emit_int(o, KEY_ts, ts);
	emit_str(o, KEY_source, SPAN("tq-capture"));
	emit_str(o, KEY_severity, SPAN("warning"));
	emit_key(o, KEY_text);
	text_printf(
	    &o->buf, "\"%s%s%s\"", text, *what != '\0' ? " " : "", what);
	out_stream_put(s, ts, 0);
}

void
out_stream_lost(struct out_stream *s, int64_t ts, uint32_t process, int64_t pid,
    const struct lost_records *lost)
{
	struct output *o;

	s->dropped += lost->count;
	if (s->recorder != NULL)
		flight_recorder_lose(s->recorder, ts, lost->count);
	o = out_stream_begin(s, KIND_lost, LINE_ALWAYS, process, 0);
	emit_int(o, KEY_ts, ts);
	if (pid != NO_ID)
		emit_int(o, KEY_pid, pid);
	emit_str(o, KEY_reason, span_of(lost->reason));
	emit_str(o, KEY_what, span_of(lost->what));
	emit_int(o, KEY_count, lost->count);
	out_stream_put(s, ts, 0);
}

/*
 * The latest calls of the runtime of a process, by correlation id: a call of
 * the driver within one of them has the same id, and comes soon after it.
 */
enum { RECENT = 1024 };

struct recent_calls {
	uint32_t corr[RECENT];
};

static uint32_t *
recent(struct out_stream *s, uint32_t process, uint32_t corr)
{
	if (process >= s->recent_count) {
		s->recent = mem_resize(
		    s->recent, (size_t)process + 1, sizeof(*s->recent));
		while (s->recent_count <= process)
			s->recent[s->recent_count++] = NULL;
	}
	if (s->recent[process] == NULL)
		s->recent[process] = mem_alloc(sizeof(struct recent_calls));
	return &s->recent[process]->corr[corr % RECENT];
}

/* true if the line is a call of the driver within one of the runtime, as far as
   that is known */
static bool
is_nested(struct out_stream *s, const struct sorter_line *l, uint32_t corr)
{
	uint32_t process = process_of(l);

	switch (class_of(l)) {
	case LINE_API:
		*recent(s, process, corr) = corr;
		parked_calls_found(&s->parked, process, corr);
		return false;
	case LINE_DRIVER:
		return !s->keep_nested && corr != 0 &&
		       *recent(s, process, corr) == corr;
	default:
		return false;
	}
}

/* true if the line is in the focus */
static bool
is_wanted(struct out_stream *s, const struct sorter_line *l, uint32_t corr)
{
	uint32_t process = process_of(l);

	if (focus_is_everything(s->focus))
		return true;
	switch (class_of(l)) {
	case LINE_API:
	case LINE_DRIVER:
		return focus_wants_call(s->focus, process, corr, l->ts);
	case LINE_WORK:
		return focus_wants_work(s->focus, process, corr, l->ts);
	case LINE_ALWAYS:
	case LINE_NOTE:
		return true;
	default:
		return focus_wants(s->focus, l->ts);
	}
}

static void
send_wanted(struct out_stream *s, const struct sorter_line *l)
{
	if (s->recorder != NULL)
		flight_recorder_add(s->recorder, l->ts, l->dur,
		    class_of(l) == LINE_NOTE, l->line);
	else
		send_out(s, l->line);
}

static void
select_line(void *arg, const struct sorter_line *l)
{
	struct out_stream *s = arg;
	struct sorter_line line = *l;
	uint32_t corr;

	memcpy(&corr, line.line.p, sizeof(corr));
	line.line.p += sizeof(corr);
	line.line.len -= sizeof(corr);
	if (is_nested(s, l, corr))
		s->nested++;
	else if (!is_wanted(s, l, corr))
		s->outside++;
	else if (s->live && !s->keep_nested && corr != 0 &&
		 class_of(l) == LINE_DRIVER)
		parked_calls_add(
		    &s->parked, &line, process_of(l), corr, s->until);
	else
		send_wanted(s, &line);
}

/* calls of the driver that have waited long enough */
static void
send_parked(struct out_stream *s)
{
	struct sorter_line l;
	bool nested;

	while (parked_calls_next(&s->parked, s->until, &l, &nested))
		if (nested)
			s->nested++;
		else
			send_wanted(s, &l);
}

void
out_stream_release(struct out_stream *s, int64_t until)
{
	bool ok;

	s->until = until;
	ok = until == INT64_MAX ? sorter_finish(s->sorter, select_line, s)
				: sorter_emit(s->sorter, until, select_line, s);
	send_parked(s);
	if (!ok) {
		s->error = errno;
		s->temporary = true;
	}
	if (s->ready.len > 0)
		writer_thread_put(s->writer, &s->ready);
}

void
out_stream_abandon(struct out_stream *s)
{
	int error = writer_thread_close(s->writer, &s->undelivered);

	s->writer = NULL;
	if (error != 0) {
		s->error = error;
		s->temporary = false;
	}
	sorter_free(s->sorter);
	flight_recorder_free(s->recorder);
	parked_calls_free(&s->parked);
	for (size_t i = 0; i < s->recent_count; i++)
		free(s->recent[i]);
	free(s->recent);
	text_free(&s->line.buf);
	text_free(&s->ready);
}

static void
write_end(struct out_stream *s, int64_t dropped)
{
	struct output *o = &s->line;

	emit_open(o, KIND_end);
	emit_int(o, KEY_events, s->lines);
	emit_int(o, KEY_dropped, dropped);
	emit_close(o);
	send_out(s, text_span(&o->buf));
	o->buf.len = 0;
	writer_thread_put(s->writer, &s->ready);
}

static void
send_line(void *arg, const struct sorter_line *l)
{
	send_out(arg, l->line);
}

/* events of a dump, on their way into their order */
struct ordering {
	struct out_stream *stream;
	struct sorter *sorter;
};

static void
order_line(void *arg, const struct sorter_line *l)
{
	struct ordering *o = arg;

	if (!sorter_add(o->sorter, l->ts, l->dur, l->line, 0)) {
		o->stream->error = errno;
		o->stream->temporary = true;
		o->stream->lost++;
	}
}

static int64_t
lines_lost(const struct out_stream *s)
{
	return s->lost + (int64_t)sorter_counts(s->sorter).lost;
}

int64_t
out_stream_dump(struct out_stream *s, int64_t from)
{
	struct ordering o = {s, sorter_open(DUMP_MEMORY)};
	int64_t dropped;

	out_stream_release(s, INT64_MAX);
	s->earlier += s->lines;
	s->lines = -1; /* the trace record is none of them */
	flight_recorder_definitions(s->recorder, send_line, s);
	dropped = flight_recorder_take(s->recorder, from, order_line, &o);
	if (!sorter_finish(o.sorter, send_line, s)) {
		s->error = errno;
		s->temporary = true;
	}
	s->lost += (int64_t)sorter_counts(o.sorter).lost;
	sorter_free(o.sorter);
	write_end(s, dropped + lines_lost(s) - s->told);
	s->told = lines_lost(s);
	writer_thread_flush(s->writer);
	return s->lines;
}

bool
out_stream_close(struct out_stream *s, int64_t from)
{
	if (s->recorder != NULL) {
		out_stream_dump(s, from);
	} else {
		out_stream_release(s, INT64_MAX);
		write_end(s, s->dropped + lines_lost(s));
	}
	s->lost = lines_lost(s);
	s->late = (int64_t)sorter_counts(s->sorter).late;
	out_stream_abandon(s);
	return s->error == 0;
}

void
out_stream_free(struct out_stream *s)
{
	free(s->name);
}
