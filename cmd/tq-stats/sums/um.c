/*
 * um.c - reports on unified memory: what migrated, and page faults
 *
 * Sums are groups, by what they are of, so that those of parts can be merged:
 * for um_sum by process, address and measure, for um_total_sum by measure.
 */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "args.h"
#include "groups.h"
#include "report.h"

enum measure {
	HTOD, /* bytes */
	DTOH,
	CPU, /* faults */
	GPU,
	TIME, /* ns, of both directions */
	ADDRESSES,
	MEASURES
};

static const char *const names[MEASURES] = {
    "htod", "dtoh", "cpu", "gpu", "time", "addresses"};

struct um {
	struct groups groups;
	struct text key, scratch;
	bool any; /* address in this section, of um_total_sum */
	uint64_t lowest, highest;
};

/* ---- records ---- */

/* a migration, or page faults */
struct happened {
	enum measure what;
	int64_t amount; /* bytes, or faults */
	int64_t ns;     /* of a migration */
	bool has_address;
	uint64_t address;
};

static bool
read_migration(struct happened *h, const struct event *ev, struct text *scratch)
{
	static const char *const members[] = {"virtualAddress"};
	struct span copy, address;

	scratch->len = 0;
	copy = event_str(ev, KEY_copy, scratch);
	if (span_eq(copy, SPAN("UVM HtoD")))
		h->what = HTOD;
	else if (span_eq(copy, SPAN("UVM DtoH")))
		h->what = DTOH;
	else
		return false;
	h->amount = event_int(ev, KEY_bytes, 0);
	h->ns = event_int(ev, KEY_dur, 0);
	args_find(ev, members, 1, &address, scratch);
	h->has_address = args_address(address, &h->address);
	return true;
}

/* a fault of the host is a record, those of a device may be several */
static void
read_faults(struct happened *h, const struct event *ev)
{
	h->what = event_has(ev, KEY_device) ? GPU : CPU;
	h->amount = event_int(ev, KEY_count, 1);
	h->ns = 0;
	h->has_address = event_has(ev, KEY_address) &&
			 args_address(ev->value[KEY_address], &h->address);
}

static bool
read_record(struct happened *h, const struct event *ev, struct text *scratch)
{
	if (ev->kind == KIND_fault)
		read_faults(h, ev);
	else if (!read_migration(h, ev, scratch))
		return false;
	if (h->amount < 0)
		h->amount = 0;
	if (h->ns < 0)
		h->ns = 0;
	return true;
}

/* another number of a measure, behind what stands in the key */
static void
add(struct um *u, enum measure m, int64_t v)
{
	size_t before = u->key.len;

	groups_part(&u->key, span_of(names[m]));
	dist_add(&groups_get(&u->groups, text_span(&u->key))->values, v);
	u->key.len = before;
}

static void
add_record(struct um *u, const struct happened *h)
{
	add(u, h->what, h->amount);
	if (h->what == HTOD || h->what == DTOH)
		add(u, TIME, h->ns);
}

/* ---- um_sum ---- */

/* what there is at an address */
struct place {
	struct span pid, address;
	bool has[ADDRESSES];
	int64_t sum[ADDRESSES];
};

/* nsys takes what is at an address of several processes together */
static void
sum_event(struct report *r, const struct event *ev)
{
	struct um *u = r->state;
	struct happened h;

	if (!read_record(&h, ev, &u->scratch) || !h.has_address)
		return;
	u->key.len = u->scratch.len = 0;
	if (event_has(ev, KEY_pid) && !r->ask->compat)
		groups_part(&u->key, ev->value[KEY_pid]);
	else
		groups_part(&u->key, SPAN(""));
	text_add_hex(&u->scratch, h.address);
	groups_part(&u->key, text_span(&u->scratch));
	add_record(u, &h);
}

static int
compare_keys(const void *pa, const void *pb)
{
	struct group *const *a = pa, *const *b = pb;

	return span_cmp((*a)->key, (*b)->key);
}

static int64_t
sum_of(const struct group *g)
{
	if (g->values.sum < 0)
		return 0;
	return g->values.sum < INT64_MAX ? (int64_t)g->values.sum : INT64_MAX;
}

/* groups of one address stand together */
static size_t
collect(const struct groups *gs, struct place *places)
{
	struct place *p = NULL;
	size_t count = 0;

	for (size_t i = 0; i < gs->count; i++) {
		const struct group *g = gs->all[i];
		struct span pid = groups_key(g, 0), address = groups_key(g, 1);

		if (p == NULL || !span_eq(p->pid, pid) ||
		    !span_eq(p->address, address)) {
			p = &places[count++];
			*p = (struct place){.pid = pid, .address = address};
		}
		for (size_t m = 0; m < ADDRESSES; m++)
			if (span_eq(groups_key(g, 2), span_of(names[m]))) {
				p->has[m] = true;
				p->sum[m] = sum_of(g);
			}
	}
	return count;
}

static dist_wide
migrated(const struct place *p)
{
	return (dist_wide)p->sum[HTOD] + p->sum[DTOH];
}

/* the highest throughput first; of those without one the most faults */
static int
compare_places(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	dist_wide x = migrated(a) * b->sum[TIME];
	dist_wide y = migrated(b) * a->sum[TIME];

	if ((a->sum[TIME] > 0) != (b->sum[TIME] > 0))
		return a->sum[TIME] > 0 ? -1 : 1;
	if (x == y) {
		x = (dist_wide)a->sum[CPU] + a->sum[GPU];
		y = (dist_wide)b->sum[CPU] + b->sum[GPU];
	}
	if (x != y)
		return x > y ? -1 : 1;
	if (a->address.len != b->address.len)
		return a->address.len < b->address.len ? -1 : 1;
	return span_cmp(a->address, b->address) != 0
		   ? span_cmp(a->address, b->address)
		   : span_cmp(a->pid, b->pid);
}

static void
add_place(struct table *t, const struct place *p)
{
	table_text(t, p->address);
	for (size_t m = HTOD; m <= GPU; m++)
		table_id(t, p->has[m] ? p->sum[m] : NO_ID);
	if (p->sum[TIME] > 0)
		table_real(t,
		    (long double)migrated(p) * 1e9L / (long double)p->sum[TIME],
		    0);
	else
		table_empty(t);
}

static void
sum_table(struct report *r, struct table *t)
{
	struct groups *gs = &((struct um *)r->state)->groups;
	struct place *places = mem_resize(NULL, gs->count + 1, sizeof(*places));
	size_t count;

	table_text_column(t, "Virtual Address");
	table_column(t, "HtoD Migration Size", UNIT_SIZE);
	table_column(t, "DtoH Migration Size", UNIT_SIZE);
	table_column(t, "CPU Page Faults", UNIT_NONE);
	table_column(t, "GPU Page Faults", UNIT_NONE);
	table_column(t, "Migration Throughput", UNIT_THROUGHPUT);
	if (gs->count > 1)
		qsort(gs->all, gs->count, sizeof(*gs->all), compare_keys);
	count = collect(gs, places);
	if (count > 1)
		qsort(places, count, sizeof(*places), compare_places);
	if (r->number >= 0 && count > (size_t)r->number)
		count = (size_t)r->number;
	for (size_t i = 0; i < count; i++)
		add_place(t, &places[i]);
	free(places);
}

/* ---- um_total_sum ---- */

/* addresses as numbers with a sign that have the same order, and back */
static int64_t
as_signed(uint64_t address)
{
	return (int64_t)(address ^ (uint64_t)1 << 63);
}

static void
total_event(struct report *r, const struct event *ev)
{
	struct um *u = r->state;
	struct happened h;

	if (!read_record(&h, ev, &u->scratch))
		return;
	add_record(u, &h);
	if (!h.has_address)
		return;
	if (!u->any || h.address < u->lowest)
		u->lowest = h.address;
	if (!u->any || h.address > u->highest)
		u->highest = h.address;
	u->any = true;
}

static void
total_section_end(struct report *r)
{
	struct um *u = r->state;

	if (!u->any)
		return;
	add(u, ADDRESSES, as_signed(u->lowest));
	add(u, ADDRESSES, as_signed(u->highest));
	u->any = false;
}

static void
add_cell_address(struct um *u, struct table *t, int64_t v)
{
	u->scratch.len = 0;
	text_add_hex(&u->scratch, (uint64_t)v ^ (uint64_t)1 << 63);
	table_text(t, text_span(&u->scratch));
}

/* what nothing is known of stays empty */
static void
total_table(struct report *r, struct table *t)
{
	struct um *u = r->state;
	struct group *of[MEASURES] = {NULL};
	struct group *places;

	table_column(t, "Total HtoD Migration Size", UNIT_SIZE);
	table_column(t, "Total DtoH Migration Size", UNIT_SIZE);
	table_column(t, "Total CPU Page Faults", UNIT_NONE);
	table_column(t, "Total GPU PageFaults", UNIT_NONE);
	table_text_column(t, "Minimum Virtual Address");
	table_text_column(t, "Maximum Virtual Address");
	if (u->groups.count == 0)
		return;
	for (size_t i = 0; i < u->groups.count; i++)
		for (size_t m = 0; m < MEASURES; m++)
			if (span_eq(groups_key(u->groups.all[i], 0),
				span_of(names[m])))
				of[m] = u->groups.all[i];
	for (size_t m = HTOD; m <= GPU; m++)
		table_id(t, of[m] != NULL ? sum_of(of[m]) : NO_ID);
	places = of[ADDRESSES];
	if (places == NULL) {
		table_empty(t);
		table_empty(t);
		return;
	}
	dist_sort(&places->values);
	add_cell_address(u, t, dist_min(&places->values));
	add_cell_address(u, t, dist_max(&places->values));
}

/* ---- um_cpu_page_faults_sum ---- */

enum { INSTRUCTION, FILE_NAME, LINE, MEMBERS };

/* a string without its quotes, a number as it is */
static void
part(struct um *u, struct span value)
{
	u->scratch.len = 0;
	if (value.len > 0 && *value.p == '"') {
		json_decode(&u->scratch, value);
		value = text_span(&u->scratch);
	}
	groups_part(&u->key, value);
}

static void
faults_event(struct report *r, const struct event *ev)
{
	static const char *const members[MEMBERS] = {
	    "CpuInstruction", "sourceFile", "sourceLine"};
	struct um *u = r->state;
	struct span values[MEMBERS];
	struct happened h;

	if (!read_record(&h, ev, &u->scratch) || h.what != CPU)
		return;
	args_find(ev, members, MEMBERS, values, &u->scratch);
	u->key.len = 0;
	for (size_t i = 0; i < (r->ask->version < 2024 ? 1 : MEMBERS); i++)
		part(u, values[i]);
	dist_add(&groups_get(&u->groups, text_span(&u->key))->values, h.amount);
}

static void
faults_table(struct report *r, struct table *t)
{
	struct groups *gs = &((struct um *)r->state)->groups;
	bool source = r->ask->version >= 2024;

	groups_sort(gs);
	table_column(t, "CPU Page Faults", UNIT_NONE);
	table_text_column(t, "CPU Instruction Address");
	if (source) {
		table_text_column(t, "Source File");
		table_column(t, "Source Line", UNIT_NONE);
	}
	for (size_t i = 0; i < gs->count; i++) {
		const struct group *g = gs->all[i];
		int64_t line;

		table_int(t, sum_of(g));
		table_text(t, groups_key(g, INSTRUCTION));
		if (!source)
			continue;
		table_text(t, groups_key(g, FILE_NAME));
		table_id(
		    t, args_int(groups_key(g, LINE), &line) ? line : NO_ID);
	}
}

/* ---- the reports ---- */

static struct groups *
groups_of(const struct report *r)
{
	return &((struct um *)r->state)->groups;
}

static void
close_report(struct report *r)
{
	struct um *u = r->state;

	groups_free(&u->groups);
	text_free(&u->key);
	text_free(&u->scratch);
}

static const enum key keys[] = {KEY_dur, KEY_pid, KEY_device, KEY_bytes,
    KEY_copy, KEY_address, KEY_count, KEY_args, KEY_NONE};

#define UM \
	.keys = keys, .size = sizeof(struct um), .close = close_report, \
	.groups = groups_of

const struct report_kind report_um[] = {
    {.name = "um_sum",
	.old = "unifiedmemory",
	.title = "Unified Memory Analysis Summary",
	.args = "rows=10",
	.missing = "no migration or page fault with an address in the stream",
	.kinds = KINDS(memcpy) | KINDS(fault),
	.event = sum_event,
	.table = sum_table,
	UM},
    {.name = "um_total_sum",
	.old = "unifiedmemorytotals",
	.title = "Unified Memory Totals Summary",
	.missing = "no migration or page fault in the stream",
	.kinds = KINDS(memcpy) | KINDS(fault),
	.event = total_event,
	.section_end = total_section_end,
	.table = total_table,
	UM},
    {.name = "um_cpu_page_faults_sum",
	.old = "umcpupagefaults",
	.title = "Unified Memory CPU Page Faults Summary",
	.missing = "no page fault of the host in the stream",
	.kinds = KINDS(fault),
	.event = faults_event,
	.table = faults_table,
	UM},
    {0},
};
