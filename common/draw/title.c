/* title.c - the name under which a record is drawn */

#include "tq/line/json.h"
#include "title.h"

static void
add_key(struct text *t, const struct event *ev, enum key key)
{
	if (event_has(ev, key))
		json_decode(t, ev->value[key]);
}

static void
add_word(struct text *t, const char *word, const struct event *ev, enum key key)
{
	text_add_str(t, word);
	add_key(t, ev, key);
}

static void
add_copy(struct text *t, const struct event *ev)
{
	text_add_str(t, "Memcpy");
	if (event_has(ev, KEY_copy)) {
		text_add_char(t, ' ');
		add_key(t, ev, KEY_copy);
	}
	if (event_has(ev, KEY_src) && event_has(ev, KEY_dst)) {
		text_add_str(t, " (");
		add_key(t, ev, KEY_src);
		text_add_str(t, " -> ");
		add_key(t, ev, KEY_dst);
		text_add_char(t, ')');
	}
}

static void
add_memset(struct text *t, const struct event *ev)
{
	text_add_str(t, "Memset");
	if (event_has(ev, KEY_mem)) {
		text_add_str(t, " (");
		add_key(t, ev, KEY_mem);
		text_add_char(t, ')');
	}
}

static void
add_graph(struct text *t, const struct event *ev)
{
	text_add_str(t, "graph ");
	if (event_has(ev, KEY_graph))
		text_add_span(t, ev->value[KEY_graph]);
}

static void
add_symbol(struct text *t, const struct names *names, const struct event *ev)
{
	struct defined_name symbol;

	names_symbol(names, event_int(ev, KEY_sym, -1), &symbol);
	text_add_span(t, symbol.name);
}

static void
add_leaf(struct text *t, const struct names *names, const struct event *ev)
{
	const uint32_t *frames;

	if (event_has(ev, KEY_stack) &&
	    names_stack(names, event_int(ev, KEY_stack, 0), &frames) > 0)
		text_add_span(t, names_frame(names, frames[0]));
}

/* a name for a record without one */
static void
add_invented(struct text *t, const struct names *names, const struct event *ev)
{
	switch (ev->kind) {
	case KIND_kernel:
		add_symbol(t, names, ev);
		break;
	case KIND_memcpy:
		add_copy(t, ev);
		break;
	case KIND_memset:
		add_memset(t, ev);
		break;
	case KIND_sync:
		add_word(t, "sync ", ev, KEY_sync);
		break;
	case KIND_graph:
		add_graph(t, ev);
		break;
	case KIND_alloc:
		add_key(t, ev, KEY_op);
		add_word(
		    t, " ", ev, event_has(ev, KEY_mem) ? KEY_mem : KEY_pool);
		break;
	case KIND_sample:
		add_leaf(t, names, ev);
		break;
	case KIND_gap:
		add_key(t, ev, KEY_cause);
		if (event_has(ev, KEY_host))
			add_word(t, " in ", ev, KEY_host);
		break;
	case KIND_lost:
		add_word(t, "lost ", ev, KEY_what);
		break;
	case KIND_overhead:
		add_key(t, ev, KEY_what);
		break;
	case KIND_diagnostic:
		add_key(t, ev, KEY_text);
		break;
	case KIND_UNKNOWN:
		text_add_span(t, ev->kind_name);
		break;
	default:
		break;
	}
}

struct span
title_of(
    const struct names *names, const struct event *ev, struct text *scratch)
{
	struct span name;

	scratch->len = 0;
	name = event_str(ev, KEY_name, scratch);
	if (name.len > 0)
		return name;
	scratch->len = 0;
	add_invented(scratch, names, ev);
	while (scratch->len > 0 && scratch->p[scratch->len - 1] == ' ')
		scratch->len--;
	return scratch->len > 0 ? text_span(scratch) : SPAN("(no name)");
}
