/*
 * rocpd_details.h - rows that belong to an event: the event itself, the
 * arguments of a call, the values of counters.  Each reader is for events whose
 * ids mostly ascend.
 */
#ifndef ROCPD_DETAILS_H
#define ROCPD_DETAILS_H

#include "rocpd_ids.h"
#include "sqlite/row_source.h"

enum { DETAIL_COLUMNS = 8 };

/*
 * A table of details; where the ids that it is found by do not ascend with its
 * rows, or are not their numbers, a sorted copy in a temporary table.
 */
struct rocpd_details {
	const struct database *db;
	char *table; /* NULL: the suffix lacks it */
	char *name;  /* of the table that is read */
	char *columns[DETAIL_COLUMNS];
	int value[DETAIL_COLUMNS]; /* of a row; -1: it lacks the column */
	struct table_layout layout;
	struct row_formats formats;
	int64_t rows, last; /* how many; the number of the last */
};

/*
 * columns are separated by spaces, the first is the one that the details are
 * found by.
 */
void rocpd_details_open(struct rocpd_details *d, const struct rocpd_ids *ids,
    const char *table, const char *columns);
void rocpd_details_free(struct rocpd_details *d);

/* A place in the table; {0} is before its begin. */
struct rocpd_details_reader {
	struct rocpd_details *of;
	struct row_source rows;
	bool open, found;
	int64_t key;   /* of the current row, if found */
	int64_t asked; /* the id that was looked for last */
};

/*
 * Go to the first row of an id; false where it has none, or the table is
 * missing.
 */
bool rocpd_details_find(
    struct rocpd_details_reader *r, struct rocpd_details *of, int64_t id);

/* Go to the next row of the same id; false behind the last. */
bool rocpd_details_next(struct rocpd_details_reader *r);

void rocpd_details_close(struct rocpd_details_reader *r);

/* A value of the current row; of type SQL_NULL where the row lacks it. */
struct sql_value rocpd_details_value(
    struct rocpd_details_reader *r, int column);

/* The same for an integer; ROCPD_NONE for any other value. */
int64_t rocpd_details_int(struct rocpd_details_reader *r, int column);

#endif
