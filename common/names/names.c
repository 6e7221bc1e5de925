/*
 * names.c - the definitions of a section
 *
 * Things are found by the one to four ids that events.def lists.  A node stands
 * for the ids up to one of them: kind, then pid, then device ...; the map leads
 * from a node and the next id to the next node.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/line/json.h"
#include "tq/names.h"

/* of all stacks together; beyond that only the leaf of a stack is kept */
enum { STACK_FRAMES = 1 << 22 };

struct names_entry {
	struct span name, more;
	struct span mangled; /* of a device: its UUID */
	int64_t number, ordinal;
	bool defined;
};

void
names_free(struct names *n)
{
	region_free(&n->region);
	text_free(&n->scratch);
	map_free(&n->nodes);
	intern_free(&n->frames);
	map_free(&n->stacks);
	free(n->entry);
	free(n->stack);
	*n = (struct names){.with_mangled = n->with_mangled};
}

void
names_reset(struct names *n)
{
	int64_t shortened = n->shortened, replaced = n->replaced;

	names_free(n);
	n->shortened = shortened;
	n->replaced = replaced + 1;
}

/* ---- found by ids ---- */

static uint64_t
root(enum kind kind)
{
	return UINT64_MAX - (uint64_t)kind;
}

/* NULL where there is no definition */
static const struct names_entry *
find_entry(
    const struct names *n, enum kind kind, const int64_t *ids, size_t count)
{
	uint64_t node = root(kind);

	for (size_t i = 0; i < count; i++) {
		const uint64_t *next =
		    map_find(&n->nodes, node, (uint64_t)ids[i]);

		if (next == NULL)
			return NULL;
		node = *next;
	}
	return n->entry[node - 1].defined ? &n->entry[node - 1] : NULL;
}

static struct names_entry *
make_entry(struct names *n, const struct event *ev)
{
	const enum key *id = schema_definitions[ev->kind].ids;
	uint64_t node = root(ev->kind);
	struct names_entry *e;

	for (; *id != KEY_NONE; id++) {
		node = map_number(
		    &n->nodes, node, (uint64_t)event_int(ev, *id, NO_ID));
		if (node > n->count)
			*array_add(&n->entry, &n->count, &n->cap) =
			    (struct names_entry){.number = NO_ID};
	}
	e = &n->entry[node - 1];
	if (!e->defined)
		e->ordinal = n->defined[ev->kind]++;
	else
		n->replaced++;
	e->defined = true;
	return e;
}

static bool
look_up(const struct names *n, enum kind kind, const int64_t *ids, size_t count,
    struct defined_name *name)
{
	const struct names_entry *e = find_entry(n, kind, ids, count);

	*name = (struct defined_name){{"", 0}, {"", 0}, NO_ID, 0};
	if (e == NULL)
		return false;
	if (e->name.len > 0)
		name->name = e->name;
	if (e->more.len > 0)
		name->more = e->more;
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
	return look_up(n, KIND_device, (int64_t[]){pid, device}, 2, name) ||
	       look_up(n, KIND_device, (int64_t[]){NO_ID, device}, 2, name);
}

struct span
names_own_device(const struct names *n, int64_t pid, int64_t device,
    struct defined_name *name)
{
	int64_t ids[] = {pid, device};

	if (!look_up(n, KIND_device, ids, 2, name))
		return SPAN("");
	return find_entry(n, KIND_device, ids, 2)->mangled;
}

bool
names_stream(const struct names *n, int64_t pid, int64_t device,
    int64_t context, int64_t stream, struct defined_name *name)
{
	int64_t ids[] = {pid, device, context, stream};

	if (look_up(n, KIND_stream, ids, 4, name))
		return true;
	/* a stream may be defined without its device */
	ids[1] = NO_ID;
	return look_up(n, KIND_stream, ids, 4, name);
}

bool
names_has_stream(const struct names *n, int64_t pid)
{
	return map_find(&n->nodes, root(KIND_stream), (uint64_t)pid) != NULL;
}

bool
names_uses_device(const struct names *n, int64_t pid, int64_t device)
{
	const uint64_t *node =
	    map_find(&n->nodes, root(KIND_stream), (uint64_t)pid);

	return node != NULL &&
	       map_find(&n->nodes, *node, (uint64_t)device) != NULL;
}

int64_t
names_first_device(const struct names *n, int64_t pid)
{
	if (names_has_stream(n, pid))
		for (int64_t device = 0; device < 256; device++)
			if (names_uses_device(n, pid, device))
				return device;
	return NO_ID;
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

struct span
names_mangled(const struct names *n, int64_t id)
{
	const struct names_entry *e = find_entry(n, KIND_symbol, &id, 1);

	return e != NULL && e->mangled.len > 0 ? e->mangled : SPAN("");
}

bool
names_find_symbol(void *arg, int64_t id, bool mangled, struct span *name)
{
	const struct names *n = arg;
	struct defined_name symbol;

	names_symbol(n, id, &symbol);
	*name = mangled ? names_mangled(n, id) : symbol.more;
	return name->len > 0;
}

/* ---- call stacks ---- */

static void
add_frame(struct names *n, struct span json)
{
	n->scratch.len = 0;
	json_decode(&n->scratch, json);
	*array_add(&n->stack, &n->stack_count, &n->stack_cap) =
	    intern_get(&n->frames, text_span(&n->scratch));
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
	return intern_text(&n->frames, frame);
}

bool
names_is_of_system(struct span frame)
{
	static const char *const modules[] = {"libc.so", "libc-2", "libpthread",
	    "ld-linux", "ld-2", "ld-musl", "libstdc++", "libc++", "libcudart",
	    "libcuda.so", "libcupti", "libToolsInjection", "libamdhip64",
	    "libhsa-runtime"};
	const char *open, *slash;
	struct span module;

	if (frame.len == 0 || (open = memrchr(frame.p, '(', frame.len)) == NULL)
		return false;
	module =
	    (struct span){open + 1, frame.len - (size_t)(open + 1 - frame.p)};
	if ((slash = memrchr(module.p, '/', module.len)) != NULL) {
		module.len -= (size_t)(slash + 1 - module.p);
		module.p = slash + 1;
	}
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (span_begins(module, span_of(modules[i])))
			return memmem(module.p, module.len, ".so", 3) != NULL;
	return false;
}

struct span
names_innermost(const struct names *n, const struct event *ev)
{
	const uint32_t *frames;
	size_t count, i = 0;

	if (!event_has(ev, KEY_stack))
		return SPAN("");
	count = names_stack(n, event_int(ev, KEY_stack, NO_ID), &frames);
	while (i < count && names_is_of_system(names_frame(n, frames[i])))
		i++;
	return count > 0 ? names_frame(n, frames[i < count ? i : 0]) : SPAN("");
}

/* ---- definitions ---- */

static void
keep_text(
    struct names *n, struct span *text, const struct event *ev, enum key key)
{
	if (!event_has(ev, key))
		return;
	n->scratch.len = 0;
	*text = region_copy(&n->region, event_str(ev, key, &n->scratch));
}

static void
define(struct names *n, const struct event *ev, enum key more, enum key number)
{
	struct names_entry *e = make_entry(n, ev);

	keep_text(n, &e->name, ev, KEY_name);
	if (more != KEY_NONE)
		keep_text(n, &e->more, ev, more);
	if (number != KEY_NONE)
		e->number = event_int(ev, number, e->number);
	if (ev->kind == KIND_device)
		keep_text(n, &e->mangled, ev, KEY_uuid);
	else if (n->with_mangled)
		keep_text(n, &e->mangled, ev, KEY_mangled);
}

void
names_define(struct names *n, const struct event *ev)
{
	switch (ev->kind) {
	case KIND_process:
		define(n, ev, KEY_host, KEY_rank);
		break;
	case KIND_thread:
		define(n, ev, KEY_NONE, KEY_priority);
		break;
	case KIND_device:
		define(n, ev, KEY_bus, KEY_gpu);
		break;
	case KIND_stream:
		define(n, ev, KEY_flags, KEY_NONE);
		break;
	case KIND_symbol:
		define(n, ev, KEY_demangled, KEY_NONE);
		break;
	case KIND_counterdef:
		define(n, ev, KEY_unit, KEY_NONE);
		break;
	case KIND_stack:
		define_stack(n, ev);
		break;
	default:
		break;
	}
}
