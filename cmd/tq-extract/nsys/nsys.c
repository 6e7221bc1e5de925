/* nsys.c - an export of Nsight Systems is opened */

#include "nsys.h"
#include "nsys_map.h"

static struct text
text_query(const struct database *db, sqlite3_stmt *st)
{
	struct text t = {0};

	if (st != NULL && database_step(db, st))
		text_add_span(&t, database_text(st, 0));
	sqlite3_finalize(st);
	return t;
}

/* a value of the meta data, which moved in 2023.3 */
static struct text
meta(const struct database *db, const char *key)
{
	struct text t = text_query(
	    db, database_prepare(db,
		    "SELECT value FROM META_DATA_EXPORT WHERE name = %Q", key));

	if (t.len == 0) {
		text_free(&t);
		t = text_query(db,
		    database_prepare(db,
			"SELECT value FROM EXPORT_META_DATA WHERE name = %Q",
			key));
	}
	return t;
}

static bool
is_nsys_table(const char *name)
{
	return nsys_map_is_event_table(name) ||
	       (nsys_map_is_support_table(name) &&
		   strncmp(name, "sqlite_", 7) != 0);
}

bool
nsys_detect(const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
	bool found = false;

	while (st != NULL && database_step(db, st)) {
		struct span name = database_text(st, 0);

		found |= is_nsys_table(name.p);
	}
	sqlite3_finalize(st);
	return found;
}

/* times are since the start of the session, unless exported otherwise */
static int64_t
time_shift(const struct database *db)
{
	struct text normal = meta(db, "EXPORT_PARAM_TIME_NORMALIZE");
	bool absolute = span_eq(text_span(&normal), SPAN("true"));

	text_free(&normal);
	return !absolute ? 0
			 : database_int(db, 0,
			       database_prepare(db,
				   "SELECT utcEpochNs FROM "
				   "TARGET_INFO_SESSION_START_TIME"));
}

/*
 * Newer exports may call a table X_V2: of each the newest is to be found as
 * X by the queries that read definitions.  A view in the temporary schema
 * comes before the tables of the file.
 */
static void
alias_newest(const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "WITH v(name, base, version) AS (SELECT name, "
	    "rtrim(rtrim(name, '0123456789'), 'V'), "
	    "CAST(substr(name, length(rtrim(name, '0123456789')) + 1) "
	    "AS INTEGER) FROM main.sqlite_master "
	    "WHERE type = 'table' AND name GLOB '*_V[0-9]*') "
	    "SELECT name, substr(base, 1, length(base) - 1), max(version) "
	    "FROM v WHERE name = base || 'V' || version GROUP BY base");

	while (st != NULL && database_step(db, st)) {
		char *sql = database_sql(
		    "CREATE TEMP VIEW \"%w\" AS SELECT * FROM main.\"%w\"",
		    sqlite3_column_text(st, 1), sqlite3_column_text(st, 0));

		if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) !=
		    SQLITE_OK)
			database_fail(db);
		sqlite3_free(sql);
	}
	sqlite3_finalize(st);
}

void
nsys_open(struct nsys *x, const struct database *db,
    const struct key_choice *keys, struct output *out)
{
	memset(x, 0, sizeof(*x));
	x->db = db;
	alias_newest(x->db);
	x->keys = keys;
	x->out = out;
	x->version = meta(x->db, "EXPORT_PRODUCT_VERSION");
	x->schema = meta(x->db, "EXPORT_SCHEMA_VERSION");
	x->shift = time_shift(x->db);
	string_ids_open(&x->strings, x->db);
	x->symbols.strings = &x->strings;
	x->symbols.out = out;
	x->payloads.db = x->db;
	x->payloads.strings = &x->strings;
	x->files.db = x->db;
	x->files.shift = x->shift;
	sync_calls_init(&x->syncs, &x->strings, text_span(&x->schema));
	x->chains.db = x->db;
	x->chains.strings = &x->strings;
	x->chains.out = out;
	call_chains_open(&x->chains);
	x->domains.db = x->db;
	x->domains.strings = &x->strings;
}

void
nsys_close(struct nsys *x)
{
	string_ids_close(&x->strings);
	global_ids_free(&x->ids);
	symbols_free(&x->symbols);
	call_chains_close(&x->chains);
	launches_free(&x->launches);
	sync_calls_free(&x->syncs);
	event_records_free(&x->records);
	file_accesses_free(&x->files);
	payloads_free(&x->payloads);
	domains_free(&x->domains);
	text_free(&x->version);
	text_free(&x->schema);
}
