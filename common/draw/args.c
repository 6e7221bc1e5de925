/* args.c - the members of an object, sorted by their keys */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/draw/args.h"
#include "tq/base/mem.h"
#include "title.h"

void
args_free(struct args *m)
{
	free(m->all);
	text_free(&m->keys);
	text_free(&m->key);
	*m = (struct args){0};
}

/* the key is in m->keys from there on, which may move yet */
static void
add(struct args *m, size_t key, struct span value)
{
	if (m->count == m->cap) {
		m->cap = m->cap * 2 + 8;
		m->all = mem_resize(m->all, m->cap, sizeof(*m->all));
	}
	m->all[m->count++] = (struct arg){
	    .key = {NULL, m->keys.len - key}, .value = value, .at = key};
}

static int
compare(const void *x, const void *y)
{
	const struct arg *a = x, *b = y;
	int order = span_cmp(a->key, b->key);

	return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static void
sort(struct args *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->count; i++) {
		struct arg *x = &m->all[i];

		x->key.p = x->key.len > 0 ? m->keys.p + x->at : "";
		x->at = i;
	}
	if (m->count > 1)
		qsort(m->all, m->count, sizeof(*m->all), compare);
	for (size_t i = 0; i < m->count; i++)
		if (i + 1 == m->count ||
		    !span_eq(m->all[i].key, m->all[i + 1].key))
			m->all[count++] = m->all[i];
	m->count = count;
}

void
args_of(struct args *m, struct span object)
{
	struct json j;
	struct span v;
	size_t at;

	m->count = m->keys.len = 0;
	json_open(&j, object);
	while (json_next(&j, &m->key, &v)) {
		at = m->keys.len;
		text_add_span(&m->keys, text_span(&m->key));
		add(m, at, v);
	}
	sort(m);
}

static void
add_other(struct args *m, const struct event *ev, struct span key,
    struct span value, bool may_be_empty, bool nested)
{
	size_t at = m->keys.len;

	if (title_taken(ev, key, nested) || (key.len == 0 && !may_be_empty))
		text_add_str(&m->keys, "args.");
	text_add_span(&m->keys, key);
	add(m, at, value);
}

void
args_others(struct args *m, const struct event *ev, bool may_be_empty)
{
	struct json j;
	struct span v;

	m->count = m->keys.len = 0;
	if (event_has(ev, KEY_args)) {
		json_open(&j, ev->value[KEY_args]);
		while (json_next(&j, &m->key, &v))
			add_other(
			    m, ev, text_span(&m->key), v, may_be_empty, true);
	}
	for (size_t i = 0; i < ev->unknown_count; i++)
		add_other(m, ev, ev->unknown[i].key, ev->unknown[i].value,
		    may_be_empty, false);
	sort(m);
}
