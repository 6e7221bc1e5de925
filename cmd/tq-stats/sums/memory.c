/*
 * memory.c - memcpy and memset by kind of memory, and by size
 *
 * An operation without a size, or one that never ended, is left out.
 */

#include <stdlib.h>

#include "sums.h"
#include "tq/show/col.h"

/* numbers of a group; its values are sizes */
enum { TIME, NUMBERS };

static bool
has_size(struct report *r, const struct event *ev)
{
	(void)r;
	return event_has(ev, KEY_dur) && event_int(ev, KEY_bytes, -1) >= 0;
}

static void
add_operation(struct report *r, struct group *g, const struct event *ev)
{
	(void)r;
	dist_add(&g->values, event_int(ev, KEY_bytes, 0));
	groups_number(g, TIME, event_int(ev, KEY_dur, 0));
}

/* the direction (HtoD ...), or the kind of the record */
static struct span
direction(const struct report *r, const struct event *ev, struct text *t)
{
	(void)r;
	return event_has(ev, KEY_copy) ? event_str(ev, KEY_copy, t)
				       : ev->kind_name;
}

static struct span
destination(const struct report *r, const struct event *ev, struct text *t)
{
	(void)r;
	return event_str(ev, ev->kind == KIND_memset ? KEY_mem : KEY_dst, t);
}

/* the bucket as two digits, so that texts have the order of sizes */
static struct span
bucket(const struct report *r, const struct event *ev, struct text *t)
{
	unsigned n = dist_bucket(event_int(ev, KEY_bytes, 0));

	(void)r;
	text_add_char(t, (char)('0' + n / 10));
	text_add_char(t, (char)('0' + n % 10));
	return text_span(t);
}

static void
sum_columns(struct table *t, const struct group *g)
{
	col_int(t, "Count", UNIT_NONE, (int64_t)g->values.count);
	col_sum(t, "Total", UNIT_SIZE, g->values.sum);
	col_sum(t, "Time", UNIT_TIME, g->numbers[TIME]);
	col_rate(t, "Throughput", g->values.sum, g->numbers[TIME]);
}

static void
memory_row(struct table *t, struct report *r, struct group *g)
{
	(void)r;
	dist_sort(&g->values);
	sum_columns(t, g);
	col_real(
	    t, "Med", UNIT_SIZE, (long double)dist_median2(&g->values) / 2, 1);
	col_int(t, "Min", UNIT_SIZE, dist_min(&g->values));
	col_int(t, "Max", UNIT_SIZE, dist_max(&g->values));
	col_text(t, "Operation", groups_key(g, 0));
	col_text(t, "Src", groups_key(g, 1));
	col_text(t, "Dst", groups_key(g, 2));
}

/* From and To are in bytes whatever the format has sizes in. */
static void
sizes_row(struct table *t, struct report *r, struct group *g)
{
	unsigned n = (unsigned)strtoul(groups_key(g, 1).p, NULL, 10);

	(void)r;
	col_int(t, "From (B)", UNIT_NONE, dist_bucket_from(n));
	col_int(t, "To (B)", UNIT_NONE, dist_bucket_from(n + 1));
	sum_columns(t, g);
	col_text(t, "Operation", groups_key(g, 0));
}

#define COPIES \
	.missing = "no memcpy or memset in the stream", \
	.kinds = KINDS(memcpy) | KINDS(memset), \
	.keys = KEYS(KEY_dur, KEY_bytes, KEY_copy, KEY_src, KEY_dst, KEY_mem)

const struct report_kind memory_reports[] = {
    {.name = "memory",
	.question = ASKS_DEVICES,
	.title = "Memcpy and Memset by Kind of Memory",
	COPIES,
	.sum = SUM(KEY_bytes, NULL,
	    {{"Operation", .make = direction}, {"Src", KEY_src},
		{"Dst", .make = destination}},
	    has_size, .add = add_operation, .row = memory_row,
	    .numbers = NUMBERS)},
    {.name = "memory_sizes",
	.question = ASKS_DEVICES,
	.title = "Memcpy and Memset by Size",
	COPIES,
	.sum = SUM(KEY_bytes, NULL,
	    {{"Operation", .make = direction}, {.make = bucket}}, has_size,
	    .add = add_operation, .row = sizes_row, .order = groups_by_key,
	    .numbers = NUMBERS)},
    {0},
};
