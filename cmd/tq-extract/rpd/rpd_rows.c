/* rpd_rows.c - the rows of rocmProfileData, each as a record */

#include <math.h>
#include <stdlib.h>

#include "rpd.h"
#include "tq/base/cpp_name.h"
#include "tq/names/api_call.h"

static struct span
text_of(const struct sql_value *v)
{
	return v->type == SQL_TEXT ? v->s : SPAN("");
}

static bool
is_wanted(struct rpd *r, enum rpd_rows table, enum kind kind)
{
	bool wanted = (r->settings->kinds >> kind & 1) != 0;

	r->counts[table].unwanted += !wanted;
	return wanted;
}

static void
finish(struct rpd *r, enum rpd_rows table, const struct row_source *rows)
{
	record_values_write(
	    &r->record, rows->row.bytes->ts, rows->row.bytes->dur);
	r->counts[table].records++;
}

/* ---- calls ---- */

/* calls of the tracer itself */
static bool
is_overhead(struct span name)
{
	static const char *const names[] = {
	    "rpdflush", "run_to_completion", "hcc_activity_callback"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (span_eq(name, span_of(names[i])))
			return true;
	return span_ends(name, SPAN("Table::writeRows"));
}

static const char *
interface_of(struct span name)
{
	switch (api_call_of(name).family) {
	case API_HIP:
		return "hip";
	case API_HSA:
		return "hsa";
	case API_NCCL:
		return "rccl";
	default:
		return "rocm";
	}
}

static void
write_api(struct rpd *r, struct row_source *rows, const struct sql_value *v)
{
	struct span name = text_of(&v[API_NAME]), args = text_of(&v[API_ARGS]);
	bool marker = span_eq(name, SPAN("UserMarker"));
	enum kind kind = marker              ? KIND_range
			 : is_overhead(name) ? KIND_overhead
					     : KIND_api;

	if (!is_wanted(r, RPD_API, kind))
		return;
	record_values_begin(&r->record, kind);
	rpd_put(r, KEY_pid, &v[API_PID]);
	rpd_put(r, KEY_tid, &v[API_TID]);
	record_values_text(
	    &r->record, KEY_name, marker && args.len > 0 ? args : name);
	if (kind == KIND_range) {
		record_values_text(&r->record, KEY_mode, SPAN("push"));
		record_values_text(&r->record, KEY_domain, SPAN("roctx"));
	}
	if (kind == KIND_api) {
		rpd_put(r, KEY_corr, &v[API_ID]);
		record_values_text(
		    &r->record, KEY_api, span_of(interface_of(name)));
	}
	if (!marker && args.len > 0) {
		r->text.len = 0;
		text_add_str(&r->text, "\"text\":");
		text_add_json(&r->text, args.p, args.len);
		record_values_text(&r->record, KEY_args, text_span(&r->text));
	}
	finish(r, RPD_API, rows);
}

/* ---- operations ---- */

/* the number of a kernel; the first of its records comes after its symbol */
static int64_t
define_symbol(struct rpd *r, struct span name)
{
	size_t known = r->kernels.count;
	int64_t id = (int64_t)intern_get(&r->kernels, name) + 1;

	if (r->kernels.count > known) {
		r->writer.out = r->frames;
		record_values_begin(&r->record, KIND_symbol);
		record_values_text(&r->record, KEY_name, cpp_name_base(name));
		record_values_int(&r->record, KEY_id, id);
		record_values_text(&r->record, KEY_demangled, name);
		record_values_define(&r->record);
		r->writer.out = r->out;
	}
	return id;
}

static void
put_dimensions(struct rpd *r, const struct sql_value *v)
{
	bool items = api_call_of(text_of(&v[WORK_LAUNCH])).items;
	int64_t grid[3], block[3];

	for (int i = 0; i < 3; i++) {
		grid[i] = rpd_int(&v[WORK_GRID_X + i]);
		block[i] = rpd_int(&v[WORK_BLOCK_X + i]);
		if (grid[i] <= 0 || block[i] <= 0)
			return;
		if (items)
			grid[i] = grid[i] / block[i] + (grid[i] % block[i] > 0);
	}
	record_values_dims(&r->record, KEY_grid, grid);
	record_values_dims(&r->record, KEY_block, block);
}

/* HtoD of CopyHostToDevice; empty for other names */
static struct span
direction(struct span type)
{
	static const char *const words[][2] = {
#define HIP_COPY(name, type, word) {type, word},
#include "tq/hip.def"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_begins(type, span_of(words[i][0])))
			return span_of(words[i][1]);
	return span_begins(type, SPAN("Copy")) ? SPAN("Unknown") : SPAN("");
}

static void
put_kernel(struct rpd *r, const struct sql_value *v, int64_t symbol)
{
	record_values_text(
	    &r->record, KEY_name, cpp_name_base(text_of(&v[WORK_NAME])));
	record_values_int(&r->record, KEY_sym, symbol);
	put_dimensions(r, v);
	rpd_put(r, KEY_smem_dynamic, &v[WORK_SHARED]);
	rpd_put(r, KEY_local, &v[WORK_LOCAL]);
}

static void
write_op(struct rpd *r, struct row_source *rows, const struct sql_value *v)
{
	struct span type = text_of(&v[WORK_TYPE]), copy = direction(type);
	bool named = text_of(&v[WORK_NAME]).len > 0;
	enum kind kind = copy.len > 0 ? KIND_memcpy
			 : named || span_eq(type, SPAN("KernelExecution")) ||
				 span_eq(type, SPAN("Task"))
			     ? KIND_kernel
			     : KIND_sync;
	int64_t symbol = 0;

	if (!is_wanted(r, RPD_OP, kind))
		return;
	if (kind == KIND_kernel)
		symbol = define_symbol(r, text_of(&v[WORK_NAME]));
	record_values_begin(&r->record, kind);
	if (v[WORK_PID].type == SQL_INT)
		rpd_put(r, KEY_pid, &v[WORK_PID]);
	else if (r->pid >= 0) /* the only process */
		record_values_int(&r->record, KEY_pid, r->pid);
	if (kind != KIND_sync)
		rpd_put(r, KEY_tid, &v[WORK_TID]);
	rpd_put(r, KEY_corr, &v[WORK_API]);
	rpd_put(r, KEY_device, &v[WORK_DEVICE]);
	rpd_put(r, KEY_stream, &v[WORK_QUEUE]);
	rpd_put(r, KEY_queue, &v[WORK_QUEUE]);
	if (kind == KIND_kernel)
		put_kernel(r, v, symbol);
	if (kind == KIND_memcpy) {
		record_values_text(&r->record, KEY_copy, copy);
		rpd_put(r, KEY_bytes, &v[WORK_BYTES]);
	}
	if (kind == KIND_sync)
		record_values_text(&r->record, KEY_sync, type);
	finish(r, RPD_OP, rows);
}

/* ---- counters ---- */

/* "gpu sclk" of device 2 is a counter of its own */
static int64_t
define_counter(struct rpd *r, const struct sql_value *v)
{
	size_t known = r->counters.count, name;
	int64_t id;

	r->text.len = 0;
	text_add_int(&r->text, rpd_int(&v[MONITOR_DEVICE]));
	text_add_char(&r->text, ' ');
	name = r->text.len;
	text_add_span(&r->text, text_of(&v[MONITOR_TYPE]));
	text_add_char(&r->text, ' ');
	text_add_span(&r->text, text_of(&v[MONITOR_NAME]));
	id = (int64_t)intern_get(&r->counters, text_span(&r->text)) + 1;
	if (r->counters.count > known) {
		r->writer.out = r->frames;
		record_values_begin(&r->record, KIND_counterdef);
		record_values_text(&r->record, KEY_name,
		    (struct span){r->text.p + name, r->text.len - name});
		record_values_int(&r->record, KEY_id, id);
		rpd_put(r, KEY_device, &v[MONITOR_DEVICE]);
		record_values_define(&r->record);
		r->writer.out = r->out;
	}
	return id;
}

/* a real, or text of one; false for anything else */
static bool
real_of(const struct sql_value *v, double *real)
{
	char digits[32], *end = digits;

	*real = v->type == SQL_REAL ? v->d : NAN;
	if (v->type == SQL_TEXT && v->s.len > 0 && v->s.len < sizeof(digits)) {
		memcpy(digits, v->s.p, v->s.len);
		digits[v->s.len] = '\0';
		*real = strtod(digits, &end);
		if (end != digits + v->s.len)
			return false;
	}
	return isfinite(*real);
}

static void
write_monitor(struct rpd *r, struct row_source *rows, const struct sql_value *v)
{
	const struct sql_value *value = &v[MONITOR_VALUE];
	int64_t id, integer = 0;
	double real = 0;
	bool whole;

	if (!is_wanted(r, RPD_MONITOR, KIND_counter))
		return;
	whole = value->type != SQL_REAL && sql_value_int(value, &integer);
	if (!whole && !real_of(value, &real)) {
		r->counts[RPD_MONITOR].no_number++;
		return;
	}
	id = define_counter(r, v);
	record_values_begin(&r->record, KIND_counter);
	if (r->pid >= 0)
		record_values_int(&r->record, KEY_pid, r->pid);
	rpd_put(r, KEY_device, &v[MONITOR_DEVICE]);
	record_values_int(&r->record, KEY_counter, id);
	if (whole)
		record_values_int(&r->record, KEY_value, integer);
	else
		record_values_real(&r->record, KEY_value, real);
	finish(r, RPD_MONITOR, rows);
}

void
rpd_rows_write(struct rpd *r, enum rpd_rows table, struct row_source *rows)
{
	static void (*const writers[RPD_TABLES])(struct rpd *,
	    struct row_source *,
	    const struct sql_value *) = {write_api, write_op, write_monitor};

	writers[table](r, rows, row_source_values(rows));
}
