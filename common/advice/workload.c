/*
 * workload.c - the work of the devices of a stream, summed up by a first pass
 */

#include "tq/advice/workload.h"
#include "tq/base/time.h"
#include "tq/names/model.h"

enum { TOGETHER = 5 /* percent */, PERCENT = 100 };

__extension__ typedef __int128 workload_wide;

void
workload_keys(struct keyset *want)
{
	static const enum key keys[] = {KEY_name, KEY_sym, KEY_category,
	    KEY_context, KEY_stream, KEY_bytes, KEY_copy, KEY_src, KEY_dst,
	    KEY_NONE};

	for (size_t k = 0; k < KIND_COUNT; k++)
		if (schema_role((enum kind)k) == ROLE_WORK)
			keyset_add_all(&want[k], keys);
	/* both passes see the same symbols, see names/model.h */
	keyset_add(&want[KIND_symbol], KEY_id);
}

static bool
is_share(int64_t ns, int64_t of, int64_t percent)
{
	return of > 0 &&
	       (workload_wide)ns * PERCENT >= (workload_wide)of * percent;
}

static uint32_t
find_text(struct workload *w, const struct event *ev, enum key k)
{
	w->text.len = 0;
	return intern_get(&w->texts, event_str(ev, k, &w->text));
}

/* ---- first pass ---- */

static struct workload_device *
get_device(struct workload *w, uint32_t device)
{
	bool fresh;
	struct workload_device *d = numbered_get(&w->devices, device, &fresh);

	if (fresh)
		*d = (struct workload_device){.until = INT64_MIN};
	return d;
}

static void
add_stream(struct workload *w, const struct event *ev, enum device_class c,
    int64_t dur)
{
	bool fresh;
	struct workload_stream *s =
	    numbered_get(&w->streams, model_stream(ev), &fresh);

	if (fresh)
		*s = (struct workload_stream){.device = model_device(ev)};
	s->ns[c] = time_end(s->ns[c], dur);
}

static void
add_name(struct workload *w, struct workload_device *d, const struct event *ev,
    enum device_class c, int64_t dur)
{
	bool fresh;
	struct workload_name *n =
	    keyed_get(&w->names, model_device(ev), model_symbol(ev), &fresh);

	if (fresh)
		*n = (struct workload_name){0};
	n->ns = time_end(n->ns, dur);
	if (c == DEVICE_COMPUTE && n->ns > d->most_ns) {
		d->most_ns = n->ns;
		d->most = model_symbol(ev);
	}
}

int64_t
workload_rate(const struct event *ev)
{
	int64_t dur = event_int(ev, KEY_dur, 0), rate;
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	workload_wide wide_rate;

	if (dur <= 0 || bytes < 0)
		return 0;
	wide_rate = (workload_wide)bytes * 1000000000 / dur;
	rate = (int64_t)wide_rate;
	return rate == wide_rate ? rate : INT64_MAX;
}

static void
add_rate(struct workload *w, const struct event *ev)
{
	int64_t rate = workload_rate(ev);
	struct workload_rate *r;
	bool fresh;

	if (event_int(ev, KEY_bytes, 0) < WORKLOAD_LARGE)
		return;
	r = keyed_get(
	    &w->rates, model_device(ev), find_text(w, ev, KEY_copy), &fresh);
	if (fresh)
		*r = (struct workload_rate){0};
	if (r->best < rate)
		r->best = rate;
}

/* A copy to the host, or one from it of a size that went there. */
static void
add_trip(struct workload *w, const struct event *ev, int64_t step)
{
	uint32_t device = model_device(ev);
	uint64_t bytes = (uint64_t)event_int(ev, KEY_bytes, 0);
	struct workload_size *s;
	bool to_host = event_is(ev, KEY_copy, SPAN("DtoH")), fresh;

	if (!to_host && !event_is(ev, KEY_copy, SPAN("HtoD")))
		return;
	s = keyed_find(&w->sizes, device, bytes);
	if (s == NULL && to_host && w->sizes.count < WORKLOAD_SIZES) {
		s = keyed_get(&w->sizes, device, bytes, &fresh);
		*s = (struct workload_size){0};
	}
	if (s == NULL)
		return;
	if (!to_host && s->on_the_host && s->step == step)
		s->trips++;
	s->on_the_host = to_host;
	s->step = step;
}

void
workload_add(struct workload *w, const struct event *ev, int64_t step)
{
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	int64_t end = time_end(ts, dur);
	struct workload_device *d = get_device(w, model_device(ev));
	enum device_class c;

	if (!device_time_class(ev, &c))
		return;
	dur = dur > 0 ? dur : 0;
	d->ns[c] = time_end(d->ns[c], dur);
	if (c == DEVICE_COMPUTE && d->until < end) {
		d->computes = time_end(d->computes,
		    time_between(d->until > ts ? d->until : ts, end));
		d->until = end;
	}
	add_stream(w, ev, c, dur);
	if (ev->kind == KIND_kernel)
		add_name(w, d, ev, c, dur);
	if (ev->kind != KIND_memcpy)
		return;
	if (event_is(ev, KEY_src, SPAN("Pageable")) ||
	    event_is(ev, KEY_dst, SPAN("Pageable")))
		d->pageable = time_end(d->pageable, dur);
	add_rate(w, ev);
	add_trip(w, ev, step);
}

void
workload_finish(struct workload *w)
{
	for (size_t i = 0; i < w->streams.count; i++) {
		const struct workload_stream *s = &w->streams.all[i];
		struct workload_device *d = get_device(w, s->device);
		int64_t ns = s->ns[DEVICE_COMPUTE];

		d->copy_streams += is_share(
		    s->ns[DEVICE_COPY], d->ns[DEVICE_COPY], WORKLOAD_MINOR);
		if (!is_share(ns, d->ns[DEVICE_COMPUTE], WORKLOAD_MINOR))
			continue;
		if (d->streams++ == 0 ||
		    w->streams.all[d->first].ns[DEVICE_COMPUTE] < ns)
			d->first = i;
	}
}

/* ---- second pass ---- */

static const struct workload_device *
find_device(const struct workload *w, const struct event *ev)
{
	return numbered_find(&w->devices, model_device(ev));
}

static const struct workload_stream *
find_stream(const struct workload *w, const struct event *ev)
{
	return numbered_find(&w->streams, model_stream(ev));
}

int64_t
workload_name_share(struct workload *w, const struct event *ev)
{
	const struct workload_name *n =
	    keyed_find(&w->names, model_device(ev), model_symbol(ev));
	const struct workload_device *d = find_device(w, ev);
	workload_wide all = 0;

	for (size_t c = 0; d != NULL && c < DEVICE_CLASSES; c++)
		all += d->ns[c];
	return n != NULL && all > 0
		   ? (int64_t)((workload_wide)n->ns * PERCENT / all)
		   : 0;
}

bool
workload_name_first(const struct workload *w, const struct event *ev)
{
	const struct workload_device *d = find_device(w, ev);

	return d != NULL && d->most_ns > 0 && d->most == model_symbol(ev);
}

bool
workload_shared(const struct workload *w, const struct event *ev)
{
	const struct workload_stream *s = find_stream(w, ev);
	const struct workload_device *d = find_device(w, ev);

	for (size_t c = 0; c <= DEVICE_COMMUNICATION; c++)
		if (s == NULL || d == NULL ||
		    !is_share(s->ns[c], d->ns[c], WORKLOAD_MINOR))
			return false;
	return true;
}

bool
workload_serial(const struct workload *w, const struct event *ev)
{
	const struct workload_stream *s = find_stream(w, ev);
	const struct workload_device *d = find_device(w, ev);
	enum device_class c;

	if (!device_time_class(ev, &c) || c != DEVICE_COMPUTE || s == NULL ||
	    d == NULL || d->streams < 2)
		return false;
	if (s == &w->streams.all[d->first] ||
	    !is_share(s->ns[c], d->ns[c], WORKLOAD_MINOR))
		return false;
	return !is_share(d->ns[c] - d->computes, d->computes, TOGETHER);
}

int64_t
workload_best_rate(struct workload *w, const struct event *ev)
{
	const struct workload_rate *r =
	    keyed_find(&w->rates, model_device(ev), find_text(w, ev, KEY_copy));

	return r != NULL ? r->best : 0;
}

int64_t
workload_trips(const struct workload *w, const struct event *ev)
{
	const struct workload_size *s = keyed_find(
	    &w->sizes, model_device(ev), (uint64_t)event_int(ev, KEY_bytes, 0));

	return s != NULL ? s->trips : 0;
}

void
workload_free(struct workload *w)
{
	intern_free(&w->texts);
	keyed_free(&w->names);
	numbered_free(&w->streams);
	keyed_free(&w->rates);
	keyed_free(&w->sizes);
	numbered_free(&w->devices);
	text_free(&w->text);
}
