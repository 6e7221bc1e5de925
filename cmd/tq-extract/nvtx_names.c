/* nvtx_names.c - domains and categories, which records carry by name */

#include "export.h"
#include "tq/mem.h"

static uint64_t
keep_name(struct export *x, sqlite3_stmt *st, int text_id, int text)
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

/* the first row that names a domain or category counts, as for nsys */
void
export_read_names(struct export *x)
{
	static const char *const columns[] = {
	    "domainId", "category", "textId", "text"};
	const char *c[4];
	sqlite3_stmt *st;

	for (int i = 0; i < 4; i++)
		c[i] = database_column(&x->db, "NVTX_EVENTS", columns[i]);
	st = database_prepare(&x->db,
	    "SELECT globalTid, coalesce(%s, 0), %s, %s, %s, eventType "
	    "FROM NVTX_EVENTS WHERE eventType IN (33, 75) "
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
name_of(struct export *x, const uint64_t *number)
{
	if (number == NULL)
		return (struct span){0};
	return text_span(&x->names[*number - 1]);
}

/* a number that nobody named is a name too */
static struct span
unnamed(
    struct export *x, struct map *m, uint64_t pid, uint64_t key, int64_t number)
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
export_domain(struct export *x, uint64_t global, int64_t domain)
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
    struct export *x, uint64_t global, int64_t domain, int64_t category)
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
