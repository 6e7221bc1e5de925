/* order.c - which rows of the tables are events, and in which order */

#include <stdlib.h>

#include "event_select.h"
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
enum { MAX_CHAINS = 512, MAX_GAP = 256 };

/* ---- what a row is ---- */

/*
 * What orders a row: LOSS_NONE, or why it has no place.  An interval that
 * never ended is the longest there is.
 */
static enum loss
place(const struct nsys *x, const struct time_columns *times,
    const struct sql_value *row, int64_t *ts, int64_t *dur)
{
	int64_t start, end;

	if (!sql_value_int(&row[times->start], &start))
		return LOSS_NO_TIME;
	if (times->end >= 0 && sql_value_int(&row[times->end], &end))
		return event_select_times(x, start, end, ts, dur)
			   ? LOSS_NONE
			   : LOSS_TIME_RANGE;
	*dur = times->end >= 0 ? NEVER_ENDED : 0;
	return __builtin_sub_overflow(start, x->shift, ts) ? LOSS_TIME_RANGE
							   : LOSS_NONE;
}

enum row_is
event_index_select(const struct nsys *x, const struct time_columns *times,
    const struct sql_value *row, const struct time_window *w, int64_t *ts,
    int64_t *dur)
{
	int64_t v;

	if (times->filter >= 0 && (!sql_value_int(&row[times->filter], &v) ||
				      !event_select_passes(times->map, v)))
		return ROW_OTHER;
	if (place(x, times, row, ts, dur) != LOSS_NONE)
		return ROW_LOST;
	return time_window_overlaps(w, *ts, *dur) ? ROW_EVENT : ROW_OUTSIDE;
}

/* ---- strands ---- */

static inline bool
in_order(const struct row_chain *c, int64_t ts, int64_t dur)
{
	return c->ts < ts || (c->ts == ts && c->dur >= dur);
}

/*
 * The strand that an event is to go to: the one at hand, or of those that end
 * before it the last to end, or a new one.  NULL where there are too many.
 */
static struct row_chain *
find_chain(struct event_table *t, int64_t ts, int64_t dur)
{
	struct row_chain *best = NULL;

	for (size_t i = 0; i < t->chain_count; i++) {
		struct row_chain *c = &t->chains[i];

		if (in_order(c, ts, dur) &&
		    (best == NULL || in_order(best, c->ts, c->dur)))
			best = c;
	}
	if (best == NULL && t->chain_count < MAX_CHAINS) {
		t->chains = mem_resize(
		    t->chains, t->chain_count + 1, sizeof(*t->chains));
		best = &t->chains[t->chain_count++];
		*best = (struct row_chain){0};
	}
	if (best != NULL)
		t->chain = (size_t)(best - t->chains);
	return best;
}

static void
add_rowids(struct row_chain *c, int64_t rowid)
{
	if ((c->count & (c->count - 1)) == 0) /* full */
		c->rowids = mem_resize(c->rowids,
		    c->count > 0 ? c->count * 2 : 1, sizeof(*c->rowids));
	c->rowids[c->count++] = (struct rowids){rowid, rowid};
}

/* an event that does not follow the one before in its run */
static void
begin_rowids(struct event_table *t, int64_t rowid, int64_t ts, int64_t dur)
{
	struct row_chain *c = t->chains + t->chain;

	if (t->chain_count == 0 || !in_order(c, ts, dur))
		c = find_chain(t, ts, dur);
	if (c == NULL) {
		t->unsorted = true;
		return;
	}
	add_rowids(c, rowid);
	c->ts = ts;
	c->dur = dur;
}

static inline void
add_event(struct event_table *t, int64_t rowid, int64_t ts, int64_t dur)
{
	struct row_chain *c = t->chains + t->chain;
	struct rowids *ids;

	if (t->unsorted)
		return;
	if (t->chain_count == 0 || !in_order(c, ts, dur) ||
	    (uint64_t)rowid - (uint64_t)c->rowids[c->count - 1].last >
		MAX_GAP) {
		begin_rowids(t, rowid, ts, dur);
		return;
	}
	ids = &c->rowids[c->count - 1];
	ids->last = rowid;
	c->ts = ts;
	c->dur = dur;
}

/* ---- the index ---- */

enum { INDEX_COLUMNS = 16 };

/* the cells that the index of tables with the same rows needs */
struct index_layout {
	struct table_layout layout;
	char *columns[INDEX_COLUMNS];
	int count;
};

/* of them those of a table */
struct index_columns {
	struct event_table *table;
	struct time_columns times;
	int corr, pid, device, context;
};

enum { SAME = 4 }; /* kinds that are made of the rows of one table, at most */

static int
index_column(struct index_layout *r, const struct event_table *t, int cell)
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
cell_of(const struct event_table *t, enum how how, enum key key)
{
	for (int i = 0; i < t->key_count; i++)
		if (t->keys[i].from->how == how && t->keys[i].from->key == key)
			return t->keys[i].col[0];
	return -1;
}

static void
choose_cells(
    struct index_layout *r, struct index_columns *c, struct event_table *t)
{
	*c = (struct index_columns){.table = t, .corr = -1, .pid = -1};
	c->times =
	    (struct time_columns){t->map, index_column(r, t, t->times.start),
		index_column(r, t, t->times.end),
		index_column(r, t, t->times.filter)};
	if (schema_kinds[t->map->kind].role != ROLE_WORK)
		return;
	c->corr = index_column(r, t, cell_of(t, AS_INT, KEY_corr));
	c->pid = index_column(r, t, cell_of(t, AS_PID, KEY_pid));
	c->device = index_column(r, t, cell_of(t, AS_ID, KEY_device));
	c->context = index_column(r, t, cell_of(t, AS_INT, KEY_context));
}

/* what an operation tells of others: of its call, and of its context */
static void
learn_from(struct nsys *x, const struct index_columns *c, struct row_source *s)
{
	int64_t pid, corr, device, context;
	uint64_t process;

	if (!row_source_int(s, c->pid, &pid))
		return;
	process = (uint64_t)pid >> 24;
	if (row_source_int(s, c->corr, &corr))
		launches_add(&x->launched, process, (uint64_t)corr);
	if (row_source_int(s, c->device, &device) &&
	    row_source_int(s, c->context, &context))
		export_learn_device(x, process, context, device);
}

/*
 * A table that lacks the column with the time: its rows are lost - unless
 * it is one of those where only rows with a time are events.
 */
static void
without_time(struct nsys *x, struct event_table *t)
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
index_row(struct nsys *x, const struct index_columns *c, struct row_source *s,
    unsigned i, const struct time_window *w)
{
	struct event_table *t = c->table;
	int64_t ts, dur;

	switch (event_select(x, &c->times, s, i, w, &ts, &dur)) {
	case ROW_OTHER:
		t->others++;
		break;
	case ROW_LOST:
		row_source_set(s, i);
		t->lost[place(x, &c->times, row_source_cells(s), &ts, &dur)]++;
		t->rows++;
		break;
	case ROW_OUTSIDE:
		t->outside++;
		break;
	case ROW_EVENT:
		t->rows++;
		if (c->pid >= 0) {
			row_source_set(s, i);
			learn_from(x, c, s);
		}
		add_event(t, s->ahead[i].rowid, ts, dur);
	}
}

static void
index_rows(struct nsys *x, const struct index_columns *c, struct row_source *s,
    const struct time_window *w)
{
	for (unsigned i = 0; i < s->count; i++)
		index_row(x, c, s, i, w);
}

/* note rows that name something, or may */
static void
index_names(struct nsys *x, struct row_source *s, int event_type)
{
	int64_t v;

	for (unsigned i = 0; i < s->count; i++) {
		const struct row_bytes *r = &s->ahead[i];
		bool known = true;

		if (r->format != NULL && r->format->integers) {
			v = row_early_int(r, r->format->values + event_type);
		} else {
			row_source_set(s, i);
			known = row_source_int(s, event_type, &v);
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
index_tables(struct nsys *x, struct event_table *tables, size_t count,
    const struct time_window *w)
{
	bool nvtx = strcmp(tables->map->table, "NVTX_EVENTS") == 0 &&
		    tables->times.filter >= 0 && tables->layout.has_rowid;
	struct index_layout r = {.count = 0};
	struct index_columns indexes[SAME];
	struct row_formats formats;
	struct row_source s;
	uint64_t integers = 0;

	for (size_t i = 0; i < count; i++) {
		choose_cells(&r, &indexes[i], &tables[i]);
		integers |= event_select_integers(&indexes[i].times);
		tables[i].unsorted = !tables[i].layout.has_rowid;
	}
	row_source_layout(&r.layout, &x->db, tables->name, r.columns, r.count);
	row_format_open(&formats, &r.layout.row, integers);
	row_source_open(&s, &x->db, &r.layout, &formats, NULL, 0);
	while (row_source_fill(&s)) {
		if (nvtx)
			index_names(x, &s, indexes->times.filter);
		for (size_t i = 0; w != NULL && i < count; i++)
			index_rows(x, &indexes[i], &s, w);
	}
	row_source_close(&s);
	row_format_close(&formats, free);
	if (nvtx && x->name_rows.table == NULL)
		x->name_rows.table =
		    mem_copy(tables->name, strlen(tables->name));
}

/* names count, whatever events are asked for */
static void
index_names_alone(struct nsys *x)
{
	size_t count;
	struct event_table *t =
	    event_table_find_all(x, (uint64_t)1 << KIND_range, &count);

	if (count == 1 && t->times.start >= 0 && t->times.filter >= 0)
		index_tables(x, t, 1, NULL);
	event_table_free_all(t, count);
}

void
event_index_build(struct nsys *x, struct event_table *tables, size_t count,
    const struct time_window *w)
{
	for (size_t i = 0, n; i < count; i += n) {
		struct event_table *t = &tables[i];

		n = 1;
		if (t->times.start < 0) {
			without_time(x, t);
			continue;
		}
		while (i + n < count && n < SAME && t[n].times.start >= 0 &&
		       strcmp(t[n].name, t->name) == 0)
			n++;
		index_tables(x, t, n, w);
	}
	if (x->name_rows.table == NULL)
		index_names_alone(x);
}

void
event_index_open(
    struct row_source *rows, struct nsys *x, struct event_table *t, size_t i)
{
	const struct time_columns *w = &t->times;
	const char *start = t->columns[w->start];
	const char *end = w->end >= 0 ? t->columns[w->end] : start;
	char *order;

	if (!t->unsorted) {
		if (t->formats.slots == NULL)
			row_format_open(&t->formats, &t->layout.row,
			    event_select_integers(w));
		row_source_open(rows, &x->db, &t->layout, &t->formats,
		    t->chains[i].rowids, t->chains[i].count);
		return;
	}
	order = sqlite3_mprintf("ORDER BY \"%w\", \"%w\" IS NOT NULL, "
				"\"%w\" DESC%s",
	    start, end, end, t->layout.has_rowid ? ", rowid" : "");
	row_source_open_sorted(rows, &x->db, &t->layout, order);
	sqlite3_free(order);
}
