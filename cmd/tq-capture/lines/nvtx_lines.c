/* ranges.c - NVTX: from what threads did to ranges, marks and counters */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "annotate.h"
#include "nvtx_counters.h"

enum { DEPTH_MAX = 1 << 20 };

/* ---- threads ---- */

struct target_thread *
nvtx_lines_thread(struct annotations *r, int32_t tid)
{
	uint64_t *at = map_get(&r->threads, (uint32_t)tid, 0);

	if (*at == 0) {
		struct target_thread *t = mem_alloc(sizeof(*t));

		t->tid = tid;
		if (r->count == r->cap) {
			r->cap = r->cap * 2 + 16;
			r->all = mem_resize(r->all, r->cap, sizeof(*r->all));
		}
		r->all[r->count++] = t;
		*at = r->count;
	}
	return r->all[*at - 1];
}

void
nvtx_lines_define(
    struct target_thread *t, const struct source *from, struct span name)
{
	struct output *o = &from->out->line;

	if (t->is_defined && span_eq(text_span(&t->name), name))
		return;
	t->is_defined = true;
	t->name.len = 0;
	text_add_span(&t->name, name);
	emit_open(o, KIND_thread);
	emit_int(o, KEY_pid, from->pid);
	emit_int(o, KEY_tid, t->tid);
	if (name.len > 0)
		emit_str(o, KEY_name, name);
	emit_close(o);
	out_stream_define(from->out);
}

static void
free_thread(struct target_thread *t)
{
	free(t->stack);
	text_free(&t->name);
	text_free(&t->text);
	record_parts_free(&t->gather);
	free(t);
}

/* ---- what a record says ---- */

static struct span
domain_name(const struct source *from, uint32_t domain)
{
	const struct named_id *n =
	    dictionary_find(from->names, RECORD_DOMAIN, 0, domain);

	return n != NULL ? n->text : (struct span){"", 0};
}

/* ,"name":...,"id":...,"mode":... up to the color */
static void
describe(struct text *t, const struct source *from, const struct record *rec,
    const struct record_parts *x, const char *mode)
{
	struct span json, text = annotate_message(from, rec, x, &json);

	annotate_name(t, text, json);
	emit_add_int(t, KEY_id, ++*from->range_ids);
	emit_add_json(t, KEY_mode, span_of(mode));
	annotate_style(t, from, rec->domain, x);
}

static bool
is_trigger(const struct source *from, const struct record *rec,
    const struct record_parts *x, int64_t ts)
{
	struct span json, text;

	if (from->focus->trigger != FOCUS_NVTX)
		return false;
	text = annotate_message(from, rec, x, &json);
	if (!focus_is_trigger(from->focus, text, domain_name(from, rec->domain),
		(rec->flags & FLAG_STRING) != 0))
		return false;
	focus_change(from->focus, ts, 1);
	return true;
}

static void
begin_line(const struct source *from, enum kind kind, int64_t ts, int64_t dur,
    int32_t tid)
{
	struct output *o = &from->out->line;

	out_stream_begin(from->out, LINE_EVENT, from->process, 0);
	emit_open(o, kind);
	emit_int(o, KEY_ts, ts);
	if (dur >= 0)
		emit_int(o, KEY_dur, dur);
	emit_int(o, KEY_pid, from->pid);
	emit_int(o, KEY_tid, tid);
}

static void
end_line(const struct source *from, int64_t ts, int64_t dur)
{
	emit_close(&from->out->line);
	out_stream_put(from->out, ts, dur);
}

/* ---- push and pop ---- */

static int
push(struct target_thread *t, const struct source *from,
    const struct record *rec)
{
	struct record_parts x;
	struct pushed_range *o;

	if (!record_parts_parse_gathered(&t->gather, &x, rec) ||
	    t->depth == DEPTH_MAX)
		return 0;
	if (t->depth == t->cap) {
		t->cap = t->cap * 2 + 16;
		t->stack = mem_resize(t->stack, t->cap, sizeof(*t->stack));
	}
	o = &t->stack[t->depth++];
	o->ts = clock_ns(from->clock, rec->ticks);
	o->domain = rec->domain;
	o->open = true;
	o->name = t->text.len;
	describe(&t->text, from, rec, &x, "\"push\"");
	o->args = t->text.len;
	annotate_args(&t->text, from, rec, &x);
	o->trigger = is_trigger(from, rec, &x, o->ts);
	return 0;
}

/*
 * The range on that place of the stack, with the record that ended it; dur < 0:
 * it was never ended, rec and x are NULL.
 */
static void
write_pushed(const struct target_thread *t, size_t i, const struct source *from,
    int64_t dur, const struct record *rec, const struct record_parts *x)
{
	const struct pushed_range *o = &t->stack[i];
	struct text *line = &from->out->line.buf;
	size_t next = i + 1 < t->depth ? o[1].name : t->text.len;

	begin_line(from, KIND_range, o->ts, dur, t->tid);
	text_add(line, t->text.p + o->name, o->args - o->name);
	if (dur < 0)
		emit_bool(&from->out->line, KEY_open, true);
	text_add(line, t->text.p + o->args, next - o->args);
	if (rec != NULL)
		annotate_end(line, next > o->args, from, rec, x);
	end_line(from, o->ts, dur < 0 ? INT64_MAX : dur);
}

static int
pop(struct target_thread *t, const struct source *from,
    const struct record *rec)
{
	int64_t end = clock_ns(from->clock, rec->ticks);
	size_t i = t->depth;
	struct record_parts x;

	while (i > 0 &&
	       !(t->stack[i - 1].open && t->stack[i - 1].domain == rec->domain))
		i--;
	if (i-- == 0 || !record_parts_parse_gathered(&t->gather, &x, rec))
		return 0;
	write_pushed(t, i, from,
	    end > t->stack[i].ts ? end - t->stack[i].ts : 0, rec, &x);
	if (t->stack[i].trigger)
		focus_change(from->focus, end, -1);
	t->stack[i].open = false;
	while (t->depth > 0 && !t->stack[t->depth - 1].open)
		t->text.len = t->stack[--t->depth].name;
	return 1;
}

/* ---- start and end ---- */

/* the index of an element of begun that is not in use */
static size_t
unused(struct annotations *r)
{
	if (r->unused_count > 0)
		return r->unused[--r->unused_count];
	if (r->begun_count == r->begun_cap) {
		r->begun_cap = r->begun_cap * 2 + 16;
		r->begun =
		    mem_resize(r->begun, r->begun_cap, sizeof(*r->begun));
		r->unused =
		    mem_resize(r->unused, r->begun_cap, sizeof(*r->unused));
	}
	return r->begun_count++;
}

static int
start(struct annotations *r, struct target_thread *t, const struct source *from,
    const struct record *rec)
{
	struct record_parts x;
	struct started_range *s;
	uint64_t *at;
	size_t i;

	if (!record_parts_parse_gathered(&t->gather, &x, rec))
		return 0;
	at = map_get(&r->started, x.id, 0);
	if (*at != 0)
		return 0; /* garbage: ids are not used twice */
	i = unused(r);
	*at = i + 1;
	s = &r->begun[i];
	*s = (struct started_range){
	    .ts = clock_ns(from->clock, rec->ticks), .tid = t->tid};
	describe(&s->name, from, rec, &x, "\"start\"");
	annotate_args(&s->args, from, rec, &x);
	s->trigger = is_trigger(from, rec, &x, s->ts);
	return 0;
}

static void
write_started(const struct started_range *s, const struct source *from,
    int64_t dur, int32_t end_tid, const struct record *rec,
    const struct record_parts *x)
{
	begin_line(from, KIND_range, s->ts, dur, s->tid);
	text_add_span(&from->out->line.buf, text_span(&s->name));
	if (dur < 0)
		emit_bool(&from->out->line, KEY_open, true);
	else if (end_tid != s->tid)
		emit_int(&from->out->line, KEY_end_tid, end_tid);
	text_add_span(&from->out->line.buf, text_span(&s->args));
	if (rec != NULL)
		annotate_end(
		    &from->out->line.buf, s->args.len > 0, from, rec, x);
	end_line(from, s->ts, dur < 0 ? INT64_MAX : dur);
}

static int
end(struct annotations *r, struct target_thread *t, const struct source *from,
    const struct record *rec)
{
	int64_t now = clock_ns(from->clock, rec->ticks);
	struct started_range *s;
	struct record_parts x;
	uint64_t *at;

	if (!record_parts_parse_gathered(&t->gather, &x, rec) ||
	    (at = map_find(&r->started, x.id, 0)) == NULL)
		return 0;
	s = &r->begun[*at - 1];
	write_started(s, from, now > s->ts ? now - s->ts : 0, t->tid, rec, &x);
	if (s->trigger)
		focus_change(from->focus, now, -1);
	text_free(&s->name);
	text_free(&s->args);
	s->ts = INT64_MAX;
	r->unused[r->unused_count++] = (size_t)(s - r->begun);
	map_remove(&r->started, x.id, 0);
	return 1;
}

/* ---- marks, names ---- */

static int
mark(struct target_thread *t, const struct source *from,
    const struct record *rec)
{
	int64_t ts = clock_ns(from->clock, rec->ticks);
	struct text *line = &from->out->line.buf;
	struct span json, text;
	struct record_parts x;

	if (!record_parts_parse_gathered(&t->gather, &x, rec))
		return 0;
	text = annotate_message(from, rec, &x, &json);
	begin_line(from, KIND_mark, ts, -1, t->tid);
	annotate_name(line, text, json);
	annotate_style(line, from, rec->domain, &x);
	annotate_args(line, from, rec, &x);
	end_line(from, ts, 0);
	return 1;
}

static int
count(struct target_thread *t, const struct source *from,
    const struct record *rec)
{
	struct record_parts x;

	if (!record_parts_parse_gathered(&t->gather, &x, rec))
		return 0;
	return nvtx_counters_record(from, rec, &x);
}

static int
name_thread(struct annotations *r, struct target_thread *t,
    const struct source *from, const struct record *rec)
{
	struct record_parts x;

	if (record_parts_parse_gathered(&t->gather, &x, rec))
		nvtx_lines_define(
		    nvtx_lines_thread(r, (int32_t)x.id), from, x.text);
	return 0;
}

int
nvtx_lines_record(struct annotations *r, struct target_thread *t,
    const struct source *from, const struct record *rec)
{
	switch (rec->type) {
	case RECORD_PUSH:
		return push(t, from, rec);
	case RECORD_POP:
		return pop(t, from, rec);
	case RECORD_START:
		return start(r, t, from, rec);
	case RECORD_END:
		return end(r, t, from, rec);
	case RECORD_MARK:
		return mark(t, from, rec);
	case RECORD_COUNTER:
		return count(t, from, rec);
	case RECORD_THREAD:
		return name_thread(r, t, from, rec);
	default:
		return 0;
	}
}

int64_t
nvtx_lines_oldest(const struct annotations *r)
{
	int64_t oldest = INT64_MAX;

	for (size_t i = 0; i < r->count; i++)
		if (r->all[i]->depth > 0 && r->all[i]->stack[0].ts < oldest)
			oldest = r->all[i]->stack[0].ts;
	for (size_t i = 0; i < r->begun_count; i++)
		if (r->begun[i].ts < oldest)
			oldest = r->begun[i].ts;
	return oldest;
}

int64_t
nvtx_lines_finish(struct annotations *r, const struct source *from)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->count; i++) {
		struct target_thread *t = r->all[i];

		for (size_t k = 0; k < t->depth; k++) {
			if (!t->stack[k].open)
				continue;
			write_pushed(t, k, from, -1, NULL, NULL);
			if (t->stack[k].trigger)
				focus_change(
				    from->focus, clock_now(from->clock), -1);
			n++;
		}
		t->depth = 0;
	}
	for (size_t i = 0; i < r->begun_count; i++) {
		struct started_range *s = &r->begun[i];

		if (s->ts == INT64_MAX)
			continue;
		write_started(s, from, -1, s->tid, NULL, NULL);
		if (s->trigger)
			focus_change(from->focus, clock_now(from->clock), -1);
		text_free(&s->name);
		text_free(&s->args);
		n++;
	}
	r->begun_count = r->unused_count = 0;
	return n;
}

void
nvtx_lines_free(struct annotations *r)
{
	for (size_t i = 0; i < r->count; i++)
		free_thread(r->all[i]);
	free(r->all);
	map_free(&r->threads);
	for (size_t i = 0; i < r->begun_count; i++) {
		if (r->begun[i].ts == INT64_MAX)
			continue;
		text_free(&r->begun[i].name);
		text_free(&r->begun[i].args);
	}
	free(r->begun);
	free(r->unused);
	map_free(&r->started);
}
