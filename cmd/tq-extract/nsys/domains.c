/* domains.c - the names of NVTX domains and categories */

#include "domains.h"

enum { NVTX_DOMAIN = 75 }; /* an event type */

void
domains_free(struct domains *d)
{
	for (size_t i = 0; i < d->domains.count; i++)
		text_free(&d->domains.all[i]);
	for (size_t i = 0; i < d->categories.count; i++)
		text_free(&d->categories.all[i]);
	keyed_free(&d->domains);
	keyed_free(&d->categories);
	free(d->table);
	free(d->rowids);
}

void
domains_add_row(struct domains *d, int64_t rowid)
{
	*array_add(&d->rowids, &d->count, &d->cap) = rowid;
}

/*
 * The rows that name something are few among all events, and several queries
 * read them: copy them to a table of their own.
 */
static void
copy_rows(const struct domains *d)
{
	bool searched = d->table != NULL;
	char *sql = database_sql(
	    "CREATE TEMP TABLE nvtx_names AS SELECT * FROM \"%w\" WHERE %s",
	    searched ? d->table : "NVTX_EVENTS",
	    searched ? "0" : "eventType IN (33, 39, 75)");
	int status = sqlite3_exec(d->db->handle, sql, NULL, NULL, NULL);
	sqlite3_stmt *st = NULL;

	sqlite3_free(sql);
	/* without the columns there are no names */
	if (status != SQLITE_OK && status != SQLITE_ERROR)
		database_fail(d->db);
	if (status == SQLITE_OK && searched)
		st = database_prepare(d->db,
		    "INSERT INTO nvtx_names SELECT * FROM \"%w\" "
		    "WHERE rowid = ?",
		    d->table);
	if (st == NULL)
		return;
	for (size_t i = 0; i < d->count; i++) {
		sqlite3_bind_int64(st, 1, d->rowids[i]);
		database_step(d->db, st);
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
}

static uint64_t
category_key(int64_t domain, int64_t category)
{
	return (uint64_t)domain << 32 ^ (uint64_t)category;
}

/* the name of a row: a string by its id, else the text itself */
static struct text
read_name(struct domains *d, sqlite3_stmt *st, int id, int text)
{
	struct text t = {0};

	if (sqlite3_column_type(st, id) != SQLITE_NULL)
		text_add_span(&t,
		    string_ids_get(d->strings, sqlite3_column_int64(st, id)));
	else
		string_ids_add_json(d->strings, &t, database_text(st, text));
	return t;
}

/* the first row that names a domain or category counts, as for nsys */
static void
read_row(struct domains *d, sqlite3_stmt *st)
{
	uint64_t pid = (uint64_t)sqlite3_column_int64(st, 0) >> 24;
	int64_t domain = sqlite3_column_int64(st, 1);
	int64_t category = sqlite3_column_int64(st, 2);
	struct text *name;
	bool fresh;

	if (sqlite3_column_int(st, 5) == NVTX_DOMAIN)
		name = keyed_get(&d->domains, pid, (uint64_t)domain, &fresh);
	else
		name = keyed_get(&d->categories, pid,
		    category_key(domain, category), &fresh);
	if (fresh)
		*name = read_name(d, st, 3, 4);
}

void
domains_read(struct domains *d)
{
	static const char *const columns[] = {
	    "domainId", "category", "textId", "text"};
	const char *c[4];
	sqlite3_stmt *st;

	copy_rows(d);
	for (int i = 0; i < 4; i++)
		c[i] = database_column(d->db, "NVTX_EVENTS", columns[i]);
	st = database_prepare(d->db,
	    "SELECT globalTid, coalesce(%s, 0), %s, %s, %s, eventType "
	    "FROM temp.nvtx_names WHERE eventType IN (33, 75) "
	    "AND (%s IS NOT NULL OR %s IS NOT NULL) ORDER BY start",
	    c[0], c[1], c[2], c[3], c[2], c[3]);
	while (st != NULL && database_step(d->db, st))
		read_row(d, st);
	sqlite3_finalize(st);
}

static struct text
unnamed(int64_t number)
{
	struct text t = {0};

	text_printf(&t, "\"#%lld\"", (long long)number);
	return t;
}

struct span
domains_name(struct domains *d, uint64_t global, int64_t domain)
{
	struct text *name;
	bool fresh;

	if (domain == 0)
		return (struct span){0};
	name = keyed_get(&d->domains, global >> 24, (uint64_t)domain, &fresh);
	if (fresh)
		*name = unnamed(domain);
	return text_span(name);
}

struct span
domains_category(
    struct domains *d, uint64_t global, int64_t domain, int64_t category)
{
	struct text *name;
	bool fresh;

	if (category == 0)
		return (struct span){0};
	name = keyed_get(&d->categories, global >> 24,
	    category_key(domain, category), &fresh);
	if (fresh)
		*name = unnamed(category);
	return text_span(name);
}
