/* args.c - the arguments of a slice */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/draw/args.h"
#include "tq/line/json.h"

struct keyset
args_left_out(const struct track *t)
{
	struct keyset keys = {{0}};

	keyset_add(&keys, KEY_kind);
	keyset_add(&keys, KEY_ts);
	keyset_add(&keys, KEY_dur);
	keyset_add(&keys, KEY_name);
	keyset_add(&keys, KEY_args);
	if (t->group->pid == t->group->process)
		keyset_add(&keys, KEY_pid);
	if (t->kind == ROW_THREAD && t->tid == t->thread)
		keyset_add(&keys, KEY_tid);
	if (t->kind == ROW_SCHED)
		keyset_add(&keys, KEY_on);
	return keys;
}

void
args_free(struct args *a)
{
	free(a->all);
	text_free(&a->keys);
	text_free(&a->key);
	*a = (struct args){0};
}

/* the key is in a->keys from start on; that text may move yet */
static void
add_arg(struct args *a, size_t start, struct span value)
{
	*array_add(&a->all, &a->count, &a->cap) = (struct arg){
	    .key = {NULL, a->keys.len - start}, .value = value, .at = start};
}

static int
by_key(const void *x, const void *y)
{
	const struct arg *a = x, *b = y;
	int order = span_cmp(a->key, b->key);

	return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static void
sort_args(struct args *a)
{
	size_t count = 0;

	for (size_t i = 0; i < a->count; i++) {
		struct arg *x = &a->all[i];

		x->key.p = x->key.len > 0 ? a->keys.p + x->at : "";
		x->at = i;
	}
	if (a->count > 1)
		qsort(a->all, a->count, sizeof(*a->all), by_key);
	for (size_t i = 0; i < a->count; i++)
		if (i + 1 == a->count ||
		    !span_eq(a->all[i].key, a->all[i + 1].key))
			a->all[count++] = a->all[i];
	a->count = count;
}

void
args_of(struct args *a, struct span object)
{
	struct json j;
	struct span v;
	size_t start;

	a->count = a->keys.len = 0;
	json_open(&j, object);
	while (json_next(&j, &a->key, &v)) {
		start = a->keys.len;
		text_add_span(&a->keys, text_span(&a->key));
		add_arg(a, start, v);
	}
	sort_args(a);
}

/*
 * True if a key of the record has this name already.  nested: the name is of a
 * member of KEY_args, which unknown keys of the record precede.
 */
static bool
is_taken(const struct event *ev, struct span name, enum args_names names,
    bool nested)
{
	enum key k = schema_key(name.p, name.len);

	if (names == ARGS_APART && (k != KEY_NONE || name.len == 0 ||
				       span_begins(name, SPAN("args."))))
		return true;
	if (k != KEY_NONE)
		return event_has(ev, k) || k == KEY_demangled;
	if (span_eq(name, SPAN("correlation")))
		return event_has(ev, KEY_corr);
	for (size_t i = 0; nested && i < ev->unknown_count; i++)
		if (span_eq(name, ev->unknown[i].key))
			return true;
	return false;
}

static void
add_other(struct args *a, const struct event *ev, struct span key,
    struct span value, enum args_names names, bool nested)
{
	size_t start = a->keys.len;

	if (is_taken(ev, key, names, nested))
		text_add_str(&a->keys, "args.");
	text_add_span(&a->keys, key);
	add_arg(a, start, value);
}

void
args_others(struct args *a, const struct event *ev, enum args_names names)
{
	struct json j;
	struct span v;

	a->count = a->keys.len = 0;
	if (event_has(ev, KEY_args)) {
		json_open(&j, ev->value[KEY_args]);
		while (json_next(&j, &a->key, &v))
			add_other(a, ev, text_span(&a->key), v, names, true);
	}
	for (size_t i = 0; i < ev->unknown_count; i++)
		add_other(a, ev, ev->unknown[i].key, ev->unknown[i].value,
		    names, false);
	sort_args(a);
}

void
args_unknown(struct args *a, const struct event *ev)
{
	a->count = a->keys.len = 0;
	for (size_t i = 0; i < ev->unknown_count; i++) {
		size_t start = a->keys.len;

		text_add_span(&a->keys, ev->unknown[i].key);
		add_arg(a, start, ev->unknown[i].value);
	}
	sort_args(a);
}

/* ---- sorted values ---- */

static void
add_sorted_object(struct text *t, struct span object)
{
	struct args a = {0};

	args_of(&a, object);
	text_add_char(t, '{');
	for (size_t i = 0; i < a.count; i++) {
		if (i > 0)
			text_add_char(t, ',');
		text_add_json(t, a.all[i].key.p, a.all[i].key.len);
		text_add_char(t, ':');
		args_add_sorted(t, a.all[i].value);
	}
	text_add_char(t, '}');
	args_free(&a);
}

static void
add_sorted_array(struct text *t, struct span array)
{
	struct json j;
	struct span v;

	text_add_char(t, '[');
	json_open_array(&j, array);
	for (bool first = true; json_next_element(&j, &v); first = false) {
		if (!first)
			text_add_char(t, ',');
		args_add_sorted(t, v);
	}
	text_add_char(t, ']');
}

/* the parser has limited the depth of recursion: JSON_DEPTH */
void
args_add_sorted(struct text *t, struct span json)
{
	if (*json.p == '{')
		add_sorted_object(t, json);
	else if (*json.p == '[')
		add_sorted_array(t, json);
	else
		text_add_span(t, json);
}
