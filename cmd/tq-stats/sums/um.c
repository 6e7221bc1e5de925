/*
 * um.c - reports on unified memory: migrations and page faults
 *
 * So that parts of the input can be merged, a measure is a part of the key of
 * a group: behind the process and the address for um_sum, alone for
 * um_total_sum.
 */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/line/json.h"

#include "sums.h"
#include "tq/line/record_args.h"
#include "tq/show/col.h"

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

/* ---- records ---- */

/* a migration, or page faults */
struct um_record {
	enum measure what;
	int64_t amount; /* bytes, or faults */
	int64_t ns;     /* of a migration */
	bool has_address;
	uint64_t address;
};

static bool
read_migration(
    struct um_record *u, const struct event *ev, struct text *scratch)
{
	static const char *const members[] = {"virtualAddress"};
	struct span copy, address;

	scratch->len = 0;
	copy = event_str(ev, KEY_copy, scratch);
	if (span_eq(copy, SPAN("UVM HtoD")))
		u->what = HTOD;
	else if (span_eq(copy, SPAN("UVM DtoH")))
		u->what = DTOH;
	else
		return false;
	u->amount = event_int(ev, KEY_bytes, 0);
	u->ns = event_int(ev, KEY_dur, 0);
	record_args_find(ev, members, 1, &address, scratch);
	u->has_address = record_args_address(address, &u->address);
	return true;
}

/* a record has one fault of the host, or some of a device */
static void
read_faults(struct um_record *u, const struct event *ev)
{
	u->what = event_has(ev, KEY_device) ? GPU : CPU;
	u->amount = event_int(ev, KEY_count, 1);
	u->ns = 0;
	u->has_address =
	    event_has(ev, KEY_address) &&
	    record_args_address(ev->value[KEY_address], &u->address);
}

static bool
read_record(struct um_record *u, const struct event *ev, struct text *scratch)
{
	if (ev->kind == KIND_fault)
		read_faults(u, ev);
	else if (!read_migration(u, ev, scratch))
		return false;
	if (u->amount < 0)
		u->amount = 0;
	if (u->ns < 0)
		u->ns = 0;
	return true;
}

/* Another value of a measure, for the key behind which it stands. */
static void
add_measure(struct report *r, enum measure m, int64_t v)
{
	size_t before = r->key.len;

	groups_part(&r->key, span_of(names[m]));
	dist_add(&sums_group(r)->values, v);
	r->key.len = before;
}

static void
add_record(struct report *r, const struct um_record *u)
{
	add_measure(r, u->what, u->amount);
	if (u->what == HTOD || u->what == DTOH)
		add_measure(r, TIME, u->ns);
}

/* ---- um_sum ---- */

struct um_address {
	struct span pid, address;
	bool has[ADDRESSES];
	int64_t sum[ADDRESSES];
};

/* nsys adds up an address of several processes */
static void
sum_event(struct report *r, const struct event *ev)
{
	struct um_record u;

	if (!read_record(&u, ev, &r->scratch) || !u.has_address)
		return;
	r->key.len = r->scratch.len = 0;
	if (event_has(ev, KEY_pid) && !r->settings->compat)
		groups_part(&r->key, ev->value[KEY_pid]);
	else
		groups_part(&r->key, SPAN(""));
	text_add_hex(&r->scratch, u.address);
	groups_part(&r->key, text_span(&r->scratch));
	add_record(r, &u);
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
collect_addresses(const struct groups *gs, struct um_address *all)
{
	struct um_address *a = NULL;
	size_t count = 0;

	for (size_t i = 0; i < gs->count; i++) {
		const struct group *g = gs->all[i];
		struct span pid = groups_key(g, 0), address = groups_key(g, 1);

		if (a == NULL || !span_eq(a->pid, pid) ||
		    !span_eq(a->address, address)) {
			a = &all[count++];
			*a =
			    (struct um_address){.pid = pid, .address = address};
		}
		for (size_t m = 0; m < ADDRESSES; m++)
			if (span_eq(groups_key(g, 2), span_of(names[m]))) {
				a->has[m] = true;
				a->sum[m] = sum_of(g);
			}
	}
	return count;
}

static dist_wide
migrated(const struct um_address *a)
{
	return (dist_wide)a->sum[HTOD] + a->sum[DTOH];
}

/* the highest throughput first, then without any the most faults */
static int
by_throughput(const void *pa, const void *pb)
{
	const struct um_address *a = pa, *b = pb;
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
address_row(struct table *t, const struct um_address *a)
{
	col_text(t, "Virtual Address", a->address);
	col_sum_if(
	    t, "HtoD Migration Size", UNIT_SIZE, a->has[HTOD], a->sum[HTOD]);
	col_sum_if(
	    t, "DtoH Migration Size", UNIT_SIZE, a->has[DTOH], a->sum[DTOH]);
	col_sum_if(t, "CPU Page Faults", UNIT_NONE, a->has[CPU], a->sum[CPU]);
	col_sum_if(t, "GPU Page Faults", UNIT_NONE, a->has[GPU], a->sum[GPU]);
	col_rate(t, "Migration Throughput", migrated(a), a->sum[TIME]);
}

static void
sum_table(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;
	struct um_address *all =
	    region_get(&r->life, (gs->count + 1) * sizeof(*all));
	size_t count;

	groups_sort(gs, groups_by_key);
	count = collect_addresses(gs, all);
	if (count > 1)
		qsort(all, count, sizeof(*all), by_throughput);
	if (r->number >= 0 && count > (size_t)r->number)
		count = (size_t)r->number;
	col_heading(t, address_row, &all[gs->count]);
	for (size_t i = 0; i < count; i++)
		address_row(t, &all[i]);
}

/* ---- um_total_sum ---- */

/* of a section */
struct um_extent {
	bool any;
	uint64_t lowest, highest; /* addresses */
};

/* addresses as numbers with a sign that have the same order, and back */
static int64_t
as_signed(uint64_t address)
{
	return (int64_t)(address ^ (uint64_t)1 << 63);
}

static void
total_event(struct report *r, const struct event *ev)
{
	struct um_extent *e = r->state;
	struct um_record u;

	if (!read_record(&u, ev, &r->scratch))
		return;
	r->key.len = 0;
	add_record(r, &u);
	if (!u.has_address)
		return;
	if (!e->any || u.address < e->lowest)
		e->lowest = u.address;
	if (!e->any || u.address > e->highest)
		e->highest = u.address;
	e->any = true;
}

static void
total_section_end(struct report *r)
{
	struct um_extent *e = r->state;

	if (!e->any)
		return;
	r->key.len = 0;
	add_measure(r, ADDRESSES, as_signed(e->lowest));
	add_measure(r, ADDRESSES, as_signed(e->highest));
	e->any = false;
}

/* a measure, empty if there is none of it */
static void
measure_col(
    struct table *t, const char *name, enum unit unit, const struct group *g)
{
	col_sum_if(t, name, unit, g != NULL, g != NULL ? sum_of(g) : 0);
}

static void
address_col(struct table *t, const char *name, bool any, int64_t v)
{
	struct text hex = {0};

	text_add_hex(&hex, (uint64_t)v ^ (uint64_t)1 << 63);
	col_text_if(t, name, any, text_span(&hex));
	text_free(&hex);
}

/* of: by measure, NULL where there is none */
static void
total_row(struct table *t, struct group *const of[MEASURES])
{
	static const struct dist none;
	const struct dist *all =
	    of[ADDRESSES] != NULL ? &of[ADDRESSES]->values : &none;
	bool any = of[ADDRESSES] != NULL;

	measure_col(t, "Total HtoD Migration Size", UNIT_SIZE, of[HTOD]);
	measure_col(t, "Total DtoH Migration Size", UNIT_SIZE, of[DTOH]);
	measure_col(t, "Total CPU Page Faults", UNIT_NONE, of[CPU]);
	measure_col(t, "Total GPU PageFaults", UNIT_NONE, of[GPU]);
	address_col(t, "Minimum Virtual Address", any, dist_min(all));
	address_col(t, "Maximum Virtual Address", any, dist_max(all));
}

static void
total_table(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;
	struct group *of[MEASURES] = {NULL};

	col_heading(t, total_row, of);
	if (gs->count == 0)
		return;
	for (size_t i = 0; i < gs->count; i++)
		for (size_t m = 0; m < MEASURES; m++)
			if (span_eq(
				groups_key(gs->all[i], 0), span_of(names[m])))
				of[m] = gs->all[i];
	if (of[ADDRESSES] != NULL)
		dist_sort(&of[ADDRESSES]->values);
	total_row(t, of);
}

/* ---- um_cpu_page_faults_sum ---- */

enum { INSTRUCTION, FILE_NAME, LINE, MEMBERS };

/* a string without its quotes, a number as it is */
static void
add_part(struct report *r, struct span value)
{
	r->scratch.len = 0;
	if (value.len > 0 && *value.p == '"') {
		json_decode(&r->scratch, value);
		value = text_span(&r->scratch);
	}
	groups_part(&r->key, value);
}

static void
faults_event(struct report *r, const struct event *ev)
{
	static const char *const members[MEMBERS] = {
	    "CpuInstruction", "sourceFile", "sourceLine"};
	struct span values[MEMBERS];
	struct um_record u;

	if (!read_record(&u, ev, &r->scratch) || u.what != CPU)
		return;
	record_args_find(ev, members, MEMBERS, values, &r->scratch);
	r->key.len = 0;
	for (size_t i = 0; i < (r->settings->version < 2024 ? 1 : MEMBERS); i++)
		add_part(r, values[i]);
	dist_add(&sums_group(r)->values, u.amount);
}

static void
faults_row(struct table *t, struct report *r, struct group *g)
{
	int64_t line;

	col_sum(t, "CPU Page Faults", UNIT_NONE, sum_of(g));
	col_text(t, "CPU Instruction Address", groups_key(g, INSTRUCTION));
	if (r->settings->version < 2024)
		return;
	col_text(t, "Source File", groups_key(g, FILE_NAME));
	col_id(t, "Source Line",
	    record_args_int(groups_key(g, LINE), &line) ? line : NO_ID);
}

/* ---- the reports ---- */

#define UM_KEYS \
	KEYS(KEY_dur, KEY_pid, KEY_device, KEY_bytes, KEY_copy, KEY_address, \
	    KEY_count, KEY_args)

const struct report_kind um_reports[] = {
    {.name = "um_sum",
	.question = ASKS_MEMORY,
	.old = "unifiedmemory",
	.title = "Unified Memory Analysis Summary",
	.args = "rows=10",
	.missing = "no migration or page fault with an address in the stream",
	.kinds = KINDS(memcpy) | KINDS(fault),
	.keys = UM_KEYS,
	.sum = SUM(KEY_bytes),
	.event = sum_event,
	.table = sum_table},
    {.name = "um_total_sum",
	.question = ASKS_MEMORY,
	.old = "unifiedmemorytotals",
	.title = "Unified Memory Totals Summary",
	.missing = "no migration or page fault in the stream",
	.kinds = KINDS(memcpy) | KINDS(fault),
	.keys = UM_KEYS,
	.sum = SUM(KEY_bytes),
	.size = sizeof(struct um_extent),
	.event = total_event,
	.section_end = total_section_end,
	.table = total_table},
    {.name = "um_cpu_page_faults_sum",
	.question = ASKS_MEMORY,
	.old = "umcpupagefaults",
	.title = "Unified Memory CPU Page Faults Summary",
	.missing = "no page fault of the host in the stream",
	.kinds = KINDS(fault),
	.keys = UM_KEYS,
	.sum = SUM(KEY_count, .row = faults_row),
	.event = faults_event},
    {0},
};
