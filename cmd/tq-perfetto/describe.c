/* describe.c - the tracks of a trace */

#include <inttypes.h>

#include "describe.h"

/* fields of TrackDescriptor */
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD_OF = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER_OF = 8,
	TRACK_CHILDREN = 11,
	TRACK_RANK = 12,
	TRACK_DESCRIPTION = 14,
	TRACK_MERGE = 15,
	TRACK_MERGE_KEY = 17,
	TRACK_PROCESSES = 19,
	TRACK_THREADS = 20
};

enum { EXPLICIT = 3, BY_KEY = 3 };

struct descriptor {
	struct text *t;
	size_t start, packet, track;
};

static struct descriptor
open_track(struct describe *d, uint64_t uuid)
{
	struct descriptor x;

	x.t = packets_describe(d->packets, &x.start);
	x.packet = proto_open(x.t, 1);
	proto_uint(x.t, PACKET_SEQUENCE, PACKETS_DESCRIPTIONS);
	x.track = proto_open(x.t, PACKET_TRACK);
	proto_uint(x.t, TRACK_UUID, uuid);
	return x;
}

static void
close_track(struct describe *d, struct descriptor x)
{
	proto_close(x.t, x.track);
	proto_close(x.t, x.packet);
	packets_described(d->packets, x.start);
}

/* its children are in the order of their ranks */
void
describe_root(struct describe *d)
{
	struct descriptor x = open_track(d, 0);

	proto_uint(x.t, TRACK_CHILDREN, EXPLICIT);
	proto_uint(x.t, TRACK_PROCESSES, 1);
	proto_uint(x.t, TRACK_THREADS, 1);
	close_track(d, x);
}

void
describe_group(struct describe *d, const struct track_group *g)
{
	uint64_t uuid = ++d->last;
	struct descriptor x = open_track(d, uuid);
	size_t process;

	*map_get(&d->groups, (uint64_t)g->pid, 0) = uuid;
	if (g->device == NO_ID) {
		process = proto_open(x.t, TRACK_PROCESS);
		proto_uint(x.t, 1, (uint64_t)g->pid);
		proto_string(x.t, 6, g->name);
		if (g->label.len > 0)
			proto_string(x.t, 8, g->label);
		proto_close(x.t, process);
	} else {
		proto_string(x.t, TRACK_NAME, g->name);
		if (g->label.len > 0)
			proto_string(x.t, TRACK_DESCRIPTION, g->label);
	}
	proto_uint(x.t, TRACK_CHILDREN, EXPLICIT);
	proto_uint(x.t, TRACK_RANK, (uint64_t)g->order);
	close_track(d, x);
}

static uint64_t
group_uuid(const struct describe *d, const struct track_group *g)
{
	return *map_find(&d->groups, (uint64_t)g->pid, 0);
}

/* ---- threads ---- */

enum { FIRST_TID = 1000000000 }; /* tids from here on are made up */

static void
name_thread(const struct describe *d, struct text *t, const struct track *k)
{
	struct defined_name n;

	if (names_thread(d->names, k->group->process, k->thread, &n) &&
	    n.name.len > 0)
		text_add_span(t, n.name);
	else
		text_printf(t, "thread %" PRId64, k->thread);
}

/* the thread of a track, described once */
static uint64_t
describe_thread(struct describe *d, const struct track *k, int64_t tid)
{
	uint64_t *slot =
	    map_get(&d->threads, (uint64_t)k->group->pid, (uint64_t)k->thread);
	struct text name = {0};
	struct descriptor x;
	size_t thread;

	if (*slot != 0)
		return *slot;
	*slot = ++d->last;
	if (k->kind == ROW_THREAD)
		text_add_span(&name, k->row_name);
	else
		name_thread(d, &name, k);
	x = open_track(d, *slot);
	proto_uint(x.t, TRACK_PARENT, group_uuid(d, k->group));
	thread = proto_open(x.t, TRACK_THREAD_OF);
	proto_uint(x.t, 1, (uint64_t)k->group->pid);
	proto_uint(x.t, 2, (uint64_t)tid);
	proto_string(x.t, 5, text_span(&name));
	proto_close(x.t, thread);
	proto_uint(x.t, TRACK_CHILDREN, EXPLICIT);
	proto_uint(x.t, TRACK_RANK, (uint64_t)k->order);
	close_track(d, x);
	text_free(&name);
	return *slot;
}

/* the thread of a track, if it has a number of its own; else the group */
static uint64_t
find_parent(struct describe *d, const struct track *k)
{
	if (k->kind < ROW_THREAD || k->kind == ROW_MESSAGES ||
	    k->group->device != NO_ID)
		return group_uuid(d, k->group);
	if (k->thread >= 1 && k->thread < FIRST_TID)
		return describe_thread(d, k, k->thread);
	if (k->kind == ROW_THREAD && k->lane > 0)
		return *map_get(
		    &d->threads, (uint64_t)k->group->pid, (uint64_t)k->thread);
	return group_uuid(d, k->group);
}

/*
 * Viewers show tracks of one key as one: the lanes of a row.  The lanes of a
 * thread cannot be one with the thread itself, and have names of their own.
 */
uint64_t
describe_track(struct describe *d, const struct track *k)
{
	bool is_thread = k->kind == ROW_THREAD;
	uint64_t uuid, above, *key;
	struct descriptor x;

	if (is_thread && k->lane == 0)
		return describe_thread(d, k, k->tid);
	above = find_parent(d, k);
	uuid = ++d->last;
	key = map_get(&d->rows, (uintptr_t)k->row, 0);
	if (*key == 0)
		*key = uuid;
	x = open_track(d, uuid);
	proto_uint(x.t, TRACK_PARENT, above);
	proto_string(x.t, TRACK_NAME, is_thread ? k->name : k->row_name);
	proto_uint(x.t, TRACK_RANK, (uint64_t)k->order);
	proto_uint(x.t, TRACK_MERGE, BY_KEY);
	proto_uint(x.t, TRACK_MERGE_KEY, *key);
	close_track(d, x);
	return uuid;
}

/* ---- values ---- */

uint64_t
describe_counter(struct describe *d, const struct sink_value *v)
{
	enum { ABOVE = 1 << 30 }; /* all rows have ranks from 0 */
	uint64_t *slot =
	    map_get(&d->counters, (uint64_t)v->group->pid, span_hash(v->name));
	struct descriptor x;
	size_t counter;

	if (*slot != 0)
		return *slot;
	*slot = ++d->last;
	x = open_track(d, *slot);
	proto_uint(x.t, TRACK_PARENT, group_uuid(d, v->group));
	proto_string(x.t, TRACK_NAME, v->name);
	counter = proto_open(x.t, TRACK_COUNTER_OF);
	if (v->unit.len > 0)
		proto_string(x.t, 6, v->unit);
	proto_close(x.t, counter);
	proto_uint(x.t, TRACK_RANK, (uint64_t)(d->counter_count++ - ABOVE));
	close_track(d, x);
	return *slot;
}

void
describe_section(struct describe *d)
{
	map_clear(&d->groups);
	map_clear(&d->threads);
	map_clear(&d->counters);
	map_clear(&d->rows);
	d->counter_count = 0;
	packets_section(d->packets);
	describe_root(d);
}

void
describe_free(struct describe *d)
{
	map_free(&d->groups);
	map_free(&d->threads);
	map_free(&d->counters);
	map_free(&d->rows);
}
