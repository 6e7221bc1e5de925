/* table.c - which tables the export has, and which columns they have */

#include <err.h>
#include <stdlib.h>

#include "table.h"
#include "tq/base/mem.h"

struct columns {
	char **names;
	size_t count;
};

static struct columns
columns_of(struct nsys *x, const char *table)
{
	sqlite3_stmt *st = database_prepare(
	    &x->db, "SELECT name FROM pragma_table_info(%Q)", table);
	struct columns c = {0};

	while (st != NULL && database_step(&x->db, st)) {
		struct span s = database_text(st, 0);

		c.names = mem_resize(c.names, c.count + 1, sizeof(*c.names));
		c.names[c.count++] = mem_copy(s.p, s.len);
	}
	sqlite3_finalize(st);
	return c;
}

static void
columns_free(struct columns *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->names[i]);
	free(c->names);
}

static bool
has_column(const struct columns *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (sqlite3_stricmp(c->names[i], name) == 0)
			return true;
	return false;
}

/* the cell that a column is read into; -1 where the table lacks it */
static int
add_column(struct table *t, const struct columns *c, const char *name)
{
	if (name == NULL ||
	    (strcmp(name, "rowid") != 0 && !has_column(c, name)))
		return -1;
	for (int i = 0; i < t->column_count; i++)
		if (sqlite3_stricmp(t->columns[i], name) == 0)
			return i;
	t->columns = mem_resize(
	    t->columns, (size_t)t->column_count + 1, sizeof(*t->columns));
	t->columns[t->column_count] = mem_copy(name, strlen(name));
	return t->column_count++;
}

/* the sisters of a column that ends in X */
static int
add_dimension(
    struct table *t, const struct columns *c, const char *name, char dimension)
{
	char *other = mem_copy(name, strlen(name));
	int col;

	other[strlen(other) - 1] = dimension;
	col = add_column(t, c, other);
	free(other);
	return col;
}

/* false where the table has nothing that the step could be made of */
static bool
add_step(struct table *t, const struct columns *c,
    const struct nsys_column *from, struct step *step)
{
	int *col = step->col;

	*step = (struct step){.from = from,
	    .arg = from->arg != NULL ? from->arg : from->column,
	    .col = {-1, -1, -1}};
	if (from->how == AS_CONST)
		return true;
	col[0] = add_column(t, c, from->column);
	switch (from->how) {
	case AS_DIMS:
		col[1] = add_dimension(t, c, from->column, 'Y');
		col[2] = add_dimension(t, c, from->column, 'Z');
		return col[0] >= 0 && col[1] >= 0 && col[2] >= 0;
	case AS_SYMBOL:
		col[1] = col[0];
		col[0] = add_column(t, c, "shortName");
		col[2] = add_column(t, c, "mangledName");
		return col[0] >= 0 || col[1] >= 0;
	case AS_NAME:
		col[1] = add_column(t, c, from->aux);
		return col[0] >= 0 || col[1] >= 0;
	case AS_DEVICE:
		col[1] = add_column(t, c, "globalPid");
		col[2] = add_column(t, c, "contextId");
		break;
	case AS_CATEGORY:
		col[1] = add_column(t, c, "globalTid");
		col[2] = add_column(t, c, "domainId");
		break;
	case AS_DOMAIN:
	case AS_GPU:
	case AS_END_TID:
		col[1] = add_column(t, c, "globalTid");
		break;
	default:
		break;
	}
	return col[0] >= 0;
}

/* what record.c may know of a step without looking at a row */
static void
classify(struct table *t, struct step *s)
{
	enum how how = s->from->how;

	s->number = (how == AS_INT || how == AS_ID || how == AS_NONZERO) &&
		    s->from->key != KEY_args;
	s->not_zero = how == AS_NONZERO;
	s->not_ones = how == AS_NONZERO || how == AS_ID;
	s->after_raw = s->from->key > KEY_raw;
	t->defines |= how == AS_SYMBOL || how == AS_STACK;
}

/* the order of keys in a record; members of args by their name */
static int
compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->from->key != y->from->key)
		return x->from->key < y->from->key ? -1 : 1;
	return x->from->key == KEY_args ? strcmp(x->arg, y->arg) : 0;
}

static bool
maps_column(const struct nsys_table *map, const char *column)
{
	static const char *const implied[] = {"gridY", "gridZ", "blockY",
	    "blockZ", "clusterY", "clusterZ", "mangledName", "textId",
	    "jsonTextId", NULL};

	for (const struct nsys_column *c = map->columns; c->column; c++)
		if (sqlite3_stricmp(c->column, column) == 0)
			return true;
	for (size_t i = 0; implied[i] != NULL; i++)
		if (sqlite3_stricmp(implied[i], column) == 0)
			return true;
	return false;
}

static void
resolve(struct nsys *x, struct table *t)
{
	struct columns c = columns_of(x, t->name);
	int n = 0;

	for (const struct nsys_column *m = t->map->columns; m->column; m++)
		n++;
	t->steps = mem_resize(NULL, (size_t)n, sizeof(*t->steps));
	for (const struct nsys_column *m = t->map->columns; m->column; m++)
		if (m->how != AS_NOTHING &&
		    add_step(t, &c, m, &t->steps[t->step_count]))
			t->step_count++;
	qsort(
	    t->steps, (size_t)t->step_count, sizeof(*t->steps), compare_steps);
	for (int i = 0; i < t->step_count; i++)
		classify(t, &t->steps[i]);
	t->when = (struct when){t->map,
	    add_column(t, &c, nsys_column_as(t->map, AS_TIME)),
	    add_column(t, &c, nsys_column_as(t->map, AS_END)),
	    add_column(t, &c, t->map->filter)};
	layout_init(&t->layout, &x->db, t->name, t->columns, t->column_count);

	for (size_t i = 0; i < c.count; i++)
		if (!maps_column(t->map, c.names[i]))
			text_printf(&t->unknown, "%s%s.%s",
			    t->unknown.len > 0 ? ", " : "", t->name,
			    c.names[i]);
	columns_free(&c);
}

/*
 * The number behind _V of a table called like the map says, 0 without one;
 * -1 if it is called otherwise.
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

/* does a newer version of the table stand among the names? */
static bool
superseded(const struct columns *names, const char *name, const char *map)
{
	int version = version_of(name, map);
	size_t base = strlen(name);
	const char *suffix = strrchr(name, '_');

	if (version > 0)
		base = (size_t)(suffix - name);
	for (size_t i = 0; i < names->count; i++) {
		const char *other = names->names[i];

		if (version_of(other, map) > version &&
		    sqlite3_strnicmp(other, name, (int)base) == 0 &&
		    strncmp(other + base, "_V", 2) == 0)
			return true;
	}
	return false;
}

static struct columns
table_names(struct nsys *x)
{
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT name FROM main.sqlite_master "
	    "WHERE type IN ('table', 'view') ORDER BY name");
	struct columns names = {0};

	while (st != NULL && database_step(&x->db, st)) {
		struct span s = database_text(st, 0);

		names.names = mem_resize(
		    names.names, names.count + 1, sizeof(*names.names));
		names.names[names.count++] = mem_copy(s.p, s.len);
	}
	sqlite3_finalize(st);
	return names;
}

static void
table_free(struct table *t)
{
	free(t->name);
	free(t->steps);
	for (int i = 0; i < t->column_count; i++)
		free(t->columns[i]);
	free(t->columns);
	for (size_t i = 0; i < t->strand_count; i++)
		free(t->strands[i].runs);
	free(t->strands);
	row_shapes_free(&t->shapes, free);
	text_free(&t->unknown);
}

struct table *
tables_find(struct nsys *x, uint64_t kinds, size_t *count)
{
	struct columns names = table_names(x);
	struct table *tables = NULL;

	*count = 0;
	for (size_t m = 0; m < nsys_table_count; m++) {
		const struct nsys_table *map = &nsys_tables[m];

		if (!(kinds >> map->kind & 1))
			continue;
		for (size_t i = 0; i < names.count; i++) {
			const char *name = names.names[i];
			struct table *t;

			if (version_of(name, map->table) < 0 ||
			    superseded(&names, name, map->table))
				continue;
			tables =
			    mem_resize(tables, *count + 1, sizeof(*tables));
			t = &tables[(*count)++];
			*t = (struct table){.map = map};
			t->name = mem_copy(name, strlen(name));
			resolve(x, t);
			/* without its filter, it is all of another kind */
			if (map->filter != NULL && t->when.filter < 0 &&
			    map->other == NULL)
				table_free(&tables[--*count]);
		}
	}
	columns_free(&names);
	return tables;
}

void
tables_free(struct table *tables, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_free(&tables[i]);
	free(tables);
}
