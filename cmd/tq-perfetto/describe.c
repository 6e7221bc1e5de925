/* describe.c - the tracks of a trace */

#include <inttypes.h>

#include "describe.h"
#include "tq/draw/thread_name.h"

/* fields of TrackDescriptor */
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_PARENT = 5,
	TRACK_COUNTER_OF = 8,
	TRACK_CHILDREN = 11,
	TRACK_RANK = 12,
	TRACK_DESCRIPTION = 14,
	TRACK_MERGE = 15,
	TRACK_MERGE_KEY = 17
};

enum { EXPLICIT = 3, BY_KEY = 3 };

enum { ASIDE = 1 }; /* uuid of the track above groups that are aside */

static uint64_t
next_uuid(struct describe *d)
{
	return ASIDE + ++d->last;
}

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

struct described_row {
	uint64_t uuid, above; /* 0: nothing is above it */
	uint64_t key; /* viewers show tracks with one key, its lanes, as one */
	int64_t rank;
	struct span name, label;
};

/* a track with slices, or above others */
static void
describe_row(struct describe *d, const struct described_row *r)
{
	struct descriptor x = open_track(d, r->uuid);

	if (r->above != 0)
		proto_uint(x.t, TRACK_PARENT, r->above);
	proto_string(x.t, TRACK_NAME, r->name);
	if (r->label.len > 0)
		proto_string(x.t, TRACK_DESCRIPTION, r->label);
	proto_uint(x.t, TRACK_CHILDREN, EXPLICIT);
	proto_uint(x.t, TRACK_RANK, (uint64_t)r->rank);
	proto_uint(x.t, TRACK_MERGE, BY_KEY);
	proto_uint(x.t, TRACK_MERGE_KEY, r->key);
	close_track(d, x);
}

/* its children are in the order of their ranks */
void
describe_root(struct describe *d)
{
	struct descriptor x = open_track(d, 0);

	proto_uint(x.t, TRACK_CHILDREN, EXPLICIT);
	close_track(d, x);
}

/* ---- groups ---- */

/*
 * Groups are no processes but tracks: Perfetto nests rows only below tracks,
 * and keeps the order of rows only there.  It sorts groups by their titles, and
 * the one of all that are aside comes behind the others.
 */
static void
describe_aside(struct describe *d)
{
	if (!d->has_aside)
		describe_row(d, &(struct described_row){.uuid = ASIDE,
				    .key = ASIDE,
				    .rank = INT32_MAX,
				    .name = SPAN("\xc2\xb7 everything else")});
	d->has_aside = true;
}

void
describe_group(struct describe *d, const struct track_group *g)
{
	uint64_t uuid = next_uuid(d);

	if (g->aside)
		describe_aside(d);
	*map_get(&d->groups, (uint64_t)g->pid, 0) = uuid;
	describe_row(d, &(struct described_row){.uuid = uuid,
			    .above = g->aside ? ASIDE : 0,
			    .key = uuid,
			    .rank = g->order,
			    .name = g->title,
			    .label = g->label});
}

void
describe_process(struct describe *d, const struct track_group *g)
{
	enum { PID = 1, NAME = 6 };
	const uint64_t hidden = (uint64_t)1 << 32; /* other uuids are below */
	struct defined_name name;
	struct descriptor x;
	size_t process;

	if (g->process < 1 || g->process > INT32_MAX ||
	    !names_process(d->names, g->process, &name))
		return;
	x = open_track(d, hidden | (uint64_t)g->process);
	process = proto_open(x.t, TRACK_PROCESS);
	proto_uint(x.t, PID, (uint64_t)g->process);
	proto_string(x.t, NAME, name.name);
	proto_close(x.t, process);
	close_track(d, x);
}

static uint64_t
group_uuid(const struct describe *d, const struct track_group *g)
{
	return *map_find(&d->groups, (uint64_t)g->pid, 0);
}

/* ---- rows ---- */

static bool
is_of_thread(const struct track *k)
{
	return k->group->device == NO_ID && k->thread != NO_ID &&
	       sink_of_thread(k->kind);
}

static void
add_thread_name(const struct describe *d, struct text *t, const struct track *k)
{
	struct span name = thread_name(d->names, k->group->process, k->thread);

	text_add_span(t, name.len > 0 ? name : SPAN("thread"));
	text_printf(t, " %" PRId64, k->thread);
}

enum { DESCRIBED = 1 }; /* bit of a thread, below its uuid */

static uint64_t *
find_thread(struct describe *d, const struct track *k)
{
	uint64_t *thread =
	    map_get(&d->threads, (uint64_t)k->group->pid, (uint64_t)k->thread);

	if (*thread == 0)
		*thread = next_uuid(d) << 1;
	return thread;
}

/*
 * A thread is the first lane of its ranges and API calls, whether it has any or
 * not; its other rows are below it.
 */
static uint64_t
describe_thread(struct describe *d, const struct track *k, uint64_t above)
{
	enum { ROWS = 255 }; /* bits of the order within a thread */
	uint64_t *thread = find_thread(d, k), uuid = *thread >> 1;
	struct text name = {0};

	if ((*thread & DESCRIBED) == 0) {
		*thread |= DESCRIBED;
		add_thread_name(d, &name, k);
		describe_row(
		    d, &(struct described_row){uuid, above, .key = uuid,
			   .rank = k->order & ~(int64_t)ROWS,
			   .name = text_span(&name)});
		text_free(&name);
	}
	return uuid;
}

/* the last rows of a group, folded away */
static uint64_t
describe_folder(struct describe *d, const struct track_group *g, enum fold fold)
{
	static const char *const names[] = {
	    [FOLD_SINGLE] = "rows of one slice",
	    [FOLD_WAITING] = "waiting threads",
	};
	uint64_t *uuid = map_get(&d->folders, (uint64_t)g->pid, fold);

	if (*uuid == 0) {
		*uuid = next_uuid(d);
		describe_row(
		    d, &(struct described_row){*uuid, group_uuid(d, g),
			   .key = *uuid,
			   .rank = INT32_MAX - FOLD_WAITING + (int64_t)fold,
			   .name = span_of(names[fold])});
	}
	return *uuid;
}

uint64_t
describe_number(struct describe *d, const struct track *k)
{
	if (is_of_thread(k) && k->kind == ROW_THREAD && k->lane == 0)
		return *find_thread(d, k) >> 1;
	return next_uuid(d);
}

/*
 * The name of a row: within its thread, or outside of it.  The OS calls of a
 * thread that waits are all that it has.
 */
static void
add_row_name(const struct describe *d, struct text *t, const struct track *k)
{
	bool is_thread = k->kind == ROW_THREAD ||
			 (k->kind == ROW_CALLS && k->fold == FOLD_WAITING);

	if (is_of_thread(k) && is_thread)
		add_thread_name(d, t, k);
	else
		text_add_span(
		    t, k->fold == FOLD_NONE ? k->short_name : k->row_name);
}

/*
 * the parent of a row: its group or a folder there, or its thread in one of
 * them
 */
static uint64_t
find_parent(struct describe *d, const struct track *k)
{
	uint64_t above = k->fold == FOLD_NONE
			     ? group_uuid(d, k->group)
			     : describe_folder(d, k->group, k->fold);

	if (is_of_thread(k) && k->kind != ROW_THREAD && k->fold == FOLD_NONE)
		return describe_thread(d, k, above);
	return above;
}

void
describe_track(struct describe *d, const struct track *k, uint64_t uuid)
{
	uint64_t above = find_parent(d, k), *key;
	struct text name = {0};

	if (is_of_thread(k) && k->kind == ROW_THREAD && k->lane == 0) {
		describe_thread(d, k, above);
		return;
	}
	key = map_get(&d->rows, (uintptr_t)k->row, 0);
	if (*key == 0)
		*key = is_of_thread(k) && k->kind == ROW_THREAD
			   ? *find_thread(d, k) >> 1
			   : uuid;
	add_row_name(d, &name, k);
	describe_row(d, &(struct described_row){
			    uuid, above, *key, k->order, text_span(&name)});
	text_free(&name);
}

/* ---- values ---- */

uint64_t
describe_counter(struct describe *d, const struct sink_value *v)
{
	enum { ABOVE = 1 << 30, UNIT = 6, SHARED_AXIS = 7 };
	uint64_t *slot =
	    map_get(&d->counters, (uint64_t)v->group->pid, span_hash(v->name));
	struct text name = {0};
	struct descriptor x;
	size_t counter;

	if (*slot != 0)
		return *slot;
	*slot = next_uuid(d);
	text_add_span(&name, v->name);
	if (v->unit.len > 0) {
		text_add_str(&name, " [");
		text_add_span(&name, v->unit);
		text_add_char(&name, ']');
	}
	x = open_track(d, *slot);
	proto_uint(x.t, TRACK_PARENT, group_uuid(d, v->group));
	proto_string(x.t, TRACK_NAME, text_span(&name));
	if (v->gpu >= 0) {
		/* the process of the group may give it another number */
		name.len = 0;
		text_printf(&name, "GPU %" PRId64, v->gpu);
		proto_string(x.t, TRACK_DESCRIPTION, text_span(&name));
	}
	counter = proto_open(x.t, TRACK_COUNTER_OF);
	if (v->unit.len > 0)
		proto_string(x.t, UNIT, v->unit);
	if (span_eq(v->unit, SPAN("%")))
		proto_string(x.t, SHARED_AXIS, v->unit);
	proto_close(x.t, counter);
	/* all rows have ranks from 0 */
	proto_uint(x.t, TRACK_RANK, (uint64_t)(d->counter_count++ - ABOVE));
	close_track(d, x);
	text_free(&name);
	return *slot;
}

void
describe_section(struct describe *d)
{
	map_clear(&d->groups);
	map_clear(&d->threads);
	map_clear(&d->counters);
	map_clear(&d->rows);
	map_clear(&d->folders);
	d->has_aside = false;
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
	map_free(&d->folders);
}
