/* event_index.c - the rows that are events, in order of time */

#include <stdlib.h>

#include "definitions.h"
#include "event_index.h"
#include "event_select.h"
#include "event_store.h"

/* ---- the index ---- */

enum { INDEX_COLUMNS = 16 };

/* the columns that the index of tables with the same rows reads */
struct index_layout {
	struct table_layout layout;
	char *columns[INDEX_COLUMNS];
	int count;
};

/* the columns that one of the tables needs */
struct index_columns {
	struct event_table *table;
	struct time_columns times;
	int corr, pid, device, context;
};

enum { SAME = 4 }; /* kinds that are made of the rows of one table, at most */

/* NULL stands for a column that the table lacks */
static int
index_column(struct index_layout *l, char *name)
{
	if (name == NULL)
		return -1;
	for (int i = 0; i < l->count; i++)
		if (sqlite3_stricmp(l->columns[i], name) == 0)
			return i;
	l->columns[l->count] = name;
	return l->count++;
}

/* the column of a value; -1 stands for none */
static int
index_value(struct index_layout *l, const struct event_table *t, int value)
{
	return index_column(l, value >= 0 ? t->record.names.all[value] : NULL);
}

/* the column of a key, which need not be a key of the records */
static int
index_key(struct index_layout *l, const struct event_table *t, enum how how,
    enum key key)
{
	const struct column_map *c = t->map->columns;
	int i;

	while (c->column != NULL && (c->how != how || c->key != key))
		c++;
	if (c->column == NULL)
		return -1;
	i = name_list_find(&t->columns, c->column);
	return index_column(l, i >= 0 ? t->columns.all[i] : NULL);
}

static void
choose_device(struct index_layout *l, struct index_columns *c,
    const struct event_table *t)
{
	c->device = index_key(l, t, AS_ID, KEY_device);
	c->context = index_key(l, t, AS_INT, KEY_context);
}

static void
choose_columns(const struct nsys *x, struct index_layout *l,
    struct index_columns *c, struct event_table *t)
{
	*c = (struct index_columns){
	    .table = t, .corr = -1, .pid = -1, .device = -1, .context = -1};
	c->times = (struct time_columns){t->map,
	    index_value(l, t, t->times.start), index_value(l, t, t->times.end),
	    index_value(l, t, t->times.filter)};
	if (schema_kinds[t->map->kind].role != ROLE_WORK)
		return;
	if (x->count_launches)
		c->corr = index_key(l, t, AS_INT, KEY_corr);
	if (x->learn_devices)
		choose_device(l, c, t);
	if (x->count_launches || x->learn_devices)
		c->pid = index_key(l, t, AS_PID, KEY_pid);
}

/* learn the device of an operation's context; counted: count it for its call */
static void
add_operation(struct nsys *x, const struct index_columns *c,
    struct row_source *s, bool counted)
{
	int64_t pid, corr, device, context;
	uint64_t process;

	if (!row_source_int(s, c->pid, &pid))
		return;
	process = (uint64_t)pid >> 24;
	if (counted && row_source_int(s, c->corr, &corr))
		launches_add(&x->launches, process, (uint64_t)corr);
	if (row_source_int(s, c->device, &device) &&
	    row_source_int(s, c->context, &context))
		global_ids_set_device(&x->ids, process, context, device);
}

/*
 * A table that lacks the column with the time: its rows are lost, unless only
 * rows with a time are events.
 */
static void
without_time(struct nsys *x, struct event_table *t)
{
	int64_t rows = database_int(x->db, 0,
	    database_prepare(x->db, "SELECT count(*) FROM \"%w\"", t->name));

	if (t->map->filter != NULL &&
	    strcmp(t->map->filter, nsys_map_column(t->map, AS_TIME)) == 0)
		t->rows[ROW_OTHER] = rows;
	else
		t->rows[ROW_NO_TIME] = rows;
}

static inline void
index_row(struct nsys *x, const struct index_columns *c, struct row_source *s,
    unsigned i, const struct time_window *w)
{
	struct event_table *t = c->table;
	int64_t ts, dur;
	enum row_is is = event_select(x->shift, &c->times, s, i, w, &ts, &dur);

	t->rows[is]++;
	if (c->pid >= 0 && (is == ROW_EVENT || x->learn_devices)) {
		row_source_set(s, i);
		add_operation(x, c, s, is == ROW_EVENT);
	}
	if (is == ROW_EVENT)
		row_chains_add(&t->chains, s->ahead[i].rowid, ts, dur, 0);
}

static void
index_rows(struct nsys *x, const struct index_columns *c, struct row_source *s,
    const struct time_window *w)
{
	for (unsigned i = 0; i < s->count; i++)
		index_row(x, c, s, i, w);
}

/* find rows that name something, or may */
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
			domains_add_row(&x->domains, r->rowid);
	}
}

/* columns that decide which calls synchronise; -1: not to be read */
struct call_columns {
	int name, thread, corr;
};

static bool
has_calls(const struct event_table *t)
{
	return strcmp(t->map->table, "CUPTI_ACTIVITY_KIND_RUNTIME") == 0;
}

static struct call_columns
choose_call_columns(
    const struct nsys *x, struct index_layout *l, const struct event_table *t)
{
	struct call_columns c = {-1, -1, -1};

	if (!x->syncs.wanted || !has_calls(t))
		return c;
	c.thread = index_key(l, t, AS_TID, KEY_tid);
	c.corr = index_key(l, t, AS_INT, KEY_corr);
	if (c.thread >= 0 && c.corr >= 0)
		c.name = index_key(l, t, AS_API, KEY_name);
	return c;
}

/* find calls that synchronise */
static void
index_calls(struct nsys *x, const struct call_columns *c, struct row_source *s)
{
	int64_t name, thread, corr;
	enum sync_type type;

	for (unsigned i = 0; i < s->count; i++) {
		if (!row_source_int_ahead(s, i, c->name, &name))
			continue;
		type = sync_calls_name(&x->syncs, name);
		if (type == SYNC_UNKNOWN ||
		    !row_source_int_ahead(s, i, c->thread, &thread) ||
		    !row_source_int_ahead(s, i, c->corr, &corr))
			continue;
		launches_set(&x->syncs.calls, (uint64_t)thread >> 24,
		    (uint64_t)corr, (unsigned char)type);
	}
}

/*
 * Tables with the same rows.  Without a window, index their names and calls
 * alone.
 */
static void
index_tables(struct nsys *x, struct event_table *tables, size_t count,
    const struct time_window *w)
{
	bool nvtx = strcmp(tables->map->table, "NVTX_EVENTS") == 0 &&
		    tables->times.filter >= 0 && tables->layout.has_rowid;
	struct index_layout l = {.count = 0};
	struct index_columns indexes[SAME];
	struct call_columns calls;
	struct row_formats formats;
	struct row_source s;
	uint64_t integers = 0;

	for (size_t i = 0; i < count; i++) {
		choose_columns(x, &l, &indexes[i], &tables[i]);
		integers |= event_select_integers(&indexes[i].times);
		tables[i].chains.unsorted = !tables[i].layout.has_rowid;
	}
	calls = choose_call_columns(x, &l, tables);
	row_source_layout(&l.layout, x->db, tables->name, l.columns, l.count);
	row_format_open(&formats, &l.layout.row, integers);
	row_source_open(&s, x->db, &l.layout, &formats, NULL, 0);
	while (row_source_fill(&s)) {
		if (nvtx)
			index_names(x, &s, indexes->times.filter);
		if (calls.name >= 0)
			index_calls(x, &calls, &s);
		for (size_t i = 0; w != NULL && i < count; i++)
			index_rows(x, &indexes[i], &s, w);
	}
	row_source_close(&s);
	row_format_close(&formats);
	if (nvtx && x->domains.table == NULL)
		x->domains.table = mem_copy(tables->name, strlen(tables->name));
}

/* names are needed for any kinds of events */
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

/* the calls that synchronise name the synchronisations */
static void
index_calls_alone(struct nsys *x)
{
	size_t count;
	struct event_table *t =
	    event_table_find_all(x, (uint64_t)1 << KIND_api, &count);

	for (size_t i = 0; i < count; i++)
		if (has_calls(&t[i]))
			index_tables(x, &t[i], 1, NULL);
	event_table_free_all(t, count);
}

/* learn the devices of contexts from a table of operations */
static void
index_devices(struct nsys *x, struct event_table *t)
{
	struct index_layout l = {.count = 0};
	struct index_columns c = {.table = t, .corr = -1};
	struct row_formats formats;
	struct row_source s;

	choose_device(&l, &c, t);
	c.pid = index_key(&l, t, AS_PID, KEY_pid);
	if (c.device < 0 || c.context < 0 || c.pid < 0)
		return;
	row_source_layout(&l.layout, x->db, t->name, l.columns, l.count);
	row_format_open(&formats, &l.layout.row, 0);
	row_source_open(&s, x->db, &l.layout, &formats, NULL, 0);
	while (row_source_fill(&s))
		for (unsigned i = 0; i < s.count; i++) {
			row_source_set(&s, i);
			add_operation(x, &c, &s, false);
		}
	row_source_close(&s);
	row_format_close(&formats);
}

/* operations of kinds that are not read name the devices of contexts, too */
static void
index_devices_alone(
    struct nsys *x, const struct event_table *tables, size_t count)
{
	uint64_t kinds = 0;
	struct event_table *others;
	size_t n;

	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_role(k) == ROLE_WORK)
			kinds |= (uint64_t)1 << k;
	for (size_t i = 0; i < count; i++)
		kinds &= ~((uint64_t)1 << tables[i].map->kind);
	others = event_table_find_all(x, kinds, &n);
	for (size_t i = 0; i < n; i++)
		index_devices(x, &others[i]);
	event_table_free_all(others, n);
}

/*
 * True if records have the device of their context, and a context may not be
 * defined: operations on it have its device.
 */
static bool
lack_devices(
    const struct nsys *x, const struct event_table *tables, size_t count)
{
	bool lack = false;

	for (size_t i = 0; i < count; i++)
		lack |= event_table_any_has(&tables[i], 1, AS_DEVICE) &&
			(x->db->store != NULL || /* which has no rows yet */
			    !definitions_have_contexts(x->db, tables[i].name));
	return lack;
}

static bool
has_rows(const struct nsys *x, const struct event_table *t)
{
	return x->db->store != NULL || /* which has not counted yet */
	       database_int(x->db, 0,
		   database_prepare(
		       x->db, "SELECT 1 FROM \"%w\" LIMIT 1", t->name)) == 1;
}

static bool
has_sync_types(const struct event_table *t)
{
	const char *column = nsys_map_column(t->map, AS_SYNC);

	return column != NULL && name_list_find(&t->columns, column) >= 0;
}

static bool
waits_for_event(const struct event_table *t)
{
	return record_map_has(&t->record, AS_WAIT_STREAM) ||
	       record_map_has(&t->record, AS_WAIT_CONTEXT) ||
	       record_map_has(&t->record, AS_WAIT_CORR);
}

/* the calls and events that synchronisations wait for */
static void
prepare_syncs(struct nsys *x, const struct event_table *tables, size_t count)
{
	const struct event_table *syncs = NULL, *events = NULL;

	for (size_t i = 0; i < count; i++) {
		if (has_sync_types(&tables[i]) && has_rows(x, &tables[i]))
			syncs = &tables[i];
		if (strcmp(tables[i].map->table,
			"CUPTI_ACTIVITY_KIND_CUDA_EVENT") == 0)
			events = &tables[i];
	}
	x->syncs.wanted = syncs != NULL && syncs->record.sync != NULL;
	if (syncs == NULL || events == NULL || !waits_for_event(syncs))
		return;
	if (x->db->store != NULL)
		x->records.wanted = true;
	else
		event_records_read(
		    &x->records, x->db, events->name, syncs->name);
}

void
event_index_build(struct nsys *x, struct event_table *tables, size_t count,
    const struct time_window *w)
{
	bool calls = false;

	x->count_launches = event_table_any_has(tables, count, AS_GPU);
	x->learn_devices = lack_devices(x, tables, count);
	prepare_syncs(x, tables, count);
	if (x->db->store != NULL) {
		x->db->store->index(x->db->store, x, tables, count, w);
		return;
	}
	for (size_t i = 0, n; i < count; i += n) {
		struct event_table *t = &tables[i];

		n = 1;
		if (t->times.start < 0) {
			without_time(x, t);
			if (x->learn_devices &&
			    schema_role(t->map->kind) == ROLE_WORK)
				index_devices(x, t);
			continue;
		}
		calls |= has_calls(t);
		while (i + n < count && n < SAME && t[n].times.start >= 0 &&
		       strcmp(t[n].name, t->name) == 0)
			n++;
		index_tables(x, t, n, w);
	}
	if (x->domains.table == NULL)
		index_names_alone(x);
	if (x->syncs.wanted && !calls)
		index_calls_alone(x);
	if (x->learn_devices)
		index_devices_alone(x, tables, count);
}

void
event_index_open(
    struct row_source *rows, struct nsys *x, struct event_table *t, size_t i)
{
	const struct time_columns *w = &t->times;
	char **names = t->record.names.all;
	const char *start = names[w->start];
	const char *end = w->end >= 0 ? names[w->end] : start;
	char *order;

	if (!t->chains.unsorted) {
		if (t->formats.slots == NULL)
			row_format_open(&t->formats, &t->layout.row,
			    event_select_integers(w));
		row_source_open(rows, x->db, &t->layout, &t->formats,
		    t->chains.all[i].intervals, t->chains.all[i].count);
		return;
	}
	order =
	    database_sql("ORDER BY \"%w\", \"%w\" IS NOT NULL, \"%w\" DESC, 1",
		start, end, end);
	row_source_open_sorted(rows, x->db, &t->layout, order);
	sqlite3_free(order);
}
