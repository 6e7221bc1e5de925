/*
 * rpd_source.c - a recording of rocmProfileData becomes a section
 *
 * Its tables are small beside those of other profilers: SQLite joins and sorts
 * them.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "rpd_source.h"
#include "sqlite/row_merge.h"
#include "tq/base/cpp_name.h"
#include "tq/base/intern.h"
#include "tq/io/emit.h"
#include "write/made_record.h"
#include "tq/io/status.h"

/* in the order in which records of equal time and duration are written */
enum rpd_rows { RPD_API, RPD_OP, RPD_MONITOR, RPD_TABLES };

/* what became of the rows of a table */
struct rpd_counts {
	int64_t rows, records, outside, unwanted, no_start, no_number;
};

/* a recording that is read */
struct rpd {
	const struct database *db;
	const struct source_settings *settings;
	struct output *out, *frames; /* see struct source_input */
	struct row_writer writer;
	struct made_record record;
	struct table_layout layouts[RPD_TABLES];
	struct rpd_counts counts[RPD_TABLES];
	int64_t origin, pid, several; /* pid: of the first call */
	struct intern kernels, counters;
	struct text text;
};

/* the columns of all queries begin like this */
enum { START, END };
enum { API_ID = 2, API_PID, API_TID, API_NAME, API_ARGS, API_COLUMNS };
enum {
	WORK_PID = 2,
	WORK_TID,
	WORK_API,
	WORK_DEVICE,
	WORK_QUEUE,
	WORK_NAME,
	WORK_TYPE,
	WORK_LAUNCH,
	WORK_GRID_X,
	WORK_GRID_Y,
	WORK_GRID_Z,
	WORK_BLOCK_X,
	WORK_BLOCK_Y,
	WORK_BLOCK_Z,
	WORK_SHARED,
	WORK_LOCAL,
	WORK_BYTES,
	WORK_COLUMNS
};
enum {
	MONITOR_TYPE = 2,
	MONITOR_DEVICE,
	MONITOR_NAME,
	MONITOR_VALUE,
	MONITOR_COLUMNS
};

static const struct {
	const char *table, *sql;
	int columns;
} queries[RPD_TABLES] = {
    [RPD_API] = {"rocpd_api",
	"SELECT a.start, a.\"end\", a.id, pid, tid, n.string, t.string "
	"FROM rocpd_api a LEFT JOIN rocpd_string n ON n.id = apiName_id "
	"LEFT JOIN rocpd_string t ON t.id = args_id "
	"ORDER BY a.start, coalesce(a.\"end\", 0) <> 0, a.\"end\" DESC, a.id",
	API_COLUMNS},
    /* of an operation with several calls, the first */
    [RPD_OP] = {"rocpd_op",
	"SELECT o.start, o.\"end\", a.pid, a.tid, x.api, gpuId, queueId, "
	"coalesce(nullif(d.string, ''), kn.string), t.string, an.string, "
	"gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, "
	"groupSegmentSize, privateSegmentSize, c.size FROM rocpd_op o "
	"LEFT JOIN (SELECT op_id, min(api_id) AS api FROM rocpd_api_ops "
	"GROUP BY op_id) x ON x.op_id = o.id "
	"LEFT JOIN rocpd_api a ON a.id = x.api "
	"LEFT JOIN rocpd_string an ON an.id = a.apiName_id "
	"LEFT JOIN rocpd_kernelapi k ON k.api_ptr_id = x.api "
	"LEFT JOIN rocpd_copyapi c ON c.api_ptr_id = x.api "
	"LEFT JOIN rocpd_string d ON d.id = o.description_id "
	"LEFT JOIN rocpd_string kn ON kn.id = k.kernelName_id "
	"LEFT JOIN rocpd_string t ON t.id = o.opType_id "
	"ORDER BY o.start, coalesce(o.\"end\", 0) <> 0, o.\"end\" DESC, o.id",
	WORK_COLUMNS},
    [RPD_MONITOR] = {"rocpd_monitor",
	"SELECT start, start, deviceType, deviceId, monitorType, value "
	"FROM rocpd_monitor ORDER BY start, id",
	MONITOR_COLUMNS},
};

/* ---- values ---- */

static int64_t
int_of(const struct sql_value *v)
{
	return v->type == SQL_INT ? v->i : INT64_MIN;
}

static struct span
text_of(const struct sql_value *v)
{
	return v->type == SQL_TEXT ? v->s : SPAN("");
}

static void
put_int(struct rpd *r, enum made_value value, const struct sql_value *v)
{
	if (v->type == SQL_INT)
		made_record_int(&r->record, value, v->i);
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
	made_record_write(
	    &r->record, rows->row.bytes->ts, rows->row.bytes->dur);
	r->counts[table].records++;
}

/* ---- calls ---- */

/* what the tracer does for itself */
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
	return span_begins(name, SPAN("hip"))    ? "hip"
	       : span_begins(name, SPAN("hsa_")) ? "hsa"
	       : span_begins(name, SPAN("nccl")) ? "rccl"
						 : "rocm";
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
	made_record_begin(&r->record, kind);
	put_int(r, MADE_PID, &v[API_PID]);
	put_int(r, MADE_TID, &v[API_TID]);
	made_record_text(
	    &r->record, MADE_NAME, marker && args.len > 0 ? args : name);
	if (kind == KIND_range) {
		made_record_text(&r->record, MADE_MODE, SPAN("push"));
		made_record_text(&r->record, MADE_DOMAIN, SPAN("roctx"));
	}
	if (kind == KIND_api) {
		put_int(r, MADE_CORR, &v[API_ID]);
		made_record_text(
		    &r->record, MADE_API, span_of(interface_of(name)));
	}
	if (!marker && args.len > 0) {
		r->text.len = 0;
		text_add_str(&r->text, "\"text\":");
		text_add_json(&r->text, args.p, args.len);
		made_record_text(&r->record, MADE_ARGS, text_span(&r->text));
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
		made_record_begin(&r->record, KIND_symbol);
		made_record_text(&r->record, MADE_NAME, cpp_name_base(name));
		made_record_int(&r->record, MADE_ID, id);
		made_record_text(&r->record, MADE_DEMANGLED, name);
		made_record_define(&r->record);
		r->writer.out = r->out;
	}
	return id;
}

/* a launch of a module counts work-items, other launches work-groups */
static void
put_dimensions(struct rpd *r, const struct sql_value *v)
{
	bool items =
	    span_begins(text_of(&v[WORK_LAUNCH]), SPAN("hipExtModuleLaunch"));

	for (int i = 0; i < 3; i++)
		if (int_of(&v[WORK_GRID_X + i]) <= 0 ||
		    int_of(&v[WORK_BLOCK_X + i]) <= 0)
			return;
	for (int i = 0; i < 3; i++) {
		int64_t n = v[WORK_GRID_X + i].i, group = v[WORK_BLOCK_X + i].i;

		if (items)
			n = n / group + (n % group > 0);
		made_record_int(
		    &r->record, (enum made_value)(MADE_GRID_X + i), n);
		made_record_int(
		    &r->record, (enum made_value)(MADE_BLOCK_X + i), group);
	}
}

/* HtoD of CopyHostToDevice; empty for what is no copy */
static struct span
direction(struct span type)
{
	static const char *const words[][2] = {{"CopyHostToDevice", "HtoD"},
	    {"CopyDeviceToHost", "DtoH"}, {"CopyDeviceToDevice", "DtoD"},
	    {"CopyHostToHost", "HtoH"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_begins(type, span_of(words[i][0])))
			return span_of(words[i][1]);
	return span_begins(type, SPAN("Copy")) ? SPAN("Unknown") : SPAN("");
}

static void
put_kernel(struct rpd *r, const struct sql_value *v, int64_t symbol)
{
	made_record_text(
	    &r->record, MADE_NAME, cpp_name_base(text_of(&v[WORK_NAME])));
	made_record_int(&r->record, MADE_SYM, symbol);
	put_dimensions(r, v);
	put_int(r, MADE_SMEM_DYNAMIC, &v[WORK_SHARED]);
	put_int(r, MADE_LOCAL, &v[WORK_LOCAL]);
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
	made_record_begin(&r->record, kind);
	if (v[WORK_PID].type == SQL_INT)
		put_int(r, MADE_PID, &v[WORK_PID]);
	else if (r->pid >= 0) /* the only process */
		made_record_int(&r->record, MADE_PID, r->pid);
	if (kind != KIND_sync)
		put_int(r, MADE_TID, &v[WORK_TID]);
	put_int(r, MADE_CORR, &v[WORK_API]);
	put_int(r, MADE_DEVICE, &v[WORK_DEVICE]);
	put_int(r, MADE_STREAM, &v[WORK_QUEUE]);
	put_int(r, MADE_QUEUE, &v[WORK_QUEUE]);
	if (kind == KIND_kernel)
		put_kernel(r, v, symbol);
	if (kind == KIND_memcpy) {
		made_record_text(&r->record, MADE_COPY, copy);
		put_int(r, MADE_BYTES, &v[WORK_BYTES]);
	}
	if (kind == KIND_sync)
		made_record_text(&r->record, MADE_SYNC, type);
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
	text_add_int(&r->text, int_of(&v[MONITOR_DEVICE]));
	text_add_char(&r->text, ' ');
	name = r->text.len;
	text_add_span(&r->text, text_of(&v[MONITOR_TYPE]));
	text_add_char(&r->text, ' ');
	text_add_span(&r->text, text_of(&v[MONITOR_NAME]));
	id = (int64_t)intern_get(&r->counters, text_span(&r->text)) + 1;
	if (r->counters.count > known) {
		r->writer.out = r->frames;
		made_record_begin(&r->record, KIND_counterdef);
		made_record_text(&r->record, MADE_NAME,
		    (struct span){r->text.p + name, r->text.len - name});
		made_record_int(&r->record, MADE_ID, id);
		put_int(r, MADE_DEVICE, &v[MONITOR_DEVICE]);
		made_record_define(&r->record);
		r->writer.out = r->out;
	}
	return id;
}

static void
write_monitor(struct rpd *r, struct row_source *rows, const struct sql_value *v)
{
	struct sql_value value = v[MONITOR_VALUE];
	int64_t id, n;

	if (!is_wanted(r, RPD_MONITOR, KIND_counter))
		return;
	if (!sql_value_int(&value, &n)) {
		r->counts[RPD_MONITOR].no_number++;
		return;
	}
	id = define_counter(r, v);
	made_record_begin(&r->record, KIND_counter);
	if (r->pid >= 0)
		made_record_int(&r->record, MADE_PID, r->pid);
	put_int(r, MADE_DEVICE, &v[MONITOR_DEVICE]);
	made_record_int(&r->record, MADE_COUNTER, id);
	made_record_int(&r->record, MADE_VALUE, n);
	finish(r, RPD_MONITOR, rows);
}

/* ---- the section ---- */

static bool
detect(const struct source_input *in)
{
	return database_int(in->db, 0,
		   database_prepare(in->db,
		       "SELECT count(*) FROM main.sqlite_master "
		       "WHERE type = 'table' AND name IN "
		       "('rocpd_api', 'rocpd_op', 'rocpd_string')")) == 3;
}

static int64_t
ask(const struct rpd *r, int64_t otherwise, const char *sql)
{
	return database_int(
	    r->db, otherwise, database_prepare(r->db, "%s", sql));
}

static void *
open_recording(const struct source_input *in)
{
	struct rpd *r = mem_alloc(sizeof(*r));

	*r = (struct rpd){.db = in->db,
	    .settings = in->settings,
	    .out = in->out,
	    .frames = in->frames};
	row_writer_init(&r->writer, in->frames, NULL);
	r->record.writer = &r->writer;
	r->record.keys = &in->settings->keys;
	r->origin = ask(r, 0,
	    "SELECT min(start) FROM (SELECT start FROM rocpd_api "
	    "UNION ALL SELECT start FROM rocpd_op)");
	r->pid = ask(r, -1,
	    "SELECT CASE count(DISTINCT pid) WHEN 1 THEN min(pid) "
	    "ELSE -1 END FROM rocpd_api");
	r->several = ask(r, 0,
	    "SELECT count(*) FROM (SELECT 1 FROM rocpd_api_ops "
	    "GROUP BY op_id HAVING count(*) > 1)");
	return r;
}

/* a record for each row of a query, whose columns are these two values */
static void
define(struct rpd *r, enum kind kind, const char *sql, enum made_value first,
    enum made_value second)
{
	sqlite3_stmt *st = database_prepare(r->db, "%s", sql);

	while (st != NULL && database_step(r->db, st)) {
		struct sql_value a = database_value(st, 0);
		struct sql_value b = database_value(st, 1);

		made_record_begin(&r->record, kind);
		put_int(r, first, &a);
		put_int(r, second, &b);
		if (kind == KIND_device)
			made_record_text(&r->record, MADE_VENDOR, SPAN("AMD"));
		made_record_define(&r->record);
	}
	sqlite3_finalize(st);
}

static void
definitions(void *recording)
{
	struct rpd *r = recording;
	char digits[TEXT_INT_MAX];

	emit_open(r->frames, KIND_trace);
	emit_int(r->frames, KEY_version, EMIT_VERSION);
	emit_str(r->frames, KEY_source, SPAN("rpd"));
	emit_str(r->frames, KEY_schema, SPAN("2"));
	emit_str(r->frames, KEY_origin_clock,
	    (struct span){
		digits, (size_t)(text_digits_int(digits, r->origin) - digits)});
	emit_str(r->frames, KEY_clock, SPAN("monotonic"));
	emit_close(r->frames);
	r->frames->lines = 0; /* of the section */
	define(r, KIND_process,
	    "SELECT DISTINCT pid, NULL FROM rocpd_api ORDER BY 1", MADE_PID,
	    MADE_RANK);
	define(r, KIND_device,
	    "SELECT DISTINCT (SELECT CASE count(DISTINCT pid) WHEN 1 THEN "
	    "min(pid) END FROM rocpd_api), gpuId FROM rocpd_op ORDER BY 2",
	    MADE_PID, MADE_DEVICE);
}

/* keep the row ahead if it is in the window */
static unsigned
select_ahead(void *recording, struct merge_cursor *c)
{
	struct rpd *r = recording;
	struct rpd_counts *n = &r->counts[c->number];
	int64_t start, end, dur = NEVER_ENDED;

	row_source_set(&c->rows, 0);
	n->rows++;
	start = int_of(&row_source_values(&c->rows)[START]);
	end = int_of(&row_source_values(&c->rows)[END]);
	if (start == INT64_MIN ||
	    __builtin_sub_overflow(start, r->origin, &start)) {
		n->no_start++;
		return 0;
	}
	if (end != INT64_MIN && end != 0 &&
	    (__builtin_sub_overflow(end, r->origin, &end) ||
		__builtin_sub_overflow(end, start, &dur))) {
		n->no_start++;
		return 0;
	}
	if (!time_window_overlaps(&r->settings->window, start, dur)) {
		n->outside++;
		return 0;
	}
	row_merge_keep(&c->rows, 0, 0, start, dur);
	return 1;
}

static void
write_rows(struct rpd *r, int64_t *last)
{
	static void (*const writers[RPD_TABLES])(struct rpd *,
	    struct row_source *,
	    const struct sql_value *) = {write_api, write_op, write_monitor};
	struct row_merge merge = {.select = select_ahead, .arg = r};
	struct merge_cursor *c;

	for (int i = 0; i < RPD_TABLES; i++) {
		sqlite3_stmt *st =
		    database_prepare(r->db, "%s", queries[i].sql);

		if (st == NULL)
			continue;
		r->layouts[i] =
		    (struct table_layout){.row.count = queries[i].columns};
		row_source_open_query(
		    &row_merge_add(&merge, r, (size_t)i)->rows, r->db,
		    &r->layouts[i], st);
	}
	while ((c = row_merge_next(&merge)) != NULL) {
		*last = c->rows.row.bytes->ts;
		writers[c->number](r, &c->rows, row_source_values(&c->rows));
	}
	row_merge_close(&merge);
	database_check_unchanged(r->db);
}

/* returns how many rows are lost */
static int64_t
write_lost(struct rpd *r, int64_t last)
{
	int64_t lost = 0;

	for (int i = 0; i < RPD_TABLES; i++) {
		const struct rpd_counts *n = &r->counts[i];

		source_write_lost(
		    r->frames, last, "no start", queries[i].table, n->no_start);
		source_write_lost(r->frames, last, "not a number",
		    queries[i].table, n->no_number);
		lost += n->no_start + n->no_number;
	}
	return lost;
}

static struct source_result
records(void *recording)
{
	struct rpd *r = recording;
	int64_t last = 0;

	r->writer.out = r->out;
	write_rows(r, &last);
	return (struct source_result){.lost = write_lost(r, last)};
}

static int
count(void *recording, int64_t counts[KIND_COUNT])
{
	struct rpd *r = recording;
	struct output nowhere;
	int64_t last = 0;

	output_open(&nowhere, "/dev/null", ZIO_PLAIN);
	r->writer.out = r->out = r->frames = &nowhere;
	write_rows(r, &last);
	made_record_count(&r->record, counts);
	nowhere.lines = 0;
	write_lost(r, last);
	counts[KIND_lost] += nowhere.lines;
	output_finish(&nowhere, true);
	return TQ_OK;
}

static void
check(void *recording)
{
	const struct rpd *r = recording;
	int64_t lost = 0;

	printf("%s: rpd, schema 2\n  %-16s %10s %10s %8s %10s\n", r->db->name,
	    "table", "rows", "records", "lost", "not read");
	for (int i = 0; i < RPD_TABLES; i++) {
		const struct rpd_counts *n = &r->counts[i];
		int64_t of_table = n->no_start + n->no_number;

		printf("  %-16s %10" PRId64 " %10" PRId64 " %8" PRId64
		       " %10" PRId64 "\n",
		    queries[i].table, n->rows, n->records, of_table,
		    n->outside + n->unwanted);
		lost += of_table;
	}
	if (r->several > 0)
		printf("  note: %" PRId64 " operations have several calls: "
		       "the first counts\n",
		    r->several);
	printf("  %" PRId64 " records, %" PRId64 " rows dropped\n",
	    r->frames->lines, lost);
}

static void
close_recording(void *recording)
{
	struct rpd *r = recording;

	made_record_free(&r->record);
	intern_free(&r->kernels);
	intern_free(&r->counters);
	text_free(&r->text);
	free(r);
}

const struct source rpd_source = {
    .name = "rpd",
    .about = "AMD: a database of rocmProfileData (.rpd)",
    .database = true,
    .detect = detect,
    .open = open_recording,
    .definitions = definitions,
    .count = count,
    .records = records,
    .check = check,
    .close = close_recording,
};
