/*
 * memory.c - copies and fills, and what is allocated
 *
 * Operations that have no size or never ended are left out.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "cuda.h"
#include "groups.h"

/* ---- copies and fills, together by some parts of what they are ---- */

struct memory {
	struct groups gs; /* values: sizes */
	struct text key, scratch;
};

/* numbers: how long they took together */
enum { TIME, NUMBERS };

static void
part(struct memory *m, const struct event *ev, enum key key)
{
	m->scratch.len = 0;
	groups_part(&m->key, event_str(ev, key, &m->scratch));
}

/* begin the key: HtoD and the like, or the kind of the record */
static bool
direction(struct memory *m, const struct event *ev)
{
	if (!event_has(ev, KEY_dur) || event_int(ev, KEY_bytes, -1) < 0)
		return false;
	m->key.len = 0;
	if (event_has(ev, KEY_copy))
		part(m, ev, KEY_copy);
	else
		groups_part(&m->key, ev->kind_name);
	return true;
}

static void
add(struct memory *m, const struct event *ev)
{
	struct group *g = groups_get(&m->gs, text_span(&m->key));

	dist_add(&g->values, event_int(ev, KEY_bytes, 0));
	groups_number(g, TIME, event_int(ev, KEY_dur, 0));
}

static void
sum_columns(struct table *t)
{
	table_column(t, "Count", UNIT_NONE);
	table_column(t, "Total", UNIT_SIZE);
	table_column(t, "Time", UNIT_TIME);
	table_column(t, "Throughput", UNIT_THROUGHPUT);
}

static void
sum_cells(struct table *t, const struct group *g)
{
	int64_t ns = g->numbers[TIME];

	table_int(t, (int64_t)g->values.count);
	table_int(t, (int64_t)g->values.sum);
	table_int(t, ns);
	if (ns > 0)
		table_real(t, (long double)g->values.sum * 1e9L / ns, 0);
	else
		table_empty(t);
}

static void
memory_open(struct report *r)
{
	((struct memory *)r->state)->gs.numbers = NUMBERS;
}

static struct groups *
memory_groups(const struct report *r)
{
	return &((struct memory *)r->state)->gs;
}

static void
memory_close(struct report *r)
{
	struct memory *m = r->state;

	groups_free(&m->gs);
	text_free(&m->key);
	text_free(&m->scratch);
}

/* ---- memory ---- */

static void
memory_event(struct report *r, const struct event *ev)
{
	struct memory *m = r->state;

	if (!direction(m, ev))
		return;
	part(m, ev, KEY_src);
	part(m, ev, ev->kind == KIND_memset ? KEY_mem : KEY_dst);
	add(m, ev);
}

static void
memory_table(struct report *r, struct table *t)
{
	struct memory *m = r->state;

	groups_sort(&m->gs);
	sum_columns(t);
	table_column(t, "Med", UNIT_SIZE);
	table_column(t, "Min", UNIT_SIZE);
	table_column(t, "Max", UNIT_SIZE);
	table_text_column(t, "Operation");
	table_text_column(t, "Src");
	table_text_column(t, "Dst");
	for (size_t i = 0; i < m->gs.count; i++) {
		struct group *g = m->gs.all[i];

		dist_sort(&g->values);
		sum_cells(t, g);
		table_real(t, (long double)dist_median2(&g->values) / 2, 1);
		table_int(t, dist_min(&g->values));
		table_int(t, dist_max(&g->values));
		for (size_t n = 0; n < 3; n++)
			table_text(t, groups_key(g, n));
	}
}

/* ---- memory_sizes ---- */

/* the bucket as two digits, so that the order of texts is that of sizes */
static void
sizes_event(struct report *r, const struct event *ev)
{
	struct memory *m = r->state;
	unsigned n = dist_bucket(event_int(ev, KEY_bytes, 0));
	char digits[2] = {(char)('0' + n / 10), (char)('0' + n % 10)};

	if (!direction(m, ev))
		return;
	groups_part(&m->key, (struct span){digits, 2});
	add(m, ev);
}

static int
compare_keys(const void *pa, const void *pb)
{
	struct group *const *a = pa, *const *b = pb;

	return span_cmp((*a)->key, (*b)->key);
}

static void
sizes_table(struct report *r, struct table *t)
{
	struct memory *m = r->state;

	if (m->gs.count > 1)
		qsort(m->gs.all, m->gs.count, sizeof(struct group *),
		    compare_keys);
	/* in bytes whatever the format has sizes in */
	table_column(t, "From (B)", UNIT_NONE);
	table_column(t, "To (B)", UNIT_NONE);
	sum_columns(t);
	table_text_column(t, "Operation");
	for (size_t i = 0; i < m->gs.count; i++) {
		const struct group *g = m->gs.all[i];
		unsigned n = (unsigned)strtoul(groups_key(g, 1).p, NULL, 10);

		table_int(t, dist_bucket_from(n));
		table_int(t, dist_bucket_from(n + 1));
		sum_cells(t, g);
		table_text(t, groups_key(g, 0));
	}
}

/* ---- alloc ---- */

struct place {
	int64_t pid, device;
	uint64_t mem; /* in texts */
	int64_t bytes, peak, peak_ts, allocs, frees;
};

struct allocs {
	struct place *places;
	size_t count, cap, first; /* first: of the section */
	struct map owners, sizes; /* of (pid, address): place + 1, bytes */
	struct cuda_texts texts;
	struct text scratch;
};

static size_t
place_of(struct allocs *a, const struct event *ev)
{
	struct place p = {.pid = event_int(ev, KEY_pid, NO_ID),
	    .device = event_int(ev, KEY_device, NO_ID)};

	a->scratch.len = 0;
	p.mem = cuda_texts_put(&a->texts, event_str(ev, KEY_mem, &a->scratch));
	for (size_t i = a->first; i < a->count; i++)
		if (a->places[i].pid == p.pid &&
		    a->places[i].device == p.device &&
		    a->places[i].mem == p.mem)
			return i;
	if (a->count == a->cap) {
		a->cap = a->cap * 2 + 8;
		a->places = mem_resize(a->places, a->cap, sizeof(*a->places));
	}
	a->places[a->count] = p;
	return a->count++;
}

/* behind the quote; what is no number is 0, like any other */
static uint64_t
address(const struct event *ev)
{
	return strtoull(ev->value[KEY_address].p + 1, NULL, 16);
}

static void
allocate(struct allocs *a, const struct event *ev)
{
	size_t place = place_of(a, ev);
	struct place *p = &a->places[place];
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	uint64_t pid = (uint64_t)p->pid;

	p->allocs++;
	p->bytes = time_end(p->bytes, bytes);
	if (p->bytes > p->peak) {
		p->peak = p->bytes;
		p->peak_ts = event_int(ev, KEY_ts, 0);
	}
	if (event_has(ev, KEY_address)) {
		*map_get(&a->owners, pid, address(ev)) = place + 1;
		*map_get(&a->sizes, pid, address(ev)) = (uint64_t)bytes;
	}
}

/* what was allocated before the stream began is none of it */
static void
release(struct allocs *a, const struct event *ev)
{
	uint64_t pid = (uint64_t)event_int(ev, KEY_pid, NO_ID), *owner = NULL;
	int64_t bytes = 0;
	struct place *p;

	if (!event_has(ev, KEY_address))
		bytes = event_int(ev, KEY_bytes, 0);
	else if ((owner = map_find(&a->owners, pid, address(ev))) != NULL)
		bytes = (int64_t)*map_get(&a->sizes, pid, address(ev));
	p = &a->places[owner != NULL ? *owner - 1 : place_of(a, ev)];
	if (owner != NULL)
		map_remove(&a->owners, pid, address(ev));
	p->frees++;
	p->bytes -= bytes < p->bytes ? bytes : p->bytes;
}

static void
alloc_event(struct report *r, const struct event *ev)
{
	struct allocs *a = r->state;
	struct span op = ev->value[KEY_op];

	if (!event_has(ev, KEY_op) || event_int(ev, KEY_bytes, 0) < 0)
		return;
	if (span_eq(op, SPAN("\"alloc\"")))
		allocate(a, ev);
	else if (span_eq(op, SPAN("\"free\"")))
		release(a, ev);
}

static void
alloc_section_end(struct report *r)
{
	struct allocs *a = r->state;

	map_clear(&a->owners);
	map_clear(&a->sizes);
	a->first = a->count;
}

static void
alloc_table(struct report *r, struct table *t)
{
	struct allocs *a = r->state;

	table_column(t, "PID", UNIT_NONE);
	table_column(t, "Device", UNIT_NONE);
	table_column(t, "Peak", UNIT_SIZE);
	table_column(t, "Peak Start", UNIT_TIME);
	table_column(t, "Last", UNIT_SIZE);
	table_column(t, "Allocs", UNIT_NONE);
	table_column(t, "Frees", UNIT_NONE);
	table_text_column(t, "Mem");
	for (size_t i = 0; i < a->count; i++) {
		const struct place *p = &a->places[i];

		table_id(t, p->pid);
		table_id(t, p->device);
		table_int(t, p->peak);
		if (p->allocs > 0)
			table_int(t, p->peak_ts);
		else
			table_empty(t);
		table_int(t, p->bytes);
		table_int(t, p->allocs);
		table_int(t, p->frees);
		table_text(t, cuda_texts_get(&a->texts, p->mem));
	}
}

static void
alloc_close(struct report *r)
{
	struct allocs *a = r->state;

	free(a->places);
	map_free(&a->owners);
	map_free(&a->sizes);
	cuda_texts_free(&a->texts);
	text_free(&a->scratch);
}

static const enum key memory_keys[] = {
    KEY_dur, KEY_bytes, KEY_copy, KEY_src, KEY_dst, KEY_mem, KEY_NONE};
static const enum key alloc_keys[] = {KEY_ts, KEY_pid, KEY_device, KEY_bytes,
    KEY_mem, KEY_address, KEY_op, KEY_NONE};

#define COPIES \
	.missing = "no copy or fill in the stream", \
	.kinds = KINDS(memcpy) | KINDS(memset), .keys = memory_keys, \
	.size = sizeof(struct memory), .open = memory_open, \
	.close = memory_close, .groups = memory_groups

const struct report_kind report_memory[] = {
    {.name = "memory",
	.title = "Copies and Fills by Kind of Memory",
	.event = memory_event,
	.table = memory_table,
	COPIES},
    {.name = "memory_sizes",
	.title = "Copies and Fills by Size",
	.event = sizes_event,
	.table = sizes_table,
	COPIES},
    {.name = "alloc",
	.title = "Allocated Memory",
	.missing = "nothing is allocated in the stream",
	.kinds = KINDS(alloc),
	.keys = alloc_keys,
	.size = sizeof(struct allocs),
	.event = alloc_event,
	.section_end = alloc_section_end,
	.table = alloc_table,
	.close = alloc_close},
    {0},
};
