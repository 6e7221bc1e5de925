/* nvtx_lines.c - records of NVTX become lines: ranges, marks, names */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/base/array.h"

#include "lines.h"
#include "nvtx_counters.h"
#include "payload.h"
#include "python_lines.h"
#include "thread_comm.h"

enum { DEPTH_MAX = 1 << 20 };

/* ---- threads ---- */

struct target_thread *
nvtx_lines_thread(struct annotations *a, int32_t tid)
{
	bool fresh;
	struct target_thread **t =
	    keyed_get(&a->threads, (uint32_t)tid, 0, &fresh);

	if (fresh) {
		*t = mem_alloc(sizeof(**t));
		(*t)->tid = tid;
	}
	return *t;
}

void
nvtx_lines_define(struct lines *l, struct target_thread *t, struct span name)
{
	if (t->is_defined && span_eq(text_span(&t->name), name))
		return;
	t->is_defined = true;
	t->name.len = 0;
	text_add_span(&t->name, name);
	out_stream_name(l->out, l->pid, t->tid, name, -1);
}

void
nvtx_lines_define_thread(struct lines *l, int32_t tid)
{
	char name[THREAD_COMM];

	if (nvtx_lines_thread(&l->annotations, tid)->is_defined)
		return;
	thread_comm_read(name, l->pid, tid);
	nvtx_lines_define_as(l, tid, name);
}

void
nvtx_lines_define_as(struct lines *l, int32_t tid, const char *name)
{
	struct target_thread *t = nvtx_lines_thread(&l->annotations, tid);

	if (t->is_defined)
		return;
	if (name[0] == '\0' && tid == l->pid && l->name != NULL)
		nvtx_lines_define(l, t, span_of(l->name));
	else
		nvtx_lines_define(l, t, span_of(name));
}

static void
free_thread(struct target_thread *t)
{
	free(t->stack);
	text_free(&t->name);
	text_free(&t->text);
	record_parts_free(&t->gathered);
	free(t);
}

/* ---- members of a line ---- */

/*
 * The message of a record with the parts x.  *json is the same as a string of
 * JSON if the dictionary has it, else empty.
 */
static struct span
find_message(const struct lines *l, const struct record *r,
    const struct record_parts *x, struct span *json)
{
	const struct named_id *n = NULL;

	if (r->flags & FLAG_STRING)
		n = dictionary_find(&l->names, RECORD_STRING, 0, x->string);
	*json = n != NULL ? n->json : (struct span){NULL, 0};
	if (n != NULL)
		return n->text;
	/* an annotation with nothing but a payload has its schema's name */
	return x->text.len == 0 && x->blob.len > 0
		   ? payload_name(&l->names, r->domain, x->blob)
		   : x->text;
}

static struct span
find_domain(const struct lines *l, uint32_t domain)
{
	const struct named_id *n =
	    dictionary_find(&l->names, RECORD_DOMAIN, 0, domain);

	return n != NULL ? n->text : (struct span){"", 0};
}

static bool
is_wanted(const struct lines *l, uint32_t domain)
{
	return l->domains == NULL ||
	       domain_choice_want(l->domains, find_domain(l, domain));
}

/* ,"name":... */
static void
add_name(struct text *t, struct span text, struct span json)
{
	if (json.p != NULL) {
		emit_add_json(t, KEY_name, json);
		return;
	}
	text_add_str(t, ",\"name\":");
	text_add_json(t, text.p, text.len);
}

/* ,"color":"#rrggbb" */
static void
add_color(struct text *t, uint32_t argb)
{
	static const char hex[] = "0123456789abcdef";
	char color[9] = "\"#";

	for (int i = 0; i < 6; i++)
		color[2 + i] = hex[argb >> (20 - 4 * i) & 15];
	color[8] = '"';
	emit_add_json(t, KEY_color, (struct span){color, 9});
}

/* domain, category and color, if the record has them */
static void
add_style(struct text *t, const struct lines *l, uint32_t domain,
    const struct record_parts *x)
{
	const struct named_id *n;

	n = domain != 0 ? dictionary_find(&l->names, RECORD_DOMAIN, 0, domain)
			: NULL;
	if (n != NULL)
		emit_add_json(t, KEY_domain, n->json);
	else if (domain != 0) /* its definition was lost */
		text_printf(t, ",\"domain\":\"domain %u\"", domain);
	if (x->category != 0) {
		n = dictionary_find(
		    &l->names, RECORD_CATEGORY, domain, x->category);
		if (n != NULL)
			emit_add_json(t, KEY_category, n->json);
		else
			text_printf(t, ",\"category\":\"%u\"", x->category);
	}
	if (x->argb != 0)
		add_color(t, x->argb);
}

/* The id of the Python stack, defined between lines; 0: none was taken. */
static int64_t
stack_of(struct lines *l, const struct record *r, const struct record_parts *x)
{
	return r->flags & FLAG_RANGE ? python_lines_stack(l, x->range) : 0;
}

/* ,"args":{...} with the payloads of the record, if it has any */
static void
add_args(struct text *t, const struct lines *l, const struct record *r,
    const struct record_parts *x)
{
	size_t start = t->len, value;
	bool some = false;

	text_add_str(t, ",\"args\":{");
	if (r->flags & FLAG_PAYLOAD)
		some = payload_add_value(t, x->payload_type, x->payload);
	if (r->flags & (FLAG_BLOB | FLAG_PARTS) && x->blob.len > 0) {
		value = t->len;
		if (some)
			text_add_char(t, ',');
		if (payload_add_blobs(
			t, "payload", &l->names, r->domain, x->blob))
			some = true;
		else
			t->len = value; /* it is no blob: no comma either */
	}
	if (some)
		text_add_char(t, '}');
	else
		t->len = start;
}

/* the payload of the end of a range, into the args that t ends with, if any */
static void
add_end_args(struct text *t, bool has_args, const struct lines *l,
    const struct record *r, const struct record_parts *x)
{
	if (x->blob.len == 0)
		return;
	if (has_args)
		t->p[t->len - 1] = ','; /* was the closing brace */
	else
		text_add_str(t, ",\"args\":{");
	if (!payload_add_blobs(t, "endPayload", &l->names, r->domain, x->blob))
		text_add_str(t, "\"endPayload\":null");
	text_add_char(t, '}');
}

/* ,"name":...,"id":...,"mode":... up to the color */
static void
describe_range(struct text *t, struct lines *l, const struct record *r,
    const struct record_parts *x, const char *mode)
{
	struct span json, text = find_message(l, r, x, &json);

	add_name(t, text, json);
	emit_add_int(t, KEY_id, ++l->ids->ranges);
	emit_add_json(t, KEY_mode, span_of(mode));
	add_style(t, l, r->domain, x);
}

/* true if this range starts the focus */
static bool
starts_focus(struct lines *l, const struct record *r,
    const struct record_parts *x, int64_t ts)
{
	struct span json, text;

	if (l->focus->trigger != FOCUS_NVTX)
		return false;
	text = find_message(l, r, x, &json);
	if (!focus_is_trigger(l->focus, text, find_domain(l, r->domain),
		(r->flags & FLAG_STRING) != 0))
		return false;
	focus_change(l->focus, ts, 1);
	return true;
}

/* ---- push and pop ---- */

int
nvtx_lines_push(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct target_thread *t = lines_thread(l, c);
	struct record_parts x;
	struct pushed_range *o;

	if (!record_parts_parse_gathered(&t->gathered, &x, r) ||
	    t->depth == DEPTH_MAX)
		return 0;
	o = array_add(&t->stack, &t->depth, &t->cap);
	*o = (struct pushed_range){.ts = clock_ns(l->clock, r->ticks),
	    .domain = r->domain,
	    .open = true,
	    .stack = stack_of(l, r, &x),
	    .name = t->text.len};
	describe_range(&t->text, l, r, &x, "\"push\"");
	o->args = t->text.len;
	add_args(&t->text, l, r, &x);
	o->trigger = starts_focus(l, r, &x, o->ts);
	return 0;
}

/*
 * The line of range i of the stack, and of the record that ended it.  DUR_OPEN:
 * it never ended; r and x are NULL.
 */
static void
write_pushed(struct lines *l, const struct target_thread *t, size_t i,
    int64_t dur, const struct record *r, const struct record_parts *x)
{
	const struct pushed_range *o = &t->stack[i];
	struct text *line = &l->out->line.buf;
	size_t next = i + 1 < t->depth ? o[1].name : t->text.len;

	if (!is_wanted(l, o->domain))
		return;
	lines_begin(l, KIND_range, o->ts, dur, t->tid);
	text_add(line, t->text.p + o->name, o->args - o->name);
	if (dur == DUR_OPEN)
		emit_bool(&l->out->line, KEY_open, true);
	if (o->stack > 0)
		emit_int(&l->out->line, KEY_stack, o->stack);
	text_add(line, t->text.p + o->args, next - o->args);
	if (r != NULL)
		add_end_args(line, next > o->args, l, r, x);
	lines_put(l, o->ts, dur);
}

/* the last open range of the domain, which need not be the last of all */
int
nvtx_lines_pop(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct target_thread *t = lines_thread(l, c);
	int64_t end = clock_ns(l->clock, r->ticks);
	struct pushed_range *o;
	struct record_parts x;
	size_t i = t->depth;

	while (i > 0 &&
	       !(t->stack[i - 1].open && t->stack[i - 1].domain == r->domain))
		i--;
	if (i-- == 0 || !record_parts_parse_gathered(&t->gathered, &x, r))
		return 0;
	o = &t->stack[i];
	write_pushed(l, t, i, end > o->ts ? end - o->ts : 0, r, &x);
	if (o->trigger)
		focus_change(l->focus, end, -1);
	o->open = false;
	while (t->depth > 0 && !t->stack[t->depth - 1].open)
		t->text.len = t->stack[--t->depth].name;
	return 1;
}

/* ---- start and end ---- */

/* an element of begun that is not in use */
static size_t
find_unused(struct annotations *a)
{
	if (a->unused_count > 0)
		return a->unused[--a->unused_count];
	return (size_t)(array_add(&a->begun, &a->begun_count, &a->begun_cap) -
			a->begun);
}

/* as write_pushed; the range ended on thread end_tid */
static void
write_started(struct lines *l, const struct started_range *s, int64_t dur,
    int32_t end_tid, const struct record *r, const struct record_parts *x)
{
	struct output *o;

	if (!is_wanted(l, s->domain))
		return;
	o = lines_begin(l, KIND_range, s->ts, dur, s->tid);
	text_add_span(&o->buf, text_span(&s->name));
	if (dur == DUR_OPEN)
		emit_bool(o, KEY_open, true);
	else if (end_tid != s->tid)
		emit_int(o, KEY_end_tid, end_tid);
	if (s->stack > 0)
		emit_int(o, KEY_stack, s->stack);
	text_add_span(&o->buf, text_span(&s->args));
	if (r != NULL)
		add_end_args(&o->buf, s->args.len > 0, l, r, x);
	lines_put(l, s->ts, dur);
}

static int
end_started(struct lines *l, size_t i, int32_t tid, const struct record *r,
    const struct record_parts *x)
{
	struct annotations *a = &l->annotations;
	int64_t now = clock_ns(l->clock, r->ticks);
	struct started_range *s = &a->begun[i];

	write_started(l, s, now > s->ts ? now - s->ts : 0, tid, r, x);
	if (s->trigger)
		focus_change(l->focus, now, -1);
	text_free(&s->name);
	text_free(&s->args);
	s->ts = INT64_MAX;
	*array_add(&a->unused, &a->unused_count, &a->unused_cap) = i;
	map_remove(&a->started, x->id, 0);
	return 1;
}

/* ---- ends that are read before their starts ---- */

static void
forget_early(struct annotations *a)
{
	for (size_t i = 0; i < a->early.count; i++)
		text_free(&a->early.all[i].bytes);
	keyed_clear(&a->early);
	a->early_waiting = 0;
}

/* Keep an end.  Many that have no start: their starts will not come. */
static void
keep_early(struct annotations *a, int32_t tid, const struct record *r,
    const struct record_parts *x)
{
	enum { MOST = 1 << 16 };
	struct early_end *e;
	bool fresh;

	if (a->early.count == MOST)
		forget_early(a);
	e = keyed_get(&a->early, x->id, 0, &fresh);
	if (!fresh)
		return;
	*e = (struct early_end){.tid = tid, .head = *r, .parts = *x};
	a->early_waiting++;
	text_add_span(&e->bytes, x->text);
	text_add_span(&e->bytes, x->blob);
}

/* End a range that has just been started, if its end is there. */
static int
end_early(struct lines *l, size_t i, uint64_t id)
{
	struct annotations *a = &l->annotations;
	struct early_end *e =
	    a->early_waiting > 0 ? keyed_find(&a->early, id, 0) : NULL;

	if (e == NULL)
		return 0;
	if (e->bytes.len > 0) {
		e->parts.text.p = e->bytes.p;
		e->parts.blob.p = e->bytes.p + e->parts.text.len;
	}
	end_started(l, i, e->tid, &e->head, &e->parts);
	if (--a->early_waiting == 0)
		forget_early(a);
	return 1;
}

int
nvtx_lines_start(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct target_thread *t = lines_thread(l, c);
	struct annotations *a = &l->annotations;
	struct started_range *s;
	struct record_parts x;
	uint64_t *at;
	size_t i;

	if (!record_parts_parse_gathered(&t->gathered, &x, r))
		return 0;
	at = map_get(&a->started, x.id, 0);
	if (*at != 0)
		return 0; /* garbage: the agent uses no id twice */
	i = find_unused(a);
	*at = i + 1;
	s = &a->begun[i];
	*s = (struct started_range){.ts = clock_ns(l->clock, r->ticks),
	    .tid = t->tid,
	    .domain = r->domain,
	    .stack = stack_of(l, r, &x)};
	describe_range(&s->name, l, r, &x, "\"start\"");
	add_args(&s->args, l, r, &x);
	s->trigger = starts_focus(l, r, &x, s->ts);
	return end_early(l, i, x.id);
}

int
nvtx_lines_end(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct target_thread *t = lines_thread(l, c);
	struct annotations *a = &l->annotations;
	struct record_parts x;
	uint64_t *at;

	if (!record_parts_parse_gathered(&t->gathered, &x, r))
		return 0;
	if ((at = map_find(&a->started, x.id, 0)) != NULL)
		return end_started(l, *at - 1, t->tid, r, &x);
	keep_early(a, t->tid, r, &x);
	return 0;
}

/* ---- marks, counters, names ---- */

int
nvtx_lines_mark(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct target_thread *t = lines_thread(l, c);
	int64_t ts = clock_ns(l->clock, r->ticks);
	struct text *line = &l->out->line.buf;
	struct span json, text;
	struct record_parts x;
	int64_t stack;

	if (!record_parts_parse_gathered(&t->gathered, &x, r) ||
	    !is_wanted(l, r->domain))
		return 0;
	text = find_message(l, r, &x, &json);
	stack = stack_of(l, r, &x);
	lines_begin(l, KIND_mark, ts, DUR_NONE, t->tid);
	add_name(line, text, json);
	add_style(line, l, r->domain, &x);
	if (stack > 0)
		emit_add_int(line, KEY_stack, stack);
	add_args(line, l, r, &x);
	lines_put(l, ts, 0);
	return 1;
}

int
nvtx_lines_counter(
    struct lines *l, const struct chunk *c, const struct record *r)
{
	struct target_thread *t = lines_thread(l, c);
	struct record_parts x;

	if (!record_parts_parse_gathered(&t->gathered, &x, r) ||
	    !is_wanted(l, r->domain))
		return 0;
	return nvtx_counters_record(l, r, &x);
}

int
nvtx_lines_name(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct target_thread *t = lines_thread(l, c);
	struct record_parts x;

	if (record_parts_parse_gathered(&t->gathered, &x, r))
		nvtx_lines_define(l,
		    nvtx_lines_thread(&l->annotations, (int32_t)x.id), x.text);
	return 0;
}

int64_t
nvtx_lines_oldest(const struct annotations *a)
{
	int64_t oldest = INT64_MAX;

	for (size_t i = 0; i < a->threads.count; i++) {
		const struct target_thread *t = a->threads.all[i];

		if (t->depth > 0 && t->stack[0].ts < oldest)
			oldest = t->stack[0].ts;
	}
	for (size_t i = 0; i < a->begun_count; i++)
		if (a->begun[i].ts < oldest)
			oldest = a->begun[i].ts;
	return oldest;
}

int64_t
nvtx_lines_open(struct lines *l)
{
	struct annotations *a = &l->annotations;
	int64_t n = 0;

	for (size_t i = 0; i < a->threads.count; i++) {
		const struct target_thread *t = a->threads.all[i];

		for (size_t k = 0; k < t->depth; k++) {
			if (!t->stack[k].open)
				continue;
			write_pushed(l, t, k, DUR_OPEN, NULL, NULL);
			n++;
		}
	}
	for (size_t i = 0; i < a->begun_count; i++) {
		const struct started_range *s = &a->begun[i];

		if (s->ts == INT64_MAX)
			continue;
		write_started(l, s, DUR_OPEN, s->tid, NULL, NULL);
		n++;
	}
	return n;
}

int64_t
nvtx_lines_finish(struct lines *l)
{
	struct annotations *a = &l->annotations;
	int64_t n = nvtx_lines_open(l), now = clock_now(l->clock);

	for (size_t i = 0; i < a->threads.count; i++) {
		struct target_thread *t = a->threads.all[i];

		for (size_t k = 0; k < t->depth; k++)
			if (t->stack[k].open && t->stack[k].trigger)
				focus_change(l->focus, now, -1);
		t->depth = 0;
	}
	for (size_t i = 0; i < a->begun_count; i++) {
		struct started_range *s = &a->begun[i];

		if (s->ts == INT64_MAX)
			continue;
		if (s->trigger)
			focus_change(l->focus, now, -1);
		text_free(&s->name);
		text_free(&s->args);
	}
	a->begun_count = a->unused_count = 0;
	forget_early(a);
	return n;
}

void
nvtx_lines_free(struct annotations *a)
{
	for (size_t i = 0; i < a->threads.count; i++)
		free_thread(a->threads.all[i]);
	keyed_free(&a->threads);
	for (size_t i = 0; i < a->begun_count; i++) {
		if (a->begun[i].ts == INT64_MAX)
			continue;
		text_free(&a->begun[i].name);
		text_free(&a->begun[i].args);
	}
	free(a->begun);
	free(a->unused);
	map_free(&a->started);
	forget_early(a);
	keyed_free(&a->early);
}
