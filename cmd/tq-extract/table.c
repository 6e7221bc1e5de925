/* table.c - a table of the export: its columns, and its rows in order */

#include <err.h>
#include <stdlib.h>

#include "table.h"
#include "tq/mem.h"

/*
 * More runs than this and sorting is cheaper than as many readers.  Pages
 * that a reader reads ahead.
 */
enum { MAX_RUNS = 512, WINDOW = 16 };

/* ---- which tables, which columns ---- */

struct columns {
	char **names;
	size_t count;
};

static struct columns
columns_of(struct export *x, const char *table)
{
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT name FROM pragma_table_info(%Q)", table);
	struct columns c = { 0 };

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
	if (name == NULL || (strcmp(name, "rowid") != 0 && !has_column(c, name)))
		return -1;
	for (int i = 0; i < t->column_count; i++)
		if (sqlite3_stricmp(t->columns[i], name) == 0)
			return i;
	t->columns = mem_resize(t->columns, (size_t)t->column_count + 1,
	    sizeof(*t->columns));
	t->columns[t->column_count] = mem_copy(name, strlen(name));
	return t->column_count++;
}

/* the sisters of a column that ends in X */
static int
add_dimension(struct table *t, const struct columns *c, const char *name,
    char dimension)
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

	*step = (struct step) { .from = from,
		.arg = from->arg != NULL ? from->arg : from->column,
		.col = { -1, -1, -1 } };
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
	case AS_CATEGORY:
		col[2] = add_column(t, c, "domainId");
		/* fall through */
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
	static const char *const implied[] = { "gridY", "gridZ", "blockY",
		"blockZ", "clusterY", "clusterZ", "mangledName", "textId",
		"jsonTextId", NULL };

	for (const struct nsys_column *c = map->columns; c->column; c++)
		if (sqlite3_stricmp(c->column, column) == 0)
			return true;
	for (size_t i = 0; implied[i] != NULL; i++)
		if (sqlite3_stricmp(implied[i], column) == 0)
			return true;
	return false;
}

static const char *
column_as(const struct nsys_table *map, enum how how)
{
	for (const struct nsys_column *c = map->columns; c->column; c++)
		if (c->how == how)
			return c->column;
	return NULL;
}

static void
resolve(struct export *x, struct table *t)
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
	qsort(t->steps, (size_t)t->step_count, sizeof(*t->steps),
	    compare_steps);
	t->start = add_column(t, &c, column_as(t->map, AS_TIME));
	t->end = add_column(t, &c, column_as(t->map, AS_END));
	t->filter = add_column(t, &c, t->map->filter);
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
	return atoi(rest + 2);
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
table_names(struct export *x)
{
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT name FROM main.sqlite_master "
	    "WHERE type IN ('table', 'view') ORDER BY name");
	struct columns names = { 0 };

	while (st != NULL && database_step(&x->db, st)) {
		struct span s = database_text(st, 0);

		names.names = mem_resize(names.names, names.count + 1,
		    sizeof(*names.names));
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
	free(t->runs);
	text_free(&t->unknown);
}

struct table *
tables_find(struct export *x, uint64_t kinds, size_t *count)
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
			tables = mem_resize(tables, *count + 1,
			    sizeof(*tables));
			t = &tables[(*count)++];
			*t = (struct table) { .map = map };
			t->name = mem_copy(name, strlen(name));
			resolve(x, t);
			/* without its filter, it is all of another kind */
			if (map->filter != NULL && t->filter < 0 &&
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

/* ---- the order of rows ---- */

/*
 * What orders a row: LOSS_NONE, or why it has no place.  An interval that
 * never ended is the longest there is.
 */
static enum loss
key_of(const struct export *x, const struct table *t, const struct cell *row,
    int64_t *ts, int64_t *dur)
{
	int64_t start, end;

	if (!cell_int(&row[t->start], &start))
		return LOSS_NO_TIME;
	if (__builtin_sub_overflow(start, x->shift, ts))
		return LOSS_TIME_RANGE;
	*dur = 0;
	if (t->end < 0)
		return LOSS_NONE;
	*dur = NEVER_ENDED;
	if (!cell_int(&row[t->end], &end))
		return LOSS_NONE;
	if (__builtin_sub_overflow(end, x->shift, &end) ||
	    __builtin_sub_overflow(end, *ts, dur))
		return LOSS_TIME_RANGE;
	return LOSS_NONE;
}

static bool
in_window(const struct window *w, int64_t ts, int64_t dur)
{
	return ts < w->to &&
	    (ts >= w->from ||
	        (dur > 0 &&
	            (uint64_t)dur > (uint64_t)w->from - (uint64_t)ts));
}

static bool
passes(const struct nsys_table *map, const struct cell *c)
{
	int64_t v;

	if (!cell_int(c, &v))
		return false;
	for (int i = 0; i < map->value_count; i++)
		if (v == map->values[i])
			return !map->none_of;
	return map->none_of;
}

enum row
table_select(const struct export *x, const struct table *t,
    const struct cell *row, const struct window *w, int64_t *ts, int64_t *dur)
{
	if (t->filter >= 0 && !passes(t->map, &row[t->filter]))
		return ROW_OTHER;
	if (key_of(x, t, row, ts, dur) != LOSS_NONE)
		return ROW_LOST;
	return in_window(w, *ts, *dur) ? ROW_EVENT : ROW_OUTSIDE;
}

static void
add_run(struct table *t, int64_t rowid)
{
	if (t->run_count == MAX_RUNS) {
		t->unsorted = true;
		return;
	}
	t->runs = mem_resize(t->runs, t->run_count + 1, sizeof(*t->runs));
	t->runs[t->run_count++] = (struct run) { rowid, rowid };
}

/* the cells that the index needs, in the order of these numbers */
struct index_cells {
	struct table as; /* as a table of only these cells */
	char *columns[5];
	int corr, pid;
};

static int
index_column(struct index_cells *c, const struct table *t, int cell)
{
	struct table *as = &c->as;

	if (cell < 0)
		return -1;
	for (int i = 0; i < as->column_count; i++)
		if (as->columns[i] == t->columns[cell])
			return i;
	as->columns[as->column_count] = t->columns[cell];
	return as->column_count++;
}

static int
cell_of(const struct table *t, enum how how, enum key key)
{
	for (int i = 0; i < t->step_count; i++)
		if (t->steps[i].from->how == how && t->steps[i].from->key == key)
			return t->steps[i].col[0];
	return -1;
}

static void
choose_cells(struct index_cells *c, struct export *x, const struct table *t)
{
	bool work = schema_kinds[t->map->kind].role == ROLE_WORK;

	*c = (struct index_cells) { .as = { .map = t->map } };
	c->as.columns = c->columns;
	c->as.start = index_column(c, t, t->start);
	c->as.end = index_column(c, t, t->end);
	c->as.filter = index_column(c, t, t->filter);
	c->corr = work ? index_column(c, t, cell_of(t, AS_INT, KEY_corr)) : -1;
	c->pid = work ? index_column(c, t, cell_of(t, AS_PID, KEY_pid)) : -1;
	layout_init(&c->as.layout, &x->db, t->name, c->columns,
	    c->as.column_count);
}

/* operations are counted by the call that launched them */
static void
count_launch(struct export *x, const struct index_cells *c,
    const struct cell *row)
{
	if (c->corr >= 0 && c->pid >= 0 && row[c->corr].type == CELL_INT &&
	    row[c->pid].type == CELL_INT)
		launches_add(&x->launched, (uint64_t)row[c->pid].i >> 24,
		    (uint64_t)row[c->corr].i);
}

/*
 * A table that lacks the column with the time: its rows are lost - unless
 * it is one of those where only rows with a time are events.
 */
static void
without_time(struct export *x, struct table *t)
{
	int64_t rows = database_int(&x->db, 0,
	    database_prepare(&x->db, "SELECT count(*) FROM \"%w\"", t->name));

	if (t->map->filter != NULL &&
	    strcmp(t->map->filter, column_as(t->map, AS_TIME)) == 0) {
		t->others = rows;
		return;
	}
	t->rows = rows;
	t->lost[LOSS_NO_TIME] = rows;
}

void
table_index(struct export *x, struct table *t, const struct window *w)
{
	int64_t ts, dur, last_ts = 0, last_dur = 0;
	struct index_cells c;
	struct source s;

	if (t->start < 0) {
		without_time(x, t);
		return;
	}
	choose_cells(&c, x, t);
	t->unsorted = !t->layout.has_rowid;
	source_open(&s, &x->db, &c.as.layout, INT64_MIN, INT64_MAX, NULL,
	    WINDOW);
	while (source_next(&s)) {
		switch (table_select(x, &c.as, s.cells, w, &ts, &dur)) {
		case ROW_OTHER:
			t->others++;
			continue;
		case ROW_LOST:
			t->lost[key_of(x, &c.as, s.cells, &ts, &dur)]++;
			t->rows++;
			continue;
		case ROW_OUTSIDE:
			t->outside++;
			continue;
		case ROW_EVENT:
			break;
		}
		t->rows++;
		count_launch(x, &c, s.cells);
		if (t->unsorted)
			continue;
		if (t->run_count == 0 || ts < last_ts ||
		    (ts == last_ts && dur > last_dur))
			add_run(t, s.rowid);
		t->runs[t->run_count - 1].last = s.rowid;
		last_ts = ts;
		last_dur = dur;
	}
	source_close(&s);
}

struct source *
table_rows(struct export *x, const struct table *t, size_t i)
{
	struct source *s = mem_alloc(sizeof(*s));
	int end = t->end >= 0 ? t->end : t->start;
	char *order;

	if (!t->unsorted) {
		source_open(s, &x->db, &t->layout, t->runs[i].first,
		    t->runs[i].last, NULL, WINDOW);
		return s;
	}
	order = sqlite3_mprintf("ORDER BY \"%w\", \"%w\" IS NOT NULL, "
				"\"%w\" DESC%s",
	    t->columns[t->start], t->columns[end], t->columns[end],
	    t->layout.has_rowid ? ", rowid" : "");
	source_open(s, &x->db, &t->layout, 0, 0, order, 0);
	sqlite3_free(order);
	return s;
}

void
table_close(struct source *rows)
{
	source_close(rows);
	free(rows);
}
