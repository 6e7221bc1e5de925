/*
 * memory_peak.c - what holds the memory when most of it is allocated:
 * memory_peak
 *
 * A holder is the innermost range that is open on the thread of an allocation,
 * or with :path all that are open.  The peak is that of the report alloc.  What
 * a holder has at the peak is copied when it changes for the first time after
 * it, so that a new peak costs the same however many holders there are.
 */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/intern.h"
#include "tq/join/nesting.h"
#include "tq/line/record_args.h"
#include "tq/names/fold_name.h"
#include "tq/show/col.h"

#include "ranges/range.h"
#include "memory_owner.h"
#include "report.h"

/* bytes and allocations that are held */
struct held_memory {
	int64_t bytes, count;
};

/* of an owner, in a section */
struct peak_owner {
	struct memory_owner of;
	int64_t bytes, peak, peak_ts;
	int64_t before; /* allocated before the stream, or NO_ID */
	uint64_t peaks; /* number of the peak so far */
};

struct peak_holder {
	size_t owner;
	uint32_t name; /* in names */
	struct held_memory now, at_peak;
	uint64_t peaks; /* at_peak is of this peak of the owner */
};

/* an allocation that is not freed */
struct peak_block {
	size_t holder;
	int64_t bytes;
};

struct memory_peak {
	struct peak_owner *owners;
	size_t owner_count, owner_cap, first; /* first: of the section */
	struct peak_holder *holders;
	size_t holder_count, holder_cap;
	struct peak_block *blocks;
	size_t block_count, block_cap;
	size_t *unused; /* places in blocks */
	size_t unused_count, unused_cap;
	struct map by_owner_name; /* (owner, name) -> holder + 1 */
	struct map by_address;    /* (pid, address) -> block + 1 */
	struct nesting threads;
	struct intern kinds, names;
	struct text path;
};

/* ---- ranges ---- */

static void
leave_ended(struct nesting_stack *s, int64_t ts)
{
	while (s->count > 0) {
		const struct nesting_slot *top = &s->slots[s->count - 1];

		if (top->end > ts)
			return;
		nesting_remove(s, top->range, top->ts);
	}
}

/* a name as what a stack has, which is not NULL */
static void *
as_range(uint32_t name)
{
	return (void *)((uintptr_t)name + 1);
}

static struct span
name_of(const struct memory_peak *m, const void *range)
{
	return intern_text(&m->names, (uint32_t)((uintptr_t)range - 1));
}

static void
add_range(struct report *r, const struct event *ev)
{
	struct memory_peak *m = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct nesting_stack *open;

	if (!event_has(ev, KEY_tid) || !event_has(ev, KEY_dur))
		return;
	open = &nesting_thread(&m->threads, event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_tid, NO_ID))
		    ->open;
	range_name(&r->scratch, r->settings, ev);
	r->scratch.len = fold_name_always(r->scratch.p, r->scratch.len);
	leave_ended(open, ts);
	nesting_push(open,
	    as_range(intern_get(&m->names, text_span(&r->scratch))), ts,
	    event_end(ev, ts));
}

/* All that are open, from the outermost on. */
static struct span
path_at(struct memory_peak *m, const struct nesting_stack *open, int64_t ts)
{
	m->path.len = 0;
	for (size_t i = 0; i < open->count; i++) {
		if (open->slots[i].range == NULL || open->slots[i].end <= ts)
			continue;
		text_add_str(&m->path, m->path.len > 0 ? ";" : "");
		text_add_span(&m->path, name_of(m, open->slots[i].range));
	}
	return text_span(&m->path);
}

/* The name of what holds an allocation: empty outside of ranges. */
static uint32_t
holder_name(struct report *r, const struct event *ev)
{
	struct memory_peak *m = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct nesting_thread *thread = nesting_find(&m->threads,
	    event_int(ev, KEY_pid, NO_ID), event_int(ev, KEY_tid, NO_ID));
	void *range;

	if (thread == NULL)
		return intern_get(&m->names, SPAN(""));
	leave_ended(&thread->open, ts);
	if (r->arg != NULL)
		return intern_get(&m->names, path_at(m, &thread->open, ts));
	range = nesting_parent(&thread->open, ts, ts);
	return range != NULL ? (uint32_t)((uintptr_t)range - 1)
			     : intern_get(&m->names, SPAN(""));
}

/* ---- allocations ---- */

static size_t
find_owner(struct report *r, const struct event *ev)
{
	struct memory_peak *m = r->state;
	struct memory_owner of = memory_owner_of(ev, &m->kinds, &r->scratch);

	for (size_t i = m->first; i < m->owner_count; i++)
		if (memory_owner_is(&m->owners[i].of, &of))
			return i;
	*array_add(&m->owners, &m->owner_count, &m->owner_cap) =
	    (struct peak_owner){.of = of, .before = NO_ID};
	return m->owner_count - 1;
}

/* Frees of what has no address are of no range. */
static size_t
find_holder(struct report *r, size_t owner, const struct event *ev)
{
	struct memory_peak *m = r->state;
	uint32_t name = event_has(ev, KEY_address)
			    ? holder_name(r, ev)
			    : intern_get(&m->names, SPAN("(no address)"));
	uint64_t *at = map_get(&m->by_owner_name, owner, name);

	if (*at == 0) {
		*array_add(&m->holders, &m->holder_count, &m->holder_cap) =
		    (struct peak_holder){.owner = owner, .name = name};
		*at = m->holder_count;
	}
	return *at - 1;
}

static struct held_memory
held_at_peak(const struct memory_peak *m, const struct peak_holder *h)
{
	return h->peaks == m->owners[h->owner].peaks ? h->at_peak : h->now;
}

/* Sums stay within 64 bits, which bytes of hostile input may leave. */
static void
add_bytes(int64_t *sum, int64_t bytes)
{
	if (__builtin_add_overflow(*sum, bytes, sum))
		*sum = bytes < 0 ? INT64_MIN : INT64_MAX;
}

static void
change(struct memory_peak *m, size_t holder, int64_t bytes, int64_t count)
{
	struct peak_holder *h = &m->holders[holder];
	struct peak_owner *o = &m->owners[h->owner];

	h->at_peak = held_at_peak(m, h);
	h->peaks = o->peaks;
	add_bytes(&h->now.bytes, bytes);
	h->now.count += count;
	add_bytes(&o->bytes, bytes);
}

/* The most so far: of the allocator's own total where the record has it. */
static void
note_peak(struct report *r, struct peak_owner *o, const struct event *ev)
{
	static const char *const names[] = {"Total Allocated"};
	struct span value = {NULL, 0};
	int64_t total = o->bytes;
	bool told = false;

	if (event_has(ev, KEY_args)) {
		record_args_find(ev, names, 1, &value, &r->scratch);
		told = record_args_int(value, &total);
	}
	if (told && o->before == NO_ID) {
		/* the first total: what the stream does not know was before */
		o->before = total > o->bytes ? total - o->bytes : 0;
		o->peak = 0;
	}
	if (total <= o->peak || (!told && o->before != NO_ID))
		return;
	o->peak = total;
	o->peak_ts = event_int(ev, KEY_ts, 0);
	o->peaks++;
}

static void
remember(struct memory_peak *m, const struct event *ev, struct peak_block b)
{
	uint64_t *at = map_get(&m->by_address,
	    (uint64_t)event_int(ev, KEY_pid, NO_ID), event_address(ev));
	size_t place = *at - 1;

	if (*at != 0)
		change(m, m->blocks[place].holder, -m->blocks[place].bytes, -1);
	else if (m->unused_count > 0)
		place = m->unused[--m->unused_count];
	else {
		place = m->block_count;
		array_add(&m->blocks, &m->block_count, &m->block_cap);
	}
	m->blocks[place] = b;
	*at = place + 1;
}

static void
add_alloc(struct report *r, const struct event *ev)
{
	struct memory_peak *m = r->state;
	size_t owner = find_owner(r, ev), holder = find_holder(r, owner, ev);
	int64_t bytes = event_int(ev, KEY_bytes, 0);

	if (event_has(ev, KEY_address))
		remember(m, ev, (struct peak_block){holder, bytes});
	change(m, holder, bytes, 1);
	note_peak(r, &m->owners[owner], ev);
}

/* A free of what was allocated before the stream is of no holder. */
static void
free_block(struct memory_peak *m, const struct event *ev)
{
	uint64_t pid = (uint64_t)event_int(ev, KEY_pid, NO_ID);
	uint64_t *at = map_find(&m->by_address, pid, event_address(ev));
	size_t place;

	if (at == NULL)
		return;
	place = *at - 1;
	change(m, m->blocks[place].holder, -m->blocks[place].bytes, -1);
	*array_add(&m->unused, &m->unused_count, &m->unused_cap) = place;
	map_remove(&m->by_address, pid, event_address(ev));
}

static void
add_free(struct report *r, const struct event *ev)
{
	struct memory_peak *m = r->state;
	size_t owner = find_owner(r, ev);

	if (event_has(ev, KEY_address)) {
		free_block(m, ev);
	} else {
		size_t holder = find_holder(r, owner, ev);
		int64_t bytes = event_int(ev, KEY_bytes, 0);
		int64_t held = m->holders[holder].now.bytes;

		change(m, holder, -(bytes < held ? bytes : held), -1);
	}
	note_peak(r, &m->owners[owner], ev);
}

static bool
is_op(struct report *r, const struct event *ev, struct span op)
{
	r->scratch.len = 0;
	return span_eq(event_str(ev, KEY_op, &r->scratch), op);
}

static void
peak_event(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_range)
		add_range(r, ev);
	else if (event_int(ev, KEY_bytes, 0) < 0)
		return;
	else if (is_op(r, ev, SPAN("alloc")))
		add_alloc(r, ev);
	else if (is_op(r, ev, SPAN("free")))
		add_free(r, ev);
}

static void
peak_section_end(struct report *r)
{
	struct memory_peak *m = r->state;

	map_clear(&m->by_address);
	m->block_count = m->unused_count = 0;
	nesting_clear(&m->threads);
	m->first = m->owner_count;
}

/* ---- the table ---- */

struct peak_row {
	const struct peak_owner *owner;
	struct held_memory held;
	struct span holder;
};

static void
peak_row(struct table *t, const struct memory_peak *m, const struct peak_row *x)
{
	const struct peak_owner *o = x->owner;

	col_id(t, "PID", o->of.pid);
	col_id(t, "Device", o->of.device);
	col_text(t, "Mem",
	    t->heading ? SPAN("") : intern_text(&m->kinds, o->of.mem));
	col_int(t, "Peak Start", UNIT_TIME, o->peak_ts);
	col_int(t, "Held", UNIT_SIZE, x->held.bytes);
	col_share(t, "Held of Peak", x->held.bytes, o->peak);
	col_int_if(t, "Blocks", UNIT_NONE, x->held.count > 0, x->held.count);
	col_text(t, "Holder", x->holder);
}

/* largest first */
static int
by_held(const void *a, const void *b)
{
	const struct peak_row *x = a, *y = b;

	if (x->held.bytes != y->held.bytes)
		return x->held.bytes < y->held.bytes ? 1 : -1;
	return x->owner != y->owner
		   ? (x->owner > y->owner) - (x->owner < y->owner)
		   : span_cmp(x->holder, y->holder);
}

static void
peak_table(struct report *r, struct table *t)
{
	struct memory_peak *m = r->state;
	struct peak_row *rows = NULL;
	size_t count = 0, cap = 0;
	int64_t *known = mem_alloc((m->owner_count + 1) * sizeof(*known));

	for (size_t i = 0; i < m->holder_count; i++) {
		const struct peak_holder *h = &m->holders[i];
		struct span name = intern_text(&m->names, h->name);
		struct held_memory held = held_at_peak(m, h);

		if (held.bytes <= 0)
			continue;
		add_bytes(&known[h->owner], held.bytes);
		*array_add(&rows, &count, &cap) =
		    (struct peak_row){&m->owners[h->owner], held,
			name.len > 0 ? name : SPAN("(no range)")};
	}
	for (size_t i = 0; i < m->owner_count; i++) {
		const struct peak_owner *o = &m->owners[i];

		if (o->peak > known[i])
			*array_add(&rows, &count, &cap) =
			    (struct peak_row){o, {o->peak - known[i], 0},
				SPAN("(before the recording)")};
	}
	if (count > 0)
		qsort(rows, count, sizeof(*rows), by_held);
	col_heading(t, peak_row, m,
	    &(struct peak_row){.owner = &(struct peak_owner){.before = NO_ID}});
	for (size_t i = 0; i < count; i++)
		peak_row(t, m, &rows[i]);
	free(rows);
	free(known);
}

static void
peak_close(struct report *r)
{
	struct memory_peak *m = r->state;

	free(m->owners);
	free(m->holders);
	free(m->blocks);
	free(m->unused);
	map_free(&m->by_owner_name);
	map_free(&m->by_address);
	nesting_free(&m->threads);
	intern_free(&m->kinds);
	intern_free(&m->names);
	text_free(&m->path);
}

const struct report_kind memory_peak_reports[] = {
    {.name = "memory_peak",
	.question = ASKS_MEMORY,
	.title = "Who Holds the Memory at Its Peak",
	.args = "path",
	.missing = "nothing is allocated in the stream",
	.shares = "the peak of the device",
	.rows = KINDS(alloc),
	.kinds = KINDS(alloc) | KINDS(range),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_open, KEY_pid, KEY_tid, KEY_name,
	    KEY_domain, KEY_device, KEY_bytes, KEY_mem, KEY_address, KEY_op,
	    KEY_args),
	.row_parts = true,
	.largest = "Held",
	.most = SIZE_MAX,
	.size = sizeof(struct memory_peak),
	.event = peak_event,
	.section_end = peak_section_end,
	.table = peak_table,
	.close = peak_close},
    {0},
};
