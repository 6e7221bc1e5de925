/* model.c - dense numbers for the processes, threads ... of records */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/hash.h"
#include "tq/names/model.h"
#include "tq/names/symbol_class.h"

enum { KNOWN_BITS = 10, KNOWN_MASK = (1 << KNOWN_BITS) - 1 };

/* a symbol that was looked up; section 0: none was */
struct model_known {
	uint64_t section;
	int64_t id;
	struct span name;
	uint32_t number;
};

void
model_section(struct model *m)
{
	m->section++;
	map_clear(&m->symbols.defined);
}

void
model_rewind(struct model *m)
{
	m->section = m->symbols.definitions = 0;
	m->in_section = false;
	free(m->symbols.known);
	m->symbols.known = NULL;
}

void
model_free(struct model *m)
{
	map_free(&m->processes.map);
	map_free(&m->threads.map);
	map_free(&m->devices.map);
	map_free(&m->contexts.map);
	map_free(&m->streams.map);
	intern_free(&m->symbols.names);
	map_free(&m->symbols.defined);
	map_free(&m->symbols.undefined);
	map_free(&m->symbols.map);
	free(m->symbols.all);
	free(m->symbols.known);
	*m = (struct model){0};
}

/* ---- of a record ---- */

static __attribute__((noinline)) void
make_recent(
    struct model_things *t, struct model_recent *r, uint64_t of, int64_t id)
{
	*r = (struct model_recent){
	    of, id, (uint32_t)map_number(&t->map, of, (uint64_t)id)};
}

static inline uint32_t
get_number(struct model_things *t, uint64_t of, int64_t id)
{
	struct model_recent *r = &t->recent[(of + (uint64_t)id) % MODEL_RECENT];

	if (r->number == 0 || r->of != of || r->id != id)
		make_recent(t, r, of, id);
	return r->number;
}

/* The same, of a key: most ids are short, and their text need not become an
   integer to be found again. */
static inline uint32_t
get_number_of(
    struct model_things *t, uint64_t of, const struct event *ev, enum key k)
{
	struct span id = event_has(ev, k) ? ev->value[k] : SPAN("");
	struct model_text *x;
	uint64_t text;

	if (id.len == 0 || id.len > sizeof(text))
		return get_number(t, of, event_int(ev, k, NO_ID));
	text = hash_load(id.p) << (64 - 8 * id.len);
	x = &t->texts[(text >> 56) % MODEL_RECENT]; /* by the last digit */
	if (x->text != text || x->of != of)
		*x = (struct model_text){
		    of, text, get_number(t, of, event_number(id))};
	return x->number;
}

uint32_t
model_find_process(const struct event *ev)
{
	return event_memo(ev)->memo.process = get_number_of(
		   &ev->model->processes, ev->model->section, ev, KEY_pid);
}

uint32_t
model_find_thread(const struct event *ev)
{
	return event_memo(ev)->memo.thread = get_number_of(
		   &ev->model->threads, model_process(ev), ev, KEY_tid);
}

uint32_t
model_find_device(const struct event *ev)
{
	return event_memo(ev)->memo.device = get_number(&ev->model->devices,
		   model_process(ev), event_int(ev, KEY_device, 0));
}

uint32_t
model_find_stream(const struct event *ev)
{
	uint32_t context = get_number(&ev->model->contexts, model_device(ev),
	    event_int(ev, KEY_context, NO_ID));

	return event_memo(ev)->memo.stream = get_number(&ev->model->streams,
		   context, event_int(ev, KEY_stream, NO_ID));
}

uint32_t
model_any_thread(const struct event *ev)
{
	return get_number(&ev->model->threads, model_process(ev), NO_ID);
}

/* ---- symbols ---- */

static void
define(struct model_symbols *s, const struct event *ev)
{
	int64_t id = event_int(ev, KEY_id, NO_ID);

	if (id == NO_ID)
		return;
	*map_get(&s->defined, (uint64_t)id, 0) = ++s->definitions;
	if (s->known != NULL)
		s->known[id & KNOWN_MASK].section = 0;
}

void
model_border(struct model *m, const struct event *ev)
{
	if (!m->in_section || ev->kind == KIND_trace)
		model_section(m);
	m->in_section = ev->kind != KIND_end;
	if (ev->kind == KIND_symbol)
		define(&m->symbols, ev);
}

/* A number of the definition that an id has now, or of the id without one. */
static uint64_t
definition_of(struct model *m, int64_t id)
{
	struct model_symbols *s = &m->symbols;
	const uint64_t *n = map_find(&s->defined, (uint64_t)id, 0);

	return n != NULL
		   ? *n << 1
		   : map_number(&s->undefined, m->section, (uint64_t)id) << 1 |
			 1;
}

static uint32_t
add_symbol(struct model *m, int64_t id, struct span json)
{
	struct model_symbols *s = &m->symbols;
	uint32_t name = intern_get(&s->names, json);
	uint64_t n = map_number(&s->map, definition_of(m, id), name);

	json = intern_text(&s->names, name);
	if (n > s->count)
		*array_add(&s->all, &s->count, &s->cap) = (struct model_symbol){
		    json, api_call_of(json), symbol_class_communicates(json)};
	return (uint32_t)n;
}

/* The slot of an id, or of a name without one. */
static size_t
known_slot(int64_t id, struct span name)
{
	const uint64_t odd = 0x9e3779b97f4a7c15;

	if (id != NO_ID)
		return id & KNOWN_MASK;
	if (name.len < 8)
		return hash_text(name) & KNOWN_MASK;
	return ((hash_load(name.p + name.len / 2 - 4) * odd ^
		    hash_load(name.p + name.len - 8)) *
		   odd) >>
	       (64 - KNOWN_BITS);
}

static __attribute__((noinline)) void
make_known(struct model *m, struct model_known *k, int64_t id, struct span name)
{
	uint32_t number = add_symbol(m, id, name);

	*k = (struct model_known){
	    m->section, id, m->symbols.all[number - 1].name, number};
}

static inline uint32_t
get_symbol(struct model *m, int64_t id, const struct event *ev, enum key key)
{
	struct model_symbols *s = &m->symbols;
	struct span name = event_has(ev, key) ? ev->value[key] : SPAN("");
	struct model_known *k;

	if (s->known == NULL)
		s->known = mem_alloc(sizeof(*s->known) << KNOWN_BITS);
	k = &s->known[known_slot(id, name)];
	if (k->id != id || k->section != m->section ||
	    k->name.len != name.len || !hash_equal(k->name.p, name))
		make_known(m, k, id, name);
	return k->number;
}

uint32_t
model_find_symbol(const struct event *ev)
{
	return event_memo(ev)->memo.symbol = get_symbol(
		   ev->model, event_int(ev, KEY_sym, NO_ID), ev, KEY_name);
}

uint32_t
model_find_launching(const struct event *ev)
{
	return event_memo(ev)->memo.launching =
		   get_symbol(ev->model, NO_ID, ev, KEY_api_name);
}

bool
model_is_of_graph(const struct event *ev)
{
	if (ev->kind == KIND_graph || event_has(ev, KEY_graph) ||
	    event_has(ev, KEY_graph_node))
		return true;
	return event_has(ev, KEY_api_name) &&
	       model_symbol_at(ev->model, model_launching_symbol(ev))
		       ->call.role == API_GRAPH_LAUNCH;
}

/* ---- of ids ---- */

static uint32_t
find_number(const struct model_things *t, uint64_t of, int64_t id)
{
	const uint64_t *number = map_find(&t->map, of, (uint64_t)id);

	return number != NULL ? (uint32_t)*number : 0;
}

uint32_t
model_process_of(const struct model *m, int64_t pid)
{
	return find_number(&m->processes, m->section, pid);
}

uint32_t
model_device_of(const struct model *m, int64_t pid, int64_t device)
{
	return find_number(&m->devices, model_process_of(m, pid), device);
}
