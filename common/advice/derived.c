/* derived.c - keys that need other records than the one that has them */

#include "tq/account/waits.h"
#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/line/json.h"

#include "tq/advice/derived.h"

enum { ROOM = 512 }; /* for the texts of all keys of a record */

__extension__ typedef __int128 derived_wide;

void
derived_section(struct derived *d)
{
	d->section++;
	d->known = false;
}

static void
add_text(struct derived *d, struct event *ev, const char *key, size_t from)
{
	*array_add(&ev->unknown, &ev->unknown_count, &ev->unknown_cap) =
	    (struct event_member){.key = span_of(key),
		.value = {d->text.p + from, d->text.len - from}};
}

static void
add_int(struct derived *d, struct event *ev, const char *key, int64_t v)
{
	size_t from = d->text.len;

	text_add_int(&d->text, v);
	add_text(d, ev, key, from);
}

static void
add_bool(struct derived *d, struct event *ev, const char *key, bool v)
{
	size_t from = d->text.len;

	text_add_str(&d->text, v ? "true" : "false");
	add_text(d, ev, key, from);
}

/* ---- steady ---- */

/* The start of the second step, or of all but a fifth of the active span. */
static int64_t
steady_from(const struct derived *d, int64_t pid)
{
	const struct survey *s = d->survey;
	const struct survey_steps *steps =
	    survey_find_steps(s, d->section, pid);
	int64_t first = INT64_MAX, until = INT64_MIN;

	if (steps != NULL && steps->count >= 2)
		return steps->second;
	for (size_t i = 0; i < s->device.count; i++) {
		const struct survey_device *x = &s->device.all[i];

		if (x->section != d->section || x->pid != pid)
			continue;
		first = first < x->first ? first : x->first;
		until = until > x->until ? until : x->until;
	}
	return first < until ? time_end(first, time_between(first, until) / 5)
			     : INT64_MIN;
}

static void
add_steady(struct derived *d, struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);

	if (!d->known || d->pid != pid) {
		d->pid = pid;
		d->steady_from = steady_from(d, pid);
		d->known = true;
	}
	add_bool(d, ev, "steady", event_int(ev, KEY_ts, 0) >= d->steady_from);
}

/* ---- kernels ---- */

/* The product of an array of integers; 0 if it is none, or too large. */
static int64_t
product(const struct event *ev, enum key k)
{
	struct json j;
	struct span element;
	int64_t all = 1, v;

	if (!event_has(ev, k))
		return 0;
	json_open_array(&j, ev->value[k]);
	while (json_next_element(&j, &element))
		if (!json_int(element, &v) || v <= 0 ||
		    __builtin_mul_overflow(all, v, &all))
			return 0;
	return all;
}

static void
add_kernel(struct derived *d, struct event *ev)
{
	const struct survey_device *x =
	    survey_find_device(d->survey, d->section,
		event_int(ev, KEY_pid, NO_ID), event_int(ev, KEY_device, 0));
	int64_t threads = product(ev, KEY_block);

	if (x == NULL || x->sms <= 0) /* a device of all processes */
		x = survey_find_device(
		    d->survey, d->section, NO_ID, event_int(ev, KEY_device, 0));
	d->blocks = product(ev, KEY_grid);
	d->sms = x != NULL ? x->sms : 0;
	if (d->blocks > 0 && d->sms > 0)
		add_int(d, ev, "sm_share",
		    (int64_t)((derived_wide)d->blocks * 100 / d->sms));
	if (threads > 0)
		add_int(d, ev, "threads", threads);
}

static void
add_operation(struct derived *d, struct event *ev)
{
	int64_t dur = event_int(ev, KEY_dur, 0);
	int64_t call = event_int(ev, KEY_api_ts, 0);

	call = time_end(call, event_int(ev, KEY_api_dur, 0));
	if (event_has(ev, KEY_api_ts))
		add_int(d, ev, "queued",
		    time_between(call, event_int(ev, KEY_ts, 0)));
	if (ev->kind == KIND_kernel)
		add_kernel(d, ev);
	if (event_has(ev, KEY_bytes) && dur > 0)
		add_int(d, ev, "rate",
		    (int64_t)((derived_wide)event_int(ev, KEY_bytes, 0) *
			      1000000000 / dur));
}

/* The share of the active span of its device, in percent. */
static void
add_gap(struct derived *d, struct event *ev)
{
	const struct survey_device *x =
	    survey_find_device(d->survey, d->section,
		event_int(ev, KEY_pid, NO_ID), event_int(ev, KEY_device, 0));
	int64_t span = x != NULL ? time_between(x->first, x->until) : 0;

	if (span > 0)
		add_int(d, ev, "span_share",
		    (int64_t)((derived_wide)event_int(ev, KEY_dur, 0) * 100 /
			      span));
}

void
derived_add(struct derived *d, struct event *ev)
{
	d->text.len = 0;
	text_reserve(&d->text, ROOM); /* so that texts do not move */
	d->blocks = d->sms = 0;
	if (!event_has(ev, KEY_ts))
		return;
	add_steady(d, ev);
	if (schema_role(ev->kind) == ROLE_WORK)
		add_operation(d, ev);
	else if (ev->kind == KIND_gap)
		add_gap(d, ev);
	else if (ev->kind == KIND_api && event_has(ev, KEY_name))
		add_bool(d, ev, "waits", waits_by_name(ev->value[KEY_name]));
}

void
derived_free(struct derived *d)
{
	text_free(&d->text);
}
