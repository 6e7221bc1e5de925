/* order.c - the rows of a table: which are events, and in which order */

#include <stdlib.h>

#include "table.h"
#include "tq/mem.h"

/*
 * More runs than this and sorting is cheaper than as many readers.  Pages
 * that a reader reads ahead.
 */
enum { MAX_RUNS = 512, WINDOW = 16 };

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
	       (ts >= w->from || (dur > 0 && (uint64_t)dur > (uint64_t)w->from -
								 (uint64_t)ts));
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
	t->runs[t->run_count++] = (struct run){rowid, rowid};
}

/* the cells that the index needs, in the order of these numbers */
struct index_cells {
	struct table as; /* as a table of only these cells */
	char *columns[7];
	int corr, pid, device, context;
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
		if (t->steps[i].from->how == how &&
		    t->steps[i].from->key == key)
			return t->steps[i].col[0];
	return -1;
}

static void
choose_cells(struct index_cells *c, struct export *x, const struct table *t)
{
	*c = (struct index_cells){.as = {.map = t->map},
	    .corr = -1,
	    .pid = -1,
	    .device = -1,
	    .context = -1};
	c->as.columns = c->columns;
	c->as.start = index_column(c, t, t->start);
	c->as.end = index_column(c, t, t->end);
	c->as.filter = index_column(c, t, t->filter);
	if (schema_kinds[t->map->kind].role == ROLE_WORK) {
		c->corr = index_column(c, t, cell_of(t, AS_INT, KEY_corr));
		c->pid = index_column(c, t, cell_of(t, AS_PID, KEY_pid));
		c->device = index_column(c, t, cell_of(t, AS_ID, KEY_device));
		c->context =
		    index_column(c, t, cell_of(t, AS_INT, KEY_context));
	}
	layout_init(
	    &c->as.layout, &x->db, t->name, c->columns, c->as.column_count);
}

static bool
is_int(const struct cell *row, int cell)
{
	return cell >= 0 && row[cell].type == CELL_INT;
}

/* what an operation tells of others: of its call, and of its context */
static void
learn(struct export *x, const struct index_cells *c, const struct cell *row)
{
	uint64_t process;

	if (!is_int(row, c->pid))
		return;
	process = (uint64_t)row[c->pid].i >> 24;
	if (is_int(row, c->corr))
		launches_add(&x->launched, process, (uint64_t)row[c->corr].i);
	if (is_int(row, c->device) && is_int(row, c->context))
		export_learn_device(
		    x, process, row[c->context].i, row[c->device].i);
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
	    strcmp(t->map->filter, nsys_column_as(t->map, AS_TIME)) == 0) {
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
	source_open(
	    &s, &x->db, &c.as.layout, INT64_MIN, INT64_MAX, NULL, WINDOW);
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
		learn(x, &c, s.cells);
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
