/* order.c - which rows of the tables are events, and in which order */

#include <stdlib.h>

#include "select.h"
#include "tq/base/mem.h"

/*
 * Rows are nearly always written in order of time, but for some that came
 * late, or one thread after the other.  So a table is cut into runs that are
 * in order, and these are put together again to few strands, each to be read
 * once.
 *
 * With more strands than this, sorting is cheaper than as many readers.  Rows
 * that are no events do not end a run, unless they are that many.
 */
enum { MAX_STRANDS = 512, MAX_GAP = 256 };

/* ---- what a row is ---- */

/*
 * What orders a row: LOSS_NONE, or why it has no place.  An interval that
 * never ended is the longest there is.
 */
static enum loss
place(const struct nsys *x, const struct when *when, const struct cell *row,
    int64_t *ts, int64_t *dur)
{
	int64_t start, end;

	if (!cell_int(&row[when->start], &start))
		return LOSS_NO_TIME;
	if (when->end >= 0 && cell_int(&row[when->end], &end))
		return select_place(x, start, end, ts, dur) ? LOSS_NONE
							    : LOSS_TIME_RANGE;
	*dur = when->end >= 0 ? NEVER_ENDED : 0;
	return __builtin_sub_overflow(start, x->shift, ts) ? LOSS_TIME_RANGE
							   : LOSS_NONE;
}

enum row_is
table_select_cells(const struct nsys *x, const struct when *when,
    const struct cell *row, const struct window *w, int64_t *ts, int64_t *dur)
{
	int64_t v;

	if (when->filter >= 0 &&
	    (!cell_int(&row[when->filter], &v) || !select_passes(when->map, v)))
		return ROW_OTHER;
	if (place(x, when, row, ts, dur) != LOSS_NONE)
		return ROW_LOST;
	return select_in_window(w, *ts, *dur) ? ROW_EVENT : ROW_OUTSIDE;
}

/* ---- strands ---- */

static inline bool
in_order(const struct strand *c, int64_t ts, int64_t dur)
{
	return c->ts < ts || (c->ts == ts && c->dur >= dur);
}

/*
 * The strand that an event is to go to: the one at hand, or of those that end
 * before it the last to end, or a new one.  NULL where there are too many.
 */
static struct strand *
find_strand(struct table *t, int64_t ts, int64_t dur)
{
	struct strand *best = NULL;

	for (size_t i = 0; i < t->strand_count; i++) {
		struct strand *c = &t->strands[i];

		if (in_order(c, ts, dur) &&
		    (best == NULL || in_order(best, c->ts, c->dur)))
			best = c;
	}
	if (best == NULL && t->strand_count < MAX_STRANDS) {
		t->strands = mem_resize(
		    t->strands, t->strand_count + 1, sizeof(*t->strands));
		best = &t->strands[t->strand_count++];
		*best = (struct strand){0};
	}
	if (best != NULL)
		t->strand = (size_t)(best - t->strands);
	return best;
}

static void
add_run(struct strand *c, int64_t rowid)
{
	if ((c->count & (c->count - 1)) == 0) /* full */
		c->runs = mem_resize(
		    c->runs, c->count > 0 ? c->count * 2 : 1, sizeof(*c->runs));
	c->runs[c->count++] = (struct run){rowid, rowid};
}

/* an event that does not follow the one before in its run */
static void
begin_run(struct table *t, int64_t rowid, int64_t ts, int64_t dur)
{
	struct strand *c = t->strands + t->strand;

	if (t->strand_count == 0 || !in_order(c, ts, dur))
		c = find_strand(t, ts, dur);
	if (c == NULL) {
		t->unsorted = true;
		return;
	}
	add_run(c, rowid);
	c->ts = ts;
	c->dur = dur;
}

static inline void
add_event(struct table *t, int64_t rowid, int64_t ts, int64_t dur)
{
	struct strand *c = t->strands + t->strand;
	struct run *run;

	if (t->unsorted)
		return;
	if (t->strand_count == 0 || !in_order(c, ts, dur) ||
	    (uint64_t)rowid - (uint64_t)c->runs[c->count - 1].last > MAX_GAP) {
		begin_run(t, rowid, ts, dur);
		return;
	}
	run = &c->runs[c->count - 1];
	run->last = rowid;
	c->ts = ts;
	c->dur = dur;
}

/* ---- the index ---- */

enum { INDEX_COLUMNS = 16 };

/* the cells that the index of tables with the same rows needs */
struct reading {
	struct layout layout;
	char *columns[INDEX_COLUMNS];
	int count;
};

/* of them those of a table */
struct index {
	struct table *table;
	struct when when;
	int corr, pid, device, context;
};

enum { SAME = 4 }; /* kinds that are made of the rows of one table, at most */

static int
index_column(struct reading *r, const struct table *t, int cell)
{
	if (cell < 0)
		return -1;
	for (int i = 0; i < r->count; i++)
		if (sqlite3_stricmp(r->columns[i], t->columns[cell]) == 0)
			return i;
	r->columns[r->count] = t->columns[cell];
	return r->count++;
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
choose_cells(struct reading *r, struct index *c, struct table *t)
{
	*c = (struct index){.table = t, .corr = -1, .pid = -1};
	c->when = (struct when){t->map, index_column(r, t, t->when.start),
	    index_column(r, t, t->when.end),
	    index_column(r, t, t->when.filter)};
	if (schema_kinds[t->map->kind].role != ROLE_WORK)
		return;
	c->corr = index_column(r, t, cell_of(t, AS_INT, KEY_corr));
	c->pid = index_column(r, t, cell_of(t, AS_PID, KEY_pid));
	c->device = index_column(r, t, cell_of(t, AS_ID, KEY_device));
	c->context = index_column(r, t, cell_of(t, AS_INT, KEY_context));
}

/* what an operation tells of others: of its call, and of its context */
static void
learn(struct nsys *x, const struct index *c, struct source *s)
{
	int64_t pid, corr, device, context;
	uint64_t process;

	if (!source_int(s, c->pid, &pid))
		return;
	process = (uint64_t)pid >> 24;
	if (source_int(s, c->corr, &corr))
		launches_add(&x->launched, process, (uint64_t)corr);
	if (source_int(s, c->device, &device) &&
	    source_int(s, c->context, &context))
		export_learn_device(x, process, context, device);
}

/*
 * A table that lacks the column with the time: its rows are lost - unless
 * it is one of those where only rows with a time are events.
 */
static void
without_time(struct nsys *x, struct table *t)
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

static inline void
index_row(struct nsys *x, const struct index *c, struct source *s, unsigned i,
    const struct window *w)
{
	struct table *t = c->table;
	int64_t ts, dur;

	switch (table_select(x, &c->when, s, i, w, &ts, &dur)) {
	case ROW_OTHER:
		t->others++;
		break;
	case ROW_LOST:
		source_set(s, i);
		t->lost[place(x, &c->when, source_cells(s), &ts, &dur)]++;
		t->rows++;
		break;
	case ROW_OUTSIDE:
		t->outside++;
		break;
	case ROW_EVENT:
		t->rows++;
		if (c->pid >= 0) {
			source_set(s, i);
			learn(x, c, s);
		}
		add_event(t, s->ahead[i].rowid, ts, dur);
	}
}

static void
index_rows(struct nsys *x, const struct index *c, struct source *s,
    const struct window *w)
{
	for (unsigned i = 0; i < s->count; i++)
		index_row(x, c, s, i, w);
}

/* note rows that name something, or may */
static void
index_names(struct nsys *x, struct source *s, int event_type)
{
	int64_t v;

	for (unsigned i = 0; i < s->count; i++) {
		const struct row_bytes *r = &s->ahead[i];
		bool known = true;

		if (r->shape != NULL && r->shape->integers) {
			v = row_early_int(r, r->shape->places + event_type);
		} else {
			source_set(s, i);
			known = source_int(s, event_type, &v);
		}
		if (!known || v == 33 || v == 39 || v == 75)
			export_note_name(x, r->rowid);
	}
}

/*
 * Tables that are made of the same rows.  Without a window, it is about the
 * names among the rows alone.
 */
static void
index_tables(
    struct nsys *x, struct table *tables, size_t count, const struct window *w)
{
	bool nvtx = strcmp(tables->map->table, "NVTX_EVENTS") == 0 &&
		    tables->when.filter >= 0 && tables->layout.has_rowid;
	struct reading r = {.count = 0};
	struct index indexes[SAME];
	struct row_shapes shapes;
	struct source s;
	uint64_t integers = 0;

	for (size_t i = 0; i < count; i++) {
		choose_cells(&r, &indexes[i], &tables[i]);
		integers |= select_integers(&indexes[i].when);
		tables[i].unsorted = !tables[i].layout.has_rowid;
	}
	layout_init(&r.layout, &x->db, tables->name, r.columns, r.count);
	row_shapes_init(&shapes, &r.layout.row, integers);
	source_open(&s, &x->db, &r.layout, &shapes, NULL, 0);
	while (source_fill(&s)) {
		if (nvtx)
			index_names(x, &s, indexes->when.filter);
		for (size_t i = 0; w != NULL && i < count; i++)
			index_rows(x, &indexes[i], &s, w);
	}
	source_close(&s);
	row_shapes_free(&shapes, free);
	if (nvtx && x->noted.table == NULL)
		x->noted.table = mem_copy(tables->name, strlen(tables->name));
}

/* names count, whatever events are asked for */
static void
index_names_alone(struct nsys *x)
{
	size_t count;
	struct table *t = tables_find(x, (uint64_t)1 << KIND_range, &count);

	if (count == 1 && t->when.start >= 0 && t->when.filter >= 0)
		index_tables(x, t, 1, NULL);
	tables_free(t, count);
}

void
tables_index(
    struct nsys *x, struct table *tables, size_t count, const struct window *w)
{
	for (size_t i = 0, n; i < count; i += n) {
		struct table *t = &tables[i];

		n = 1;
		if (t->when.start < 0) {
			without_time(x, t);
			continue;
		}
		while (i + n < count && n < SAME && t[n].when.start >= 0 &&
		       strcmp(t[n].name, t->name) == 0)
			n++;
		index_tables(x, t, n, w);
	}
	if (x->noted.table == NULL)
		index_names_alone(x);
}

void
table_rows(struct source *rows, struct nsys *x, struct table *t, size_t i)
{
	const struct when *w = &t->when;
	const char *start = t->columns[w->start];
	const char *end = w->end >= 0 ? t->columns[w->end] : start;
	char *order;

	if (!t->unsorted) {
		if (t->shapes.slots == NULL)
			row_shapes_init(
			    &t->shapes, &t->layout.row, select_integers(w));
		source_open(rows, &x->db, &t->layout, &t->shapes,
		    t->strands[i].runs, t->strands[i].count);
		return;
	}
	order = sqlite3_mprintf("ORDER BY \"%w\", \"%w\" IS NOT NULL, "
				"\"%w\" DESC%s",
	    start, end, end, t->layout.has_rowid ? ", rowid" : "");
	source_open_sorted(rows, &x->db, &t->layout, order);
	sqlite3_free(order);
}
