/*
 * cuda_trace.c - each call of CUDA, and each operation on devices
 *
 * All rows are held in memory, in the order of the stream, which is that of
 * time; a section follows another.  Rows share their texts.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "sums/cuda.h"

struct trace {
	struct table t;
	struct map known; /* of this section: ids -> place of a text */
	struct map texts; /* (hash, attempt) -> place of that text */
	struct text scratch;
};

/* ---- cells ---- */

/* an integer, or nothing */
static void
cell(struct table *t, const struct event *ev, enum key k)
{
	if (event_has(ev, k))
		table_int(t, event_int(ev, k, 0));
	else
		table_empty(t);
}

static void
empty(struct table *t, size_t n)
{
	while (n-- > 0)
		table_empty(t);
}

static void
text_of(struct table *t, const struct event *ev, enum key k, struct text *tmp)
{
	struct span s = event_str(ev, k, tmp);

	if (s.len > 0)
		table_text(t, s);
	else
		table_empty(t);
}

/* The text whose place is in slot again; false when there is none. */
static bool
again(struct table *t, const uint64_t *slot)
{
	if (*slot == 0)
		return false;
	table_again(t, *slot);
	return true;
}

static void
remember(const struct table *t, uint64_t *slot)
{
	*slot = table_place(t);
}

/* a short text, that others have as well */
static void
shared(struct trace *s, struct span text)
{
	uint64_t h = span_hash(text);

	for (uint64_t attempt = 0;; attempt++) {
		uint64_t *slot = map_get(&s->texts, h, attempt);

		if (*slot == 0) {
			table_text(&s->t, text);
			remember(&s->t, slot);
			return;
		}
		if (span_eq(table_place_text(&s->t, *slot), text)) {
			again(&s->t, slot);
			return;
		}
	}
}

/* ---- cuda_api_trace ---- */

static void
api_open(struct report *r)
{
	struct table *t = &((struct trace *)r->state)->t;

	table_column(t, "Start", UNIT_TIME);
	table_column(t, "Duration", UNIT_TIME);
	table_text_column(t, "Name");
	table_column(t, "Result", UNIT_NONE);
	table_column(t, "CorrID", UNIT_NONE);
	table_column(t, "Pid", UNIT_NONE);
	table_column(t, "Tid", UNIT_NONE);
	table_column(t, "T-Pri", UNIT_NONE);
	table_text_column(t, "Thread Name");
}

static void
api_event(struct report *r, const struct event *ev)
{
	struct trace *s = r->state;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID), priority;

	if (!cuda_is_call(ev))
		return;
	s->scratch.len = 0;
	cell(&s->t, ev, KEY_ts);
	cell(&s->t, ev, KEY_dur);
	shared(s, cuda_api_name(r, ev, &s->scratch));
	cell(&s->t, ev, KEY_ret);
	cell(&s->t, ev, KEY_corr);
	cell(&s->t, ev, KEY_pid);
	cell(&s->t, ev, KEY_tid);
	if (known_priority(r->known, pid, tid, &priority))
		table_int(&s->t, priority);
	else
		table_empty(&s->t);
	shared(s, known_thread(r->known, pid, tid));
}

/* ---- cuda_gpu_trace ---- */

static void
gpu_open(struct report *r)
{
	static const char *const numbers[] = {"CorrId", "GrdX", "GrdY", "GrdZ",
	    "BlkX", "BlkY", "BlkZ", "Reg/Trd"};
	struct table *t = &((struct trace *)r->state)->t;

	table_column(t, "Start", UNIT_TIME);
	table_column(t, "Duration", UNIT_TIME);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		table_column(t, numbers[i], UNIT_NONE);
	table_column(t, "StcSMem", UNIT_SIZE);
	table_column(t, "DymSMem", UNIT_SIZE);
	table_column(t, "Bytes", UNIT_SIZE);
	table_column(t, "Throughput", UNIT_THROUGHPUT);
	table_text_column(t, "SrcMemKd");
	table_text_column(t, "DstMemKd");
	table_text_column(t, "Device");
	table_column(t, "Ctx", UNIT_NONE);
	table_column(t, "GreenCtx", UNIT_NONE);
	table_column(t, "Strm", UNIT_NONE);
	table_text_column(t, "Name");
}

static void
dims(struct table *t, const struct event *ev, enum key k)
{
	int64_t d[3];

	if (!cuda_dims(ev, k, d)) {
		empty(t, 3);
		return;
	}
	for (size_t i = 0; i < 3; i++)
		table_int(t, d[i]);
}

/* bytes in a second; nsys rounds how often the time fits into a second */
static void
throughput(struct report *r, struct table *t, const struct event *ev)
{
	int64_t dur = event_int(ev, KEY_dur, 0), v;
	int64_t bytes = event_int(ev, KEY_bytes, 0);

	if (dur > 0 && event_has(ev, KEY_bytes) && !r->ask->compat)
		table_real(t, (long double)bytes * 1e9L / (long double)dur, 0);
	else if (dur > 0 && event_has(ev, KEY_bytes) &&
		 !__builtin_mul_overflow(bytes, 1000000000 / dur, &v))
		table_int(t, v);
	else
		table_empty(t);
}

static void
device(struct report *r, const struct event *ev)
{
	struct trace *s = r->state;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t id = event_int(ev, KEY_device, NO_ID);
	uint64_t *slot;

	if (id == NO_ID) {
		table_empty(&s->t);
		return;
	}
	slot = map_get(&s->known, (uint64_t)pid, (uint64_t)id);
	if (again(&s->t, slot))
		return;
	s->scratch.len = 0;
	text_add_span(&s->scratch, known_device(r->known, pid, id));
	if (s->scratch.len > 0)
		text_add_char(&s->scratch, ' ');
	text_printf(&s->scratch, "(%lld)", (long long)id);
	table_text(&s->t, text_span(&s->scratch));
	remember(&s->t, slot);
}

static void
kernel_name(struct report *r, const struct event *ev)
{
	struct trace *s = r->state;
	uint64_t *slot;

	if (!event_has(ev, KEY_sym)) {
		shared(s, cuda_kernel_name(r, ev, &s->scratch));
		return;
	}
	/* no process has this number */
	slot = map_get(&s->known, (uint64_t)INT64_MAX,
	    (uint64_t)event_int(ev, KEY_sym, 0));
	if (again(&s->t, slot))
		return;
	table_text(&s->t, cuda_kernel_name(r, ev, &s->scratch));
	remember(&s->t, slot);
}

static void
gpu_event(struct report *r, const struct event *ev)
{
	struct trace *s = r->state;
	struct table *t = &s->t;

	if (ev->kind == KIND_graph && r->ask->compat)
		return; /* nsys does not see them */
	s->scratch.len = 0;
	cell(t, ev, KEY_ts);
	cell(t, ev, KEY_dur);
	cell(t, ev, KEY_corr);
	dims(t, ev, KEY_grid);
	dims(t, ev, KEY_block);
	cell(t, ev, KEY_regs);
	cell(t, ev, KEY_smem_static);
	cell(t, ev, KEY_smem_dynamic);
	cell(t, ev, KEY_bytes);
	throughput(r, t, ev);
	text_of(
	    t, ev, ev->kind == KIND_memset ? KEY_mem : KEY_src, &s->scratch);
	text_of(t, ev, KEY_dst, &s->scratch);
	device(r, ev);
	cell(t, ev, KEY_context);
	cell(t, ev, KEY_green_context);
	cell(t, ev, KEY_stream);
	s->scratch.len = 0;
	if (ev->kind == KIND_kernel)
		kernel_name(r, ev);
	else
		shared(s, cuda_operation_name(ev, &s->scratch));
}

/* ---- both ---- */

static void
section_end(struct report *r)
{
	map_clear(&((struct trace *)r->state)->known);
}

/* the table is the state: hand it over */
static void
table(struct report *r, struct table *t)
{
	struct trace *s = r->state;

	s->t.report = t->report;
	s->t.title = t->title;
	*t = s->t;
	s->t = (struct table){0};
}

static void
close_trace(struct report *r)
{
	struct trace *s = r->state;

	table_free(&s->t);
	map_free(&s->known);
	map_free(&s->texts);
	text_free(&s->scratch);
}

static const enum key api_keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_corr,
    KEY_name, KEY_api, KEY_ret, KEY_raw, KEY_NONE};
static const enum key gpu_keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_corr,
    KEY_name, KEY_sym, KEY_device, KEY_context, KEY_stream, KEY_grid, KEY_block,
    KEY_regs, KEY_smem_static, KEY_smem_dynamic, KEY_bytes, KEY_copy, KEY_src,
    KEY_dst, KEY_mem, KEY_graph, KEY_green_context, KEY_NONE};
static const enum key exec_keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
    KEY_corr, KEY_name, KEY_sym, KEY_device, KEY_grid, KEY_block, KEY_raw,
    KEY_api, KEY_api_ts, KEY_api_dur, KEY_api_name, KEY_NONE};

#define TRACE \
	.size = sizeof(struct trace), .section_end = section_end, \
	.table = table, .close = close_trace
#define EXEC \
	.args = "base|mangled", .correlated = true, \
	.missing = "no kernel with its call in the stream", \
	.kinds = KINDS(kernel) | KINDS(api), .keys = exec_keys

const struct report_kind report_cuda_trace[] = {
    {TRACE, .name = "cuda_api_trace", .old = "cudaapitrace",
	.title = "CUDA API Trace", .missing = "no CUDA call in the stream",
	.open = api_open, .kinds = KINDS(api), .keys = api_keys,
	.event = api_event},
    {TRACE, .name = "cuda_gpu_trace", .old = "gputrace",
	.title = "CUDA GPU Trace", .args = "base|mangled",
	.missing = "no operation of a device in the stream", .open = gpu_open,
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.keys = gpu_keys, .event = gpu_event},
    {EXEC, .name = "cuda_kern_exec_sum", .old = "kernexecsum",
	.title = "CUDA Kernel Launch & Exec Time Summary",
	.size = sizeof(struct exec_sum), .open = exec_sum_open,
	.event = exec_sum_event, .section_end = exec_sum_section_end,
	.table = exec_sum_table, .groups = exec_sum_groups,
	.close = exec_sum_close},
    {EXEC, .name = "cuda_kern_exec_trace", .old = "kernexectrace",
	.title = "CUDA Kernel Launch & Exec Time Trace",
	.size = sizeof(struct exec_trace), .event = exec_trace_event,
	.section_end = exec_trace_section_end, .table = exec_trace_table,
	.close = exec_trace_close},
    {0},
};
