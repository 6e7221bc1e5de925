/*
 * merge_short.c - runs of short kernels
 *
 * Runs queue in the order of their first kernels, and each holds the lines
 * between its first kernel and the next run.  So the oldest run is always
 * written first, and only its time matters: all that is behind it has to wait.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/line/edit.h"
#include "tq/line/json.h"
#include "tq/base/map.h"
#include "tq/base/mem.h"

#include "merge_short.h"

enum {
	UNKNOWN_KEYS = 64,    /* the most of a kernel in a run, a bit each */
	SPARE_RUNS = 256,     /* the most that stay for later, with buffers */
	SPARE_BYTES = 1 << 16 /* the most of such a buffer */
};

struct kernel_stream {
	int64_t pid, device, context, stream;
};

struct short_run {
	struct kernel_stream on;
	int64_t ts, end; /* of the first, and the latest of all */
	int64_t count, busy;
	struct keyset differing; /* of the keys of the first */
	uint64_t unknown_differing;
	bool closed;
	struct text first; /* the line of the first kernel */

	struct text behind; /* lines that wait behind the first */
	int64_t lines;
	struct short_run *next;
};

struct merge_short {
	int64_t limit;
	struct output *out;
	struct map open; /* runs, by key_of */
	struct short_run *oldest, *newest, *spare;
	int spares;
	int64_t waiting; /* lines, the first ones of runs included */
	int64_t kernels, records;

	const struct short_run *parsed; /* its first line is in ev; or NULL */
	struct event ev;
	struct text scratch;
};

struct merge_short *
merge_short_open(int64_t limit, struct output *out)
{
	struct merge_short *m = mem_alloc(sizeof(*m));

	m->limit = limit;
	m->out = out;
	return m;
}

static void
free_run(struct short_run *r)
{
	text_free(&r->first);
	text_free(&r->behind);
	free(r);
}

static void
free_runs(struct short_run *r)
{
	struct short_run *next;

	for (; r != NULL; r = next) {
		next = r->next;
		free_run(r);
	}
}

void
merge_short_free(struct merge_short *m)
{
	if (m == NULL)
		return;
	free_runs(m->oldest);
	free_runs(m->spare);
	map_free(&m->open);
	event_free(&m->ev);
	text_free(&m->scratch);
	free(m);
}

/* ---- which run ---- */

/*
 * Two words for four.  Small ids never share them; where others do, one run is
 * closed early, which is no loss.
 */
static struct map_slot
key_of(struct kernel_stream on)
{
	const uint64_t spread = 0x9e3779b97f4a7c15;

	return (struct map_slot){
	    .a = (uint64_t)on.pid * spread + (uint64_t)on.device,
	    .b = (uint64_t)on.context * spread + (uint64_t)on.stream};
}

static struct kernel_stream
stream_of(const struct event *ev)
{
	return (struct kernel_stream){event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_device, NO_ID), event_int(ev, KEY_context, NO_ID),
	    event_int(ev, KEY_stream, NO_ID)};
}

static bool
is_same_stream(struct kernel_stream a, struct kernel_stream b)
{
	return a.pid == b.pid && a.device == b.device &&
	       a.context == b.context && a.stream == b.stream;
}

static struct short_run *
find_run(const struct merge_short *m, struct kernel_stream on)
{
	struct map_slot k = key_of(on);
	const uint64_t *slot = map_find(&m->open, k.a, k.b);

	return slot != NULL ? (struct short_run *)(uintptr_t)*slot : NULL;
}

static void
close_run(struct merge_short *m, struct short_run *r)
{
	struct map_slot k = key_of(r->on);

	map_remove(&m->open, k.a, k.b);
	r->closed = true;
}

/* ---- the keys that all kernels of a run share ---- */

/* the first kernel of r, parsed */
static const struct event *
first_of(struct merge_short *m, const struct short_run *r)
{
	if (m->parsed != r) {
		/* it has no error: it was parsed once before */
		event_parse(&m->ev, text_span(&r->first), NULL);
		m->parsed = r;
	}
	return &m->ev;
}

/* true if ev has the unknown member x too */
static bool
has_unknown(const struct event *ev, const struct event_member *x)
{
	for (size_t i = ev->unknown_count; i-- > 0;)
		if (span_eq(ev->unknown[i].key, x->key))
			return span_eq(ev->unknown[i].value, x->value);
	return false;
}

/* true if all kernels of a run have k, or the run has its own */
static bool
is_same(enum key k)
{
	return k == KEY_kind || k == KEY_ts || k == KEY_dur || k == KEY_pid ||
	       k == KEY_device || k == KEY_context || k == KEY_stream;
}

static void
compare_keys(struct merge_short *m, struct short_run *r, const struct event *ev)
{
	const struct event *first = first_of(m, r);

	for (enum key k = KEY_kind; k < KEY_COUNT; k++) {
		bool had = event_has(first, k);

		if (is_same(k) || (!had && k != KEY_name))
			continue;
		if (had != event_has(ev, k) ||
		    (had && !span_eq(first->value[k], ev->value[k])))
			keyset_add(&r->differing, k);
	}
	for (size_t i = 0; i < first->unknown_count; i++)
		if (!has_unknown(ev, &first->unknown[i]))
			r->unknown_differing |= (uint64_t)1 << i;
}

/* ---- writing ---- */

/* the line of r without the unknown members that differ */
static struct span
without_unknown(struct merge_short *m, const struct short_run *r)
{
	struct text name = {0};
	struct span value;
	struct json j;
	size_t i = 0;

	if (r->unknown_differing == 0)
		return text_span(&r->first);
	m->scratch.len = 0;
	text_add_char(&m->scratch, '{');
	json_open(&j, text_span(&r->first));
	while (json_next(&j, &name, &value)) {
		/* members of null do not count */
		if (schema_key(name.p, name.len) == KEY_NONE &&
		    *value.p != 'n' && (r->unknown_differing >> i++ & 1) != 0)
			continue;
		if (m->scratch.len > 1)
			text_add_char(&m->scratch, ',');
		text_add_json(&m->scratch, name.p, name.len);
		text_add_char(&m->scratch, ':');
		text_add_span(&m->scratch, value);
	}
	text_add_char(&m->scratch, '}');
	text_free(&name);
	return text_span(&m->scratch);
}

static void
write_merged(struct merge_short *m, const struct short_run *r)
{
	struct edit e = {.dropped = r->differing};
	struct text dur = {0}, count = {0}, busy = {0}, name = {0};

	text_add_int(&dur, r->end - r->ts);
	text_add_int(&count, r->count);
	text_add_int(&busy, r->busy);
	edit_set(&e, KEY_dur, text_span(&dur));
	edit_set(&e, KEY_count, text_span(&count));
	edit_set(&e, KEY_busy, text_span(&busy));
	if (keyset_has(&r->differing, KEY_name)) {
		text_printf(&name, "\"%" PRId64 " kernels\"", r->count);
		keyset_remove(&e.dropped, KEY_name);
		edit_set(&e, KEY_name, text_span(&name));
	}
	edit_write(&e, without_unknown(m, r), &m->out->buf);
	text_add_char(&m->out->buf, '\n');
	m->out->lines++;
	text_free(&dur);
	text_free(&count);
	text_free(&busy);
	text_free(&name);
	m->kernels += r->count;
	m->records++;
}

/* keep r for later, or free it */
static void
release_run(struct merge_short *m, struct short_run *r)
{
	if (m->parsed == r)
		m->parsed = NULL;
	if (m->spares == SPARE_RUNS || r->first.cap > SPARE_BYTES ||
	    r->behind.cap > SPARE_BYTES) {
		free_run(r);
		return;
	}
	r->next = m->spare;
	m->spare = r;
	m->spares++;
}

/* write the oldest run and the lines behind it, and remove them */
static void
write_oldest(struct merge_short *m)
{
	struct short_run *r = m->oldest;

	if (!r->closed)
		close_run(m, r);
	if (r->count > 1)
		write_merged(m, r);
	else
		output_line(m->out, text_span(&r->first));
	text_add_span(&m->out->buf, text_span(&r->behind));
	m->out->lines += r->lines;
	output_check(m->out);
	m->waiting -= 1 + r->lines;

	m->oldest = r->next;
	if (m->oldest == NULL)
		m->newest = NULL;
	release_run(m, r);
}

/* ---- reading ---- */

/* true if from end to ts it is limit or longer */
static bool
is_far(int64_t end, int64_t ts, int64_t limit)
{
	int64_t gap;

	return ts > end &&
	       (__builtin_sub_overflow(ts, end, &gap) || gap >= limit);
}

/* time has come to ts: write the runs that need not wait any longer */
static void
write_ready(struct merge_short *m, int64_t ts)
{
	while (m->oldest != NULL &&
	       (m->oldest->closed || is_far(m->oldest->end, ts, m->limit)))
		write_oldest(m);
}

/* true if ev can be in a run */
static bool
is_short(const struct merge_short *m, const struct event *ev)
{
	int64_t dur = event_int(ev, KEY_dur, -1), end;

	return ev->kind == KIND_kernel && event_has(ev, KEY_ts) && dur >= 0 &&
	       dur < m->limit && !event_true(ev, KEY_open) &&
	       !event_has(ev, KEY_count) && !event_has(ev, KEY_busy) &&
	       ev->unknown_count <= UNKNOWN_KEYS &&
	       !__builtin_add_overflow(event_int(ev, KEY_ts, 0), dur, &end);
}

/* add ev to the run; false if it does not belong there */
static bool
extend_run(struct merge_short *m, struct short_run *r, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	int64_t end = ts + dur > r->end ? ts + dur : r->end, all, busy;

	if (ts < r->ts || is_far(r->end, ts, m->limit) ||
	    __builtin_sub_overflow(end, r->ts, &all) ||
	    __builtin_add_overflow(r->busy, dur, &busy))
		return false;
	compare_keys(m, r, ev);
	r->end = end;
	r->busy = busy;
	r->count++;
	return true;
}

static struct short_run *
new_run(struct merge_short *m)
{
	struct short_run *r = m->spare;
	struct text first, behind;

	if (r == NULL)
		return mem_alloc(sizeof(*r));
	m->spare = r->next;
	m->spares--;
	first = r->first;
	behind = r->behind;
	first.len = behind.len = 0;
	*r = (struct short_run){.first = first, .behind = behind};
	return r;
}

static void
begin_run(
    struct merge_short *m, const struct event *ev, struct kernel_stream on)
{
	struct short_run *r = new_run(m);
	struct map_slot k = key_of(on);

	r->on = on;
	r->ts = event_int(ev, KEY_ts, 0);
	r->busy = event_int(ev, KEY_dur, 0);
	r->end = r->ts + r->busy;
	r->count = 1;
	text_add_span(&r->first, ev->line);
	memset(text_reserve(&r->first, EVENT_PADDING), 0, EVENT_PADDING);
	*map_get(&m->open, k.a, k.b) = (uint64_t)(uintptr_t)r;
	*(m->newest != NULL ? &m->newest->next : &m->oldest) = r;
	m->newest = r;
	m->waiting++;
}

static void
pass_line(struct merge_short *m, struct span line)
{
	struct short_run *r = m->newest;

	if (r == NULL) {
		output_line(m->out, line);
		return;
	}
	text_add_span(&r->behind, line);
	text_add_char(&r->behind, '\n');
	r->lines++;
	m->waiting++;
}

void
merge_short_event(struct merge_short *m, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, INT64_MIN);
	struct kernel_stream on = stream_of(ev);
	struct short_run *r = NULL;
	bool fits = is_short(m, ev);

	write_ready(m, ts);
	if (schema_role(ev->kind) == ROLE_WORK)
		r = find_run(m, on);
	if (r != NULL && fits && is_same_stream(r->on, on) &&
	    extend_run(m, r, ev))
		return;
	if (r != NULL) {
		close_run(m, r);
		write_ready(m, ts);
	}
	if (fits)
		begin_run(m, ev, on);
	else
		pass_line(m, ev->line);
	while (m->waiting > MERGE_SHORT_LINES)
		write_oldest(m);
}

void
merge_short_finish(struct merge_short *m)
{
	while (m->oldest != NULL)
		write_oldest(m);
	map_clear(&m->open);
}

int64_t
merge_short_kernels(const struct merge_short *m)
{
	return m->kernels;
}

int64_t
merge_short_records(const struct merge_short *m)
{
	return m->records;
}
