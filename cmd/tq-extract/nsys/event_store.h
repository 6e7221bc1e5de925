/*
 * event_store.h - a source of events beside SQLite: a report.  The database of
 * a report has the tables and their columns; most of the rows stay in the
 * report.
 */
#ifndef EVENT_STORE_H
#define EVENT_STORE_H

#include "check_sheet.h"
#include "event_table.h"
#include "sqlite/row_merge.h"
#include "time_window.h"

/* a frame of a call chain: strings of StringIds */
struct chain_frame {
	int64_t symbol, module;
	bool has_module;
};

struct event_store {
	/*
	 * What event_index_build does with tables: count their rows, learn what
	 * x has of them, and find their order.
	 */
	void (*index)(struct event_store *, struct nsys *x,
	    struct event_table *tables, size_t count,
	    const struct time_window *w);

	/*
	 * Add cursors to m, which have all events of the index.  tables are the
	 * same without some that have no rows, and borrowed.
	 */
	void (*merge)(struct event_store *, struct event_table *tables,
	    size_t count, struct row_merge *m);

	/*
	 * In place of merge, where it returns true: give each event to write,
	 * in the same order.
	 */
	bool (*sort)(struct event_store *, struct event_table *tables,
	    size_t count, void (*write)(void *arg, struct row_source *row),
	    void *arg);

	/* Give the frames of a chain, the innermost first. */
	void (*frames)(struct event_store *, int64_t chain,
	    void (*frame)(void *arg, const struct chain_frame *), void *arg);

	/* Write what --check has besides the tables. */
	void (*check)(const struct event_store *, struct check_sheet *);

	/* events that are known to be lost, and why: NULL for none */
	const char *lost_reason;
	int64_t lost;
};

#endif
