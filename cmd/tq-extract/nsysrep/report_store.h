/*
 * report_store.h - the events of a report, in order of time: the tables of
 * events of its database (nsys/event_store.h).
 */
#ifndef REPORT_STORE_H
#define REPORT_STORE_H

#include "nsys/event_select.h"
#include "nsys/event_store.h"
#include "report_blocks.h"
#include "report_counts.h"
#include "report_memo.h"
#include "report_metrics.h"
#include "source.h"

enum {
	STORE_SAME = 4,  /* kinds that are made of one table, at most */
	STORE_MARK = 64, /* events from one mark to the next */
};

/* a kind that events of a table become */
struct report_consumer {
	struct event_table *table;
	unsigned number;           /* of the table, in their order */
	struct time_columns index; /* values of the decoder of the index */
	struct report_decoder decoder;
	int rowid; /* the value that is the number of the row, or -1 */
	unsigned
	    end_value; /* of a memo's: the end; the start, if it has none */
};

/* a table of the report */
struct report_stream {
	struct report_consumer consumers[STORE_SAME];
	unsigned count;
	struct report_decoder
	    index;            /* fields of an event that the index needs */
	bool indexed;         /* it needs something */
	bool work, calls;     /* operations; calls that may synchronise */
	sqlite3_stmt *insert; /* events that the database has, too; or NULL */
	struct report_decoder stored; /* their columns */
};

/*
 * Where every STORE_MARK-th event of a block is: readers of many chains skip
 * events.
 */
struct event_mark {
	uint32_t offset, nvtx; /* of the block; events of NVTX_EVENTS before */
};

struct report_store {
	struct event_store events; /* the first member */
	struct nsysrep *report;    /* borrowed */
	struct database *db;
	struct report_blocks blocks;
	struct report_known known;
	struct report_memos memos;
	struct report_stream streams[REPORT_TABLES];
	struct report_metrics metrics;
	struct report_counts counts;
	bool account;             /* count all events for --check */
	struct event_mark *marks; /* of all blocks */
	size_t mark_count, mark_cap;
	int64_t sorted_chain; /* the call chain of the event that is written */
	struct span sorted;   /* and its bytes, where events were sorted */
	struct row_chains chains; /* of all events, by their numbers */
	struct nsys *nsys;        /* borrowed, from index on */
	struct time_window window;
	int64_t seen;       /* events and generic events */
	int64_t damaged;    /* blocks that could not be read */
	unsigned char *row; /* of the index */
};

/*
 * The events of a report; all are borrowed.  db has the tables of
 * report_tables.def.
 */
void report_store_open(struct report_store *s, struct nsysrep *report,
    struct database *db, const struct source_settings *settings);
void report_store_close(struct report_store *s);

/*
 * Become the reader of these tables: the tables of the index, but for some that
 * have no rows.
 */
void report_store_consumers(
    struct report_store *s, struct event_table *tables, size_t count);

/* an event in a block */
struct found_event {
	enum block_part part;
	struct span bytes;
	/* not of a generic event, nor where the memo is made */
	struct report_event event;
	enum report_table table;  /* REPORT_TABLES: it is not read */
	struct memo_head head;    /* where it has a memo */
	struct report_memo *memo; /* made, or to be made; or NULL */
	bool known;               /* it is made */
};

/*
 * The next event of a block; false at the end of the block, and where it is
 * damaged (see part).  An event that is no message is of no table.
 */
__attribute__((always_inline)) static inline bool
report_store_next(
    struct report_store *s, struct block_events *events, struct found_event *f)
{
	const unsigned char *p, *end;

	f->part = report_blocks_next(events, &p, &end);
	if (f->part > BLOCK_GENERIC)
		return false;
	f->bytes = (struct span){(const char *)p, (size_t)(end - p)};
	f->memo = NULL;
	f->known = false;
	f->table = REPORT_GPU_METRICS;
	if (f->part == BLOCK_GENERIC)
		return true;
	if (report_memo_take(&f->head, p, end) &&
	    (f->memo = report_memo_find(&s->memos, &f->head)) != NULL &&
	    f->memo->key != 0) {
		f->known = true;
		f->table = f->memo->table;
		return true;
	}
	f->table = REPORT_TABLES;
	if (report_tables_take(&f->event, p, end))
		f->table = report_tables_match(&s->known, &f->event);
	else
		f->event.p = NULL;
	return true;
}

/*
 * The row of an event of a table, with its times, and its format if that is
 * known; chain is the value of a call chain.  NULL where it becomes no record.
 */
const struct report_consumer *report_store_decode(struct report_store *s,
    const struct found_event *f, int64_t chain, unsigned char *row,
    struct row_bytes *bytes);

/* The same of an event whose memo is made; false where it becomes no record. */
static inline bool
report_store_known(const struct report_store *s, const struct found_event *f,
    unsigned char *row, struct row_bytes *bytes)
{
	const struct report_memo *memo = f->memo;
	const struct report_consumer *c = memo->consumer;
	const uint64_t *v = f->head.v;

	if (c == NULL ||
	    event_select_impossible(c->table->map, (int64_t)v[0],
		(int64_t)v[c->end_value]) != ROW_EVENT ||
	    !event_select_times(s->nsys->shift, (int64_t)v[0],
		(int64_t)v[c->end_value], &bytes->ts, &bytes->dur) ||
	    !time_window_overlaps(&s->window, bytes->ts, bytes->dur))
		return false;
	report_memo_row(&f->head, row, c->decoder.shape.count);
	bytes->p = row;
	bytes->number = c->number;
	bytes->format = memo->format;
	return true;
}

/*
 * True for an event that a memo may describe: none of the values that differ
 * decides its table, and the database does not need it.
 */
bool report_store_may_repeat(
    const struct report_store *s, const struct found_event *f);

/* True if the values of the event that differ have the times of a consumer. */
bool report_store_has_times(
    const struct found_event *f, const struct report_consumer *c);

/* The bytes that a row of any consumer takes, at most. */
size_t report_store_row_size(const struct report_store *s);

#endif
