/*
 * database.h - an SQLite file, opened read-only.
 */
#ifndef DATABASE_H
#define DATABASE_H

#include <sqlite3.h>
#include <time.h>

#include "btree.h"
#include "name_list.h"
#include "operand.h"

/* what differs once a program has written to a file */
struct file_state {
	uint32_t counter; /* SQLite counts transactions */
	int64_t size;
	struct timespec changed;
};

struct event_store;

struct database {
	sqlite3 *handle;
	const char *name; /* as the user calls it, for messages */
	bool converted;   /* by nsys export: to be removed */
	int copy_fd;      /* a copy of what cannot seek; or -1 */
	int file;         /* the operand, that nobody may write to; or -1 */
	struct file_state state;   /* of file, when it was opened */
	char *path;                /* of file; NULL where it is not known */
	struct btree_file direct;  /* fd is -1 where only SQLite may read */
	struct event_store *store; /* of events that are not in it, or NULL */
	int64_t steps_left;        /* of SQLite; below 0: it was stopped */
	bool whole_rows; /* set by a source: to read a NULL in place of the
			    default of a column does no harm */
};

/*
 * Open an operand, which is borrowed until database_close.  unknown is the end
 * of the message for a file of which nothing better is known.  A .nsys-rep is
 * converted by nsys export if convert is true, a compressed file or a pipe is
 * copied to a file in TMPDIR that has no name once it is open.  Exits with a
 * message where it is no database, or may lack changes that are in a file
 * beside it.
 */
void database_open(struct database *db, const struct operand *from, bool direct,
    bool convert, const char *unknown);

/*
 * Open an empty database that has no name, for a source to fill from the
 * operand; SQLite keeps it in a file where it grows large.
 */
void database_open_empty(struct database *db, const struct operand *from);

void database_close(struct database *db);

/*
 * Exits with a message if a program wrote to the file since it was opened: the
 * rows read may be a mixture.
 */
void database_check_unchanged(const struct database *db);

/* Print SQLite's message, and exit 1. */
_Noreturn void database_fail(const struct database *db);

/* As sqlite3_mprintf, but exits with a message where there is no memory. */
char *database_sql(const char *fmt, ...);

/*
 * Prepare a statement from a format of sqlite3_mprintf; NULL where it names
 * a table or column that the database does not have.  Free it with
 * sqlite3_finalize.
 */
sqlite3_stmt *database_prepare(const struct database *db, const char *fmt, ...);

/* Step: true for a row, false at the end; fails on anything else. */
bool database_step(const struct database *db, sqlite3_stmt *st);

/*
 * The name of a column as an expression: itself where table has it, else
 * NULL.  So a query does without columns that an export lacks.
 */
const char *database_column(
    const struct database *db, const char *table, const char *column);

/* The bytes of a column, whatever its type; empty for NULL. */
struct span database_text(sqlite3_stmt *st, int col);

/* The first column of all rows, as names; finalizes st, which may be NULL. */
struct name_list database_names(const struct database *db, sqlite3_stmt *st);

/* The value of a column. */
struct sql_value database_value(sqlite3_stmt *st, int col);

/* The first column of the first row as an integer, or otherwise. */
int64_t database_int(
    const struct database *db, int64_t otherwise, sqlite3_stmt *st);

#endif
