/*
 * report_store.h - the events of a report, in order of time: the tables of
 * events of its database (nsys/event_store.h).
 */
#ifndef REPORT_STORE_H
#define REPORT_STORE_H

#include "nsys/event_store.h"
#include "report_blocks.h"
#include "report_counts.h"
#include "report_decoder.h"
#include "report_metrics.h"
#include "source.h"

enum { STORE_SAME = 4 }; /* kinds that are made of one table, at most */

/* a kind that events of a table become */
struct report_consumer {
	struct event_table *table;
	unsigned number;         /* of the table, in their order */
	struct time_columns index; /* values of the decoder of the index */
	struct report_decoder decoder;
	int rowid; /* the value that is the number of the row, or -1 */
};

/* a table of the report */
struct report_stream {
	struct report_consumer consumers[STORE_SAME];
	unsigned count;
	struct report_decoder index; /* what the index needs of an event */
	bool indexed;                /* it needs something */
	bool work, calls; /* operations; calls that may synchronise */
	sqlite3_stmt *insert; /* events that the database has, too; or NULL */
	struct report_decoder stored; /* their columns */
};

struct report_store {
	struct event_store events; /* the first member */
	struct report *report;     /* borrowed */
	struct database *db;
	struct report_blocks blocks;
	struct report_known known;
	struct report_stream streams[REPORT_TABLES];
	struct report_metrics metrics;
	struct report_counts counts;
	bool account; /* count all events for --check */
	struct row_chains chains; /* of all events, by their numbers */
	struct nsys *nsys;        /* borrowed, from index on */
	struct time_window window;
	int64_t seen; /* events and generic events */
	int64_t damaged; /* blocks that could not be read */
	unsigned char *row; /* of the index */
};

/*
 * The events of a report; all are borrowed.  db has the tables of
 * report_tables.def.
 */
void report_store_open(struct report_store *s, struct report *report,
    struct database *db, const struct source_settings *settings);
void report_store_close(struct report_store *s);

/*
 * Become the reader of these tables, which are those of the index but for some
 * that have no rows.
 */
void report_store_consumers(
    struct report_store *s, struct event_table *tables, size_t count);

/*
 * What an event is, and for one that becomes a record, the consumer, and the
 * row of it, with its times.
 */
const struct report_consumer *report_store_decode(struct report_store *s,
    const struct report_event *e, enum report_table table, int64_t chain,
    unsigned char *row, struct row_bytes *bytes);

/* The bytes that a row of any consumer takes, at most. */
size_t report_store_row_size(const struct report_store *s);

#endif
