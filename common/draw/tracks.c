/* tracks.c - groups, rows and tracks: names, order, numbers */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tracks.h"

enum {
	FIRST_PID = 4194305,    /* Linux has none above 4194304 */
	FIRST_TID = 1000000000, /* nor has it such thread ids */
	MORE_TIDS = FIRST_TID + (1 << 30) + (1 << 12), /* behind all orders */
	LAST_ID = INT32_MAX,
	PROJECTED_WINDOW = 1 << 16,
	WINDOW = 1 << 10
};

/* ---- life ---- */

void
tracks_init(struct tracks *t, const struct names *names,
    void (*new_group)(void *, const struct track_group *),
    void (*new_track)(void *, const struct track *), void *arg)
{
	*t = (struct tracks){
	    .names = names,
	    .new_group = new_group,
	    .new_track = new_track,
	    .arg = arg,
	    .rank = NO_ID,
	    .next_pid = FIRST_PID,
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
	region_free(&t->region);
	map_free(&t->group_map);
	map_free(&t->row_map);
	map_free(&t->order_map);
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

static void
name_process(
    struct tracks *t, const struct track_group *g, const struct defined_name *p)
{
	struct text *name = &t->name;
	bool is_real = g->device == NO_ID && g->pid == g->process;

	if (g->process == NO_ID) {
		if (g->device == NO_ID)
			text_add_str(name, "trace");
		return;
	}
	if (g->device != NO_ID)
		text_add_str(name, " \xc2\xb7 ");
	if (p->number != NO_ID)
		text_printf(name, "rank %" PRId64 " ", p->number);
	if (p->name.len > 0)
		text_add_span(name, p->name);
	else
		text_add_str(name, "process");
	/* viewers themselves show a pid that is real */
	if (!is_real || p->name.len == 0)
		text_printf(name, " %" PRId64, g->process);
}

static void
name_device(struct tracks *t, const struct track_group *g)
{
	struct defined_name d;

	if (g->device == NO_ID)
		return;
	names_device(t->names, g->process, g->device, &d);
	if (g->device >= 0)
		text_printf(&t->name, "GPU %" PRId64, g->device);
	else
		text_add_str(&t->name, "GPU");
	if (d.name.len > 0) {
		text_add_char(&t->name, ' ');
		text_add_span(&t->name, d.name);
	}
	if (d.number != NO_ID && d.number != g->device)
		text_printf(&t->label, "physical GPU %" PRId64, d.number);
	if (d.more.len > 0) {
		if (t->label.len > 0)
			text_add_char(&t->label, ',');
		text_add_span(&t->label, d.more);
	}
}

static void
label_host(struct tracks *t, const struct defined_name *p)
{
	struct span host = p->more.len > 0 ? p->more : text_span(&t->host);

	if (host.len == 0 && t->section < 2)
		return;
	if (t->label.len > 0)
		text_add_char(&t->label, ',');
	if (host.len > 0) {
		text_add_str(&t->label, "host ");
		text_add_span(&t->label, host);
	} else
		text_printf(&t->label, "section %" PRId64, t->section);
}

static void
name_group(
    struct tracks *t, struct track_group *g, const struct defined_name *process)
{
	t->name.len = t->label.len = 0;
	name_device(t, g);
	name_process(t, g, process);
	label_host(t, process);
	g->name = region_copy(&t->region, text_span(&t->name));
	g->label = region_copy(&t->region, text_span(&t->label));
}

/* Streams of older programs have the flag null for a null stream. */
static struct span
flag_shown(struct span flag)
{
	if (span_eq(flag, SPAN("default")))
		return SPAN("");
	return span_eq(flag, SPAN("null")) ? SPAN("null stream") : flag;
}

static void
name_stream(struct tracks *t, const struct track_row *r)
{
	const struct track_group *g = r->group;
	struct defined_name s;
	struct span flag;

	names_stream(t->names, g->process, g->device, r->a, r->b, &s);
	flag = flag_shown(s.more);
	if (r->kind == ROW_SYNC && r->b == NO_ID) {
		text_add_str(&t->name, "sync device");
		return;
	}
	if (r->kind == ROW_SYNC)
		text_add_str(&t->name, "sync ");
	if (r->b == NO_ID)
		text_add_str(&t->name, "no stream");
	else
		text_printf(&t->name, "stream %" PRId64, r->b);
	if (s.name.len > 0) {
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
	else if (r->a != NO_ID)
		text_printf(&t->name, " context %" PRId64, r->a);
}

static void
name_thread(struct tracks *t, const struct track_row *r)
{
	static const char *const suffixes[ROW_KINDS] = {
	    [ROW_CALLS] = "OS calls",
	    [ROW_SCHED] = "on CPU",
	    [ROW_SAMPLES] = "samples",
	    [ROW_OVERHEAD] = "overhead",
	    [ROW_OTHER] = "other",
	};
	const char *suffix = suffixes[r->kind];
	struct defined_name n;

	if (r->a == NO_ID) {
		text_add_str(&t->name, suffix != NULL ? suffix : "process");
		return;
	}
	names_thread(t->names, r->group->process, r->a, &n);
	if (n.name.len > 0)
		text_add_span(&t->name, n.name);
	else
		text_add_str(&t->name, "thread");
	if (suffix != NULL || n.name.len == 0)
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
	struct defined_name n;

	/* the main thread is not named */
	if (r->a != r->group->process && r->a != NO_ID) {
		names_thread(t->names, r->group->process, r->a, &n);
		if (n.name.len > 0)
			text_add_span(&t->name, n.name);
		else
			text_add_str(&t->name, "thread");
		text_printf(&t->name, " %" PRId64 " ", r->a);
	}
	text_add_str(&t->name, "projected ranges");
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
	case ROW_PROJECTED:
		name_projected(t, r);
		break;
	case ROW_MEMORY:
		text_add_str(&t->name, "memory");
		break;
	case ROW_MESSAGES:
		text_add_str(&t->name, "messages");
		break;
	default:
		name_thread(t, r);
	}
	r->name = region_copy(&t->region, text_span(&t->name));
}

/* ---- groups ---- */

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * By rank; else processes that use a device come first, and then they stand in
 * the order of their definitions; processes without one come last.
 */
static int64_t
new_order(struct tracks *t, int64_t process, const struct defined_name *name)
{
	enum { UNRANKED = 1 << 20, LAST = (1 << 22) - 1 };
	int64_t ordinal;

	if (name->number >= 0 && name->number < UNRANKED - 1)
		return name->number + 1;
	if (name->ordinal >= 0)
		ordinal = name->ordinal;
	else
		ordinal = t->names->defined[KIND_process] + ++t->undefined;
	ordinal += UNRANKED + t->ordinals;
	if (!names_has_stream(t->names, process))
		ordinal += UNRANKED;
	return least(ordinal, LAST);
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

static int64_t
give_pid(struct tracks *t, int64_t process, int64_t device)
{
	if (device == NO_ID && process >= 1 && process <= LAST_ID &&
	    take_id(&t->pids, 0, process))
		return process;
	while (!take_id(&t->pids, 0, t->next_pid))
		t->next_pid++;
	return t->next_pid++;
}

static struct track_group *
new_group(struct tracks *t, int64_t process, int64_t device)
{
	struct track_group *g = region_get(&t->region, sizeof(*g));
	struct defined_name p;

	if (!names_process(t->names, process, &p))
		p.ordinal = -1;
	if (p.number == NO_ID)
		p.number = t->rank;
	g->process = process;
	g->device = device;
	g->number = t->group_count++;
	g->next_tid = MORE_TIDS;
	g->pid = give_pid(t, process, device);
	g->order = group_order(t, g, &p);
	name_group(t, g, &p);
	t->new_group(t->arg, g);
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

/* ---- rows ---- */

/*
 * Rows on a device are in the order of kinds, then of numbers; those of a
 * process, of threads, the main one first, then of kinds.
 */
static int64_t
row_order(const struct track_row *r, size_t lane)
{
	enum { DEVICE_IDS = (1 << 19) - 1, THREAD_IDS = (1 << 22) + 1 };
	int64_t id = r->a, kind;

	if (r->kind == ROW_STREAM || r->kind == ROW_SYNC)
		id = r->b;
	else if (id == r->group->process)
		id = 0;
	if (id < 0)
		id = INT64_MAX; /* rows without a number come last */
	if (r->group->device != NO_ID)
		return (int64_t)r->kind << 27 | least(id, DEVICE_IDS) << 8 |
		       least((int64_t)lane, 255);
	if (r->kind < ROW_THREAD || r->kind == ROW_MESSAGES)
		id = INT64_MAX;
	kind = r->kind < ROW_THREAD ? 7 : (int64_t)r->kind - ROW_THREAD;
	return least(id, THREAD_IDS) << 8 | kind << 5 |
	       least((int64_t)lane, 31);
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

static struct track *
new_track(struct tracks *t, struct track_row *r, size_t lane)
{
	struct track *k = region_get(&t->region, sizeof(*k));

	k->group = r->group;
	k->kind = r->kind;
	k->thread = r->a;
	k->row = r;
	k->row_name = r->name;
	k->lane = lane;
	k->number = t->track_count++;
	k->order = row_order(r, lane);
	k->tid = give_tid(t, r, lane, k->order);
	k->name = lane == 0 ? r->name : name_lane(t, r, lane);
	t->added += lane > 0;
	t->new_track(t->arg, k);
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
