/*
 * event_table.h - the tables of an export with events: how their rows become
 * records.
 */
#ifndef EVENT_TABLE_H
#define EVENT_TABLE_H

#include "nsys.h"
#include "nsys_map.h"
#include "sqlite/row_chains.h"

/* values of a row that decide whether it is an event, and when; or -1 */
struct time_columns {
	const struct nsys_table *map;
	int start, end, filter;
};

/* the kind of a row; those from ROW_LOST on are events that are lost */
enum row_is {
	ROW_EVENT, /* in the window */
	ROW_OTHER, /* no event of this kind */
	ROW_OUTSIDE,
	ROW_NO_TIME,
	ROW_TIME_RANGE, /* does not fit 64 bits */
	ROW_ZERO_TIME,  /* an operation that starts and ends at 0 */
	ROW_BACKWARD,   /* an operation that ends before it starts */
	ROW_IS_COUNT
};

enum { ROW_LOST = ROW_NO_TIME }; /* from here on */

/* a table as one kind of record */
struct event_table {
	const struct nsys_table *map;
	char *name; /* as the export spells it */
	struct name_list columns;
	struct record_map record;
	struct time_columns times;
	struct table_layout layout;
	struct row_formats formats; /* of its rows */

	struct row_chains chains; /* all events */

	int64_t rows[ROW_IS_COUNT];
	struct text unknown; /* columns that the map does not have */
};

/* True if records of one of the tables have a key with such a meaning. */
bool event_table_any_has(
    const struct event_table *tables, size_t count, enum how how);

/* Find the tables of kinds (bits) that the export has; *count of them. */
struct event_table *event_table_find_all(
    struct nsys *x, uint64_t kinds, size_t *count);

/* Remove the tables that turned out to have no rows. */
void event_table_drop_empty(struct event_table *tables, size_t *count);

void event_table_free_all(struct event_table *tables, size_t count);

/* Rows that are events, lost ones included; lost rows. */
int64_t event_table_rows(const struct event_table *t);
int64_t event_table_lost(const struct event_table *t);

#endif
