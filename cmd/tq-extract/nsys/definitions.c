/* definitions.c - processes, threads, devices, and what else has an id */

#include "definitions.h"
#include "tq/io/emit.h"

static bool
is_null(sqlite3_stmt *st, int col)
{
	return sqlite3_column_type(st, col) == SQLITE_NULL;
}

static void
emit_column_int(struct nsys *x, enum key key, sqlite3_stmt *st, int col)
{
	if (!is_null(st, col))
		emit_int(x->out, key, sqlite3_column_int64(st, col));
}

static void
emit_column_text(struct nsys *x, enum key key, sqlite3_stmt *st, int col)
{
	struct span s = database_text(st, col);

	if (s.len == 0)
		return;
	emit_key(x->out, key);
	string_ids_add_json(&x->strings, &x->out->buf, s);
}

static void
emit_query(struct nsys *x, enum key key, const char *sql)
{
	sqlite3_stmt *st = database_prepare(&x->db, "%s", sql);

	if (st != NULL && database_step(&x->db, st))
		emit_column_text(x, key, st, 0);
	sqlite3_finalize(st);
}

/* ---- the trace record ---- */

/* the command and its arguments, from two ways of writing them down */
static void
emit_command(struct nsys *x)
{
	sqlite3_stmt *st =
	    database_prepare(&x->db, "SELECT value FROM META_DATA_CAPTURE "
				     "WHERE name = 'PROCESS_0:COMMAND' "
				     "OR name GLOB 'PROCESS_0:ARGUMENT_[0-9]*' "
				     "ORDER BY name <> 'PROCESS_0:COMMAND', "
				     "CAST(substr(name, 20) AS INTEGER)");
	struct text command = {0};

	while (st != NULL && database_step(&x->db, st)) {
		if (command.len > 0)
			text_add_char(&command, ' ');
		text_add_span(&command, database_text(st, 0));
	}
	sqlite3_finalize(st);
	if (command.len > 0) {
		emit_key(x->out, KEY_command);
		string_ids_add_json(
		    &x->strings, &x->out->buf, text_span(&command));
	}
	text_free(&command);
}

static void
emit_trace(struct nsys *x)
{
	emit_open(x->out, KIND_trace);
	sqlite3_stmt *st = database_prepare(
	    &x->db, "SELECT max(duration) FROM ANALYSIS_DETAILS");
	if (st != NULL && database_step(&x->db, st))
		emit_column_int(x, KEY_dur, st, 0);
	sqlite3_finalize(st);
	emit_int(x->out, KEY_version, EMIT_VERSION);
	emit_str(x->out, KEY_source, SPAN("nsys"));
	if (x->version.len > 0)
		emit_str(x->out, KEY_producer, text_span(&x->version));
	if (x->schema.len > 0)
		emit_str(x->out, KEY_schema, text_span(&x->schema));
	emit_query(x, KEY_origin_utc_ns,
	    "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME");
	emit_query(x, KEY_os,
	    "SELECT value FROM TARGET_INFO_SYSTEM_ENV "
	    "WHERE name = 'OsDescription'");
	emit_command(x);
	emit_query(x, KEY_host,
	    "SELECT value FROM TARGET_INFO_SYSTEM_ENV "
	    "WHERE name = 'Hostname'");
	emit_close(x->out);
}

/* ---- processes and threads ---- */

static void
emit_process(struct nsys *x, uint64_t global, struct span name, int64_t rank)
{
	int64_t pid = global_ids_pid(&x->ids, global);

	emit_open(x->out, KIND_process);
	emit_int(x->out, KEY_pid, pid);
	if (name.len > 0)
		emit_json(x->out, KEY_name, name);
	if (pid >> 24 != 0) {
		emit_key(x->out, KEY_host);
		text_printf(&x->out->buf, "\"%d.%d\"", (int)(global >> 56),
		    (int)(global >> 48 & 0xff));
	}
	if (rank >= 0)
		emit_int(x->out, KEY_rank, rank);
	emit_close(x->out);
}

static int64_t
rank_of(struct nsys *x, sqlite3_stmt *ranks, uint64_t global)
{
	int64_t rank = -1;

	if (ranks == NULL)
		return rank;
	sqlite3_reset(ranks);
	sqlite3_bind_int64(ranks, 1, (int64_t)(global >> 24));
	if (database_step(&x->db, ranks))
		rank = sqlite3_column_int64(ranks, 0);
	return rank;
}

/*
 * Exports before 2022.1 do not list processes; then the name of a process
 * is that of its main thread.
 */
static void
emit_processes(struct nsys *x)
{
	sqlite3_stmt *ranks = database_prepare(
	    &x->db, "SELECT rank FROM MPI_RANKS WHERE globalTid >> 24 = ?");
	sqlite3_stmt *st =
	    database_prepare(&x->db, "SELECT globalPid, name FROM PROCESSES "
				     "WHERE globalPid IS NOT NULL");
	struct text name = {0};
	bool any = false;

	while (st != NULL && database_step(&x->db, st)) {
		uint64_t global = (uint64_t)sqlite3_column_int64(st, 0);

		name.len = 0;
		if (!is_null(st, 1))
			string_ids_add_json(
			    &x->strings, &name, database_text(st, 1));
		emit_process(
		    x, global, text_span(&name), rank_of(x, ranks, global));
		any = true;
	}
	sqlite3_finalize(st);
	text_free(&name);
	st = any ? NULL
		 : database_prepare(&x->db,
		       "SELECT globalTid, nameId FROM ThreadNames "
		       "WHERE globalTid & 0xffffff = "
		       "globalTid >> 24 & 0xffffff GROUP BY globalTid");
	while (st != NULL && database_step(&x->db, st)) {
		uint64_t global = (uint64_t)sqlite3_column_int64(st, 0);

		emit_process(x, global,
		    string_ids_get(&x->strings, sqlite3_column_int64(st, 1)),
		    rank_of(x, ranks, global));
	}
	sqlite3_finalize(st);
	sqlite3_finalize(ranks);
}

static void
emit_threads(struct nsys *x)
{
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT globalTid, nameId, priority FROM ThreadNames "
	    "WHERE globalTid IS NOT NULL");

	while (st != NULL && database_step(&x->db, st)) {
		uint64_t global = (uint64_t)sqlite3_column_int64(st, 0);

		emit_open(x->out, KIND_thread);
		emit_int(x->out, KEY_pid, global_ids_pid(&x->ids, global));
		emit_int(x->out, KEY_tid, global_ids_tid(global));
		emit_json(x->out, KEY_name,
		    string_ids_get(&x->strings, sqlite3_column_int64(st, 1)));
		emit_column_int(x, KEY_priority, st, 2);
		emit_close(x->out);
	}
	sqlite3_finalize(st);

	/* names that the program gave with NVTX come later, and so count */
	st = database_prepare(&x->db,
	    "SELECT globalTid, %s, %s FROM temp.nvtx_names "
	    "WHERE eventType = 39 AND globalTid IS NOT NULL",
	    database_column(&x->db, "NVTX_EVENTS", "textId"),
	    database_column(&x->db, "NVTX_EVENTS", "text"));
	while (st != NULL && database_step(&x->db, st)) {
		uint64_t global = (uint64_t)sqlite3_column_int64(st, 0);

		emit_open(x->out, KIND_thread);
		emit_int(x->out, KEY_pid, global_ids_pid(&x->ids, global));
		emit_int(x->out, KEY_tid, global_ids_tid(global));
		if (!is_null(st, 1))
			emit_json(x->out, KEY_name,
			    string_ids_get(
				&x->strings, sqlite3_column_int64(st, 1)));
		else
			emit_column_text(x, KEY_name, st, 2);
		emit_close(x->out);
	}
	sqlite3_finalize(st);
}

/* ---- devices, contexts, streams, counters ---- */

/* a compute capability as "9.0" */
static void
emit_cc(struct nsys *x, sqlite3_stmt *st, int major, int minor)
{
	if (is_null(st, major) || is_null(st, minor))
		return;
	emit_key(x->out, KEY_cc);
	text_printf(&x->out->buf, "\"%d.%d\"", sqlite3_column_int(st, major),
	    sqlite3_column_int(st, minor));
}

/*
 * Properties of a device in this order of columns: pid, number, physical
 * number, name, uuid, bus, multiprocessors, memory, major, minor, chip.
 */
static bool
emit_devices(struct nsys *x, sqlite3_stmt *st)
{
	bool any = false;

	while (st != NULL && database_step(&x->db, st)) {
		emit_open(x->out, KIND_device);
		emit_column_int(x, KEY_pid, st, 0);
		emit_column_text(x, KEY_name, st, 3);
		emit_column_int(x, KEY_device, st, 1);
		emit_column_int(x, KEY_gpu, st, 2);
		emit_column_text(x, KEY_uuid, st, 4);
		emit_column_text(x, KEY_bus, st, 5);
		emit_column_int(x, KEY_sms, st, 6);
		emit_column_int(x, KEY_memory, st, 7);
		emit_cc(x, st, 8, 9);
		emit_str(x->out, KEY_vendor, SPAN("nvidia"));
		if (!is_null(st, 10)) {
			emit_key(x->out, KEY_args);
			text_add_str(&x->out->buf, "{\"chip\":");
			string_ids_add_json(
			    &x->strings, &x->out->buf, database_text(st, 10));
			text_add_char(&x->out->buf, '}');
		}
		emit_close(x->out);
		any = true;
	}
	sqlite3_finalize(st);
	return any;
}

/*
 * A process numbers its devices itself; since 2025.1 an export says how (d).
 * Before, all that is known is the number in CUDA's own order (g), and in
 * 2020 there was another table yet (c).
 */
static const struct {
	char alias;
	const char *table;
} device_tables[] = {
    {'d', "TARGET_INFO_CUDA_DEVICE"},
    {'g', "TARGET_INFO_GPU"},
    {'c', "TARGET_INFO_CUDA_GPU"},
};

static const struct {
	const char *from, *aliases;
} device_sources[] = {
    {"TARGET_INFO_CUDA_DEVICE d LEFT JOIN TARGET_INFO_GPU g "
     "ON g.id = d.gpuId",
	"dg"},
    {"TARGET_INFO_CUDA_DEVICE d", "d"},
    {"TARGET_INFO_CUDA_GPU c", "c"},
    {"TARGET_INFO_GPU g", "g"},
};

/* a property is the first of these that there is and is not NULL */
static const char *const device_properties[][6] = {
    {"d.pid"},
    {"d.cudaId", "c.deviceId", "g.cuDevice", "g.deviceId", "g.id"},
    {"d.gpuId", "g.id"},
    {"g.name", "c.name"},
    {"g.uuid", "d.uuid"},
    {"g.busLocation"},
    {"g.smCount", "d.numMultiprocessors", "c.numMultiprocessors"},
    {"g.totalMemory"},
    {"g.computeMajor"},
    {"g.computeMinor"},
    {"g.chipName"},
};

static bool
has_device_column(struct nsys *x, const char *name)
{
	for (size_t i = 0; i < 3; i++)
		if (device_tables[i].alias == *name)
			return database_column(&x->db, device_tables[i].table,
				   name + 2) == name + 2;
	return false;
}

static void
emit_all_devices(struct nsys *x)
{
	struct text sql = {0};
	bool any = false;

	for (size_t i = 0; i < 4 && !any; i++) {
		sql.len = 0;
		text_add_str(&sql, "SELECT ");
		for (size_t p = 0; p < 11; p++) {
			const char *const *name = device_properties[p];

			text_add_str(
			    &sql, p > 0 ? ", coalesce(NULL" : "coalesce(NULL");
			for (; *name != NULL; name++)
				if (strchr(device_sources[i].aliases, **name) &&
				    has_device_column(x, *name))
					text_printf(&sql, ", %s", *name);
			text_add_str(&sql, ", NULL)");
		}
		text_printf(&sql, " FROM %s%c", device_sources[i].from, 0);
		any = emit_devices(x, database_prepare(&x->db, "%s", sql.p));
	}
	text_free(&sql);
}

/* a global id from the numbers that tables of CUDA objects have instead */
static uint64_t
global_of(sqlite3_stmt *st, int hardware, int vm, int process)
{
	return (uint64_t)sqlite3_column_int64(st, hardware) << 56 |
	       (uint64_t)sqlite3_column_int64(st, vm) << 48 |
	       (uint64_t)sqlite3_column_int64(st, process) << 24;
}

/* contexts, and with them the null streams: one table under two names */
static const char *
context_table(struct nsys *x, const char **null_stream)
{
	static const char *const names[] = {
	    "TARGET_INFO_CUDA_CONTEXT_INFO", "TARGET_INFO_CUDA_NULL_STREAM"};

	for (int i = 0; i < 2; i++) {
		*null_stream = i == 0 ? "nullStreamId" : "streamId";
		if (database_column(&x->db, names[i], *null_stream) ==
		    *null_stream)
			return names[i];
	}
	return NULL;
}

static void
emit_contexts(struct nsys *x)
{
	const char *null_stream, *table = context_table(x, &null_stream);
	sqlite3_stmt *st;

	if (table == NULL)
		return;
	st = database_prepare(&x->db,
	    "SELECT hwId, vmId, processId, deviceId, contextId, %s, %s "
	    "FROM %s",
	    null_stream, database_column(&x->db, table, "parentContextId"),
	    table);
	while (st != NULL && database_step(&x->db, st)) {
		uint64_t global = global_of(st, 0, 1, 2);

		if (!is_null(st, 3) && !is_null(st, 4))
			global_ids_set_device(&x->ids, global >> 24,
			    sqlite3_column_int64(st, 4),
			    sqlite3_column_int64(st, 3));
		emit_open(x->out, KIND_context);
		emit_int(x->out, KEY_pid, global_ids_pid(&x->ids, global));
		emit_column_int(x, KEY_device, st, 3);
		emit_column_int(x, KEY_context, st, 4);
		emit_key(x->out, KEY_args);
		text_add_str(&x->out->buf, "{\"null_stream\":");
		text_add_int(&x->out->buf, sqlite3_column_int64(st, 5));
		if (sqlite3_column_int64(st, 6) != 0) {
			text_add_str(&x->out->buf, ",\"parent_context\":");
			text_add_int(&x->out->buf, sqlite3_column_int64(st, 6));
		}
		text_add_char(&x->out->buf, '}');
		emit_close(x->out);
	}
	sqlite3_finalize(st);
}

/* the device of a stream is that of its context; NVTX may have named it */
static sqlite3_stmt *
prepare_streams(struct nsys *x)
{
	const char *null_stream, *contexts = context_table(x, &null_stream);
	const char *named = "TARGET_INFO_NVTX_CUDA_STREAM";
	bool has_names = database_column(&x->db, named, "name")[1] != 'U';
	char *context = sqlite3_mprintf("LEFT JOIN (SELECT DISTINCT processId, "
					"contextId, deviceId FROM %s) c "
					"USING (processId, contextId)",
	    contexts);
	char *name = sqlite3_mprintf("LEFT JOIN (SELECT processId, contextId, "
				     "streamId, max(name) AS name FROM %s "
				     "GROUP BY 1, 2, 3) n "
				     "USING (processId, contextId, streamId)",
	    named);
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT s.hwId, s.vmId, processId, %s, contextId, streamId, "
	    "s.priority, s.flag, %s FROM TARGET_INFO_CUDA_STREAM s %s %s",
	    contexts != NULL ? "c.deviceId" : "NULL",
	    has_names ? "n.name" : "NULL", contexts != NULL ? context : "",
	    has_names ? name : "");

	sqlite3_free(context);
	sqlite3_free(name);
	return st;
}

static void
emit_streams(struct nsys *x)
{
	static const char *const flags[] = {
	    NULL, "default", "non-blocking", "null"};
	sqlite3_stmt *st = prepare_streams(x);

	while (st != NULL && database_step(&x->db, st)) {
		uint64_t global = global_of(st, 0, 1, 2);
		int64_t flag = sqlite3_column_int64(st, 7);

		emit_open(x->out, KIND_stream);
		emit_int(x->out, KEY_pid, global_ids_pid(&x->ids, global));
		emit_column_text(x, KEY_name, st, 8);
		if (!is_null(st, 6)) /* 32 bits that were signed once */
			emit_int(x->out, KEY_priority,
			    (int32_t)sqlite3_column_int64(st, 6));
		emit_column_int(x, KEY_device, st, 3);
		emit_column_int(x, KEY_context, st, 4);
		emit_column_int(x, KEY_stream, st, 5);
		if (flag > 0 && flag < 4)
			emit_str(x->out, KEY_flags, span_of(flags[flag]));
		emit_close(x->out);
	}
	sqlite3_finalize(st);
}

/* the unit of a metric stands in brackets behind its name */
static void
emit_metric_name(struct nsys *x, sqlite3_stmt *st, int64_t id)
{
	struct span name = database_text(st, 1), unit = {0};
	const char *bracket = name.len > 0 && name.p[name.len - 1] == ']'
				  ? memrchr(name.p, '[', name.len)
				  : NULL;

	if (bracket != NULL && bracket > name.p + 1 && bracket[-1] == ' ') {
		unit = (struct span){bracket + 1,
		    (size_t)(name.p + name.len - 1 - (bracket + 1))};
		name.len = (size_t)(bracket - 1 - name.p);
	}
	emit_str(x->out, KEY_name, name);
	emit_int(x->out, KEY_id, id);
	if (unit.len > 0)
		emit_str(x->out, KEY_unit, unit);
}

static void
emit_counters(struct nsys *x)
{
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT metricId, metricName FROM TARGET_INFO_GPU_METRICS "
	    "WHERE metricId IS NOT NULL GROUP BY metricId");

	while (st != NULL && database_step(&x->db, st)) {
		emit_open(x->out, KIND_counterdef);
		emit_metric_name(x, st, sqlite3_column_int64(st, 0));
		emit_close(x->out);
	}
	sqlite3_finalize(st);
}

void
definitions_write(struct nsys *x)
{
	emit_trace(x);
	x->out->lines = 0; /* of the section */
	domains_read(&x->domains);
	emit_processes(x);
	emit_threads(x);
	emit_all_devices(x);
	emit_contexts(x);
	emit_streams(x);
	emit_counters(x);
}
