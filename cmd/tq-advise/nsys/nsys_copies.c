/*
 * nsys_copies.c - copies and fills whose call makes the host wait:
 * cuda_memcpy_async, cuda_memcpy_sync, cuda_memset_sync
 */

#include "tq/base/time.h"

#include "nsys_rules.h"

enum { SMALL_COPY = 64000 }; /* bytes; to a device these do not wait */

/* True for a call of the runtime, as in the rules of nsys. */
static bool
called(
    const struct nsys_rules *all, uint32_t name, enum api_role role, bool async)
{
	struct named_call call = all->named[name];

	return call.family == API_CUDA_RUNTIME && call.role == role &&
	       call.async == async;
}

/* The call of the operation; false if the stream does not have it yet. */
static bool
find_call(struct nsys_rules *all, const struct event *ev, uint32_t *call)
{
	const uint64_t *found =
	    map_find(&all->calls, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		(uint64_t)event_int(ev, KEY_corr, NO_ID));

	if (found == NULL)
		return false;
	*call = (uint32_t)(*found - 1);
	return true;
}

static struct nsys_row
row_of(struct nsys_rules *all, const struct event *ev, uint32_t call)
{
	return (struct nsys_row){.dur = event_int(ev, KEY_dur, 0),
	    .ts = event_int(ev, KEY_ts, 0),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .device = event_int(ev, KEY_device, NO_ID),
	    .context = event_int(ev, KEY_context, NO_ID),
	    .green = event_int(ev, KEY_green_context, 0),
	    .stream = event_int(ev, KEY_stream, NO_ID),
	    .bytes = event_int(ev, KEY_bytes, 0),
	    .src = nsys_rules_text(all, ev, KEY_src),
	    .dst = nsys_rules_text(
		all, ev, ev->kind == KIND_memset ? KEY_mem : KEY_dst),
	    .call = call};
}

/* ---- which ---- */

static void
async_event(struct nsys_rules *all, struct nsys_rule *r, const struct event *ev)
{
	struct nsys_row row;
	uint32_t call;

	if (!event_is(ev, KEY_src, SPAN("Pageable")) &&
	    !event_is(ev, KEY_dst, SPAN("Pageable")))
		return;
	if (!find_call(all, ev, &call) || !called(all, call, API_COPY, true))
		return;
	row = row_of(all, ev, call);
	nsys_rules_add_row(r, &row);
}

/* Within one device; sources other than nsys give copies of the host one. */
static bool
is_local(const struct event *ev)
{
	int64_t from = event_int(ev, KEY_src_device, NO_ID);
	struct span copy = ev->value[KEY_copy];

	return from != NO_ID && from == event_int(ev, KEY_dst_device, NO_ID) &&
	       !(event_has(ev, KEY_copy) && memchr(copy.p, 'H', copy.len));
}

static void
sync_event(struct nsys_rules *all, struct nsys_rule *r, const struct event *ev)
{
	struct nsys_row row;
	uint32_t call;

	if (is_local(ev) || (event_is(ev, KEY_copy, SPAN("HtoD")) &&
				event_int(ev, KEY_bytes, 0) <= SMALL_COPY))
		return;
	if (!find_call(all, ev, &call) || !called(all, call, API_COPY, false))
		return;
	row = row_of(all, ev, call);
	nsys_rules_add_row(r, &row);
}

static void
memset_event(
    struct nsys_rules *all, struct nsys_rule *r, const struct event *ev)
{
	struct nsys_row row;
	uint32_t call;

	if (!event_is(ev, KEY_mem, SPAN("Pinned")) &&
	    !event_is(ev, KEY_mem, SPAN("Managed")))
		return;
	if (!find_call(all, ev, &call) || !called(all, call, API_FILL, false))
		return;
	row = row_of(all, ev, call);
	nsys_rules_add_row(r, &row);
}

/* ---- rows ---- */

/* The columns behind the kinds of memory of both tables. */
static void
add_rest(
    struct table *t, const struct nsys_rules *all, const struct nsys_row *row)
{
	col_ratio(t, "Bytes (MB)", UNIT_NONE, row->bytes, 1000000, 3);
	col_id(t, "PID", row->pid);
	col_id(t, "Device ID", row->device);
	col_id(t, "Context ID", row->context);
	col_id(t, "Green Context ID", row->green == 0 ? NO_ID : row->green);
	col_id(t, "Stream ID", row->stream);
	nsys_rules_text_column(t, "API Name", all, row->call);
}

static void
copy_row(
    struct table *t, const struct nsys_rules *all, const struct nsys_row *row)
{
	col_int(t, "Duration", UNIT_TIME, row->dur);
	col_int(t, "Start", UNIT_TIME, row->ts);
	nsys_rules_text_column(t, "Src Kind", all, row->src);
	nsys_rules_text_column(t, "Dst Kind", all, row->dst);
	add_rest(t, all, row);
}

static void
fill_row(
    struct table *t, const struct nsys_rules *all, const struct nsys_row *row)
{
	col_int(t, "Duration", UNIT_TIME, row->dur);
	col_int(t, "Start", UNIT_TIME, row->ts);
	nsys_rules_text_column(t, "Memory Kind", all, row->dst);
	add_rest(t, all, row);
}

static void
write_copies(const struct nsys_rules *all, struct nsys_rule *r, struct table *t)
{
	col_heading(t, copy_row, all, &(struct nsys_row){0});
	for (size_t i = 0; i < r->row_count; i++)
		copy_row(t, all, &r->rows[i]);
}

static void
write_fills(const struct nsys_rules *all, struct nsys_rule *r, struct table *t)
{
	col_heading(t, fill_row, all, &(struct nsys_row){0});
	for (size_t i = 0; i < r->row_count; i++)
		fill_row(t, all, &r->rows[i]);
}

#define COPIES(k) \
	.args = " rows ", .kinds = (uint64_t)1 << KIND_api, \
	.events = (uint64_t)1 << (k)

const struct nsys_rule_kind nsys_copies_async = {
    .name = "cuda_memcpy_async",
    COPIES(KIND_memcpy),
    .event = async_event,
    .write = write_copies,
};

const struct nsys_rule_kind nsys_copies_sync = {
    .name = "cuda_memcpy_sync",
    COPIES(KIND_memcpy),
    .event = sync_event,
    .write = write_copies,
};

const struct nsys_rule_kind nsys_copies_memset = {
    .name = "cuda_memset_sync",
    COPIES(KIND_memset),
    .event = memset_event,
    .write = write_fills,
};
