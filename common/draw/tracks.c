/* tracks.c - groups, rows and tracks: names, order, numbers */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/draw/thread_name.h"
#include "tq/line/json.h"
#include "tracks.h"

enum {
	FIRST_TID = 1000000000, /* Linux has no such thread ids */
	MORE_TIDS = FIRST_TID + (1 << 30) + (1 << 12), /* behind all orders */
	LAST_ID = INT32_MAX,
	PROJECTED_WINDOW = 1 << 16,
	WINDOW = 1 << 10
};

#define SEPARATOR " \xc2\xb7 "

/* ---- life ---- */

void
tracks_init(struct tracks *t, const struct names *names,
    const struct sink *sink, void *arg)
{
	*t = (struct tracks){
	    .names = names,
	    .sink = sink,
	    .arg = arg,
	    .rank = NO_ID,
	    .next_pid = 1,
	};
	t->row_end = &t->rows;
}

/* groups, rows and tracks, and all that they own */
static void
free_section(struct tracks *t)
{
	for (struct track_row *r = t->rows; r != NULL; r = r->next) {
		free(r->tracks);
		lanes_free(&r->lanes);
		saved_free(r->running);
	}
	t->rows = NULL;
	t->row_end = &t->rows;
	t->last = NULL;
	t->group_count = t->row_count = 0;
	owners_reset(&t->owners);
	region_free(&t->region);
	map_free(&t->group_map);
	map_free(&t->gpu_map);
	map_free(&t->row_map);
	map_free(&t->order_map);
	map_free(&t->thread_map);
	map_free(&t->tids);
}

void
tracks_free(struct tracks *t)
{
	free_section(t);
	map_free(&t->pids);
	text_free(&t->host);
	text_free(&t->name);
	text_free(&t->label);
}

void
tracks_reset(struct tracks *t, int64_t rank, struct span host)
{
	t->ordinals += t->names->defined[KIND_process] + t->undefined;
	free_section(t);
	t->undefined = 0;
	t->section++;
	t->rank = rank;
	t->host.len = 0;
	text_add_span(&t->host, host);
}

/* ---- names: appended to t->name and t->label ---- */

static struct defined_name
defined_process(const struct tracks *t, int64_t process)
{
	struct defined_name p;

	if (!names_process(t->names, process, &p))
		p.ordinal = -1;
	if (p.number == NO_ID)
		p.number = t->rank;
	return p;
}

static void
name_process(struct text *name, int64_t process, const struct defined_name *p)
{
	if (p->number != NO_ID)
		text_printf(name, "rank %" PRId64 " ", p->number);
	if (p->name.len > 0)
		text_add_span(name, p->name);
	else
		text_add_str(name, "process");
	text_printf(name, " %" PRId64, process);
}

/* the process stands first: viewers cut long titles off */
static void
title_group(struct text *title, const struct track_group *g,
    const struct defined_name *p)
{
	if (g->process == NO_ID && g->device == NO_ID)
		text_add_str(title, "trace");
	if (g->process != NO_ID)
		name_process(title, g->process, p);
	if (g->process != NO_ID && g->device != NO_ID)
		text_add_str(title, SEPARATOR);
	if (g->device != NO_ID)
		text_add_str(title, "GPU");
	if (g->device >= 0)
		text_printf(title, " %" PRId64, g->device);
}

static void
add_label(struct text *label, struct span s)
{
	if (s.len > 0 && label->len > 0)
		text_add_char(label, ',');
	text_add_span(label, s);
}

static void
label_device(struct tracks *t, const struct track_group *g)
{
	struct defined_name d;

	if (g->device == NO_ID)
		return;
	names_device(t->names, g->process, g->device, &d);
	add_label(&t->label, d.name);
	if (d.number != NO_ID && d.number != g->device) {
		add_label(&t->label, SPAN("physical GPU "));
		text_add_int(&t->label, d.number);
	}
	add_label(&t->label, d.more);
}

static void
label_host(struct tracks *t, const struct defined_name *p)
{
	struct span host = p->more.len > 0 ? p->more : text_span(&t->host);

	if (host.len > 0) {
		add_label(&t->label, SPAN("host "));
		text_add_span(&t->label, host);
	} else if (t->section >= 2) {
		add_label(&t->label, SPAN("section "));
		text_add_int(&t->label, t->section);
	}
}

/* the title, which ends in an id, for viewers that show the pid behind it */
static struct span
name_group(struct tracks *t, const struct track_group *g)
{
	int64_t last = g->device == NO_ID ? g->process : g->device;
	char digits[TEXT_INT_MAX];
	size_t len = t->name.len;
	struct span name;

	if (g->pid == last)
		t->name.len -=
		    (size_t)(text_digits_int(digits, last) - digits) + 1;
	else
		text_add_str(&t->name, SEPARATOR "group");
	name = region_copy(&t->region, text_span(&t->name));
	t->name.len = len;
	return name;
}

/* Streams of older programs have the flag null for a null stream. */
static struct span
flag_shown(struct span flag)
{
	if (span_eq(flag, SPAN("default")))
		return SPAN("");
	return span_eq(flag, SPAN("null")) ? SPAN("null stream") : flag;
}

/* True if the name of a stream is only its number, as in AMD's "Stream 7". */
static bool
is_number(struct span name, int64_t stream)
{
	static const char word[] = "Stream ";
	const size_t len = sizeof(word) - 1;
	int64_t number;

	return name.len > len && memcmp(name.p, word, len) == 0 &&
	       json_int((struct span){name.p + len, name.len - len}, &number) &&
	       number == stream;
}

static void
name_stream(struct tracks *t, const struct track_row *r)
{
	const struct track_group *g = r->group;
	struct defined_name s;
	struct span flag;

	names_stream(t->names, g->process, g->device, r->a, r->b, &s);
	flag = flag_shown(s.more);
	if (r->a == TRACKS_QUEUE) {
		text_printf(&t->name, "queue %" PRId64, r->b);
		return;
	}
	if (r->kind == ROW_SYNC && r->b == NO_ID) {
		text_add_str(&t->name, "sync device");
		return;
	}
	if (r->kind == ROW_SYNC)
		text_add_str(&t->name, "sync ");
	if (r->kind == ROW_WAITS)
		text_add_str(&t->name, "waits of ");
	if (r->b == NO_ID)
		text_add_str(&t->name, "no stream");
	else
		text_printf(&t->name, "stream %" PRId64, r->b);
	if (s.name.len > 0 && !is_number(s.name, r->b)) {
		text_add_char(&t->name, ' ');
		text_add_span(&t->name, s.name);
	}
	if (flag.len > 0) {
		text_add_str(&t->name, " (");
		text_add_span(&t->name, flag);
		text_add_char(&t->name, ')');
	}
}

/* a second context may have streams of the same numbers: name it */
static void
name_context(struct tracks *t, const struct track_row *r)
{
	uint64_t key = r->group->number * 2 + (r->kind == ROW_SYNC);
	uint64_t *first =
	    map_get(&t->row_map, UINT64_MAX / 2 - key, (uint64_t)r->b);

	if (*first == 0)
		*first = (uintptr_t)r;
	else if (r->a != NO_ID && r->a != TRACKS_QUEUE)
		text_printf(&t->name, " context %" PRId64, r->a);
}

/* rows of a thread other than the row of its ranges and API calls */
static const char *const thread_rows[ROW_KINDS] = {
    [ROW_CALLS] = "OS calls",
    [ROW_GIL] = "GIL",
    [ROW_SCHED] = "on CPU",
    [ROW_SAMPLES] = "samples",
    [ROW_OTHER] = "other",
    [ROW_PYTHON] = "python",
};

static void
name_thread(struct tracks *t, const struct track_row *r)
{
	const char *suffix = thread_rows[r->kind];
	struct span thread;

	if (r->a == NO_ID) {
		text_add_str(&t->name, suffix != NULL ? suffix : "process");
		return;
	}
	thread = thread_name(t->names, r->group->process, r->a);
	text_add_span(&t->name, thread.len > 0 ? thread : SPAN("thread"));
	if (suffix != NULL || thread.len == 0)
		text_printf(&t->name, " %" PRId64, r->a);
	if (suffix != NULL) {
		text_add_char(&t->name, ' ');
		text_add_str(&t->name, suffix);
	}
}

/* the thread stands first: viewers cut long names off */
static void
name_projected(struct tracks *t, const struct track_row *r)
{
	struct span thread;

	/* the main thread is not named */
	if (r->a != r->group->process && r->a != NO_ID) {
		thread = thread_name(t->names, r->group->process, r->a);
		text_add_span(
		    &t->name, thread.len > 0 ? thread : SPAN("thread"));
		text_printf(&t->name, " %" PRId64 " ", r->a);
	}
	text_add_str(&t->name, "projected ranges");
	if (r->b != NO_ID)
		text_printf(&t->name, " of stream %" PRId64, r->b);
}

static void
name_row(struct tracks *t, struct track_row *r)
{
	t->name.len = 0;
	switch (r->kind) {
	case ROW_STREAM:
	case ROW_SYNC:
		name_stream(t, r);
		name_context(t, r);
		break;
	case ROW_WAITS:
		name_stream(t, r);
		break;
	case ROW_PROJECTED:
		name_projected(t, r);
		break;
	case ROW_MEMORY:
		text_add_str(&t->name, "memory");
		break;
	case ROW_GAPS:
		text_add_str(&t->name, "gaps");
		break;
	case ROW_FINDINGS:
		text_add_str(&t->name, "findings");
		break;
	case ROW_MESSAGES:
		text_add_str(&t->name, "messages");
		break;
	case ROW_OVERHEAD:
		text_add_str(&t->name, "profiler overhead");
		break;
	default:
		name_thread(t, r);
	}
	r->name = region_copy(&t->region, text_span(&t->name));
	r->short_name = r->name;
	if (r->a != NO_ID && thread_rows[r->kind] != NULL)
		r->short_name = span_of(thread_rows[r->kind]);
}

/* ---- groups ---- */

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* the number of the GPU that a process calls so */
static int64_t
gpu_of(const struct tracks *t, int64_t process, int64_t device)
{
	struct defined_name d;

	names_device(t->names, process, device, &d);
	return d.number != NO_ID ? d.number : device;
}

/* the number of the first GPU of a process; NO_ID if it has none */
static int64_t
first_gpu(const struct tracks *t, int64_t process)
{
	int64_t device = names_first_device(t->names, process);

	return device == NO_ID ? NO_ID : gpu_of(t, process, device);
}

/*
 * By rank; else by the GPU, of sections one after the other, and processes of
 * one GPU in the order of their definitions; processes without one come last.
 */
static int64_t
new_order(struct tracks *t, int64_t process, const struct defined_name *name)
{
	enum { UNRANKED = 1 << 20, ASIDE = 1 << 21, LAST = (1 << 22) - 1 };
	int64_t ordinal, gpu = first_gpu(t, process);

	if (name->number >= 0 && name->number < UNRANKED - 1)
		return name->number + 1;
	if (name->ordinal >= 0)
		ordinal = name->ordinal;
	else
		ordinal = t->names->defined[KIND_process] + ++t->undefined;
	if (gpu >= 0)
		return UNRANKED + (least(t->section, 63) << 14) +
		       (least(gpu, 127) << 7) + least(ordinal, 127);
	return least(ASIDE + t->ordinals + ordinal, LAST);
}

/* the first order of a process stays, so that its groups stay together */
static int64_t
process_order(
    struct tracks *t, int64_t process, const struct defined_name *name)
{
	uint64_t *order = map_get(&t->order_map, (uint64_t)process, 0);

	if (*order == 0)
		*order = (uint64_t)new_order(t, process, name);
	return (int64_t)*order;
}

/* Perfetto sorts titles; a viewer shows no spaces in front of them */
static void
add_spaces(struct tracks *t, int64_t process)
{
	for (size_t i = 0; i < t->owners.count; i++) {
		struct owner *o = &t->owners.all[i];
		struct defined_name name = defined_process(t, o->process);

		if (o->order >= 0)
			continue;
		o->order = process_order(t, o->process, &name);
		name_process(&o->title, o->process, &name);
	}
	for (size_t n = owners_spaces(&t->owners, process); n > 0; n--)
		text_add_char(&t->name, ' ');
}

static void
describe_group(
    struct tracks *t, struct track_group *g, const struct defined_name *process)
{
	t->name.len = t->label.len = 0;
	title_group(&t->name, g, process);
	label_device(t, g);
	label_host(t, process);
	g->label = region_copy(&t->region, text_span(&t->label));
	g->name = name_group(t, g);

	t->name.len = 0;
	add_spaces(t, g->process);
	title_group(&t->name, g, process);
	if (g->process != NO_ID && g->device == NO_ID && !g->aside)
		text_add_str(&t->name, SEPARATOR "threads");
	g->title = region_copy(&t->region, text_span(&t->name));
}

/* devices come before their process, devices of no process before all */
static int64_t
group_order(struct tracks *t, const struct track_group *g,
    const struct defined_name *process)
{
	enum { HOST = 255 };
	int64_t slot = HOST, order;

	if (g->device != NO_ID)
		slot =
		    g->device >= 0 && g->device < HOST ? g->device : HOST - 1;
	if (g->process != NO_ID)
		order = process_order(t, g->process, process);
	else
		order = slot == HOST ? 1 << 22 : 0;
	return order << 8 | slot;
}

/* False if the id is taken already. */
static bool
take_id(struct map *taken, uint64_t group, int64_t id)
{
	uint64_t *slot = map_get(taken, group, (uint64_t)id);

	return (*slot)++ == 0;
}

/*
 * A process has its own pid, a device its number, unless that is the pid of a
 * process that uses devices.
 */
static int64_t
give_pid(struct tracks *t, int64_t process, int64_t device)
{
	if (device == NO_ID && process >= 1 && process <= LAST_ID &&
	    take_id(&t->pids, 0, process))
		return process;
	if (device >= 0 && device <= LAST_ID &&
	    !names_has_stream(t->names, device) && take_id(&t->pids, 0, device))
		return device;
	while (names_has_stream(t->names, t->next_pid) ||
	       !take_id(&t->pids, 0, t->next_pid))
		t->next_pid++;
	return t->next_pid++;
}

static struct track_group *
new_group(struct tracks *t, int64_t process, int64_t device)
{
	struct track_group *g = region_get(&t->region, sizeof(*g));
	struct defined_name p = defined_process(t, process);

	g->process = process;
	g->device = device;
	g->number = t->group_count++;
	g->next_tid = MORE_TIDS;
	g->pid = give_pid(t, process, device);
	g->order = group_order(t, g, &p);
	g->aside = device == NO_ID && t->names->defined[KIND_stream] > 0 &&
		   !names_has_stream(t->names, process);
	describe_group(t, g, &p);
	t->sink->group(t->arg, g);
	return g;
}

/* maps hold pointers as numbers */
static void *
pointer(uint64_t word)
{
	return (void *)(uintptr_t)word;
}

struct track_group *
tracks_group(struct tracks *t, int64_t process, int64_t device)
{
	uint64_t *slot;

	if (t->last != NULL && t->last->process == process &&
	    t->last->device == device)
		return t->last;
	slot = map_get(&t->group_map, (uint64_t)process, (uint64_t)device);
	if (*slot == 0)
		*slot = (uintptr_t)new_group(t, process, device);
	return t->last = pointer(*slot);
}

/* the one process that has streams on a GPU, and what it calls it */
static bool
find_user(
    const struct tracks *t, int64_t gpu, int64_t *process, int64_t *device)
{
	enum { DEVICES = 256 };
	size_t users = 0;

	for (size_t i = 0; i < t->owners.count; i++)
		for (int64_t d = 0; d < DEVICES; d++) {
			int64_t user = t->owners.all[i].process;

			if (!names_uses_device(t->names, user, d) ||
			    gpu_of(t, user, d) != gpu)
				continue;
			*process = user;
			*device = d;
			users++;
		}
	return users == 1;
}

struct track_group *
tracks_gpu_group(struct tracks *t, int64_t gpu)
{
	uint64_t *slot = map_get(&t->gpu_map, (uint64_t)gpu, 0);
	int64_t process = NO_ID, device = gpu;

	if (*slot == 0) {
		if (!find_user(t, gpu, &process, &device)) {
			process = NO_ID;
			device = gpu;
		}
		*slot = (uintptr_t)tracks_group(t, process, device);
	}
	return pointer(*slot);
}

/* ---- rows ---- */

/* The last order below the stream's. */
static int64_t
waits_order(int64_t stream)
{
	return stream > 0 ? (stream << 8) - 1 : 0;
}

/*
 * Rows on a device are in the order of kinds, then of numbers; those of a
 * process, of threads, the main one first, then of kinds.
 */
static int64_t
row_order(const struct track_row *r, size_t lane)
{
	enum { DEVICE_IDS = (1 << 19) - 1, THREAD_IDS = (1 << 22) + 1 };
	int64_t id = r->a, kind = r->kind;

	if (r->kind == ROW_STREAM || r->kind == ROW_SYNC ||
	    (r->kind == ROW_PROJECTED && r->b != NO_ID))
		id = r->b;
	else if (id == r->group->process)
		id = 0;
	else if (id == 0)
		id = INT64_MAX; /* PyTorch's for threads without a name */
	if (id < 0)
		id = INT64_MAX;   /* rows without a number come last */
	if (r->kind == ROW_WAITS) /* behind the streams before it */
		return waits_order(least(r->b, DEVICE_IDS));
	if (r->group->device != NO_ID)
		return (int64_t)r->kind << 27 | least(id, DEVICE_IDS) << 8 |
		       least((int64_t)lane, 255);
	if (!sink_of_thread(r->kind))
		id = INT64_MAX;
	kind = kind < ROW_THREAD ? ROW_OTHER : kind;
	return least(id, THREAD_IDS) << 8 | (kind - ROW_THREAD) << 5 |
	       least((int64_t)lane, 31);
}

/* the thread of a row; NULL if it is not of one */
static struct track_thread *
thread_of(struct tracks *t, const struct track_row *r)
{
	uint64_t *slot;

	if (r->group->device != NO_ID || r->a == NO_ID ||
	    (r->kind != ROW_THREAD && thread_rows[r->kind] == NULL))
		return NULL;
	slot = map_get(&t->thread_map, r->group->number, (uint64_t)r->a);
	if (*slot == 0)
		*slot = (uintptr_t)region_get(
		    &t->region, sizeof(struct track_thread));
	return pointer(*slot);
}

static struct track_row *
new_row(struct tracks *t, struct track_group *g, enum row_kind kind, int64_t a,
    int64_t b)
{
	struct track_row *r = region_get(&t->region, sizeof(*r));

	r->group = g;
	r->kind = kind;
	r->a = a;
	r->b = b;
	r->since = -1;
	lanes_init(&r->lanes, kind == ROW_STREAM || kind == ROW_SCHED,
	    kind == ROW_PROJECTED ? PROJECTED_WINDOW : WINDOW);
	r->lanes.apart = t->apart;
	r->thread = thread_of(t, r);
	name_row(t, r);
	*t->row_end = r;
	t->row_end = &r->next;
	t->row_count++;
	return r;
}

struct track_row *
tracks_row(struct tracks *t, struct track_group *g, enum row_kind kind,
    int64_t a, int64_t b)
{
	struct track_row *r = g->last[kind];
	uint64_t *slot, node;

	if (r != NULL && r->a == a && r->b == b)
		return r;
	slot = map_get(
	    &t->row_map, (uint64_t)g->number * ROW_KINDS + kind, (uint64_t)a);
	if (*slot == 0)
		*slot = ++t->row_count;
	node = *slot;
	slot = map_get(&t->row_map, UINT64_MAX - node, (uint64_t)b);
	if (*slot == 0) {
		/* new_row changes the map */
		r = new_row(t, g, kind, a, b);
		slot = map_get(&t->row_map, UINT64_MAX - node, (uint64_t)b);
		*slot = (uintptr_t)r;
	}
	return g->last[kind] = pointer(*slot);
}

struct track_row *
tracks_find(
    const struct tracks *t, int64_t process, enum row_kind kind, int64_t tid)
{
	uint64_t *slot =
	    map_find(&t->group_map, (uint64_t)process, (uint64_t)NO_ID);
	const struct track_group *g;

	if (slot == NULL)
		return NULL;
	g = pointer(*slot);
	slot = map_find(
	    &t->row_map, (uint64_t)g->number * ROW_KINDS + kind, (uint64_t)tid);
	if (slot != NULL)
		slot = map_find(&t->row_map, UINT64_MAX - *slot, 0);
	return slot == NULL ? NULL : pointer(*slot);
}

struct track_row *
tracks_find_stream(const struct tracks *t, int64_t device, int64_t stream)
{
	struct track_row *r = t->rows;

	while (r != NULL && (r->kind != ROW_STREAM || r->b != stream ||
				r->group->device != device))
		r = r->next;
	return r;
}

/* ---- tracks ---- */

/* some viewers sort by tid alone: one that is made up has the order in it */
static int64_t
give_tid(
    struct tracks *t, const struct track_row *r, size_t lane, int64_t order)
{
	struct track_group *g = r->group;
	int64_t id = r->kind == ROW_STREAM ? r->b : r->a;

	if (lane == 0 && (r->kind == ROW_STREAM || r->kind == ROW_THREAD) &&
	    id >= 1 && id < FIRST_TID && take_id(&t->tids, g->number, id))
		return id;
	if (take_id(&t->tids, g->number, FIRST_TID + order))
		return FIRST_TID + order;
	return g->next_tid++;
}

static struct span
name_lane(struct tracks *t, const struct track_row *r, size_t lane)
{
	t->name.len = 0;
	text_add_span(&t->name, r->name);
	text_add_str(&t->name, " (overlap");
	if (lane > 1)
		text_printf(&t->name, " %zu", lane);
	text_add_char(&t->name, ')');
	return region_copy(&t->region, text_span(&t->name));
}

static void
place_track(struct tracks *t, struct track *k)
{
	k->fold = k->row->fold;
	t->sink->place(t->arg, k);
}

static struct track *
new_track(struct tracks *t, struct track_row *r, size_t lane)
{
	struct track *k = region_get(&t->region, sizeof(*k));

	k->group = r->group;
	k->kind = r->kind;
	k->thread = r->a;
	k->row = r;
	k->row_name = r->name;
	k->short_name = r->short_name;
	k->lane = lane;
	k->number = t->track_count++;
	k->instant = -1;
	k->order = row_order(r, lane);
	k->tid = give_tid(t, r, lane, k->order);
	k->name = lane == 0 ? r->name : name_lane(t, r, lane);
	t->added += lane > 0;
	t->sink->track(t->arg, k);
	if (r->placed)
		place_track(t, k);
	return k;
}

void
tracks_make(struct tracks *t, struct track_row *r, size_t lane)
{
	while (r->track_count <= lane) {
		r->tracks = mem_resize(
		    r->tracks, r->track_count + 1, sizeof(*r->tracks));
		r->tracks[r->track_count] = new_track(t, r, r->track_count);
		r->track_count++;
	}
}

/* ---- places ---- */

static void
place_row(struct tracks *t, struct track_row *r, enum fold fold)
{
	r->placed = true;
	r->fold = fold;
	for (size_t i = 0; i < r->track_count; i++)
		place_track(t, r->tracks[i]);
}

/* the row stands in the order of the tracks, whatever comes */
static void
show_row(struct tracks *t, struct track_row *r)
{
	r->group->has_more = true;
	if (r->thread != NULL)
		r->thread->shown = true;
	place_row(t, r, FOLD_NONE);
}

void
tracks_count(struct tracks *t, struct track_row *r)
{
	if (++r->slices > 1 && (r->thread == NULL || r->thread->active))
		show_row(t, r);
}

/* True if the thread is known to spend nearly all of its time waiting. */
static bool
only_waits(const struct track_thread *thread)
{
	enum { MOST = 9 }; /* of ten parts */

	return thread != NULL && !thread->active && thread->waiting > 0 &&
	       thread->waiting / MOST >= thread->working;
}

static void
place_below(struct tracks *t, struct track_row *r)
{
	if (only_waits(r->thread))
		place_row(t, r, FOLD_WAITING);
	else if (r->group->has_more && (r->thread == NULL || !r->thread->shown))
		place_row(t, r, FOLD_SINGLE);
	else
		place_row(t, r, FOLD_NONE);
}

void
tracks_end(struct tracks *t)
{
	for (struct track_row *r = t->rows; r != NULL; r = r->next)
		if (!r->placed && r->slices > 1 && !only_waits(r->thread))
			show_row(t, r);
	for (struct track_row *r = t->rows; r != NULL; r = r->next)
		if (!r->placed)
			place_below(t, r);
}
