/* event_table.c - the tables of an export with events */

#include <stdlib.h>

#include "event_table.h"
#include "tq/base/array.h"

static bool
maps_column(const struct nsys_table *map, const char *column)
{
	static const char *const implied[] = {"gridY", "gridZ", "blockY",
	    "blockZ", "clusterY", "clusterZ", "mangledName", "textId",
	    "jsonTextId", "deprecatedSyncType", NULL};

	for (const struct column_map *c = map->columns; c->column; c++)
		if (sqlite3_stricmp(c->column, column) == 0)
			return true;
	for (size_t i = 0; implied[i] != NULL; i++)
		if (sqlite3_stricmp(implied[i], column) == 0)
			return true;
	return false;
}

static void
resolve(struct nsys *x, struct event_table *t)
{
	const struct nsys_table *map = t->map;
	struct record_map *r = &t->record;
	const char *first[] = {map->filter, nsys_map_column(map, AS_TIME),
	    nsys_map_column(map, AS_END)};

	t->columns = database_names(
	    x->db, database_prepare(x->db,
		       "SELECT name FROM pragma_table_info(%Q)", t->name));
	*r = (struct record_map){.kind = map->kind,
	    .chosen = map->whole && x->keys->listed
			  ? keyset_all()
			  : key_choice_of(x->keys, map->kind),
	    .launches =
		x->keys->launches && map->kind == KIND_api && !map->whole,
	    .columns = map->columns};
	record_map_init(r, &t->columns, first, sizeof(first) / sizeof(*first));
	t->times = (struct time_columns){map, record_map_value(r, first[1]),
	    record_map_value(r, first[2]), record_map_value(r, first[0])};
	row_source_layout(
	    &t->layout, x->db, t->name, r->names.all, (int)r->names.count);

	for (size_t i = 0; i < t->columns.count; i++)
		if (!maps_column(map, t->columns.all[i]))
			text_printf(&t->unknown, "%s%s.%s",
			    t->unknown.len > 0 ? ", " : "", t->name,
			    t->columns.all[i]);
}

/*
 * The number behind _V of a table with a name of the map, 0 without one; -1
 * for another name.
 */
static int
version_of(const char *name, const char *map)
{
	size_t n = strcspn(map, "*");
	const char *rest = name + n;

	if (sqlite3_strnicmp(name, map, (int)n) != 0)
		return -1;
	if (map[n] == '*') {
		rest = strrchr(rest, '_');
		if (rest == NULL || rest[1] != 'V' || rest[2] == '\0')
			return 0;
	}
	if (*rest == '\0')
		return 0;
	if (strncmp(rest, "_V", 2) != 0 || rest[2] == '\0' ||
	    strspn(rest + 2, "0123456789") != strlen(rest + 2))
		return map[n] == '*' ? 0 : -1;
	return (int)strtol(rest + 2, NULL, 10);
}

/* true if names have a newer version of the table */
static bool
superseded(const struct name_list *names, const char *name, const char *map)
{
	int version = version_of(name, map);
	size_t base = strlen(name);
	const char *suffix = strrchr(name, '_');

	if (version > 0)
		base = (size_t)(suffix - name);
	for (size_t i = 0; i < names->count; i++) {
		const char *other = names->all[i];

		if (version_of(other, map) > version &&
		    sqlite3_strnicmp(other, name, (int)base) == 0 &&
		    strncmp(other + base, "_V", 2) == 0)
			return true;
	}
	return false;
}

static void
table_free(struct event_table *t)
{
	free(t->name);
	name_list_free(&t->columns);
	record_map_free(&t->record);
	row_chains_free(&t->chains);
	row_format_close(&t->formats);
	text_free(&t->unknown);
}

struct event_table *
event_table_find_all(struct nsys *x, uint64_t kinds, size_t *count)
{
	struct name_list names = database_names(
	    x->db, database_prepare(x->db,
		       "SELECT name FROM main.sqlite_master "
		       "WHERE type IN ('table', 'view') ORDER BY name"));
	struct event_table *tables = NULL;
	size_t cap = 0;

	*count = 0;
	for (size_t i = 0; i < nsys_map_count * names.count; i++) {
		const struct nsys_table *map =
		    &nsys_map_tables[i / names.count];
		const char *name = names.all[i % names.count];
		struct event_table *t;

		if (!(kinds >> map->kind & 1) ||
		    version_of(name, map->table) < 0 ||
		    superseded(&names, name, map->table))
			continue;
		t = array_add(&tables, count, &cap);
		*t = (struct event_table){.map = map};
		t->name = mem_copy(name, strlen(name));
		resolve(x, t);
		/* without its filter, all of it is of another kind */
		if ((map->filter != NULL && t->times.filter < 0 &&
			map->other == NULL) ||
		    (t->record.launches && !record_map_has(&t->record, AS_GPU)))
			table_free(&tables[--*count]);
	}
	name_list_free(&names);
	return tables;
}

void
event_table_drop_empty(struct event_table *tables, size_t *count)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		int64_t rows = 0;

		for (int k = 0; k < ROW_IS_COUNT; k++)
			rows += tables[i].rows[k];
		if (rows == 0)
			table_free(&tables[i]);
		else
			tables[kept++] = tables[i];
	}
	*count = kept;
}

void
event_table_free_all(struct event_table *tables, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_free(&tables[i]);
	free(tables);
}

bool
event_table_any_has(
    const struct event_table *tables, size_t count, enum how how)
{
	for (size_t i = 0; i < count; i++)
		if (record_map_has(&tables[i].record, how))
			return true;
	return false;
}

int64_t
event_table_lost(const struct event_table *t)
{
	int64_t n = 0;

	for (int i = ROW_LOST; i < ROW_IS_COUNT; i++)
		n += t->rows[i];
	return n;
}

int64_t
event_table_rows(const struct event_table *t)
{
	return t->rows[ROW_EVENT] + event_table_lost(t);
}
