/* work_units.c - the units of a section */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/time.h"

#include "work_units.h"

/* the last units of a process whose sums wait for more operations */
enum { HELD = 16 };

/* ---- groups and devices ---- */

struct unit_group *
work_units_group(struct work_units *s, uint32_t process, uint32_t device)
{
	bool fresh;
	struct unit_group *g =
	    numbered_get(&s->groups, s->by_process ? process : device, &fresh);

	if (fresh)
		*g = (struct unit_group){.process = process};
	return g;
}

static void
set_group(struct work_units *s, size_t index)
{
	const struct device_lane *l = device_pieces_lane(s->pieces, index);
	struct unit_group *g = work_units_group(s, l->process, l->number);

	s->devices[index].group = (size_t)(g - s->groups.all) + 1;
}

void
work_units_device(struct work_units *s, size_t index, uint32_t device)
{
	while (index >= s->device_count)
		*array_add(&s->devices, &s->device_count, &s->device_cap) =
		    (struct unit_device){0};
	s->devices[index].device = device;
	set_group(s, index);
}

/* ---- sums ---- */

static struct unit_sums *
get_sums(struct work_units *s)
{
	struct unit_sums *sums;

	if (s->spare_count > 0)
		return s->spare[--s->spare_count];
	sums = mem_alloc(sizeof(*sums));
	sums->of_unit = true;
	return sums;
}

static void
release_sums(struct work_units *s, struct work_unit *u)
{
	if (u->sums == NULL)
		return;
	unit_sums_clear(u->sums);
	*array_add(&s->spare, &s->spare_count, &s->spare_cap) = u->sums;
	u->sums = NULL;
}

/* A closed unit becomes part of the recording, but for its times. */
static void
commit(struct work_units *s, struct work_unit *u)
{
	if (u->sums == NULL)
		return; /* it was left out */
	u->sequence = account_draft_sequence(s->ledger, u->sums);
	unit_sums_merge(&s->ledger->sums, u->sums);
	release_sums(s, u);
}

static void
leave_out(struct work_units *s, struct work_unit *u)
{
	u->left_out = true;
	release_sums(s, u);
}

/* The sums that what comes late adds to: those of the recording, once the unit
   is part of it. */
static struct unit_sums *
sums_of(struct work_units *s, const struct work_unit *u)
{
	return u->sums != NULL ? u->sums : &s->ledger->sums;
}

/* The unit of a process that launched the operation; or NULL. */
static struct work_unit *
launcher_of(struct unit_group *g, struct part_tag tag)
{
	size_t unit = tag.number >> 32;

	return unit > 0 ? &g->all[unit - 1] : NULL;
}

static struct summed_launch
launch_of(struct part_tag tag)
{
	return (struct summed_launch){.on = (uint32_t)tag.number,
	    .detail = (uint32_t)tag.more,
	    .path = (uint32_t)(tag.more >> 32)};
}

/* The row of a launch in the recording. */
static uint32_t
row_of(const struct work_units *s, const struct summed_launch *l)
{
	return s->ledger->rows_on.all[l->on].row;
}

/* ---- operations that run across a border ---- */

/* How long an operation runs in a unit; 0 while the ends of both are open. */
static int64_t
time_in(const struct work_unit *u, int64_t ts, int64_t end)
{
	end = end < u->end ? end : u->end;
	return end != UNIT_OPEN ? time_between(ts, end) : 0;
}

/* How long it runs, 0 if it was never closed. */
static int64_t
duration(int64_t ts, int64_t end)
{
	return end != INT64_MAX ? time_between(ts, end) : 0;
}

/* The operations that run on a device when the unit begins are part of it. */
static void
add_running(struct work_units *s, struct work_unit *u, size_t device)
{
	const struct part_device *p = &s->pieces->devices[device];

	for (size_t i = p->first; i < p->count; i++) {
		const struct part_operation *o = &p->running[i];
		const struct summed_launch l = launch_of(o->tag);

		if (o->end <= u->ts || o->ts > u->ts)
			continue;
		unit_sums_add(u->sums, &l,
		    (struct account_sum){
			.n = o->ts >= u->ts, .dur = time_in(u, u->ts, o->end)});
		if (o->ts < u->ts)
			continue;
		unit_sums_whole(u->sums, &l, duration(o->ts, o->end), 0);
		durations_add(unit_sums_times(u->sums, row_of(s, &l)),
		    duration(o->ts, o->end), 1);
	}
}

/* ---- opening and closing ---- */

static void
add_unit(struct work_units *s, struct unit_group *g, struct work_unit u)
{
	u.sums = get_sums(s);
	*array_add(&g->open, &g->open_count, &g->open_cap) = g->count;
	*array_add(&g->all, &g->count, &g->cap) = u;
	if (s->next_end > u.end)
		s->next_end = u.end;
}

struct work_unit *
work_units_open(struct work_units *s, struct unit_group *g, int64_t ts,
    int64_t end, int64_t number)
{
	size_t group = (size_t)(g - s->groups.all);

	if (g->first > 0) { /* there are others */
		leave_out(s, &g->all[g->first - 1]);
		g->first = 0;
	}
	add_unit(
	    s, g, (struct work_unit){.ts = ts, .end = end, .number = number});
	for (size_t i = 0; i < s->device_count && !s->by_process; i++)
		if (s->devices[i].group == group + 1)
			add_running(s, &g->all[g->count - 1], i);
	return &g->all[g->count - 1];
}

/* Units of a process that are closed become part of the recording, but for the
   last. */
static void
merge_units(struct work_units *s, struct unit_group *g, size_t held)
{
	for (; g->merged + held < g->count && g->all[g->merged].closed;
	     g->merged++)
		if (g->first != g->merged + 1)
			commit(s, &g->all[g->merged]);
}

static void
close_unit(struct work_units *s, struct unit_group *g, size_t n)
{
	size_t group = (size_t)(g - s->groups.all);
	struct work_unit *u = &g->all[n];

	u->closed = true;
	if (s->by_process) {
		merge_units(s, g, HELD);
		return;
	}
	for (size_t i = 0; i < s->device_count; i++)
		if (s->devices[i].group == group + 1)
			device_pieces_advance(s->pieces, i, u->end);
	if (u->left_out)
		release_sums(s, u);
	else
		commit(s, u);
}

static void
close_group(struct work_units *s, struct unit_group *g, int64_t ts)
{
	size_t open = 0;

	for (size_t i = 0; i < g->open_count; i++)
		if (g->all[g->open[i]].end <= ts)
			close_unit(s, g, g->open[i]);
		else
			g->open[open++] = g->open[i];
	g->open_count = open;
	for (size_t i = 0; i < open; i++)
		if (s->next_end > g->all[g->open[i]].end)
			s->next_end = g->all[g->open[i]].end;
}

void
work_units_close(struct work_units *s, int64_t ts)
{
	if (s->next_end > ts)
		return;
	s->next_end = UNIT_OPEN;
	for (size_t i = 0; i < s->groups.count; i++)
		close_group(s, &s->groups.all[i], ts);
}

/* An operation that was never closed runs in the unit, from since to a time. */
static void
add_open(struct unit_sums *sums, const struct part_operation *o, int64_t since,
    int64_t to)
{
	const struct summed_launch l = launch_of(o->tag);

	unit_sums_add(sums, &l,
	    (struct account_sum){
		.dur = time_between(o->ts > since ? o->ts : since, to)});
}

/* Operations of a device that were never closed run to last. */
static void
end_launched(
    struct work_units *s, struct unit_group *g, size_t device, int64_t last)
{
	const struct part_device *p = &s->pieces->devices[device];

	for (size_t n = p->first; n < p->count; n++) {
		const struct part_operation *o = &p->running[n];
		const struct work_unit *u = launcher_of(g, o->tag);

		if (o->end == INT64_MAX && u != NULL && !u->left_out)
			add_open(sums_of(s, u), o, o->ts, last);
	}
}

void
work_units_end_open(struct work_units *s, int64_t last)
{
	for (size_t i = 0; i < s->device_count; i++) {
		const struct part_device *p = &s->pieces->devices[i];
		struct unit_group *g = &s->groups.all[s->devices[i].group - 1];
		size_t ops = p->count - p->first;

		if (s->by_process)
			end_launched(s, g, i, last);
		for (size_t n = 0; n < ops * g->open_count && !s->by_process;
		     n++) {
			struct work_unit *u = &g->all[g->open[n / ops]];
			const struct part_operation *o =
			    &p->running[p->first + n % ops];

			if (o->end == INT64_MAX && u->end == UNIT_OPEN &&
			    u->sums != NULL)
				add_open(u->sums, o, u->ts, last);
		}
	}
}

/*
 * Operations that run at ts were counted as if they end in the unit, but for
 * operations that were never closed.
 */
static void
move_running(struct work_units *s, struct work_unit *from, struct work_unit *to,
    size_t device, int64_t ts)
{
	const struct part_device *p = &s->pieces->devices[device];
	int64_t ops = device_pieces_lane(s->pieces, device)->ops;

	for (size_t i = p->first; i < p->count; i++) {
		const struct part_operation *o = &p->running[i];
		const struct summed_launch l = launch_of(o->tag);
		int64_t rest = time_between(ts, o->end);

		if (o->order == ops - 1 || o->end <= ts)
			continue;
		if (o->end == INT64_MAX) {
			if (from != NULL)
				add_open(from->sums, o, from->ts, ts);
			continue;
		}
		if (from != NULL)
			unit_sums_take(from->sums, &l, rest);
		if (to != NULL)
			unit_sums_add(
			    to->sums, &l, (struct account_sum){.dur = rest});
	}
}

void
work_units_cut(struct work_units *s, struct unit_group *g, size_t device,
    int64_t ts, bool begin)
{
	size_t last = g->open_count > 0 ? g->open[0] + 1 : 0;
	struct work_unit *from, *to;

	g->open_count = 0;
	if (begin)
		add_unit(s, g,
		    (struct work_unit){.ts = ts,
			.end = UNIT_OPEN,
			.number = (int64_t)g->count});
	from = last > 0 ? &g->all[last - 1] : NULL;
	to = begin ? &g->all[g->count - 1] : NULL;
	move_running(s, from, to, device, ts);
	if (from == NULL)
		return;
	from->end = ts;
	from->closed = true;
	commit(s, from);
}

/* ---- pieces ---- */

static struct account_unit *
find_slice(struct unit_device *d, size_t unit)
{
	if (unit >= d->slice_count) {
		size_t count = unit * 2 + 4;

		d->slices = mem_resize(d->slices, count, sizeof(*d->slices));
		memset(d->slices + d->slice_count, 0,
		    (count - d->slice_count) * sizeof(*d->slices));
		d->slice_count = count;
	}
	return &d->slices[unit];
}

/* The time that the piece adds to the names of a unit. */
static void
add_to_names(struct work_units *s, struct work_unit *u,
    const struct unit_device *d, const struct piece *p, int64_t dur)
{
	bool runs = p->operation != NULL;
	const struct summed_launch l =
	    launch_of(runs ? p->operation->tag : p->tag);
	struct unit_sums *sums = sums_of(s, u);

	if (u->left_out || (!runs && p->ev == NULL))
		return;
	if (runs) {
		unit_sums_add(sums, &l, (struct account_sum){.exposed = dur});
	} else {
		unit_sums_ended(sums, &l, dur);
		unit_sums_idle(sums, d->device, p->part, p->cause, dur);
	}
}

/* The part of a piece that lies in [from, to) is of a unit. */
static void
add_part(struct work_units *s, struct unit_device *d, size_t n,
    const struct piece *p, int64_t from, int64_t to)
{
	const struct unit_group *g = &s->groups.all[d->group - 1];
	int64_t dur = time_between(from, to);
	int64_t *part;

	if (dur == 0)
		return;
	part = &find_slice(d, n)->parts[p->part];
	*part = time_end(*part, dur);
	add_to_names(s, &g->all[n], d, p, dur);
}

/* The piece is of the unit that launched its operation. */
static void
add_launched(struct work_units *s, struct unit_device *d, const struct piece *p)
{
	struct unit_group *g = &s->groups.all[d->group - 1];
	bool runs = p->operation != NULL;
	const struct work_unit *u =
	    launcher_of(g, runs ? p->operation->tag : p->tag);
	int64_t from = p->ts;

	if (u == NULL || (!runs && p->ev == NULL))
		return;
	if (!runs && u->number == 0 && from < u->ts)
		from = u->ts;
	add_part(s, d, (size_t)(u - g->all), p, from, p->end);
}

void
work_units_piece(struct work_units *s, const struct piece *p)
{
	struct unit_device *d = &s->devices[p->device];
	struct unit_group *g = &s->groups.all[d->group - 1];
	size_t active = 0;

	if (s->by_process) {
		add_launched(s, d, p);
		return;
	}
	for (; d->next < g->count && g->all[d->next].ts < p->end; d->next++)
		*array_add(&d->active, &d->active_count, &d->active_cap) =
		    d->next;
	for (size_t i = 0; i < d->active_count; i++) {
		size_t n = d->active[i];
		struct work_unit *u = &g->all[n];
		int64_t from = u->ts > p->ts ? u->ts : p->ts;
		int64_t to = u->end < p->end ? u->end : p->end;

		add_part(s, d, n, p, from, to);
		if (u->end > p->end)
			d->active[active++] = n;
	}
	d->active_count = active;
}

/* ---- launches ---- */

/* The unit has an operation that starts in it, and runs in it for some time. */
static void
add_launch(struct work_units *s, struct work_unit *u,
    const struct unit_launch *l, int64_t time)
{
	struct unit_sums *sums = sums_of(s, u);
	int64_t dur = duration(l->ts, l->end);
	uint32_t row = row_of(s, &l->of);

	unit_sums_add(sums, &l->of, (struct account_sum){.n = 1, .dur = time});
	unit_sums_whole(sums, &l->of, dur, l->bytes);
	durations_add(unit_sums_times(sums, row), dur, 1);
	if (u->sums == NULL)
		return;
	unit_sums_launch(u->sums, l->thread, row, l->of.path);
	unit_sums_operation(u->sums, l->ts, l->end);
}

void
work_units_launch(
    struct work_units *s, size_t device, const struct unit_launch *l)
{
	struct unit_device *d = &s->devices[device];
	struct unit_group *g = &s->groups.all[d->group - 1];

	if (l->unit > 0) {
		struct work_unit *u = &g->all[l->unit - 1];

		find_slice(d, l->unit - 1)->launches++;
		if (!u->left_out)
			add_launch(s, u, l, duration(l->ts, l->end));
	}
	for (size_t i = 0; i < g->open_count && !s->by_process; i++) {
		size_t n = g->open[i];
		struct work_unit *u = &g->all[n];

		if (u->sums == NULL || l->ts < u->ts || l->ts >= u->end)
			continue;
		find_slice(d, n)->launches++;
		add_launch(s, u, l, time_in(u, l->ts, l->end));
	}
}

struct unit_sums *
work_units_of(struct work_units *s, uint32_t process, int64_t ts, size_t *next)
{
	for (size_t i = 0; i < s->groups.count; i++) {
		const struct unit_group *g = &s->groups.all[i];

		if (g->process != process || g->open_count == 0)
			continue;
		while (*next < g->open_count) {
			const struct work_unit *u = &g->all[g->open[*next]];

			++*next;
			if (u->sums != NULL && u->ts <= ts && ts < u->end)
				return u->sums;
		}
		return NULL;
	}
	return NULL;
}

/* ---- the end ---- */

void
work_units_end_groups(struct work_units *s)
{
	work_units_close(s, INT64_MAX - 1);
	for (size_t i = 0; i < s->groups.count; i++) {
		struct unit_group *g = &s->groups.all[i];

		for (size_t n = 0; n < g->open_count; n++)
			leave_out(s, &g->all[g->open[n]]);
		g->open_count = 0;
		if (s->by_process)
			merge_units(s, g, 0);
		if (g->first > 0) /* there are no others */
			commit(s, &g->all[g->first - 1]);
		g->first = 0;
	}
}

static void
add_slices(struct work_units *s, const struct unit_device *d)
{
	const struct unit_group *g = &s->groups.all[d->group - 1];
	struct account_draft *r = s->ledger;

	for (size_t i = 0; i < g->count; i++) {
		const struct work_unit *u = &g->all[i];
		struct account_unit slice = {0};

		if (i < d->slice_count)
			slice = d->slices[i];
		for (size_t n = 0; n < ACCOUNT_PARTS; n++)
			slice.wall = time_end(slice.wall, slice.parts[n]);
		if (u->left_out && u->closed)
			r->left_wall = time_end(r->left_wall, slice.wall);
		if (u->left_out ||
		    (s->by_process && slice.wall == 0 && slice.launches == 0))
			continue;
		slice.device = d->device;
		slice.sequence = u->sequence;
		slice.number = u->number;
		slice.ts = u->ts;
		*array_add(&r->units, &r->unit_count, &r->unit_cap) = slice;
	}
}

static void
forget(struct work_units *s)
{
	for (size_t i = 0; i < s->groups.count; i++) {
		struct unit_group *g = &s->groups.all[i];

		for (size_t n = 0; n < g->count; n++)
			release_sums(s, &g->all[n]);
		free(g->all);
		free(g->open);
	}
	for (size_t i = 0; i < s->device_count; i++) {
		free(s->devices[i].slices);
		free(s->devices[i].active);
	}
	numbered_clear(&s->groups);
	map_clear(&s->ends);
	s->next_end = UNIT_OPEN;
}

void
work_units_section_end(struct work_units *s)
{
	for (size_t i = 0; i < s->device_count; i++)
		if (s->devices[i].group > 0)
			add_slices(s, &s->devices[i]);
	for (size_t i = 0; i < s->groups.count; i++)
		for (size_t n = 0; n < s->groups.all[i].count; n++)
			s->ledger->left_out +=
			    s->groups.all[i].all[n].left_out &&
			    s->groups.all[i].all[n].closed;
	forget(s);
	s->device_count = 0;
}

void
work_units_restart(struct work_units *s, bool by_process)
{
	forget(s);
	s->by_process = by_process;
	for (size_t i = 0; i < s->device_count; i++)
		s->devices[i] =
		    (struct unit_device){.device = s->devices[i].device};
	for (size_t i = 0; i < s->device_count; i++)
		set_group(s, i);
}

void
work_units_free(struct work_units *s)
{
	forget(s);
	for (size_t i = 0; i < s->spare_count; i++) {
		unit_sums_free(s->spare[i]);
		free(s->spare[i]);
	}
	free(s->spare);
	free(s->devices);
	numbered_free(&s->groups);
	map_free(&s->ends);
}
