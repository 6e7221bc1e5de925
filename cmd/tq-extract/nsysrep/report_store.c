/* report_store.c - the events of a report: their tables, and their rows */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "read/proto_reader.h"
#include "report_index.h"
#include "report_rows.h"
#include "report_store.h"
#include "tq/base/mem.h"

/* ---- tables and kinds ---- */

/* the kinds that events of each table become */
static void
add_consumers(struct report_store *s, struct event_table *tables, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct event_table *t = &tables[i];
		enum report_table table = report_tables_find(t->name);
		struct report_stream *stream = &s->streams[table];
		struct report_consumer *c;

		if (table == REPORT_TABLES || stream->count == STORE_SAME)
			continue;
		c = &stream->consumers[stream->count++];
		c->table = t;
		c->number = (unsigned)i;
		c->rowid = record_map_value(&t->record, "rowid");
		c->end_value = memo_shapes[table == REPORT_NVTX_EVENTS].end;
		if (t->times.end < 0)
			c->end_value = 0;
		report_decoder_make(&c->decoder, table,
		    (const char *const *)t->record.names.all,
		    (int)t->record.names.count, s->report->release);
	}
}

void
report_store_consumers(
    struct report_store *s, struct event_table *tables, size_t count)
{
	for (enum report_table t = 0; t < REPORT_TABLES; t++)
		s->streams[t].count = 0;
	add_consumers(s, tables, count);
}

/* ---- rows ---- */

bool
report_store_may_repeat(
    const struct report_store *s, const struct found_event *f)
{
	if (f->table == REPORT_NVTX_EVENTS)
		return !report_tables_is_name(&f->event);
	return f->table != REPORT_CUDA_EVENT &&
	       (f->table == REPORT_TABLES ||
		   s->streams[f->table].insert == NULL);
}

bool
report_store_has_times(
    const struct found_event *f, const struct report_consumer *c)
{
	struct proto_field field;

	if (!report_memo_has(&f->head, 0))
		return false;
	return c->end_value < MEMO_HEAD
		   ? report_memo_has(&f->head, c->end_value)
		   : proto_reader_find((struct span){(const char *)f->event.p,
					   (size_t)(f->event.end - f->event.p)},
			 MEMO_NVTX_END, &field);
}

/* make the memo of an event that was decoded, for consumer c or none */
static void
make_row_memo(const struct report_store *s, const struct found_event *f,
    const struct report_consumer *c, const unsigned char *row)
{
	struct report_memo *memo = f->memo;

	/* without a record it may be outside of the window */
	if ((c == NULL && s->streams[f->table].count > 0) ||
	    !report_store_may_repeat(s, f) ||
	    (c != NULL && !report_store_has_times(f, c)) ||
	    !report_memo_begin(memo, &f->head, &f->event, f->table))
		return;
	memo->consumer = c;
	if (c != NULL &&
	    !report_memo_format(memo, &f->head, &c->decoder, row, c->rowid))
		memo->key = 0;
}

static const struct report_consumer *
decode_other(struct report_store *s, const struct report_event *e,
    enum report_table table, int64_t chain, unsigned char *row,
    struct row_bytes *bytes)
{
	struct report_stream *t = &s->streams[table];

	for (unsigned i = 0; i < t->count; i++) {
		struct report_consumer *c = &t->consumers[i];

		if (!report_decoder_run(&c->decoder, e, row, chain)) {
			if (!s->report->salvage)
				nsysrep_damaged(
				    s->report, "an event that is no message");
			s->events.lost++;
			s->events.lost_reason = "damaged events";
			return NULL;
		}
		if (event_select_row(s->nsys->shift, &c->table->times,
			(struct select_from){SELECT_SLOTS, .slots = row},
			&s->window, &bytes->ts, &bytes->dur) != ROW_EVENT)
			continue;
		bytes->p = row;
		bytes->number = c->number;
		bytes->format = NULL;
		return c;
	}
	return NULL;
}

const struct report_consumer *
report_store_decode(struct report_store *s, const struct found_event *f,
    int64_t chain, unsigned char *row, struct row_bytes *bytes)
{
	const struct report_consumer *c;

	if (f->known)
		return report_store_known(s, f, row, bytes) ? f->memo->consumer
							    : NULL;
	c = decode_other(s, &f->event, f->table, chain, row, bytes);
	if (f->memo != NULL)
		make_row_memo(s, f, c, row);
	return c;
}

size_t
report_store_row_size(const struct report_store *s)
{
	size_t max = MEMO_ROW;

	for (enum report_table t = 0; t < REPORT_TABLES; t++)
		for (unsigned i = 0; i < s->streams[t].count; i++) {
			size_t n = slot_row_size(
			    s->streams[t].consumers[i].decoder.shape);

			max = n > max ? n : max;
		}
	return (max + 7) / 8 * 8;
}

/* ---- --check ---- */

static void
check(const struct event_store *events, struct check_sheet *to)
{
	const struct report_store *s = (const struct report_store *)events;
	const struct nsysrep *r = s->report;

	report_counts_check(&s->counts, to);
	check_sheet_sum(to, s->seen, "events", r->events, "in the header");
	if (s->damaged > 0)
		check_sheet_count(
		    to, NULL, s->damaged, "blocks that are damaged");
	if (s->events.lost > 0)
		check_sheet_lost(
		    to, s->events.lost, "events", s->events.lost_reason);
}

/* ---- open and close ---- */

/* the database has the events of a table, too: prepare their insertion */
static void
store_events(struct report_store *s, enum report_table table)
{
	struct report_stream *t = &s->streams[table];
	struct name_list columns = database_names(s->db,
	    database_prepare(s->db, "SELECT name FROM pragma_table_info(%Q)",
		report_tables_names[table]));
	struct text sql = {0};

	text_printf(&sql, "INSERT INTO %s (rowid", report_tables_names[table]);
	for (size_t i = 0; i < columns.count; i++)
		text_printf(&sql, ", \"%s\"", columns.all[i]);
	text_add_str(&sql, ") VALUES (?");
	for (size_t i = 0; i < columns.count; i++)
		text_add_str(&sql, ", ?");
	text_add(&sql, ")", 2);
	t->insert = database_prepare(s->db, "%s", sql.p);
	if (t->insert == NULL)
		database_fail(s->db);
	report_decoder_make(&t->stored, table, (const char *const *)columns.all,
	    (int)columns.count, s->report->release);
	text_free(&sql);
	name_list_free(&columns);
}

void
report_store_open(struct report_store *s, struct nsysrep *report,
    struct database *db, const struct source_settings *settings)
{
	struct slot_shape largest = slot_row_shape(SLOT_ROW_VALUES - 1, true);

	*s = (struct report_store){.events = {.index = report_index_events,
				       .merge = report_rows_merge,
				       .sort = report_rows_sort,
				       .frames = report_rows_frames,
				       .check = check},
	    .report = report,
	    .db = db,
	    .blocks = {.report = report, .limit = 2},
	    .account = settings->check};
	s->row = mem_alloc(slot_row_size(largest));
	report_memo_open(&s->memos);
	store_events(s, REPORT_NVTX_EVENTS);
	store_events(s, REPORT_DIAGNOSTIC_EVENT);
	store_events(s, REPORT_PROCESSES);
	if (settings->raw_metrics)
		report_metrics_open(&s->metrics, report, db);
	db->store = &s->events;
}

void
report_store_close(struct report_store *s)
{
	for (enum report_table t = 0; t < REPORT_TABLES; t++)
		sqlite3_finalize(s->streams[t].insert);
	report_blocks_free(&s->blocks);
	report_metrics_free(&s->metrics);
	report_counts_free(&s->counts);
	report_memo_close(&s->memos);
	row_chains_free(&s->chains);
	free(s->marks);
	free(s->row);
}
