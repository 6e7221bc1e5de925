/*
 * names.c - what the definitions of a section said
 *
 * Things are found by one to four ids.  A node stands for the ids up to one
 * of them: kind, then pid, then device ...; the map leads from a node and
 * the next id to the next node.
 */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"
#include "tq/names.h"

/* of all stacks together; beyond that only the leaf of a stack is kept */
enum { STACK_FRAMES = 1 << 22 };

struct names_text {
	size_t at, len; /* in the pool */
};

struct names_entry {
	struct names_text name, more;
	int64_t number, ordinal;
	bool defined;
};

struct names_frame {
	struct names_text text;
};

void
names_free(struct names *n)
{
	text_free(&n->pool);
	text_free(&n->scratch);
	map_free(&n->nodes);
	map_free(&n->frames);
	map_free(&n->stacks);
	free(n->entry);
	free(n->frame);
	free(n->stack);
	*n = (struct names){0};
}

void
names_reset(struct names *n)
{
	int64_t shortened = n->shortened, replaced = n->replaced;

	names_free(n);
	n->shortened = shortened;
	n->replaced = replaced + 1;
}

static struct names_text
keep(struct names *n, struct span s)
{
	struct names_text p = {n->pool.len, s.len};

	text_add_span(&n->pool, s);
	return p;
}

static struct span
text_of(const struct names *n, struct names_text p)
{
	if (p.len == 0)
		return (struct span){"", 0};
	return (struct span){n->pool.p + p.at, p.len};
}

/* ---- what is found by ids ---- */

static uint64_t
root(enum kind kind)
{
	return UINT64_MAX - (uint64_t)kind;
}

static const struct names_entry *
find(const struct names *n, enum kind kind, const int64_t *ids, size_t count)
{
	uint64_t at = root(kind);

	for (size_t i = 0; i < count; i++) {
		uint64_t *next = map_find(&n->nodes, at, (uint64_t)ids[i]);

		if (next == NULL)
			return NULL;
		at = *next;
	}
	return n->entry[at].defined ? &n->entry[at] : NULL;
}

static uint64_t
new_node(struct names *n)
{
	if (n->count == n->cap) {
		n->cap = n->cap * 2 + 64;
		n->entry = mem_resize(n->entry, n->cap, sizeof(*n->entry));
	}
	n->entry[n->count] = (struct names_entry){0};
	return n->count++;
}

static struct names_entry *
make(struct names *n, enum kind kind, const int64_t *ids, size_t count)
{
	uint64_t at = root(kind);

	for (size_t i = 0; i < count; i++) {
		size_t before = n->nodes.count;
		uint64_t *next = map_get(&n->nodes, at, (uint64_t)ids[i]);

		if (n->nodes.count > before)
			*next = new_node(n);
		at = *next;
	}
	if (!n->entry[at].defined)
		n->entry[at].ordinal = n->defined[kind]++;
	else
		n->replaced++;
	n->entry[at].defined = true;
	return &n->entry[at];
}

static struct names_text
keep_key(struct names *n, const struct event *ev, enum key key)
{
	n->scratch.len = 0;
	return keep(n, event_str(ev, key, &n->scratch));
}

static void
define(struct names *n, const struct event *ev, const enum key *keys,
    size_t count, enum key more, enum key number)
{
	struct names_entry *e;
	int64_t ids[4];

	for (size_t i = 0; i < count; i++)
		ids[i] = event_int(ev, keys[i], NO_ID);
	e = make(n, ev->kind, ids, count);
	/* a second definition adds to the first */
	if (event_has(ev, KEY_name))
		e->name = keep_key(n, ev, KEY_name);
	if (more != KEY_NONE && event_has(ev, more))
		e->more = keep_key(n, ev, more);
	e->number = number != KEY_NONE ? event_int(ev, number, NO_ID) : NO_ID;
}

static bool
look_up(const struct names *n, enum kind kind, const int64_t *ids, size_t count,
    struct defined_name *name)
{
	const struct names_entry *e = find(n, kind, ids, count);

	*name = (struct defined_name){{"", 0}, {"", 0}, NO_ID, 0};
	if (e == NULL)
		return false;
	name->name = text_of(n, e->name);
	name->more = text_of(n, e->more);
	name->number = e->number;
	name->ordinal = e->ordinal;
	return true;
}

bool
names_process(const struct names *n, int64_t pid, struct defined_name *name)
{
	return look_up(n, KIND_process, &pid, 1, name);
}

bool
names_thread(
    const struct names *n, int64_t pid, int64_t tid, struct defined_name *name)
{
	return look_up(n, KIND_thread, (int64_t[]){pid, tid}, 2, name);
}

bool
names_device(const struct names *n, int64_t pid, int64_t device,
    struct defined_name *name)
{
	/* a device may be defined for all processes */
	return look_up(n, KIND_device, (int64_t[]){pid, device}, 2, name) ||
	       look_up(n, KIND_device, (int64_t[]){NO_ID, device}, 2, name);
}

bool
names_stream(const struct names *n, int64_t pid, int64_t device,
    int64_t context, int64_t stream, struct defined_name *name)
{
	int64_t ids[] = {pid, device, context, stream};

	if (look_up(n, KIND_stream, ids, 4, name))
		return true;
	/* nor need the device of a stream be known */
	ids[1] = NO_ID;
	return look_up(n, KIND_stream, ids, 4, name);
}

bool
names_has_stream(const struct names *n, int64_t pid)
{
	return map_find(&n->nodes, root(KIND_stream), (uint64_t)pid) != NULL;
}

bool
names_symbol(const struct names *n, int64_t id, struct defined_name *name)
{
	return look_up(n, KIND_symbol, &id, 1, name);
}

bool
names_counter(const struct names *n, int64_t id, struct defined_name *name)
{
	return look_up(n, KIND_counterdef, &id, 1, name);
}

/* ---- call stacks ---- */

/* the number of a frame: each text is kept once */
static uint32_t
frame_number(struct names *n, struct span s)
{
	uint64_t h = span_hash(s);

	for (uint64_t attempt = 0;; attempt++) {
		uint64_t *known = map_get(&n->frames, h, attempt);

		if (*known == 0)
			*known = n->frame_count + 1;
		else if (span_eq(text_of(n, n->frame[*known - 1].text), s))
			return (uint32_t)(*known - 1);
		else
			continue;
		if (n->frame_count == n->frame_cap) {
			n->frame_cap = n->frame_cap * 2 + 64;
			n->frame = mem_resize(
			    n->frame, n->frame_cap, sizeof(*n->frame));
		}
		n->frame[n->frame_count].text = keep(n, s);
		return (uint32_t)n->frame_count++;
	}
}

static void
add_frame(struct names *n, struct span json)
{
	n->scratch.len = 0;
	json_decode(&n->scratch, json);
	if (n->stack_count == n->stack_cap) {
		n->stack_cap = n->stack_cap * 2 + 256;
		n->stack =
		    mem_resize(n->stack, n->stack_cap, sizeof(*n->stack));
	}
	n->stack[n->stack_count++] = frame_number(n, text_span(&n->scratch));
}

/* a stack is a run of n->stack: where it begins, and how many frames it has */
static void
define_stack(struct names *n, const struct event *ev)
{
	int64_t id = event_int(ev, KEY_id, NO_ID);
	size_t start = n->stack_count;
	struct json j;
	struct span frame;

	if (!event_has(ev, KEY_frames))
		return;
	json_open_array(&j, ev->value[KEY_frames]);
	while (json_next_element(&j, &frame)) {
		if (n->stack_count > start && start >= STACK_FRAMES) {
			n->shortened++;
			break;
		}
		add_frame(n, frame);
	}
	*map_get(&n->stacks, (uint64_t)id, 0) =
	    (uint64_t)start << 32 | (n->stack_count - start);
}

size_t
names_stack(const struct names *n, int64_t id, const uint32_t **frames)
{
	const uint64_t *run = map_find(&n->stacks, (uint64_t)id, 0);

	if (run == NULL)
		return 0;
	*frames = n->stack + (*run >> 32);
	return (uint32_t)*run;
}

struct span
names_frame(const struct names *n, uint32_t frame)
{
	return text_of(n, n->frame[frame].text);
}

/* ---- what defines a name ---- */

void
names_define(struct names *n, const struct event *ev)
{
	static const enum key process[] = {KEY_pid},
			      thread[] = {KEY_pid, KEY_tid},
			      device[] = {KEY_pid, KEY_device},
			      stream[] = {KEY_pid, KEY_device, KEY_context,
				  KEY_stream},
			      id[] = {KEY_id};

	switch (ev->kind) {
	case KIND_process:
		define(n, ev, process, 1, KEY_host, KEY_rank);
		break;
	case KIND_thread:
		define(n, ev, thread, 2, KEY_NONE, KEY_NONE);
		break;
	case KIND_device:
		define(n, ev, device, 2, KEY_bus, KEY_gpu);
		break;
	case KIND_stream:
		define(n, ev, stream, 4, KEY_flags, KEY_NONE);
		break;
	case KIND_symbol:
		define(n, ev, id, 1, KEY_demangled, KEY_NONE);
		break;
	case KIND_counterdef:
		define(n, ev, id, 1, KEY_unit, KEY_NONE);
		break;
	case KIND_stack:
		define_stack(n, ev);
		break;
	default:
		break;
	}
}
