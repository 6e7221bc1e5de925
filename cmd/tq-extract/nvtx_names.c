/* nvtx_names.c - domains and categories, which records carry by name */

#include "export.h"
#include "tq/base/mem.h"

static uint64_t
keep_name(struct nsys *x, sqlite3_stmt *st, int text_id, int text)
{
	struct text *t;

	x->names = mem_resize(x->names, x->name_count + 1, sizeof(*x->names));
	t = &x->names[x->name_count++];
	*t = (struct text){0};
	if (sqlite3_column_type(st, text_id) != SQLITE_NULL)
		text_add_span(
		    t, export_string(x, sqlite3_column_int64(st, text_id)));
	else
		export_add_json(x, t, database_text(st, text));
	return x->name_count;
}

static uint64_t
category_key(int64_t domain, int64_t category)
{
	return (uint64_t)domain << 32 ^ (uint64_t)category;
}

void
export_note_name(struct nsys *x, int64_t rowid)
{
	struct noted *n = &x->noted;

	if (n->count == n->cap) {
		n->cap = n->cap * 2 + 16;
		n->rowids = mem_resize(n->rowids, n->cap, sizeof(*n->rowids));
	}
	n->rowids[n->count++] = rowid;
}

/*
 * The rows that name something are few among all events, and asked for more
 * than once: copy them to a table of their own.
 */
static void
copy_names(struct nsys *x)
{
	const struct noted *n = &x->noted;
	char *sql = sqlite3_mprintf(
	    "CREATE TEMP TABLE nvtx_names AS SELECT * FROM \"%w\" WHERE %s",
	    n->table != NULL ? n->table : "NVTX_EVENTS",
	    n->table != NULL ? "0" : "eventType IN (33, 39, 75)");
	bool made =
	    sqlite3_exec(x->db.handle, sql, NULL, NULL, NULL) == SQLITE_OK;
	sqlite3_stmt *st = NULL;

	sqlite3_free(sql);
	if (made && n->table != NULL)
		st = database_prepare(&x->db,
		    "INSERT INTO nvtx_names SELECT * FROM \"%w\" "
		    "WHERE rowid = ?",
		    n->table);
	if (st == NULL)
		return;
	sqlite3_exec(x->db.handle, "BEGIN", NULL, NULL, NULL);
	for (size_t i = 0; i < n->count; i++) {
		sqlite3_bind_int64(st, 1, n->rowids[i]);
		database_step(&x->db, st);
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	sqlite3_exec(x->db.handle, "COMMIT", NULL, NULL, NULL);
}

/* the first row that names a domain or category counts, as for nsys */
void
export_read_names(struct nsys *x)
{
	static const char *const columns[] = {
	    "domainId", "category", "textId", "text"};
	const char *c[4];
	sqlite3_stmt *st;

	copy_names(x);
	for (int i = 0; i < 4; i++)
		c[i] = database_column(&x->db, "NVTX_EVENTS", columns[i]);
	st = database_prepare(&x->db,
	    "SELECT globalTid, coalesce(%s, 0), %s, %s, %s, eventType "
	    "FROM temp.nvtx_names WHERE eventType IN (33, 75) "
	    "AND (%s IS NOT NULL OR %s IS NOT NULL) ORDER BY start",
	    c[0], c[1], c[2], c[3], c[2], c[3]);
	while (st != NULL && database_step(&x->db, st)) {
		uint64_t pid = (uint64_t)sqlite3_column_int64(st, 0) >> 24;
		int64_t domain = sqlite3_column_int64(st, 1);
		int64_t category = sqlite3_column_int64(st, 2);
		uint64_t *name =
		    sqlite3_column_int(st, 5) == 75
			? map_get(&x->domains, pid, (uint64_t)domain)
			: map_get(&x->categories, pid,
			      category_key(domain, category));

		if (*name == 0) {
			uint64_t number = keep_name(x, st, 3, 4);

			*name = number;
		}
	}
	sqlite3_finalize(st);
}

static struct span
name_of(struct nsys *x, const uint64_t *number)
{
	if (number == NULL)
		return (struct span){0};
	return text_span(&x->names[*number - 1]);
}

/* a number that nobody named is a name too */
static struct span
unnamed(
    struct nsys *x, struct map *m, uint64_t pid, uint64_t key, int64_t number)
{
	struct text *t;

	x->names = mem_resize(x->names, x->name_count + 1, sizeof(*x->names));
	t = &x->names[x->name_count++];
	*t = (struct text){0};
	text_add_str(t, "\"#");
	text_add_int(t, number);
	text_add_char(t, '"');
	*map_get(m, pid, key) = x->name_count;
	return text_span(t);
}

struct span
export_domain(struct nsys *x, uint64_t global, int64_t domain)
{
	struct span name;

	if (domain == 0)
		return (struct span){0};
	name =
	    name_of(x, map_find(&x->domains, global >> 24, (uint64_t)domain));
	if (name.len > 0)
		return name;
	return unnamed(x, &x->domains, global >> 24, (uint64_t)domain, domain);
}

struct span
export_category(
    struct nsys *x, uint64_t global, int64_t domain, int64_t category)
{
	uint64_t key = category_key(domain, category);
	struct span name;

	if (category == 0)
		return (struct span){0};
	name = name_of(x, map_find(&x->categories, global >> 24, key));
	if (name.len > 0)
		return name;
	return unnamed(x, &x->categories, global >> 24, key, category);
}
