/*
 * alloc.c - how much memory is allocated at most: alloc, and torch_memory for
 * the allocator of PyTorch
 *
 * In alloc a free has the size of the allocation at its address.  In
 * torch_memory a record has the freed bytes: the running sum begins with 0 and
 * may fall below.  Records may have the allocator's own totals, from which what
 * was allocated before the stream began is known: peak and last value count it.
 * Else that does not count.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/intern.h"

#include "memory_owner.h"
#include "report.h"
#include "tq/line/record_args.h"
#include "tq/show/col.h"

/* of an owner, in a section */
struct alloc_owner {
	struct memory_owner of;
	int64_t bytes, peak, peak_ts, allocs, frees;
	dist_wide allocated, freed;    /* bytes of all of them */
	int64_t most_total, most_kept; /* of torch, or 0 */
	int64_t most_total_ts;
	int64_t before; /* allocated before the stream began, or NO_ID */
};

struct alloc {
	struct alloc_owner *all;
	size_t count, cap, first; /* first: of the section */
	struct map owners, sizes; /* (pid, address) -> index + 1, bytes */
	struct intern kinds;
};

static size_t
find_owner(struct report *r, const struct event *ev)
{
	struct alloc *a = r->state;
	struct memory_owner of = memory_owner_of(ev, &a->kinds, &r->scratch);

	for (size_t i = a->first; i < a->count; i++)
		if (memory_owner_is(&a->all[i].of, &of))
			return i;
	*array_add(&a->all, &a->count, &a->cap) =
	    (struct alloc_owner){.of = of, .before = NO_ID};
	return a->count - 1;
}

/* The allocator's own totals, after the record has counted. */
static void
add_totals(struct report *r, struct alloc_owner *o, const struct event *ev)
{
	static const char *const names[] = {
	    "Total Allocated", "Total Reserved"};
	struct span values[2];
	int64_t total, kept;

	if (!event_has(ev, KEY_args))
		return;
	record_args_find(ev, names, 2, values, &r->scratch);
	if (record_args_int(values[1], &kept) && o->most_kept < kept)
		o->most_kept = kept;
	if (!record_args_int(values[0], &total))
		return;
	if (o->before == NO_ID)
		o->before = total > o->bytes ? total - o->bytes : 0;
	if (o->most_total < total) {
		o->most_total = total;
		o->most_total_ts = event_int(ev, KEY_ts, 0);
	}
}

static void
add_alloc(struct report *r, const struct event *ev)
{
	struct alloc *a = r->state;
	size_t owner = find_owner(r, ev);
	struct alloc_owner *o = &a->all[owner];
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	uint64_t pid = (uint64_t)o->of.pid;

	o->allocs++;
	o->bytes = time_end(o->bytes, bytes);
	if (o->bytes > o->peak) {
		o->peak = o->bytes;
		o->peak_ts = event_int(ev, KEY_ts, 0);
	}
	add_totals(r, o, ev);
	if (event_has(ev, KEY_address)) {
		*map_get(&a->owners, pid, event_address(ev)) = owner + 1;
		*map_get(&a->sizes, pid, event_address(ev)) = (uint64_t)bytes;
	}
}

static void
add_free(struct report *r, const struct event *ev)
{
	struct alloc *a = r->state;
	uint64_t pid = (uint64_t)event_int(ev, KEY_pid, NO_ID), *owner = NULL;
	int64_t bytes = 0;
	struct alloc_owner *o;
	size_t i;

	if (!event_has(ev, KEY_address))
		bytes = event_int(ev, KEY_bytes, 0);
	else if ((owner = map_find(&a->owners, pid, event_address(ev))) != NULL)
		bytes = (int64_t)*map_get(&a->sizes, pid, event_address(ev));
	i = owner != NULL ? *owner - 1 : find_owner(r, ev);
	o = &a->all[i]; /* the owners may have moved */
	if (owner != NULL)
		map_remove(&a->owners, pid, event_address(ev));
	o->frees++;
	o->bytes -= bytes < o->bytes ? bytes : o->bytes;
	add_totals(r, o, ev);
}

static bool
has_text(struct report *r, const struct event *ev, enum key k, struct span text)
{
	r->scratch.len = 0;
	return span_eq(event_str(ev, k, &r->scratch), text);
}

static void
alloc_event(struct report *r, const struct event *ev)
{
	if (event_int(ev, KEY_bytes, 0) < 0)
		return;
	if (has_text(r, ev, KEY_op, SPAN("alloc")))
		add_alloc(r, ev);
	else if (has_text(r, ev, KEY_op, SPAN("free")))
		add_free(r, ev);
}

/* ---- torch_memory ---- */

static void
torch_event(struct report *r, const struct event *ev)
{
	struct alloc *a = r->state;
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	bool frees = has_text(r, ev, KEY_op, SPAN("free"));
	struct alloc_owner *o;
	size_t owner;

	if (!has_text(r, ev, KEY_pool, SPAN("torch")) || bytes < 0 ||
	    (!frees && !has_text(r, ev, KEY_op, SPAN("alloc"))))
		return;
	owner = find_owner(r, ev);
	o = &a->all[owner];
	*(frees ? &o->frees : &o->allocs) += 1;
	*(frees ? &o->freed : &o->allocated) += bytes;
	if (!frees)
		o->bytes = time_end(o->bytes, bytes);
	else if (__builtin_sub_overflow(o->bytes, bytes, &o->bytes))
		o->bytes = INT64_MIN;
	if (o->bytes > o->peak) {
		o->peak = o->bytes;
		o->peak_ts = event_int(ev, KEY_ts, 0);
	}
	add_totals(r, o, ev);
}

/* ---- the end ---- */

static void
alloc_section_end(struct report *r)
{
	struct alloc *a = r->state;

	map_clear(&a->owners);
	map_clear(&a->sizes);
	a->first = a->count;
}

/* The most that is allocated at one time, that time, and what is left. */
static void
col_peak(struct table *t, const struct alloc_owner *o)
{
	bool totals = o->before != NO_ID;
	int64_t peak = totals ? o->most_total : o->peak;
	int64_t ts = totals ? o->most_total_ts : o->peak_ts;
	int64_t before = totals ? o->before : 0;

	col_int(t, "Peak", UNIT_SIZE, peak);
	col_int_if(t, "Peak Start", UNIT_TIME, peak > 0, ts);
	col_int(t, "Last", UNIT_SIZE, time_end(o->bytes, before));
}

static void
alloc_row(struct table *t, const struct alloc_owner *o, struct span mem)
{
	col_id(t, "PID", o->of.pid);
	col_id(t, "Device", o->of.device);
	col_peak(t, o);
	col_int(t, "Allocs", UNIT_NONE, o->allocs);
	col_int(t, "Frees", UNIT_NONE, o->frees);
	col_text(t, "Mem", mem);
	col_int_if(t, "Held Before", UNIT_SIZE, o->before != NO_ID, o->before);
}

static void
alloc_table(struct report *r, struct table *t)
{
	const struct alloc *a = r->state;

	col_heading(
	    t, alloc_row, &(struct alloc_owner){.before = NO_ID}, SPAN(""));
	for (size_t i = 0; i < a->count; i++)
		alloc_row(
		    t, &a->all[i], intern_text(&a->kinds, a->all[i].of.mem));
}

static void
torch_row(struct table *t, const struct alloc_owner *o, struct span mem)
{
	col_id(t, "PID", o->of.pid);
	col_id(t, "Device", o->of.device);
	col_int(t, "Allocs", UNIT_NONE, o->allocs);
	col_int(t, "Frees", UNIT_NONE, o->frees);
	col_sum(t, "Allocated", UNIT_SIZE, o->allocated);
	col_sum(t, "Freed", UNIT_SIZE, o->freed);
	col_peak(t, o);
	col_int_if(
	    t, "Max Total Reserved", UNIT_SIZE, o->most_kept > 0, o->most_kept);
	col_text(t, "Mem", mem);
	col_int_if(t, "Held Before", UNIT_SIZE, o->before != NO_ID, o->before);
}

static void
torch_table(struct report *r, struct table *t)
{
	const struct alloc *a = r->state;

	col_heading(
	    t, torch_row, &(struct alloc_owner){.before = NO_ID}, SPAN(""));
	for (size_t i = 0; i < a->count; i++)
		torch_row(
		    t, &a->all[i], intern_text(&a->kinds, a->all[i].of.mem));
}

static void
alloc_close(struct report *r)
{
	struct alloc *a = r->state;

	free(a->all);
	map_free(&a->owners);
	map_free(&a->sizes);
	intern_free(&a->kinds);
}

const struct report_kind alloc_reports[] = {
    {.name = "alloc",
	.question = ASKS_MEMORY,
	.rows = KINDS(alloc),
	.title = "Allocated Memory",
	.missing = "nothing is allocated in the stream",
	.kinds = KINDS(alloc),
	.keys = KEYS(KEY_ts, KEY_pid, KEY_device, KEY_bytes, KEY_mem,
	    KEY_address, KEY_op, KEY_args),
	.row_parts = true,
	.size = sizeof(struct alloc),
	.event = alloc_event,
	.section_end = alloc_section_end,
	.table = alloc_table,
	.close = alloc_close},
    {.name = "torch_memory",
	.question = ASKS_MEMORY,
	.title = "Memory of PyTorch's Allocator",
	.missing = "no allocation of PyTorch in the stream",
	.kinds = KINDS(alloc),
	.keys = KEYS(KEY_ts, KEY_pid, KEY_device, KEY_bytes, KEY_mem, KEY_op,
	    KEY_pool, KEY_args),
	.row_parts = true,
	.size = sizeof(struct alloc),
	.event = torch_event,
	.section_end = alloc_section_end,
	.table = torch_table,
	.close = alloc_close},
    {0},
};
