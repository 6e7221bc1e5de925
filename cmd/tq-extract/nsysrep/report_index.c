/*
 * report_index.c - all events of a report once, for their order and for what
 * records need of others
 */

#include <inttypes.h>
#include <stdlib.h>

#include "report_index.h"
#include "report_store.h"
#include "tq/base/array.h"

/* ---- the values of an event that the index reads ---- */

/* its values; unneeded ones are never set */
enum {
	INDEX_START,
	INDEX_END,
	INDEX_FILTER,
	INDEX_CORR,
	INDEX_PID,
	INDEX_TID,
	INDEX_DEVICE,
	INDEX_CONTEXT,
	INDEX_NAME,
	INDEX_STREAM,
	INDEX_EVENT,
	INDEX_EVENT_SYNC,
	INDEX_VALUES
};

static const char *const index_columns[INDEX_VALUES] = {
    [INDEX_CORR] = "correlationId",
    [INDEX_PID] = "globalPid",
    [INDEX_TID] = "globalTid",
    [INDEX_DEVICE] = "deviceId",
    [INDEX_CONTEXT] = "contextId",
    [INDEX_NAME] = "nameId",
    [INDEX_STREAM] = "streamId",
    [INDEX_EVENT] = "eventId",
    [INDEX_EVENT_SYNC] = "eventSyncId",
};

/* values of rows of CUDA events, and of the waits for them */
static const unsigned event_record_values =
    1u << INDEX_CORR | 1u << INDEX_PID | 1u << INDEX_CONTEXT |
    1u << INDEX_STREAM | 1u << INDEX_EVENT | 1u << INDEX_EVENT_SYNC;

static void
make_index(struct report_store *s, enum report_table table, unsigned values)
{
	struct report_stream *t = &s->streams[table];
	const char *columns[INDEX_VALUES] = {NULL};

	for (unsigned i = 0; i < t->count; i++) {
		struct report_consumer *c = &t->consumers[i];
		const struct nsys_table *map = c->table->map;

		c->index = (struct time_columns){map, INDEX_START, -1, -1};
		columns[INDEX_START] = nsys_map_column(map, AS_TIME);
		if (c->table->times.end >= 0) {
			c->index.end = INDEX_END;
			columns[INDEX_END] = nsys_map_column(map, AS_END);
		}
		if (c->table->times.filter >= 0) {
			c->index.filter = INDEX_FILTER;
			columns[INDEX_FILTER] = map->filter;
		}
	}
	for (int i = INDEX_CORR; i < INDEX_VALUES; i++)
		if (values >> i & 1)
			columns[i] = index_columns[i];
	t->indexed = t->count > 0 || values != 0;
	report_decoder_make(
	    &t->index, table, columns, INDEX_VALUES, s->report->release);
	/* two values are one field, where the filter is the time */
	for (unsigned i = 0; i < t->count; i++)
		if (columns[INDEX_FILTER] != NULL &&
		    strcmp(columns[INDEX_FILTER], columns[INDEX_START]) == 0)
			t->consumers[i].index.filter = INDEX_START;
}

/* Mark the tables of operations: also rows of kinds that are not selected name
   the device of a context. */
static void
mark_operations(struct report_store *s)
{
	for (size_t i = 0; i < nsys_map_count; i++) {
		const struct nsys_table *map = &nsys_map_tables[i];
		enum report_table t = report_tables_find(map->table);

		if (t != REPORT_TABLES)
			s->streams[t].work |=
			    schema_role(map->kind) == ROLE_WORK;
	}
}

static void
make_indexes(struct report_store *s)
{
	const struct nsys *x = s->nsys;

	s->streams[REPORT_RUNTIME].calls = x->syncs.wanted;
	mark_operations(s);
	for (enum report_table t = 0; t < REPORT_TABLES; t++) {
		const struct report_stream *stream = &s->streams[t];
		unsigned values = 0;

		if (stream->work && stream->count > 0 && x->count_launches)
			values |= 1u << INDEX_CORR | 1u << INDEX_PID;
		if (stream->work && x->learn_devices)
			values |= 1u << INDEX_DEVICE | 1u << INDEX_CONTEXT |
				  1u << INDEX_PID;
		if (stream->calls)
			values |= 1u << INDEX_NAME | 1u << INDEX_TID |
				  1u << INDEX_CORR;
		if (x->records.wanted &&
		    (t == REPORT_CUDA_EVENT || t == REPORT_SYNCHRONIZATION))
			values |= event_record_values;
		make_index(s, t, values);
	}
}

/* ---- events that the database has, too ---- */

static void
bind_value(sqlite3_stmt *st, int at, struct sql_value v)
{
	if (v.type == SQL_INT)
		sqlite3_bind_int64(st, at, v.i);
	else if (v.type == SQL_REAL)
		sqlite3_bind_double(st, at, v.d);
	else if (v.type == SQL_TEXT)
		sqlite3_bind_text64(
		    st, at, v.s.p, v.s.len, SQLITE_STATIC, SQLITE_UTF8);
	else
		sqlite3_bind_null(st, at);
}

/* insert an event; number: of the row, 0 for any */
static void
insert_event(struct report_store *s, struct report_stream *t,
    const struct report_event *e, int64_t number)
{
	if (!report_decoder_run(&t->stored, e, s->row, 0))
		return; /* damaged: a reader of the whole block reports it */
	if (number > 0)
		sqlite3_bind_int64(t->insert, 1, number);
	else
		sqlite3_bind_null(t->insert, 1);
	for (unsigned i = 0; i < t->stored.shape.count; i++)
		bind_value(t->insert, (int)i + 2, slot_row_value(s->row, i));
	database_step(s->db, t->insert);
	sqlite3_reset(t->insert);
}

/* ---- one event ---- */

/* count an operation for its call */
static void
count_launch(const struct report_store *s)
{
	int64_t pid, corr;
	struct nsys *x = s->nsys;

	if (x->count_launches && slot_row_int(s->row, INDEX_PID, &pid) &&
	    slot_row_int(s->row, INDEX_CORR, &corr))
		launches_add(&x->launches, (uint64_t)pid >> 24, (uint64_t)corr);
}

/* learn the device of an operation's context */
static void
learn_device(const struct report_store *s)
{
	int64_t pid, device, context;
	struct nsys *x = s->nsys;

	if (x->learn_devices && slot_row_int(s->row, INDEX_PID, &pid) &&
	    slot_row_int(s->row, INDEX_DEVICE, &device) &&
	    slot_row_int(s->row, INDEX_CONTEXT, &context))
		global_ids_set_device(
		    &x->ids, (uint64_t)pid >> 24, context, device);
}

/* find calls that synchronise */
static void
index_call(const struct report_store *s)
{
	int64_t name, thread, corr;
	struct nsys *x = s->nsys;
	enum sync_type type;

	if (!slot_row_int(s->row, INDEX_NAME, &name))
		return;
	type = sync_calls_name(&x->syncs, name);
	if (type != SYNC_UNKNOWN && slot_row_int(s->row, INDEX_TID, &thread) &&
	    slot_row_int(s->row, INDEX_CORR, &corr))
		launches_set(&x->syncs.calls, (uint64_t)thread >> 24,
		    (uint64_t)corr, (unsigned char)type);
}

/* -1 for an id that is absent, or none */
static int64_t
id_at(const struct report_store *s, int value)
{
	int64_t id;

	if (!slot_row_int(s->row, value, &id) || id == UINT32_MAX)
		return -1;
	return id;
}

/* the record of a CUDA event, or who waits for one */
static struct event_record
event_record(const struct report_store *s)
{
	return (struct event_record){(uint64_t)id_at(s, INDEX_PID) >> 24,
	    id_at(s, INDEX_EVENT), id_at(s, INDEX_CORR),
	    id_at(s, INDEX_EVENT_SYNC), id_at(s, INDEX_CONTEXT),
	    id_at(s, INDEX_STREAM)};
}

static void
index_row(struct report_store *s, const struct report_stream *t, int64_t number)
{
	int64_t ts, dur;

	if (t->work)
		learn_device(s);
	for (unsigned i = 0; i < t->count; i++) {
		const struct report_consumer *c = &t->consumers[i];
		enum row_is is = event_select_row(s->nsys->shift, &c->index,
		    (struct select_from){SELECT_SLOTS, .slots = s->row},
		    &s->window, &ts, &dur);

		c->table->rows[is]++;
		if (is != ROW_EVENT)
			continue;
		if (t->work)
			count_launch(s);
		row_chains_add(&s->chains, number, ts, dur, c->number);
	}
}

/* an event whose memo is made: the same, by the memo */
static void
index_known(struct report_store *s, const struct found_event *f, int64_t number)
{
	const struct report_memo *memo = f->memo;
	struct report_stream *t = &s->streams[memo->table];
	const uint64_t *v = f->head.v;
	struct nsys *x = s->nsys;

	if (memo->sync != SYNC_UNKNOWN)
		launches_set(&x->syncs.calls, (uint64_t)memo->process >> 24,
		    v[2], memo->sync);
	if (t->work && memo->has_process && memo->has_device)
		global_ids_set_device(&x->ids, (uint64_t)memo->process >> 24,
		    memo->context, memo->device);
	for (unsigned i = 0; i < t->count; i++) {
		const struct report_consumer *c = &t->consumers[i];
		int64_t start = (int64_t)v[0], ts, dur;
		int64_t end = (int64_t)v[c->end_value];
		enum row_is is = ROW_OTHER;

		if (memo->passes >> i & 1)
			is = end <= start ? event_select_impossible(
						c->table->map, start, end)
					  : ROW_EVENT;
		if (is == ROW_EVENT)
			is =
			    !event_select_times(x->shift, start, end, &ts, &dur)
				? ROW_TIME_RANGE
			    : time_window_overlaps(&s->window, ts, dur)
				? ROW_EVENT
				: ROW_OUTSIDE;
		c->table->rows[is]++;
		if (is != ROW_EVENT)
			continue;
		if (t->work && memo->has_process && x->count_launches &&
		    report_memo_has(&f->head, 2))
			launches_add(
			    &x->launches, (uint64_t)memo->process >> 24, v[2]);
		row_chains_add(&s->chains, number, ts, dur, c->number);
	}
}

/* the type of synchronisation of the call that was indexed last */
static enum sync_type
sync_of_call(struct report_store *s)
{
	int64_t name;

	return slot_row_int(s->row, INDEX_NAME, &name)
		   ? sync_calls_name(&s->nsys->syncs, name)
		   : SYNC_UNKNOWN;
}

/*
 * Make the memo of an event that was indexed: its row is there.  Times have to
 * be in the head; no other value there may decide the table of an event.
 */
static void
make_known(struct report_store *s, const struct found_event *f)
{
	const struct report_stream *t = &s->streams[f->table];
	struct report_memo *memo = f->memo;
	unsigned passes = 0;

	if (!report_store_may_repeat(s, f))
		return;
	for (unsigned i = 0; f->table < REPORT_TABLES && i < t->count; i++) {
		const struct time_columns *c = &t->consumers[i].index;
		int64_t v;

		if (!report_store_has_times(f, &t->consumers[i]))
			return;
		passes |= (unsigned)(c->filter < 0 ||
				     (slot_row_int(s->row, c->filter, &v) &&
					 event_select_passes(c->map, v)))
			  << i;
	}
	if (!report_memo_begin(memo, &f->head, &f->event, f->table))
		return;
	memo->passes = passes;
	if (f->table == REPORT_TABLES || !t->indexed)
		return;
	memo->has_process = slot_row_int(s->row, INDEX_PID, &memo->process);
	if (t->calls && report_memo_has(&f->head, 2) &&
	    slot_row_int(s->row, INDEX_TID, &memo->process))
		memo->sync = (unsigned char)sync_of_call(s);
	memo->has_device = s->nsys->learn_devices &&
			   slot_row_int(s->row, INDEX_DEVICE, &memo->device) &&
			   slot_row_int(s->row, INDEX_CONTEXT, &memo->context);
}

static bool
index_event(struct report_store *s, struct report_block *b,
    const struct found_event *f, int64_t number, int64_t *nvtx)
{
	struct report_stream *t = &s->streams[f->table];

	b->tables |= (uint64_t)1 << f->table;
	if (f->table == REPORT_NVTX_EVENTS) {
		++*nvtx;
		if (report_tables_is_name(&f->event)) {
			insert_event(s, t, &f->event, *nvtx);
			domains_add_row(&s->nsys->domains, *nvtx);
		}
	} else if (t->insert != NULL)
		insert_event(s, t, &f->event, 0);
	if (!t->indexed)
		return true;
	if (!report_decoder_run(&t->index, &f->event, s->row, 0))
		return false;
	if (t->calls)
		index_call(s);
	if (f->table == REPORT_CUDA_EVENT && s->nsys->records.wanted) {
		struct event_record r = event_record(s);

		event_records_add(&s->nsys->records, &r);
	}
	index_row(s, t, number);
	return true;
}

/* a sample of GPU metrics is a row for each of its numbers */
static void
index_generic(struct report_store *s, struct span generic, int64_t number)
{
	const struct report_stream *t = &s->streams[REPORT_GPU_METRICS];
	struct metric_sample sample;
	struct report_event like = {.event_class = REPORT_ANY};
	bool read =
	    t->count > 0 && report_metrics_take(&s->metrics, generic, &sample);

	if (read && sample.type->count > 0) {
		bool in = time_window_overlaps(&s->window, sample.ts, 0);

		t->consumers->table->rows[in ? ROW_EVENT : ROW_OUTSIDE] +=
		    (int64_t)sample.type->count;
		if (in)
			row_chains_add(&s->chains, number, sample.ts, 0,
			    t->consumers->number);
	}
	if (s->account || !read)
		report_counts_add(&s->counts, &like,
		    read ? REPORT_GPU_METRICS : REPORT_TABLES);
}

/* an event without a memo; false where it is damaged */
static bool
index_other(struct report_store *s, struct report_block *b,
    const struct found_event *f, int64_t number, int64_t *nvtx)
{
	if (f->table == REPORT_TABLES && f->event.p == NULL)
		return false;
	if (f->table != REPORT_TABLES && !index_event(s, b, f, number, nvtx))
		return false;
	if (s->account || f->table == REPORT_TABLES)
		report_counts_add(&s->counts, &f->event, f->table);
	if (f->memo != NULL)
		make_known(s, f);
	return true;
}

/* false where the block is damaged */
static bool
index_block(struct report_store *s, struct report_block *b,
    struct block_events events, int64_t *nvtx)
{
	const unsigned char *start = events.p, *before = start;
	struct found_event f;

	b->marks = s->mark_count;
	for (; report_store_next(s, &events, &f); before = events.p) {
		int64_t number = ++s->seen;

		if ((number - b->first) % STORE_MARK == 0)
			*array_add(&s->marks, &s->mark_count, &s->mark_cap) =
			    (struct event_mark){(uint32_t)(before - start),
				(uint32_t)(*nvtx + 1 - b->first_nvtx)};

		if (f.part == BLOCK_GENERIC) {
			b->tables |= (uint64_t)1 << REPORT_GPU_METRICS;
			index_generic(s, f.bytes, number);
		} else if (f.known) {
			if (s->account || f.table == REPORT_TABLES)
				report_counts_add(
				    &s->counts, &f.memo->example, f.table);
			if (f.table == REPORT_TABLES)
				continue;
			b->tables |= (uint64_t)1 << f.table;
			*nvtx += f.table == REPORT_NVTX_EVENTS;
			index_known(s, &f, number);
		} else if (!index_other(s, b, &f, number, nvtx)) {
			s->seen--; /* it is lost */
			return false;
		}
	}
	return f.part == BLOCK_END;
}

static struct block_events
events_in(struct span message)
{
	const unsigned char *p = (const unsigned char *)message.p;

	return (struct block_events){p, p + message.len};
}

static void
index_blocks(struct report_store *s)
{
	struct nsysrep *r = s->report;
	int64_t nvtx = 0;

	for (size_t i = 0; i < r->count; i++) {
		struct report_block *b = &r->blocks[i];
		struct span message;
		const char *why;
		bool ok;

		b->first = s->seen + 1;
		b->first_nvtx = nvtx + 1;
		ok = report_blocks_get(&s->blocks, i, &message, &why);
		if (ok && !index_block(s, b, events_in(message), &nvtx)) {
			ok = false;
			why = "an event is no message";
		}
		if (!ok && !r->salvage)
			nsysrep_damaged(
			    r, "the block at byte %" PRId64 ": %s", b->at, why);
		s->damaged += !ok;
	}
}

/* the synchronisations that wait for events, when all events are known */
static void
index_waits(struct report_store *s)
{
	struct report_stream *t = &s->streams[REPORT_SYNCHRONIZATION];
	struct event_records *records = &s->nsys->records;

	event_records_order(records);
	for (size_t i = 0; records->count > 0 && i < s->report->count; i++) {
		struct block_events events;
		struct found_event f;
		struct span message;
		const char *why;

		if (!(s->report->blocks[i].tables >> REPORT_SYNCHRONIZATION &
			1) ||
		    !report_blocks_get(&s->blocks, i, &message, &why))
			continue;
		events = events_in(message);
		while (report_store_next(s, &events, &f)) {
			struct event_record wait;

			if (f.table != REPORT_SYNCHRONIZATION ||
			    !report_tables_take(&f.event,
				(const unsigned char *)f.bytes.p,
				(const unsigned char *)f.bytes.p +
				    f.bytes.len) ||
			    !report_decoder_run(&t->index, &f.event, s->row, 0))
				continue;
			wait = event_record(s);
			event_records_add_wait(records, &wait);
		}
	}
}

static void
count_losses(struct report_store *s)
{
	struct nsysrep *r = s->report;

	if (!r->salvage || r->events <= s->seen)
		return;
	s->events.lost = r->events - s->seen;
	s->events.lost_reason =
	    r->cut ? "the report was cut off" : "it has damaged blocks";
}

void
report_index_events(struct event_store *events, struct nsys *x,
    struct event_table *tables, size_t count, const struct time_window *w)
{
	struct report_store *s = (struct report_store *)events;

	s->nsys = x;
	s->window = *w;
	report_store_consumers(s, tables, count);
	make_indexes(s);
	x->domains.table = mem_copy("NVTX_EVENTS", strlen("NVTX_EVENTS"));
	index_blocks(s);
	if (x->records.wanted)
		index_waits(s);
	count_losses(s);
	report_memo_clear(&s->memos); /* those of rows are others */
	/* an export has no row of a process without a name */
	sqlite3_exec(s->db->handle, "DELETE FROM PROCESSES WHERE name IS NULL",
	    NULL, NULL, NULL);
}
