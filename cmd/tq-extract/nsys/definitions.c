/*
 * definitions.c - the records in front of all events
 */

#include <stdio.h>

#include "definitions.h"
#include "tq/io/emit.h"

/* ---- the trace record ---- */

static void
emit_text(struct nsys *x, enum key key, struct span s)
{
	if (s.len == 0)
		return;
	emit_key(x->out, key);
	string_ids_add_json(&x->strings, &x->out->buf, s);
}

/* the first value that a query finds */
static void
emit_query(struct nsys *x, enum key key, const char *sql)
{
	sqlite3_stmt *st = database_prepare(x->db, "%s", sql);

	if (st != NULL && database_step(x->db, st))
		emit_text(x, key, database_text(st, 0));
	sqlite3_finalize(st);
}

static void
emit_duration(struct nsys *x)
{
	sqlite3_stmt *st = database_prepare(
	    x->db, "SELECT max(duration) FROM ANALYSIS_DETAILS");

	if (st != NULL && database_step(x->db, st) &&
	    sqlite3_column_type(st, 0) != SQLITE_NULL)
		emit_int(x->out, KEY_dur, sqlite3_column_int64(st, 0));
	sqlite3_finalize(st);
}

/* the command and its arguments, from two ways of writing them down */
static void
emit_command(struct nsys *x)
{
	sqlite3_stmt *st =
	    database_prepare(x->db, "SELECT value FROM META_DATA_CAPTURE "
				    "WHERE name = 'PROCESS_0:COMMAND' "
				    "OR name GLOB 'PROCESS_0:ARGUMENT_[0-9]*' "
				    "ORDER BY name <> 'PROCESS_0:COMMAND', "
				    "CAST(substr(name, 20) AS INTEGER)");
	struct text command = {0};

	while (st != NULL && database_step(x->db, st)) {
		if (command.len > 0)
			text_add_char(&command, ' ');
		text_add_span(&command, database_text(st, 0));
	}
	sqlite3_finalize(st);
	emit_text(x, KEY_command, text_span(&command));
	text_free(&command);
}

static void
emit_trace(struct nsys *x)
{
	emit_open(x->out, KIND_trace);
	emit_duration(x);
	emit_int(x->out, KEY_version, EMIT_VERSION);
	emit_str(x->out, KEY_source, SPAN("nsys"));
	if (x->version.len > 0)
		emit_str(x->out, KEY_producer, text_span(&x->version));
	if (x->schema.len > 0)
		emit_str(x->out, KEY_schema, text_span(&x->schema));
	emit_query(x, KEY_origin_utc_ns,
	    "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME");
	emit_query(x, KEY_os,
	    "SELECT trim(coalesce(max(value) FILTER (WHERE name = "
	    "'OsDescription'), '') || coalesce(max(' (WSL2)') FILTER (WHERE "
	    "name = 'SoftwareReleaseVersion' AND value LIKE '%WSL%'), '')) "
	    "FROM TARGET_INFO_SYSTEM_ENV");
	emit_command(x);
	emit_query(x, KEY_host,
	    "SELECT value FROM TARGET_INFO_SYSTEM_ENV "
	    "WHERE name = 'Hostname'");
	emit_close(x->out);
	x->out->lines = 0; /* of the section */
}

/* ---- devices ---- */

/*
 * A process numbers its devices itself; since 2025.1 an export has these
 * numbers (d).  Before, it has the numbers in CUDA's own order (g), and in
 * 2020 there was another table yet (c), beside one that has the bus.
 */
static const struct {
	const char *from, *aliases;
} device_tables[] = {
    {"TARGET_INFO_CUDA_DEVICE d LEFT JOIN TARGET_INFO_GPU g "
     "ON g.id = d.gpuId",
	"dg"},
    {"TARGET_INFO_CUDA_DEVICE d", "d"},
    {"TARGET_INFO_CUDA_GPU c LEFT JOIN TARGET_INFO_GPU g "
     "ON g.deviceId = c.deviceId",
	"cg"},
    {"TARGET_INFO_CUDA_GPU c", "c"},
    {"TARGET_INFO_GPU g", "g"},
};

/* the first of the columns that there is and is not NULL */
static const struct {
	const char *name, *columns[5];
} device_properties[] = {
    {"pid", {"d.pid"}},
    {"device", {"d.cudaId", "c.deviceId", "g.cuDevice", "g.deviceId", "g.id"}},
    {"gpu", {"d.gpuId", "g.id"}},
    {"name", {"g.name", "c.name"}},
    {"uuid", {"g.uuid", "d.uuid", "c.uuid"}},
    {"bus", {"g.busLocation"}},
    {"sms", {"g.smCount", "d.numMultiprocessors", "c.numMultiprocessors"}},
    {"memory", {"g.totalMemory", "c.globalMemorySize"}},
    {"major", {"g.computeMajor", "c.computeCapabilityMajor"}},
    {"minor", {"g.computeMinor", "c.computeCapabilityMinor"}},
    {"chip", {"g.chipName"}},
};

static void
add_device_property(const struct name_list *columns, struct text *sql,
    size_t property, const char *aliases)
{
	text_add_str(sql, "coalesce(NULL");
	for (size_t i = 0; i < 5; i++) {
		const char *name = device_properties[property].columns[i];

		if (name != NULL && strchr(aliases, *name) != NULL &&
		    name_list_find(columns, name) >= 0)
			text_printf(sql, ", %s", name);
	}
	text_printf(sql, ", NULL) AS %s, ", device_properties[property].name);
}

static void
device_query(const struct database *db, struct text *sql, int variant)
{
	struct name_list columns = database_names(
	    db, database_prepare(db,
		    "SELECT 'd.' || name "
		    "FROM pragma_table_info('TARGET_INFO_CUDA_DEVICE') "
		    "UNION ALL SELECT 'g.' || name "
		    "FROM pragma_table_info('TARGET_INFO_GPU') "
		    "UNION ALL SELECT 'c.' || name "
		    "FROM pragma_table_info('TARGET_INFO_CUDA_GPU')"));

	text_add_str(sql,
	    "SELECT pid, device, gpu, nullif(name, '') AS name, "
	    "nullif(uuid, '') AS uuid, nullif(bus, '') AS bus, sms, memory, "
	    "CAST(major AS INTEGER) || '.' || CAST(minor AS INTEGER) AS cc, "
	    "chip FROM (SELECT ");
	for (size_t i = 0; i < 11; i++)
		add_device_property(
		    &columns, sql, i, device_tables[variant].aliases);
	text_printf(sql, "0 FROM %s)", device_tables[variant].from);
	name_list_free(&columns);
}

/* ---- contexts and streams ---- */

/* a globalPid from the numbers that tables of CUDA objects have instead */
#define GLOBAL_PID \
	"((coalesce(hwId, 0) << 56) | (coalesce(vmId, 0) << 48) | " \
	"(coalesce(processId, 0) << 24)) AS globalPid"

/* contexts, and with them the null streams: one table under two names */
static const struct {
	const char *name, *null_stream;
} context_tables[] = {
    {"TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId"},
    {"TARGET_INFO_CUDA_NULL_STREAM", "streamId"},
};

static bool
has_column(const struct database *db, const char *table, const char *column)
{
	return database_column(db, table, column) == column;
}

/* its index; -1 if the export has none */
static int
context_table(const struct database *db)
{
	for (int i = 0; i < 2; i++)
		if (has_column(db, context_tables[i].name,
			context_tables[i].null_stream))
			return i;
	return -1;
}

static void
context_query(const struct database *db, struct text *sql, int variant)
{
	int i = context_table(db);

	(void)variant;
	if (i < 0)
		return;
	text_printf(sql,
	    "SELECT " GLOBAL_PID ", deviceId, contextId, "
	    "coalesce(%s, 0) AS nullStream, nullif(%s, 0) AS parent FROM %s",
	    context_tables[i].null_stream,
	    database_column(db, context_tables[i].name, "parentContextId"),
	    context_tables[i].name);
}

bool
definitions_have_contexts(const struct database *db, const char *table)
{
	int i = context_table(db);

	return i >= 0 &&
	       database_int(db, 0,
		   database_prepare(db,
		       "SELECT NOT EXISTS (SELECT 1 FROM "
		       "(SELECT DISTINCT globalPid, contextId FROM \"%w\") r "
		       "WHERE NOT EXISTS (SELECT 1 FROM %s c "
		       "WHERE c.contextId = r.contextId AND "
		       "c.processId = r.globalPid >> 24 & 0xffffff))",
		       table, context_tables[i].name)) == 1;
}

/* synchronizations lack their device: it is the one of their context */
static void
set_device(struct nsys *x, const struct sql_value *values)
{
	int64_t global, device, context;

	if (sql_value_int(&values[0], &global) &&
	    sql_value_int(&values[1], &device) &&
	    sql_value_int(&values[2], &context))
		global_ids_set_device(
		    &x->ids, (uint64_t)global >> 24, context, device);
}

/* the context of a stream has its device; NVTX may have named it */
static void
stream_query(const struct database *db, struct text *sql, int variant)
{
	static const char named[] = "TARGET_INFO_NVTX_CUDA_STREAM";
	bool names = has_column(db, named, "name");
	int contexts = context_table(db);

	(void)variant;
	text_printf(sql,
	    "SELECT " GLOBAL_PID ", %s AS deviceId, contextId, streamId, "
	    "priority, CASE WHEN flag BETWEEN 1 AND 3 THEN flag END AS flag, "
	    "nullif(%s, '') AS name FROM TARGET_INFO_CUDA_STREAM s",
	    contexts >= 0 ? "c.deviceId" : "NULL", names ? "n.name" : "NULL");
	if (contexts >= 0)
		text_printf(sql,
		    " LEFT JOIN (SELECT DISTINCT processId, contextId, "
		    "deviceId FROM %s) c USING (processId, contextId)",
		    context_tables[contexts].name);
	if (names)
		text_printf(sql,
		    " LEFT JOIN (SELECT processId, contextId, streamId, "
		    "max(name) AS name FROM %s GROUP BY 1, 2, 3) n "
		    "USING (processId, contextId, streamId)",
		    named);
}

/* ---- definitions ---- */

enum { COLUMNS_MAX = 12 };

struct definition {
	enum kind kind;
	bool otherwise;  /* only if the definition before has no rows */
	const char *sql; /* $TABLE.COLUMN is NULL where the export lacks it */
	struct column_map columns[COLUMNS_MAX];
	void (*query)(const struct database *, struct text *, int variant);
	int variant;
	/* called for each row, with its values in the order of the query */
	void (*each)(struct nsys *, const struct sql_value *);
};

/* clang-format off */
#define PID(column) {column, KEY_pid, AS_ANY_PID}
#define TID(column) {column, KEY_tid, AS_ANY_TID}
#define PROCESS(global, name, how) \
	{PID(global), \
	 {name, KEY_name, how}, \
	 {global, KEY_host, AS_HOST}, \
	 {"rank", KEY_rank, AS_INT}}
#define RANK(global) \
	"(SELECT nullif(max(coalesce(rank, 0), -1), -1) FROM MPI_RANKS r " \
	"WHERE r.globalTid >> 24 = " global " >> 24) AS rank "
#define MAIN_THREADS \
	"FROM ThreadNames t WHERE globalTid & 0xffffff = " \
	"globalTid >> 24 & 0xffffff GROUP BY globalTid"
#define DEVICE \
	{{"pid", KEY_pid, AS_INT}, \
	 {"name", KEY_name, AS_TEXT}, \
	 {"device", KEY_device, AS_INT}, \
	 {"gpu", KEY_gpu, AS_INT}, \
	 {"uuid", KEY_uuid, AS_TEXT}, \
	 {"bus", KEY_bus, AS_TEXT}, \
	 {"sms", KEY_sms, AS_INT}, \
	 {"memory", KEY_memory, AS_INT}, \
	 {"cc", KEY_cc, AS_TEXT}, \
	 {"device", KEY_vendor, AS_CONST, "nvidia"}, \
	 {"chip", KEY_args, AS_TEXT}}

static const char *const stream_flags[] = {
    "",
#define STREAM_FLAG(cupti, word) [cupti] = word,
#include "tq/cuda.def"
    NULL};

/* in the order of the stream */
static const struct definition definitions[] = {
    {KIND_process, false,
     "SELECT globalPid, name, " RANK("globalPid")
     "FROM PROCESSES WHERE globalPid IS NOT NULL",
     PROCESS("globalPid", "name", AS_TEXT)},
    {KIND_process, true,
     "SELECT globalPid, name FROM PROCESSES WHERE globalPid IS NOT NULL",
     PROCESS("globalPid", "name", AS_TEXT)},

    /* before 2022.1: a process has the name of its main thread */
    {KIND_process, true,
     "SELECT globalTid, coalesce(nameId, 0) AS nameId, " RANK("t.globalTid")
     MAIN_THREADS,
     PROCESS("globalTid", "nameId", AS_STRING)},
    {KIND_process, true,
     "SELECT globalTid, coalesce(nameId, 0) AS nameId " MAIN_THREADS,
     PROCESS("globalTid", "nameId", AS_STRING)},

    {KIND_thread, false,
     "SELECT globalTid, coalesce(nameId, 0) AS nameId, priority "
     "FROM ThreadNames WHERE globalTid IS NOT NULL",
     {PID("globalTid"),
      TID("globalTid"),
      {"nameId", KEY_name, AS_STRING},
      {"priority", KEY_priority, AS_INT}}},

    /* names that the program gave with NVTX come later, and so count */
    {KIND_thread, false,
     "SELECT globalTid, $NVTX_EVENTS.textId AS textId, "
     "nullif($NVTX_EVENTS.text, '') AS text FROM temp.nvtx_names "
     "WHERE eventType = 39 AND globalTid IS NOT NULL",
     {PID("globalTid"),
      TID("globalTid"),
      {"text", KEY_name, AS_NAME, "textId"}}},

    {KIND_device, false, NULL, DEVICE, device_query, 0},
    {KIND_device, true, NULL, DEVICE, device_query, 1},
    {KIND_device, true, NULL, DEVICE, device_query, 2},
    {KIND_device, true, NULL, DEVICE, device_query, 3},
    {KIND_device, true, NULL, DEVICE, device_query, 4},

    {KIND_context, false, NULL,
     {PID("globalPid"),
      {"deviceId", KEY_device, AS_INT},
      {"contextId", KEY_context, AS_INT},
      {"nullStream", KEY_args, AS_INT, .arg = "null_stream"},
      {"parent", KEY_args, AS_INT, .arg = "parent_context"}},
     context_query, .each = set_device},

    {KIND_stream, false, NULL,
     {PID("globalPid"),
      {"name", KEY_name, AS_TEXT},
      {"priority", KEY_priority, AS_INT32},
      {"deviceId", KEY_device, AS_INT},
      {"contextId", KEY_context, AS_INT},
      {"streamId", KEY_stream, AS_INT},
      {"flag", KEY_flags, AS_ENUM, NULL, stream_flags}},
     stream_query},

    /* the unit of a metric stands in brackets behind its name */
    {KIND_counterdef, false,
     "SELECT id, CASE WHEN cut THEN substr(name, 1, length(head) - 2) "
     "ELSE name END AS name, CASE WHEN cut THEN nullif(substr(name, "
     "length(head) + 1, length(name) - length(head) - 1), '') END AS unit "
     "FROM (SELECT *, name LIKE '%]' AND head LIKE '_% [' AS cut "
     "FROM (SELECT metricId AS id, coalesce(metricName, '') AS name, "
     "rtrim(metricName, replace(metricName, '[', '')) AS head "
     "FROM TARGET_INFO_GPU_METRICS WHERE metricId IS NOT NULL "
     "GROUP BY metricId))",
     {{"name", KEY_name, AS_TEXT},
      {"id", KEY_id, AS_INT},
      {"unit", KEY_unit, AS_TEXT}}},
};
/* clang-format on */

/* replace $TABLE.COLUMN by the name of the column, or NULL */
static void
expand(const struct database *db, struct text *to, const char *sql)
{
	const char *p;
	char table[32], column[32];
	int n;

	while ((p = strchr(sql, '$')) != NULL) {
		text_add(to, sql, (size_t)(p - sql));
		sscanf(p, "$%31[A-Z_].%31[A-Za-z]%n", table, column, &n);
		text_add_str(to, database_column(db, table, column));
		sql = p + n;
	}
	text_add_str(to, sql);
}

static struct name_list
query_columns(sqlite3_stmt *st)
{
	struct name_list names = {0};

	for (int i = 0; i < sqlite3_column_count(st); i++)
		name_list_add(&names, span_of(sqlite3_column_name(st, i)));
	return names;
}

/* write the records of a query, which it finalizes; false if it has no rows */
static bool
write_rows(struct row_writer *w, const struct definition *d, sqlite3_stmt *st)
{
	struct name_list columns = query_columns(st);
	const struct table_layout layout = {.row.count = (int)columns.count};
	struct row_source rows;
	struct record_map m = {.kind = d->kind,
	    .chosen = key_choice_of(w->x->keys, d->kind),
	    .columns = d->columns};

	record_map_init(
	    &m, &columns, (const char *const *)columns.all, columns.count);
	row_source_open_query(&rows, w->x->db, &layout, st);
	while (row_source_next(&rows)) {
		if (d->each != NULL)
			d->each(w->x, row_source_values(&rows));
		row_writer_row(w, &m, &rows);
	}
	row_source_close(&rows);
	record_map_free(&m);
	name_list_free(&columns);
	return m.records > 0;
}

void
definitions_write(struct row_writer *w)
{
	const struct database *db = w->x->db;
	size_t count = sizeof(definitions) / sizeof(definitions[0]);
	struct text sql = {0};
	bool any = false;

	emit_trace(w->x);
	domains_read(&w->x->domains);
	for (size_t i = 0; i < count; i++) {
		const struct definition *d = &definitions[i];
		sqlite3_stmt *st;

		if (d->otherwise && any)
			continue;
		sql.len = 0;
		if (d->sql != NULL)
			expand(db, &sql, d->sql);
		else
			d->query(db, &sql, d->variant);
		text_add_char(&sql, '\0');
		st = database_prepare(db, "%s", sql.p);
		any = st != NULL && write_rows(w, d, st);
	}
	text_free(&sql);
}
