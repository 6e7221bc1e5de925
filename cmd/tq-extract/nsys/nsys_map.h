/*
 * nsys_map.h - how the tables of an nsys export map to records: the one
 * place in tq-extract that names tables and columns of events.
 *
 * The schema is NVIDIA's; it is documented in the "SQLite Schema Reference"
 * of the Nsight Systems Analysis Guide.  Columns are found by name: any may
 * be missing, then its key is absent.
 */
#ifndef NSYS_MAP_H
#define NSYS_MAP_H

#include "write/record_map.h"

struct nsys_table {
	const char *table; /* may have a suffix _V2...; * stands for any end */
	enum kind kind;
	const struct column_map *columns; /* ends with a NULL column */
	/*
	 * With filter, and where the table has that column: rows are events
	 * if it has one of these values, or with none_of, none of them.
	 */
	const char *filter;
	int64_t values[4];
	int value_count;
	bool none_of;
	const char *other; /* the meaning of other rows; NULL: another
			      nsys_table reads them */
	bool whole; /* with --keys and --launches, too, rows are written, with
		     * all keys: tq-correlate names operations by them */
};

/* In the order in which records of equal time and duration are written. */
extern const struct nsys_table nsys_map_tables[];
extern const size_t nsys_map_count;

/*
 * True for the tables of an nsys export that hold no events: definitions, meta
 * data, enumerations, and details of events of other tables.
 */
bool nsys_map_is_support_table(const char *name);

/* True if a table with events has a name that begins like this. */
bool nsys_map_is_event_table(const char *name);

/* The column of a table that has this meaning; NULL if none has. */
const char *nsys_map_column(const struct nsys_table *map, enum how how);

#endif
