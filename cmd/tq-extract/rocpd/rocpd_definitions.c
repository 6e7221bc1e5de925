/* rocpd_definitions.c - the records in front of all events */

#include <inttypes.h>

#include "rocpd.h"
#include "tq/base/ascii.h"
#include "tq/line/json.h"
#include "write/definition_writer.h"

/* ---- JSON of a column ---- */

/* call each with every member of an object; nothing for any other value */
static void
for_members(sqlite3_stmt *st, int column,
    void (*each)(void *arg, struct span key, struct span value), void *arg)
{
	struct span object = database_text(st, column);
	struct text key = {0};
	struct span value;
	struct json j;

	if (sqlite3_column_type(st, column) != SQLITE_TEXT ||
	    !json_valid(object))
		return;
	json_open(&j, object);
	while (json_next(&j, &key, &value))
		each(arg, text_span(&key), value);
	text_free(&key);
}

/* ---- processes ---- */

/* facts in the environment of a process */
struct rocpd_environment {
	struct text rocm;     /* its version; empty where it is not known */
	struct text ranks[4]; /* see rank_names */
};

static const char *const rank_names[] = {
    "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "RANK"};

/* the version of ROCm in a path, as /opt/rocm-7.1.1/lib */
static void
find_rocm(struct text *version, struct span path)
{
	static const char before[] = "/rocm-";
	const char *p = memmem(path.p, path.len, before, strlen(before));
	size_t n = 0, dots = 0, room;

	if (p == NULL || version->len > 0)
		return;
	p += strlen(before);
	room = (size_t)(path.p + path.len - p);
	for (; n < room && (p[n] == '.' || ascii_is_digit(p[n])); n++)
		dots += p[n] == '.';
	if (n < room && p[n] == '/' && dots == 2)
		text_printf(version, "rocm-%.*s", (int)n, p);
}

static void
take_variable(void *arg, struct span key, struct span value)
{
	struct rocpd_environment *e = arg;

	if (*value.p != '"')
		return;
	if (span_eq(key, SPAN("LD_PRELOAD")) ||
	    span_begins(key, SPAN("ROCPROF_")))
		find_rocm(&e->rocm, value);
	for (int i = 0; i < 4; i++)
		if (span_eq(key, span_of(rank_names[i]))) {
			e->ranks[i].len = 0;
			json_decode(&e->ranks[i], value);
		}
}

static void
free_environment(struct rocpd_environment *e)
{
	text_free(&e->rocm);
	for (int i = 0; i < 4; i++)
		text_free(&e->ranks[i]);
}

/* the first of the ranks that is a number */
static int64_t
rank_of(const struct rocpd_environment *e)
{
	int64_t rank;

	for (int i = 0; i < 4; i++) {
		struct sql_value v = {SQL_TEXT, .s = text_span(&e->ranks[i])};

		if (v.s.len > 0 && sql_value_int(&v, &rank) && rank >= 0)
			return rank;
	}
	return ROCPD_NONE;
}

/* the file name of the first word */
static struct span
program_name(struct span command)
{
	size_t end = 0, start;

	while (end < command.len && command.p[end] != ' ')
		end++;
	for (start = end; start > 0 && command.p[start - 1] != '/'; start--)
		;
	return (struct span){command.p + start, end - start};
}

static void
define_text(struct rocpd *r, enum key key, struct span text)
{
	if (text.len > 0)
		record_values_text(&r->record, key, text);
}

/* the name of the node of a process, in r->text */
static void
find_host(struct rocpd *r, const struct rocpd_ids *ids, int64_t node)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_node", "hostname");

	r->text.len = 0;
	while (st != NULL && database_step(r->db, st))
		if (rocpd_ids_int(st, 0) == node) {
			r->text.len = 0;
			text_add_span(&r->text, database_text(st, 1));
		}
	sqlite3_finalize(st);
}

static void
define_processes(struct rocpd *r, const struct rocpd_ids *ids)
{
	sqlite3_stmt *st =
	    rocpd_ids_select(ids, "info_process", "nid command environment");

	while (st != NULL && database_step(r->db, st)) {
		struct rocpd_environment e = {0};

		for_members(st, 3, take_variable, &e);
		record_values_begin(&r->record, KIND_process);
		rocpd_put(r, KEY_pid, rocpd_ids_pid(ids, rocpd_ids_int(st, 0)));
		define_text(r, KEY_name, program_name(database_text(st, 2)));
		if (r->counts.nodes.count > 1) {
			find_host(r, ids, rocpd_ids_int(st, 1));
			define_text(r, KEY_host, text_span(&r->text));
		}
		rocpd_put(r, KEY_rank, rank_of(&e));
		record_values_define(&r->record);
		free_environment(&e);
	}
	sqlite3_finalize(st);
}

static void
define_threads(struct rocpd *r, const struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_thread", "pid tid name");

	while (st != NULL && database_step(r->db, st)) {
		struct span name = database_text(st, 3);

		if (name.len == 0)
			continue;
		record_values_begin(&r->record, KIND_thread);
		rocpd_put(r, KEY_pid, rocpd_ids_pid(ids, rocpd_ids_int(st, 1)));
		rocpd_put(r, KEY_tid, rocpd_ids_int(st, 2));
		define_text(r, KEY_name, name);
		record_values_define(&r->record);
	}
	sqlite3_finalize(st);
}

/* ---- devices ---- */

struct rocpd_bus {
	int64_t domain, location, units;
};

static void
take_property(void *arg, struct span key, struct span value)
{
	struct rocpd_bus *b = arg;
	int64_t v;

	if ((*value.p != '-' && (*value.p < '0' || *value.p > '9')) ||
	    !json_int(value, &v))
		return;
	if (span_eq(key, SPAN("domain")))
		b->domain = v;
	else if (span_eq(key, SPAN("location_id")))
		b->location = v;
	else if (span_eq(key, SPAN("cu_count")))
		b->units = v;
}

enum {
	AGENT_PID = 1,
	AGENT_TYPE,
	AGENT_ABSOLUTE,
	AGENT_INDEX,
	AGENT_NAME,
	AGENT_MODEL,
	AGENT_VENDOR,
	AGENT_PRODUCT,
	AGENT_EXTDATA
};

static void
define_device(struct rocpd *r, const struct rocpd_ids *ids, sqlite3_stmt *st)
{
	struct rocpd_bus b = {0, ROCPD_NONE, ROCPD_NONE};
	struct span name = database_text(st, AGENT_PRODUCT);

	if (name.len == 0)
		name = database_text(st, AGENT_MODEL);
	if (name.len == 0)
		name = database_text(st, AGENT_NAME);
	for_members(st, AGENT_EXTDATA, take_property, &b);
	record_values_begin(&r->record, KIND_device);
	rocpd_put(r, KEY_pid, rocpd_ids_pid(ids, rocpd_ids_int(st, AGENT_PID)));
	define_text(r, KEY_name, name);
	rocpd_put(r, KEY_device, rocpd_ids_int(st, AGENT_INDEX));
	rocpd_put(r, KEY_gpu, rocpd_ids_int(st, AGENT_ABSOLUTE));
	r->text.len = 0;
	if (b.location != ROCPD_NONE)
		text_printf(&r->text, "%04" PRIx64 ":%02" PRIx64 ":%02x.%x",
		    (uint64_t)b.domain, (uint64_t)b.location >> 8,
		    (unsigned)(b.location >> 3) & 31, (unsigned)b.location & 7);
	define_text(r, KEY_bus, text_span(&r->text));
	rocpd_put(r, KEY_sms, b.units);
	define_text(r, KEY_cc, database_text(st, AGENT_NAME));
	define_text(r, KEY_vendor, database_text(st, AGENT_VENDOR));
	record_values_define(&r->record);
}

static void
define_devices(struct rocpd *r, const struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_agent",
	    "pid type absolute_index type_index name model_name vendor_name "
	    "product_name extdata");

	while (st != NULL && database_step(r->db, st))
		if (span_eq(database_text(st, AGENT_TYPE), SPAN("GPU")))
			define_device(r, ids, st);
	sqlite3_finalize(st);
}

static void
define_streams(struct rocpd *r, const struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_stream", "pid name");

	while (st != NULL && database_step(r->db, st)) {
		record_values_begin(&r->record, KIND_stream);
		rocpd_put(r, KEY_pid, rocpd_ids_pid(ids, rocpd_ids_int(st, 1)));
		define_text(r, KEY_name, database_text(st, 2));
		rocpd_put(r, KEY_stream, rocpd_ids_int(st, 0));
		record_values_define(&r->record);
	}
	sqlite3_finalize(st);
}

/* ---- symbols and counters ---- */

/* registers of a kernel, as args */
static void
define_registers(struct rocpd *r, sqlite3_stmt *st)
{
	static const char *const names[] = {"accum_vgpr", "sgpr", "vgpr"};

	r->text.len = 0;
	for (int i = 0; i < 3; i++) {
		int64_t n = rocpd_ids_int(st, 3 + i);

		if (n != ROCPD_NONE)
			text_printf(&r->text, "%s\"%s\":%" PRId64,
			    r->text.len > 0 ? "," : "", names[i], n);
	}
	define_text(r, KEY_args, text_span(&r->text));
}

static void
define_symbols(struct rocpd *r, const struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_kernel_symbol",
	    "display_name kernel_name accum_vgpr_count sgpr_count "
	    "arch_vgpr_count");

	while (st != NULL && database_step(r->db, st)) {
		const struct rocpd_symbol *s =
		    rocpd_ids_symbol(ids, rocpd_ids_int(st, 0));
		struct span mangled = database_text(st, 2);

		if (span_ends(mangled, SPAN(".kd")))
			mangled.len -= strlen(".kd");
		record_values_begin(&r->record, KIND_symbol);
		record_values_text(&r->record, KEY_name, s->name);
		rocpd_put(r, KEY_id, s->sym);
		define_text(r, KEY_demangled, database_text(st, 1));
		define_text(r, KEY_mangled, mangled);
		define_registers(r, st);
		record_values_define(&r->record);
	}
	sqlite3_finalize(st);
}

static void
define_counters(struct rocpd *r, const struct rocpd_ids *ids)
{
	sqlite3_stmt *st =
	    rocpd_ids_select(ids, "info_pmc", "symbol name units agent_id");

	while (st != NULL && database_step(r->db, st)) {
		struct span name = database_text(st, 1);

		if (name.len == 0)
			name = database_text(st, 2);
		record_values_begin(&r->record, KIND_counterdef);
		define_text(r, KEY_name, name);
		rocpd_put(
		    r, KEY_id, rocpd_ids_counter(ids, rocpd_ids_int(st, 0)));
		rocpd_put(
		    r, KEY_device, rocpd_ids_device(ids, rocpd_ids_int(st, 4)));
		define_text(r, KEY_unit, database_text(st, 3));
		record_values_define(&r->record);
	}
	sqlite3_finalize(st);
}

/* ---- the trace record ---- */

/*
 * All versions from 3.0.0 to 3.0.4 call themselves 3: these columns came with
 * the later ones.
 */
static const char *const versions[][3] = {
    {"3.0.4", "event", "parent_id"},
    {"3.0.3", "pmc_event", "sample_id"},
    {"3.0.2", "kernel_dispatch", "graph_exec_id"},
};

static bool
has_column(const struct rocpd *r, const char *table, const char *column)
{
	return database_int(r->db, 0,
		   database_prepare(r->db,
		       "SELECT count(*) FROM pragma_table_info('rocpd_%q%q') "
		       "WHERE name = %Q",
		       table, r->names.all[0], column)) > 0;
}

struct text
rocpd_definitions_schema(const struct rocpd *r)
{
	sqlite3_stmt *st = database_prepare(r->db,
	    "SELECT value FROM \"rocpd_metadata%w\" "
	    "WHERE tag = 'schema_version'",
	    r->names.all[0]);
	struct text schema = {0};

	if (st != NULL && database_step(r->db, st))
		text_add_span(&schema, database_text(st, 0));
	sqlite3_finalize(st);
	for (int i = 0; i < 3 && span_eq(text_span(&schema), SPAN("3")); i++)
		if (has_column(r, versions[i][1], versions[i][2])) {
			schema.len = 0;
			text_add_str(&schema, versions[i][0]);
		}
	return schema;
}

/* system and release of the first node, in r->text */
static struct span
os_of(struct rocpd *r, sqlite3_stmt *node)
{
	struct span release = database_text(node, 2);

	r->text.len = 0;
	text_add_span(&r->text, database_text(node, 1));
	if (release.len > 0) {
		text_add_char(&r->text, ' ');
		text_add_span(&r->text, database_text(node, 2));
	}
	return text_span(&r->text);
}

static void
write_trace(struct rocpd *r)
{
	const struct rocpd_ids *ids = &r->suffixes[0].ids;
	sqlite3_stmt *process =
	    rocpd_ids_select(ids, "info_process", "command environment");
	sqlite3_stmt *node =
	    rocpd_ids_select(ids, "info_node", "system_name release hostname");
	struct rocpd_environment e = {0};
	struct text schema = rocpd_definitions_schema(r);
	struct trace_record t = {.source = SPAN("rocpd"),
	    .schema = text_span(&schema),
	    .origin_clock = &r->origin,
	    .clock = SPAN("boottime")};

	if (process != NULL && database_step(r->db, process)) {
		for_members(process, 2, take_variable, &e);
		t.producer = text_span(&e.rocm);
		t.command = database_text(process, 1);
	}
	if (node != NULL && database_step(r->db, node)) {
		t.os = os_of(r, node);
		t.host = database_text(node, 3);
	}
	r->writer.bad_bytes += (int64_t)definition_writer_trace(r->frames, &t);
	text_free(&schema);
	free_environment(&e);
	sqlite3_finalize(process);
	sqlite3_finalize(node);
}

void
rocpd_definitions_write(struct rocpd *r)
{
	static void (*const define[])(struct rocpd *,
	    const struct rocpd_ids *) = {define_processes, define_threads,
	    define_devices, define_streams, define_symbols, define_counters};

	write_trace(r);
	for (size_t i = 0; i < sizeof(define) / sizeof(define[0]); i++)
		for (size_t k = 0; k < r->names.count; k++)
			define[i](r, &r->suffixes[k].ids);
}
