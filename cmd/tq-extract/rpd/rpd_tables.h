/*
 * rpd_tables.h - the tables of rocmProfileData, and the queries that join them.
 *
 * A table or column that a recording lacks has NULL for all its values: what
 * else there is of a row is read.
 */
#ifndef RPD_TABLES_H
#define RPD_TABLES_H

#include "sqlite/database.h"

/* in the order in which records of equal time and duration are written */
enum rpd_rows { RPD_API, RPD_OP, RPD_MONITOR, RPD_TABLES };

extern const char *const rpd_tables_names[RPD_TABLES];

/* how many columns the rows have, and which: all begin with these two */
extern const int rpd_tables_columns[RPD_TABLES];
enum { START, END };
enum { API_ID = 2, API_PID, API_TID, API_NAME, API_ARGS, API_COLUMNS };
enum {
	WORK_PID = 2,
	WORK_TID,
	WORK_API,
	WORK_DEVICE,
	WORK_QUEUE,
	WORK_NAME,
	WORK_TYPE,
	WORK_LAUNCH,
	WORK_GRID_X,
	WORK_GRID_Y,
	WORK_GRID_Z,
	WORK_BLOCK_X,
	WORK_BLOCK_Y,
	WORK_BLOCK_Z,
	WORK_SHARED,
	WORK_LOCAL,
	WORK_BYTES,
	WORK_COLUMNS
};
enum {
	MONITOR_TYPE = 2,
	MONITOR_DEVICE,
	MONITOR_NAME,
	MONITOR_VALUE,
	MONITOR_COLUMNS
};

/*
 * Find the tables and columns of a recording: how a query begins that calls
 * them api, op, api_ops, kernelapi, copyapi, monitor and string.
 */
void rpd_tables_find(struct text *tables_of, const struct database *db);

/* Prepare such a query.  Free it with sqlite3_finalize. */
sqlite3_stmt *rpd_tables_prepare(
    const struct database *db, const struct text *tables_of, const char *query);

/* The same for the rows of a table, in order of time. */
sqlite3_stmt *rpd_tables_rows(const struct database *db,
    const struct text *tables_of, enum rpd_rows table);

#endif
