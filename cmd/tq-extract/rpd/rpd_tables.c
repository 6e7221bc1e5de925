/* rpd_tables.c - the tables of rocmProfileData, whichever a recording has */

#include <err.h>

#include "rpd_tables.h"

const char *const rpd_tables_names[RPD_TABLES] = {
    "rocpd_api", "rocpd_op", "rocpd_monitor"};

const int rpd_tables_columns[RPD_TABLES] = {
    API_COLUMNS, WORK_COLUMNS, MONITOR_COLUMNS};

enum { MOST_COLUMNS = 11 };

/* the columns that are read; a table is called as here behind "rocpd_" */
static const struct {
	const char *name, *columns[MOST_COLUMNS];
} tables[] = {
    {"api", {"id", "start", "end", "pid", "tid", "apiName_id", "args_id"}},
    {"op", {"id", "start", "end", "gpuId", "queueId", "description_id",
	       "opType_id"}},
    {"api_ops", {"api_id", "op_id"}},
    {"kernelapi", {"api_ptr_id", "gridX", "gridY", "gridZ", "workgroupX",
		      "workgroupY", "workgroupZ", "groupSegmentSize",
		      "privateSegmentSize", "kernelName_id"}},
    {"copyapi", {"api_ptr_id", "size"}},
    {"monitor",
	{"id", "start", "deviceType", "deviceId", "monitorType", "value"}},
    {"string", {"id", "string"}},
};

static const char *const queries[RPD_TABLES] = {
    [RPD_API] =
	"SELECT a.start, a.\"end\", a.id, pid, tid, n.string, t.string "
	"FROM api a LEFT JOIN string n ON n.id = apiName_id "
	"LEFT JOIN string t ON t.id = args_id "
	"ORDER BY a.start, coalesce(a.\"end\", 0) <> 0, a.\"end\" DESC, a.id",
    /* of an operation with several calls, the first */
    [RPD_OP] =
	"SELECT o.start, o.\"end\", a.pid, a.tid, x.api, gpuId, queueId, "
	"coalesce(nullif(d.string, ''), kn.string), t.string, an.string, "
	"gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, "
	"groupSegmentSize, privateSegmentSize, c.size FROM op o "
	"LEFT JOIN (SELECT op_id, min(api_id) AS api FROM api_ops "
	"GROUP BY op_id) x ON x.op_id = o.id "
	"LEFT JOIN api a ON a.id = x.api "
	"LEFT JOIN string an ON an.id = a.apiName_id "
	"LEFT JOIN kernelapi k ON k.api_ptr_id = x.api "
	"LEFT JOIN copyapi c ON c.api_ptr_id = x.api "
	"LEFT JOIN string d ON d.id = o.description_id "
	"LEFT JOIN string kn ON kn.id = k.kernelName_id "
	"LEFT JOIN string t ON t.id = o.opType_id "
	"ORDER BY o.start, coalesce(o.\"end\", 0) <> 0, o.\"end\" DESC, o.id",
    [RPD_MONITOR] =
	("SELECT start, start, deviceType, deviceId, monitorType, value "
	 "FROM monitor ORDER BY start, id"),
};

/* table i as the common table of a query, under its short name */
static void
add_table(struct text *sql, const struct database *db, size_t i)
{
	char *table = database_sql("rocpd_%s", tables[i].name);
	bool there =
	    database_int(db, 0,
		database_prepare(db,
		    "SELECT count(*) FROM pragma_table_info(%Q)", table)) > 0;

	text_printf(
	    sql, "%s%s AS (SELECT ", i > 0 ? ", " : "WITH ", tables[i].name);
	for (int c = 0; c < MOST_COLUMNS && tables[i].columns[c] != NULL; c++) {
		const char *name = tables[i].columns[c];
		bool has =
		    strcmp(database_column(db, table, name), "NULL") != 0;

		text_printf(sql, has ? "%s\"%s\"" : "%sNULL AS \"%s\"",
		    c > 0 ? ", " : "", name);
	}
	text_printf(sql, there ? " FROM \"%s\")" : " WHERE 0)", table);
	sqlite3_free(table);
}

void
rpd_tables_find(struct text *tables_of, const struct database *db)
{
	tables_of->len = 0;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		add_table(tables_of, db, i);
}

sqlite3_stmt *
rpd_tables_prepare(
    const struct database *db, const struct text *tables_of, const char *query)
{
	sqlite3_stmt *st = database_prepare(
	    db, "%.*s %s", (int)tables_of->len, tables_of->p, query);

	if (st == NULL)
		database_fail(db);
	return st;
}

sqlite3_stmt *
rpd_tables_rows(const struct database *db, const struct text *tables_of,
    enum rpd_rows table)
{
	return rpd_tables_prepare(db, tables_of, queries[table]);
}
