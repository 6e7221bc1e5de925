/*
 * ascend_map.c - events of an NPU as torch_npu and msprof, the profilers of
 * Ascend, have them
 */

#include <stdlib.h>

#include "ascend_map.h"
#include "chrome_records.h"
#include "trace_args.h"

static const struct span call_prefix = {"AscendCL@", 9};

/* ---- operations ---- */

/* tasks that are no kernels, by the beginning of their name or type */
static const struct task {
	const char *word;
	enum kind kind;
} tasks[] = {
    {"EVENT_", KIND_sync},
    {"NOTIFY_", KIND_sync},
    {"PLACE_HOLDER", KIND_sync},
    {"MEMCPY", KIND_memcpy},
    {"SDMA", KIND_memcpy},
    {"PCIE_DMA", KIND_memcpy},
};

static enum kind
kind_of_task(struct chrome *c)
{
	struct json_member *type = trace_args_find(c, SPAN("Task Type"));
	struct span name = trace_args_inner(c, TRACE_NAME);

	for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		if (span_begins(name, span_of(tasks[i].word)) ||
		    (type != NULL && span_begins(lenient_inner(type->value),
					 span_of(tasks[i].word))))
			return tasks[i].kind;
	return KIND_kernel;
}

static void
write_operation(struct chrome *c, int64_t ts, int64_t dur, int64_t device)
{
	struct sorted_records *h = &c->section.records;
	struct span name = trace_args_inner(c, TRACE_NAME), base = name;
	enum kind kind = kind_of_task(c);
	int64_t connection = trace_args_int(c, SPAN("connection_id"));
	int64_t stream = trace_args_int(c, SPAN("Stream Id"));

	if (chrome_untimed(c, ts, dur))
		return;
	chrome_records_begin(c, &(struct chrome_record){.kind = kind,
				    .ts = ts,
				    .dur = dur,
				    .pid = NO_ID,
				    .corr = connection,
				    .owner = OWNER_CALLER,
				    .connected = true});
	if (kind == KIND_kernel) {
		int64_t sym = trace_args_symbol(c, name, &base);

		sorted_records_json(h, KEY_name, base);
		sorted_records_int(h, KEY_sym, sym);
	} else {
		sorted_records_value(h, KEY_name, name);
	}
	sorted_records_int(h, KEY_device, device);
	sorted_records_int(h, KEY_stream, stream);
	if (kind == KIND_memcpy)
		sorted_records_value(h, KEY_copy, SPAN("Unknown"));
	chrome_records_end(c);
}

/* ---- calls ---- */

static struct ascend_moment *
add_moment(struct ascend_moments *m)
{
	return array_add(&m->all, &m->count, &m->cap);
}

static void
write_call(struct chrome *c, int64_t ts, int64_t dur, int64_t pid)
{
	struct sorted_records *h = &c->section.records;
	struct span name = trace_args_inner(c, TRACE_NAME);
	int64_t tid = trace_args_tid(c);
	int64_t corr = trace_args_int(c, SPAN("connection_id"));

	name.p += call_prefix.len;
	name.len -= call_prefix.len;
	*add_moment(&c->ascend.calls) =
	    (struct ascend_moment){tid, ts, time_end(ts, dur), corr};
	chrome_ids_host(&c->ids, pid, true);
	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_api,
				    .ts = ts,
				    .dur = dur,
				    .pid = pid,
				    .corr = corr,
				    .owner = OWNER_HOST});
	sorted_records_int(h, KEY_tid, tid);
	sorted_records_int(h, KEY_corr, corr);
	sorted_records_value(h, KEY_name, name);
	sorted_records_value(h, KEY_api, SPAN("acl"));
	chrome_records_end(c);
}

bool
ascend_map_complete(struct chrome *c, int64_t ts, int64_t dur)
{
	int64_t pid;

	if (!c->ids.ascend || c->category->name.len > 0 || dur == NEVER_ENDED)
		return false;
	pid = trace_args_pid(c);
	switch (chrome_ids_part(&c->ids, pid)) {
	case PART_NPU:
		write_operation(c, ts, dur, chrome_ids_plane(&c->ids, pid));
		return true;
	case PART_COMPUTED:
		chrome_fold(c);
		return true;
	case PART_CANN:
		if (!span_begins(trace_args_inner(c, TRACE_NAME), call_prefix))
			return false;
		write_call(c, ts, dur, pid);
		return true;
	default:
		return false;
	}
}

bool
ascend_map_flow(struct chrome *c, int64_t ts)
{
	int64_t id, tid;

	if (!c->ids.ascend)
		return false;
	if (span_eq(c->category->name, SPAN("async_npu"))) {
		chrome_fold(c); /* from an operator to the operation */
		return true;
	}
	if (!span_eq(c->category->name, SPAN("HostToDevice")))
		return false;
	chrome_fold(c);
	tid = trace_args_tid(c);
	if (span_eq(trace_args_inner(c, TRACE_PH), SPAN("s")) &&
	    lenient_int(trace_args_inner(c, TRACE_ID), &id))
		*add_moment(&c->ascend.launches) =
		    (struct ascend_moment){tid, ts, ts, id >> 32};
	return true;
}

/* ---- who launched what ---- */

/* by thread and time; of calls that begin together, the outer one first */
static int
compare_moments(const void *a, const void *b)
{
	const struct ascend_moment *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (x->end < y->end) - (x->end > y->end);
}

static void
sort_moments(struct ascend_moments *m)
{
	if (m->count > 0)
		qsort(m->all, m->count, sizeof(*m->all), compare_moments);
}

/*
 * The innermost of the calls before one that has not ended; those that have
 * are taken off the chain of the open ones.
 */
static size_t
open_at(const struct ascend_moment *calls, size_t *outer, size_t open,
    int64_t tid, int64_t ts)
{
	while (open > 0 &&
	       (calls[open - 1].tid != tid || calls[open - 1].end < ts))
		open = outer[open - 1];
	return open;
}

void
ascend_map_finish(struct chrome *c)
{
	struct ascend_moments *calls = &c->ascend.calls,
			      *launches = &c->ascend.launches;
	size_t *outer = mem_resize(NULL, calls->count + 1, sizeof(*outer));
	size_t open = 0, next = 0;

	sort_moments(calls);
	sort_moments(launches);
	for (size_t i = 0; i < launches->count; i++) {
		const struct ascend_moment *l = &launches->all[i];

		for (; next < calls->count &&
		       (calls->all[next].tid < l->tid ||
			   (calls->all[next].tid == l->tid &&
			       calls->all[next].ts <= l->ts));
		     next++) {
			outer[next] = open_at(calls->all, outer, open,
			    calls->all[next].tid, calls->all[next].ts);
			open = next + 1;
		}
		open = open_at(calls->all, outer, open, l->tid, l->ts);
		if (open > 0)
			*map_get(&c->ascend.call_of, (uint64_t)l->id, 0) =
			    (uint64_t)calls->all[open - 1].id;
	}
	free(outer);
}

void
ascend_map_free(struct chrome *c)
{
	free(c->ascend.calls.all);
	free(c->ascend.launches.all);
	map_free(&c->ascend.call_of);
}
