/*
 * cuda_trace.c - each call of CUDA, and each operation of a device
 *
 * It stores all rows, in the order of the stream, which is the order of time; a
 * section follows another.  Rows share their texts.
 */

#include "compat/missing.h"
#include "sums/cuda.h"
#include "tq/names/model.h"
#include "tq/show/col.h"

/* of the section: ids -> place of a text in the table */
struct cuda_trace {
	struct map devices;         /* (pid, device) */
	NUMBERED(uint64_t) kernels; /* by symbol */
};

static void
int_col(struct table *t, const char *name, enum unit unit,
    const struct event *ev, enum key k)
{
	bool has = event_has(ev, k);

	col_int_if(t, name, unit, has, has ? event_int(ev, k, 0) : 0);
}

static const struct event no_event;

/* ---- cuda_api_trace ---- */

static void
api_row(struct table *t, struct report *r, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	struct defined_name thread;

	names_thread(r->names, pid, tid, &thread);
	r->scratch.len = 0;
	int_col(t, "Start", UNIT_TIME, ev, KEY_ts);
	int_col(t, "Duration", UNIT_TIME, ev, KEY_dur);
	col_shared_text(t, "Name", cuda_api_name(r, ev, &r->scratch));
	int_col(t, "Result", UNIT_NONE, ev, KEY_ret);
	int_col(t, "CorrID", UNIT_NONE, ev, KEY_corr);
	int_col(t, "Pid", UNIT_NONE, ev, KEY_pid);
	int_col(t, "Tid", UNIT_NONE, ev, KEY_tid);
	col_id(t, "T-Pri", thread.number);
	col_shared_text(t, "Thread Name", cuda_shown(r, thread.name));
}

static void
api_open(struct report *r)
{
	col_heading(&r->rows, api_row, r, &no_event);
}

static void
api_event(struct report *r, const struct event *ev)
{
	if (api_call_is_of_gpu(ev))
		api_row(&r->rows, r, ev);
}

/* ---- cuda_gpu_trace ---- */

static void
dims_cols(struct table *t, const char *const names[3], const struct event *ev,
    enum key k)
{
	int64_t d[3] = {0};
	bool has = cuda_dims(ev, k, d);

	for (size_t i = 0; i < 3; i++)
		col_int_if(t, names[i], UNIT_NONE, has, d[i]);
}

/* nsys rounds how often the time fits into a second */
static void
throughput_col(struct table *t, struct report *r, const struct event *ev)
{
	int64_t dur = event_int(ev, KEY_dur, 0), v = 0;
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	bool has = dur > 0 && event_has(ev, KEY_bytes);

	if (!r->settings->compat) {
		col_rate(t, "Throughput", bytes, has ? dur : 0);
		return;
	}
	has = has && !__builtin_mul_overflow(bytes, 1000000000 / dur, &v);
	col_int_if(t, "Throughput", UNIT_THROUGHPUT, has, v);
}

static void
memory_col(struct table *t, const char *name, struct report *r,
    const struct event *ev, enum key k)
{
	struct span s = cuda_shown(r, event_str(ev, k, &r->scratch));

	col_text_if(t, name, s.len > 0, s);
}

static void
device_col(struct table *t, struct report *r, const struct event *ev)
{
	struct cuda_trace *s = r->state;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t id = event_int(ev, KEY_device, NO_ID);
	struct defined_name name;
	uint64_t *place;

	if (t->heading || id == NO_ID) {
		col_text_if(t, "Device", false, SPAN(""));
		return;
	}
	place = map_get(&s->devices, (uint64_t)pid, (uint64_t)id);
	if (*place != 0) {
		table_again(t, *place);
		return;
	}
	r->scratch.len = 0;
	names_device(r->names, pid, id, &name);
	text_add_span(&r->scratch, name.name);
	if (r->scratch.len > 0 || r->settings->compat)
		text_add_char(&r->scratch, ' ');
	text_printf(&r->scratch, "(%lld)", (long long)id);
	table_text(t, text_span(&r->scratch));
	*place = table_place(t);
}

/* nsys shows no name of a copy without a name of its direction */
static struct span
operation_name(struct report *r, const struct event *ev)
{
	struct span copy = event_str(ev, KEY_copy, &r->scratch);

	if (r->settings->compat && missing_is(copy))
		return SPAN("");
	r->scratch.len = 0;
	return cuda_operation_name(ev, &r->scratch);
}

static void
name_col(struct table *t, struct report *r, const struct event *ev)
{
	struct cuda_trace *s = r->state;
	uint64_t *place;
	bool fresh;

	r->scratch.len = 0;
	if (t->heading || ev->kind != KIND_kernel) {
		col_shared_text(t, "Name", operation_name(r, ev));
		return;
	}
	place = numbered_get(&s->kernels, model_symbol(ev), &fresh);
	if (!fresh) {
		table_again(t, *place);
		return;
	}
	table_text(t, cuda_kernel_name(r, ev, &r->scratch));
	*place = table_place(t);
}

static void
gpu_row(struct table *t, struct report *r, const struct event *ev)
{
	static const char *const grid[3] = {"GrdX", "GrdY", "GrdZ"};
	static const char *const block[3] = {"BlkX", "BlkY", "BlkZ"};

	r->scratch.len = 0;
	int_col(t, "Start", UNIT_TIME, ev, KEY_ts);
	int_col(t, "Duration", UNIT_TIME, ev, KEY_dur);
	int_col(t, "CorrId", UNIT_NONE, ev, KEY_corr);
	dims_cols(t, grid, ev, KEY_grid);
	dims_cols(t, block, ev, KEY_block);
	int_col(t, "Reg/Trd", UNIT_NONE, ev, KEY_regs);
	int_col(t, "StcSMem", UNIT_SIZE, ev, KEY_smem_static);
	int_col(t, "DymSMem", UNIT_SIZE, ev, KEY_smem_dynamic);
	int_col(t, "Bytes", UNIT_SIZE, ev, KEY_bytes);
	throughput_col(t, r, ev);
	memory_col(
	    t, "SrcMemKd", r, ev, ev->kind == KIND_memset ? KEY_mem : KEY_src);
	memory_col(t, "DstMemKd", r, ev, KEY_dst);
	device_col(t, r, ev);
	int_col(t, "Ctx", UNIT_NONE, ev, KEY_context);
	int_col(t, "GreenCtx", UNIT_NONE, ev, KEY_green_context);
	int_col(t, "Strm", UNIT_NONE, ev, KEY_stream);
	name_col(t, r, ev);
}

static void
gpu_open(struct report *r)
{
	col_heading(&r->rows, gpu_row, r, &no_event);
}

static void
gpu_event(struct report *r, const struct event *ev)
{
	if (ev->kind != KIND_graph || !r->settings->compat)
		gpu_row(&r->rows, r, ev); /* nsys does not see graphs */
}

static void
gpu_section_end(struct report *r)
{
	struct cuda_trace *s = r->state;

	map_clear(&s->devices);
	numbered_clear(&s->kernels);
}

static void
gpu_close(struct report *r)
{
	struct cuda_trace *s = r->state;

	map_free(&s->devices);
	numbered_free(&s->kernels);
}

/* ---- the reports ---- */

const struct report_kind cuda_trace_reports[] = {
    {.name = "cuda_api_trace",
	.question = ASKS_HOST,
	.row_parts = true,
	.rows = ROWS_CALL,
	.old = "cudaapitrace",
	.title = "CUDA API Trace",
	.missing = "no CUDA API call in the stream",
	.kinds = KINDS(api),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_corr, KEY_name,
	    KEY_api, KEY_ret, KEY_raw),
	.open = api_open,
	.event = api_event},
    {.name = "cuda_gpu_trace",
	.question = ASKS_DEVICES,
	.row_parts = true,
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.old = "gputrace",
	.title = "CUDA GPU Trace",
	.args = "base|mangled",
	.missing = "no operation of a device in the stream",
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_corr, KEY_name, KEY_sym,
	    KEY_device, KEY_context, KEY_stream, KEY_grid, KEY_block, KEY_regs,
	    KEY_smem_static, KEY_smem_dynamic, KEY_bytes, KEY_copy, KEY_src,
	    KEY_dst, KEY_mem, KEY_graph, KEY_green_context),
	.size = sizeof(struct cuda_trace),
	.open = gpu_open,
	.event = gpu_event,
	.section_end = gpu_section_end,
	.close = gpu_close},
    {0},
};
