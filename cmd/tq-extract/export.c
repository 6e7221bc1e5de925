/* export.c - what is known of an export, and the names its rows refer to */

#include <err.h>
#include <stdlib.h>

#include "export.h"
#include "nsys_map.h"
#include "tq/base/digits.h"
#include "tq/line/cuda_words.h"
#include "tq/base/mem.h"

/* ---- opening ---- */

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
known_table(const char *name)
{
	return nsys_event_table(name) ||
	       (nsys_support_table(name) && strncmp(name, "sqlite_", 7) != 0);
}

static void
check_tables(const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
	bool found = false;

	while (st != NULL && database_step(db, st)) {
		struct span name = database_text(st, 0);

		found |= known_table(name.p);
	}
	sqlite3_finalize(st);
	if (!found)
		errx(1, "%s: no table of an nsys export in it", db->name);
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
 * comes before what the file has.
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
		char *sql = sqlite3_mprintf(
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
export_open(
    struct nsys *x, const struct operand *from, bool direct, struct output *out)
{
	memset(x, 0, sizeof(*x));
	database_open(&x->db, from, direct);
	x->out = out;
	x->recent_time = (struct recent_time){DIGITS_EIGHT, "1", 1};
	check_tables(&x->db);
	alias_newest(&x->db);
	x->version = meta(&x->db, "EXPORT_PRODUCT_VERSION");
	x->schema = meta(&x->db, "EXPORT_SCHEMA_VERSION");
	x->shift = time_shift(&x->db);
	x->string = database_prepare(
	    &x->db, "SELECT value FROM StringIds WHERE id = ?");
	export_open_chains(x);
}

static void
free_cache(struct cached *cache)
{
	for (int i = 0; i < CACHE; i++) {
		text_free(&cache[i].json);
		text_free(&cache[i].raw);
	}
}

void
export_close(struct nsys *x)
{
	sqlite3_finalize(x->string);
	export_close_chains(x);
	free_cache(x->strings);
	free_cache(x->functions);
	map_free(&x->symbol_ids);
	launches_free(&x->launched);
	map_free(&x->contexts);
	map_free(&x->domains);
	map_free(&x->categories);
	for (size_t i = 0; i < x->name_count; i++)
		text_free(&x->names[i]);
	free(x->names);
	free(x->noted.table);
	free(x->noted.rowids);
	text_free(&x->version);
	text_free(&x->schema);
	database_close(&x->db);
}

/* ---- identities ---- */

int64_t
export_pid(struct nsys *x, uint64_t global)
{
	uint64_t host = global >> 48;
	int i;

	for (i = 0; i < x->host_count; i++)
		if (x->hosts[i] == host)
			break;
	if (i == x->host_count && i < HOSTS)
		x->hosts[x->host_count++] = host;
	return (int64_t)(global >> 24 & 0xffffff) + ((int64_t)i << 24);
}

int64_t
export_tid(uint64_t global)
{
	return (int64_t)(global & 0xffffff);
}

void
export_fill_thread(struct nsys *x, struct thread_keys *k, uint64_t global)
{
	char *p = k->text;

	k->global = global;
	if ((global >> 24 & 0xffffff) != 0) {
		memcpy(p, ",\"pid\":", 7);
		p = text_digits_int(p + 7, export_pid(x, global));
	}
	if (export_tid(global) != 0) {
		memcpy(p, ",\"tid\":", 7);
		p = text_digits_int(p + 7, export_tid(global));
	}
	k->len = (unsigned char)(p - k->text);
}

void
export_learn_device(
    struct nsys *x, uint64_t process, int64_t context, int64_t device)
{
	uint64_t slot = process ^ process >> 24 ^ (uint64_t)context;
	struct learnt *l = &x->learnt[slot % LEARNT];

	if (l->known && l->process == process && l->context == context &&
	    l->device == device)
		return; /* as nearly always */
	*l = (struct learnt){process, context, device, true};
	*map_get(&x->contexts, process, (uint64_t)context) =
	    (uint64_t)device + 1;
}

int64_t
export_device(
    const struct nsys *x, uint64_t process, int64_t context, int64_t device)
{
	const uint64_t *known =
	    map_find(&x->contexts, process, (uint64_t)context);

	return known != NULL ? (int64_t)(*known - 1) : device;
}

/* ---- strings ---- */

void
export_add_json(struct nsys *x, struct text *t, struct span s)
{
	x->bad_bytes += (int64_t)text_add_json(t, s.p, s.len);
}

/* look an id up; the bytes are good until the next look-up */
static bool
look_up(struct nsys *x, int64_t id, struct span *s)
{
	if (x->string == NULL)
		return false;
	sqlite3_reset(x->string);
	sqlite3_bind_int64(x->string, 1, id);
	if (!database_step(&x->db, x->string))
		return false;
	*s = database_text(x->string, 0);
	return true;
}

void
export_fill_cached(struct nsys *x, struct cached *c, int64_t id, bool shorten)
{
	struct span s;
	char missing[32];

	c->used = true;
	c->id = id;
	c->json.len = c->raw.len = 0;
	if (!look_up(x, id, &s)) {
		missing[0] = '#';
		s = (struct span){missing,
		    (size_t)(text_digits_int(missing + 1, id) - missing)};
	}
	if (shorten && cuda_words_function(s).len < s.len) {
		export_add_json(x, &c->raw, s);
		s = cuda_words_function(s);
	}
	export_add_json(x, &c->json, s);
	text_reserve(&c->json, CACHED_SLACK);
	if (c->raw.len > 0)
		text_reserve(&c->raw, CACHED_SLACK);
}
