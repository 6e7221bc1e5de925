/* evidence_marks.c - the evidence of findings as records in their stream */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/io/emit.h"
#include "tq/line/edit.h"

#include "print/evidence_marks.h"

/* ---- which ---- */

static int
by_time(const void *pa, const void *pb)
{
	const struct mark *a = pa, *b = pb;
	const struct evidence *x = a->evidence, *y = b->evidence;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (a->finding > b->finding) - (a->finding < b->finding);
}

void
evidence_marks_make(struct evidence_marks *m, const struct advice *a)
{
	int64_t shown = 0;

	for (size_t i = 0; i < a->findings->count; i++) {
		const struct finding *f = &a->findings->all[i];
		bool note = f->rank == SEVERITY_NOTE;

		if (note ? !a->verbose : shown++ >= a->most)
			continue;
		for (size_t v = 0; v < EVIDENCE && f->best[v].dur > 0; v++)
			*array_add(&m->all, &m->count, &m->cap) =
			    (struct mark){f, &f->best[v]};
	}
	if (m->count > 0)
		qsort(m->all, m->count, sizeof(*m->all), by_time);
}

/* ---- records ---- */

static const char *
color_of(enum severity s)
{
	static const char *const colors[] = {[SEVERITY_NONE] = "#888888",
	    [SEVERITY_NOTE] = "#888888",
	    [SEVERITY_WARNING] = "#ee9900",
	    [SEVERITY_CRITICAL] = "#cc2200"};

	return colors[s];
}

static void
add_int(struct text *t, const char *key, int64_t v)
{
	if (v == NO_ID)
		return;
	text_printf(t, ",\"%s\":", key);
	text_add_int(t, v);
}

static void
add_args(struct advice *a, struct text *t, const struct mark *m)
{
	const struct finding *f = m->finding;
	const struct evidence *v = m->evidence;
	struct span title = advice_title(a, f);
	struct span what = intern_text(&a->engine->texts, v->what);

	text_add_str(t, "{\"rule\":");
	text_add_json(t, f->rule->name.p, f->rule->name.len);
	text_printf(t, ",\"severity\":\"%s\",\"confidence\":\"%s\"",
	    rule_severity_name(f->severity),
	    rule_confidence_name(f->confidence));
	text_add_str(t, ",\"title\":");
	text_add_json(t, title.p, title.len);
	text_add_str(t, ",\"what\":");
	text_add_json(t, what.p, what.len);
	add_int(t, "lasts_ns", v->dur);
	add_int(t, "correlation", v->corr);
	add_int(t, "bytes", v->bytes);
	add_int(t, "share_ppm", f->ppm);
	add_int(t, "gain_ns", f->gain);
	text_add_char(t, '}');
}

static void
write_mark(struct advice *a, const struct mark *m, struct output *o)
{
	const struct finding *f = m->finding;
	const struct evidence *v = m->evidence;

	emit_open(o, KIND_mark);
	emit_int(o, KEY_ts, v->ts);
	if (v->pid != NO_ID)
		emit_int(o, KEY_pid, v->pid);
	if (v->tid != NO_ID)
		emit_int(o, KEY_tid, v->tid);
	emit_str(o, KEY_name, f->rule->name);
	if (v->device != NO_ID)
		emit_int(o, KEY_device, v->device);
	emit_str(o, KEY_domain, SPAN(EVIDENCE_MARKS_DOMAIN));
	emit_str(o, KEY_category, span_of(rule_severity_name(f->severity)));
	emit_str(o, KEY_color, span_of(color_of(f->severity)));
	emit_key(o, KEY_args);
	add_args(a, &o->buf, m);
	emit_close(o);
}

/* ---- the stream ---- */

void
evidence_marks_keys(struct keyset *want)
{
	for (size_t k = 0; k <= KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_kind);
		keyset_add(&want[k], KEY_ts);
	}
	keyset_add(&want[KIND_mark], KEY_domain);
	keyset_add(&want[KIND_end], KEY_events);
}

/* while the stream is passed on */
struct marks_pass {
	const struct evidence_marks *marks;
	struct advice *advice;
	struct output *out;
	size_t next, section;
	struct text line;
};

/* The marks of the section that begin before ts. */
static void
write_marks(struct marks_pass *x, int64_t ts, bool all)
{
	for (; x->next < x->marks->count; x->next++) {
		const struct mark *m = &x->marks->all[x->next];

		if (m->evidence->section > x->section ||
		    (m->evidence->section == x->section && !all &&
			m->evidence->ts >= ts))
			return;
		write_mark(x->advice, m, x->out);
	}
}

static bool
is_mark(const struct event *ev)
{
	return ev->kind == KIND_mark &&
	       event_is(ev, KEY_domain, SPAN(EVIDENCE_MARKS_DOMAIN));
}

static void
write_end(struct marks_pass *x, const struct event *ev)
{
	struct text events = {0};
	struct edit e = {0};

	text_add_int(&events, x->out->lines);
	edit_set(&e, KEY_events, text_span(&events));
	x->line.len = 0;
	edit_write(&e, ev->line, &x->line);
	output_line(x->out, text_span(&x->line));
	text_free(&events);
}

static void
pass_record(struct marks_pass *x, const struct event *ev)
{
	if (event_has(ev, KEY_ts))
		write_marks(x, event_int(ev, KEY_ts, 0), false);
	if (ev->kind == KIND_end)
		write_end(x, ev);
	else if (!is_mark(ev))
		output_line(x->out, ev->line);
	if (ev->kind == KIND_trace)
		x->out->lines = 0;
}

void
evidence_marks_write(const struct evidence_marks *m, struct advice *a,
    struct reader *in, struct output *o)
{
	struct marks_pass x = {.marks = m, .advice = a, .out = o};
	bool open = false;

	while (reader_next(in)) {
		enum kind k = in->event.kind;

		if (open && (k == KIND_trace || k == KIND_end))
			write_marks(&x, 0, true);
		x.section += k == KIND_trace || !open;
		open = k != KIND_end;
		pass_record(&x, &in->event);
	}
	write_marks(&x, 0, true);
	text_free(&x.line);
}

void
evidence_marks_free(struct evidence_marks *m)
{
	free(m->all);
}
