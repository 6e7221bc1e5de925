/*
 * rocpd_ids.c - the strings, processes, threads, agents and symbols behind ids
 */

#include "rocpd_ids.h"
#include "tq/base/cpp_name.h"
#include "tq/base/hash.h"

/* ---- queries ---- */

/* "name" of columns that the table has, NULL for others */
static void
add_columns(struct text *sql, const struct name_list *has, const char *columns)
{
	while (*columns != '\0') {
		size_t n = strcspn(columns, " ");
		char *name = mem_copy(columns, n);
		bool there = name_list_find(has, name) >= 0;

		text_printf(sql, ", %s\"%s\"", there ? "" : "NULL AS ", name);
		free(name);
		columns += n + (columns[n] == ' ');
	}
}

sqlite3_stmt *
rocpd_ids_select(
    const struct rocpd_ids *ids, const char *table, const char *columns)
{
	struct name_list has = database_names(
	    ids->db, database_prepare(ids->db,
			 "SELECT name FROM pragma_table_info('rocpd_%q%q')",
			 table, ids->suffix));
	struct text sql = {0};
	sqlite3_stmt *st;

	text_add_str(
	    &sql, name_list_find(&has, "id") >= 0 ? "\"id\"" : "rowid");
	add_columns(&sql, &has, columns);
	text_add_char(&sql, '\0');
	st = has.count == 0 ? NULL
			    : database_prepare(ids->db,
				  "SELECT %s FROM \"rocpd_%w%w\" ORDER BY 1",
				  sql.p, table, ids->suffix);
	text_free(&sql);
	name_list_free(&has);
	return st;
}

int64_t
rocpd_ids_int(sqlite3_stmt *st, int column)
{
	return sqlite3_column_type(st, column) == SQLITE_INTEGER
		   ? sqlite3_column_int64(st, column)
		   : ROCPD_NONE;
}

/* ---- strings and categories ---- */

static enum rocpd_roctx
roctx_of(struct span text)
{
	static const struct {
		const char *function;
		enum rocpd_roctx roctx;
	} functions[] = {
#define HIP_ROCTX(function, kind) {function, ROCTX_##kind},
#include "tq/hip.def"
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (span_eq(text, span_of(functions[i].function)))
			return functions[i].roctx;
	return ROCTX_NONE;
}

static void
read_strings(struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "string", "string");
	bool fresh;

	while (st != NULL && database_step(ids->db, st)) {
		struct span text = database_text(st, 1);

		*keyed_get(&ids->strings, (uint64_t)rocpd_ids_int(st, 0), 0,
		    &fresh) = (struct rocpd_string){
		    region_copy(&ids->region, text), roctx_of(text)};
	}
	sqlite3_finalize(st);
}

/* name is of the region */
static struct rocpd_category
category_of(struct span name)
{
	static const struct {
		const char *prefix, *api;
	} apis[] = {
#define HIP_API(prefix, word) {prefix, word},
#include "tq/hip.def"
	};
	struct rocpd_category c = {.name = name,
	    .marker = span_begins(name, SPAN("MARKER_CORE")),
	    .fault = span_eq(name, SPAN("KFD_PAGE_FAULT")) ||
		     span_eq(name, SPAN("KFD_EVENT_PAGE_FAULT"))};

	for (size_t i = 0; i < sizeof(apis) / sizeof(apis[0]); i++)
		if (span_begins(name, span_of(apis[i].prefix)))
			c.api = apis[i].api;
	return c;
}

/* schema 4 has categories in a table of their own */
static void
read_categories(struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_category", "name");
	bool fresh;

	while (st != NULL && database_step(ids->db, st))
		*keyed_get(&ids->categories, (uint64_t)rocpd_ids_int(st, 0), 0,
		    &fresh) = category_of(region_copy(&ids->region,
		    database_text(st, 1)));
	sqlite3_finalize(st);
}

const struct rocpd_category *
rocpd_ids_category(struct rocpd_ids *ids, int64_t id)
{
	const struct rocpd_string *s;
	struct rocpd_category *c;
	struct text missing = {0};
	bool fresh;

	c = keyed_find(&ids->categories, (uint64_t)id, 0);
	if (c != NULL)
		return c;
	s = rocpd_ids_string(ids, id);
	if (s == NULL && id != ROCPD_NONE)
		text_printf(&missing, "#%lld", (long long)id);
	c = keyed_get(&ids->categories, (uint64_t)id, 0, &fresh);
	*c = category_of(s != NULL
			     ? s->text
			     : region_copy(&ids->region, text_span(&missing)));
	text_free(&missing);
	return c;
}

/* ---- processes and threads ---- */

/* a node that is not the first has a multiple of 2^24 added to its pids */
static void
read_processes(struct rocpd_ids *ids, struct rocpd_counts *counts)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_node", "machine_id");
	struct map nodes = {0};
	const uint64_t *node;
	bool fresh;

	while (st != NULL && database_step(ids->db, st)) {
		struct span machine = database_text(st, 1);

		*map_get(&nodes, (uint64_t)rocpd_ids_int(st, 0), 0) =
		    map_number(&counts->nodes, span_hash(machine), machine.len);
	}
	sqlite3_finalize(st);
	st = rocpd_ids_select(ids, "info_process", "nid pid");
	while (st != NULL && database_step(ids->db, st)) {
		int64_t pid = rocpd_ids_int(st, 2);

		node = map_find(&nodes, (uint64_t)rocpd_ids_int(st, 1), 0);
		if (pid != ROCPD_NONE && node != NULL)
			pid += (int64_t)(*node - 1) << 24;
		keyed_get(&ids->pids, (uint64_t)rocpd_ids_int(st, 0), 0, &fresh)
		    ->v = pid;
	}
	sqlite3_finalize(st);
	map_free(&nodes);
}

static void
read_threads(struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_thread", "tid");
	bool fresh;

	while (st != NULL && database_step(ids->db, st))
		keyed_get(&ids->tids, (uint64_t)rocpd_ids_int(st, 0), 0, &fresh)
		    ->v = rocpd_ids_int(st, 1);
	sqlite3_finalize(st);
}

/* ---- devices, symbols, counters ---- */

static void
read_agents(struct rocpd_ids *ids)
{
	sqlite3_stmt *st =
	    rocpd_ids_select(ids, "info_agent", "type type_index");
	bool fresh;

	while (st != NULL && database_step(ids->db, st)) {
		struct span type = database_text(st, 1);

		*keyed_get(&ids->agents, (uint64_t)rocpd_ids_int(st, 0), 0,
		    &fresh) = (struct rocpd_agent){span_eq(type, SPAN("GPU")),
		    span_eq(type, SPAN("CPU")), rocpd_ids_int(st, 2)};
	}
	sqlite3_finalize(st);
}

static void
read_symbols(struct rocpd_ids *ids, struct rocpd_counts *counts)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_kernel_symbol",
	    "display_name arch_vgpr_count group_segment_size");
	bool fresh;

	while (st != NULL && database_step(ids->db, st)) {
		struct span name = cpp_name_base(database_text(st, 1));

		*keyed_get(&ids->symbols, (uint64_t)rocpd_ids_int(st, 0), 0,
		    &fresh) = (struct rocpd_symbol){++counts->symbols,
		    region_copy(&ids->region, name), rocpd_ids_int(st, 2),
		    rocpd_ids_int(st, 3)};
	}
	sqlite3_finalize(st);
}

static void
read_counters(struct rocpd_ids *ids, struct rocpd_counts *counts)
{
	sqlite3_stmt *st = rocpd_ids_select(ids, "info_pmc", "");
	bool fresh;

	while (st != NULL && database_step(ids->db, st))
		keyed_get(
		    &ids->counters, (uint64_t)rocpd_ids_int(st, 0), 0, &fresh)
		    ->v = ++counts->counters;
	sqlite3_finalize(st);
}

static void
read_tracks(struct rocpd_ids *ids)
{
	sqlite3_stmt *st = rocpd_ids_select(
	    ids, "track", "pid tid agent_id queue_id stream_id name_id");
	bool fresh;

	while (st != NULL && database_step(ids->db, st))
		*keyed_get(&ids->tracks, (uint64_t)rocpd_ids_int(st, 0), 0,
		    &fresh) = (struct rocpd_track){rocpd_ids_int(st, 1),
		    rocpd_ids_int(st, 2), rocpd_ids_int(st, 3),
		    rocpd_ids_int(st, 4), rocpd_ids_int(st, 5),
		    rocpd_ids_int(st, 6)};
	sqlite3_finalize(st);
}

/* ---- all ---- */

void
rocpd_ids_read(struct rocpd_ids *ids, struct rocpd_counts *counts)
{
	read_strings(ids);
	read_categories(ids);
	read_processes(ids, counts);
	read_threads(ids);
	read_agents(ids);
	read_symbols(ids, counts);
	read_counters(ids, counts);
	read_tracks(ids);
}

void
rocpd_ids_free(struct rocpd_ids *ids)
{
	keyed_free(&ids->strings);
	keyed_free(&ids->categories);
	keyed_free(&ids->pids);
	keyed_free(&ids->tids);
	keyed_free(&ids->agents);
	keyed_free(&ids->symbols);
	keyed_free(&ids->counters);
	keyed_free(&ids->tracks);
	region_free(&ids->region);
}

static int64_t
number_or(const struct rocpd_number *n, int64_t otherwise)
{
	return n != NULL ? n->v : otherwise;
}

int64_t
rocpd_ids_pid(const struct rocpd_ids *ids, int64_t id)
{
	return number_or(keyed_find(&ids->pids, (uint64_t)id, 0), id);
}

int64_t
rocpd_ids_tid(const struct rocpd_ids *ids, int64_t id)
{
	return number_or(keyed_find(&ids->tids, (uint64_t)id, 0), id);
}

const struct rocpd_string *
rocpd_ids_string(const struct rocpd_ids *ids, int64_t id)
{
	return keyed_find(&ids->strings, (uint64_t)id, 0);
}

const struct rocpd_agent *
rocpd_ids_agent(const struct rocpd_ids *ids, int64_t id)
{
	return keyed_find(&ids->agents, (uint64_t)id, 0);
}

const struct rocpd_symbol *
rocpd_ids_symbol(const struct rocpd_ids *ids, int64_t id)
{
	return keyed_find(&ids->symbols, (uint64_t)id, 0);
}

const struct rocpd_track *
rocpd_ids_track(const struct rocpd_ids *ids, int64_t id)
{
	return keyed_find(&ids->tracks, (uint64_t)id, 0);
}

int64_t
rocpd_ids_counter(const struct rocpd_ids *ids, int64_t id)
{
	return number_or(
	    keyed_find(&ids->counters, (uint64_t)id, 0), ROCPD_NONE);
}

int64_t
rocpd_ids_device(const struct rocpd_ids *ids, int64_t agent)
{
	const struct rocpd_agent *a = rocpd_ids_agent(ids, agent);

	return a != NULL && a->gpu ? a->device : ROCPD_NONE;
}
