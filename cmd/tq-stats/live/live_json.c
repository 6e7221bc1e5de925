/* live_json.c - an interval as a line of JSON */

#include <inttypes.h>

#include "live_texts.h"

static const char *const count_keys[LIVE_COUNTS] = {
    [LIVE_RECORDS] = "records",
    [LIVE_OPERATIONS] = "operations",
    [LIVE_KERNELS] = "kernels",
    [LIVE_KERNEL_NS] = "kernel_ns",
    [LIVE_CALLS] = "calls",
    [LIVE_LAUNCHES] = "launches",
    [LIVE_RANGES] = "ranges",
    [LIVE_STEPS] = "steps",
    [LIVE_LOST] = "lost",
    [LIVE_STREAM_NS] = "stream_ns",
};

static const char *const class_keys[DEVICE_CLASSES] = {
    [DEVICE_COMPUTE] = "compute_ns",
    [DEVICE_COMMUNICATION] = "communication_ns",
    [DEVICE_COPY] = "copy_ns",
};

static int64_t
sum_of(const struct live_sum *s, bool since_start)
{
	return since_start ? s->total : s->last;
}

/* "key":, behind a comma unless it is the first member */
static void
add_key(struct text *t, const char *key)
{
	if (t->p[t->len - 1] != '{')
		text_add_char(t, ',');
	text_printf(t, "\"%s\":", key);
}

static void
add_int(struct text *t, const char *key, int64_t v)
{
	add_key(t, key);
	text_add_int(t, v);
}

/* null if there is none */
static void
add_id(struct text *t, const char *key, int64_t v)
{
	if (v != NO_ID) {
		add_int(t, key, v);
		return;
	}
	add_key(t, key);
	text_add_str(t, "null");
}

static void
add_name(struct text *t, const char *key, struct span name)
{
	add_key(t, key);
	text_add_json(t, name.p, name.len);
}

/* of an array: { behind a comma unless it is the first element */
static void
open_element(struct text *t)
{
	if (t->p[t->len - 1] != '[')
		text_add_char(t, ',');
	text_add_char(t, '{');
}

static void
add_gpus(struct text *t, const struct live_sums *s, bool since_start)
{
	add_key(t, "gpus");
	text_add_char(t, '[');
	for (size_t i = 0; i < s->gpus.count; i++) {
		const struct live_gpu *g = &s->gpus.all[i];

		open_element(t);
		add_id(t, "pid", g->pid);
		add_int(t, "device", g->device);
		add_name(t, "name", g->name);
		add_int(t, "operations", sum_of(&g->operations, since_start));
		for (size_t c = 0; c < DEVICE_CLASSES; c++)
			add_int(
			    t, class_keys[c], sum_of(&g->busy[c], since_start));
		text_add_char(t, '}');
	}
	text_add_char(t, ']');
}

static void
add_groups(struct text *t, const char *key, const char *name,
    const struct live_groups *g, bool since_start)
{
	uint32_t top[LIVE_TOP];
	size_t n = live_sums_top(g, since_start, top);
	bool copies = strcmp(key, "copies") == 0;

	add_key(t, key);
	text_add_char(t, '[');
	for (size_t i = 0; i < n; i++) {
		const struct live_group *x = &g->all[top[i]];

		open_element(t);
		add_name(t, name, intern_text(&g->names, top[i]));
		add_int(t, "operations", sum_of(&x->operations, since_start));
		add_int(t, "ns", sum_of(&x->ns, since_start));
		if (copies)
			add_int(t, "bytes", sum_of(&x->bytes, since_start));
		text_add_char(t, '}');
	}
	text_add_char(t, ']');
}

static void
add_sums(struct text *t, const char *key, const struct live_sums *s,
    bool since_start)
{
	add_key(t, key);
	text_add_char(t, '{');
	for (size_t i = 0; i < LIVE_COUNTS; i++)
		add_int(t, count_keys[i], sum_of(&s->counts[i], since_start));
	add_gpus(t, s, since_start);
	add_groups(t, "top_kernels", "name", &s->kernels, since_start);
	add_groups(t, "copies", "direction", &s->copies, since_start);
	text_add_char(t, '}');
}

void
live_json_add(
    struct text *t, const struct live_sums *s, const struct live_interval *at)
{
	text_add_char(t, '{');
	add_int(t, "interval", at->number);
	/* a number of its size is not exact for all readers */
	add_key(t, "utc_ns");
	text_printf(t, "\"%" PRId64 "\"", at->now_utc);
	add_int(t, "elapsed_ns", at->elapsed);
	add_int(t, "interval_ns", at->length);
	add_key(t, "final");
	text_add_str(t, at->final ? "true" : "false");
	add_id(t, "ts", s->newest);
	add_id(t, "lag_ns", live_sums_lag(s, at->now_utc));
	add_sums(t, "last", s, false);
	add_sums(t, "total", s, true);
	text_add_str(t, "}\n");
}
