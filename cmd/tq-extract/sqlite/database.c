/* database.c - an SQLite file, opened read-only */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database.h"
#include "fetch.h"
#include "tq/base/mem.h"

enum { CHUNK = 1 << 16 };

static bool
starts(const char *head, size_t n, const char *with)
{
	return n >= strlen(with) && memcmp(head, with, strlen(with)) == 0;
}

static bool
ends(const char *name, const char *with)
{
	size_t n = strlen(name), m = strlen(with);

	return n >= m && strcmp(name + n - m, with) == 0;
}

/* exits: the file does not begin like a database */
static _Noreturn void
not_a_database(const char *name, const char *head, size_t n)
{
	if (n == 0)
		errx(1, "%s: is empty", name);
	if (starts(head, n, "version https://git-lfs"))
		errx(1,
		    "%s: a git-lfs pointer, not the file: run 'git lfs pull'",
		    name);
	if (ends(name, ".qdstrm"))
		errx(1, "%s: a raw capture: nsys makes a report of it first",
		    name);
	errx(1, "%s: not a database", name);
}

/* ---- opening ---- */

/*
 * The URI of path.  Nobody writes to an export any more, so it needs no lock
 * ("immutable") - unless another program left changes beside it, which SQLite
 * reads only with locks.
 */
static char *
uri_of(const char *path, bool *settled)
{
	struct text t = {0};
	struct stat st;
	bool pending = false;

	text_add_str(&t, "file:");
	for (const char *p = path; *p != '\0'; p++)
		if (strchr("?#%", *p) != NULL)
			text_printf(&t, "%%%02x", *p);
		else
			text_add_char(&t, *p);
	for (int i = 0; i < 2; i++) {
		struct text beside = {0};

		text_printf(
		    &beside, "%s%s%c", path, i == 0 ? "-wal" : "-journal", 0);
		pending |= stat(beside.p, &st) == 0 && st.st_size > 0;
		text_free(&beside);
	}
	*settled = !pending;
	text_add_str(&t, pending ? "?mode=ro" : "?mode=ro&immutable=1");
	text_add_char(&t, '\0');
	return t.p;
}

static void
open_handle(struct database *db, const char *path, bool direct)
{
	bool settled;
	char *uri = uri_of(path, &settled);
	int fd;

	if (sqlite3_open_v2(uri, &db->handle,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
		NULL) != SQLITE_OK)
		database_fail(db);
	free(uri);
	/* reads the schema, and fails if it is no database */
	if (sqlite3_exec(db->handle,
		"PRAGMA trusted_schema = 0; SELECT 1 FROM sqlite_master", NULL,
		NULL, NULL) != SQLITE_OK)
		database_fail(db);
	if (!direct || !settled)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && !btree_file_open(&db->direct, fd)) {
		close(fd);
		fd = -1;
	}
	db->direct.fd = fd;
}

void
database_open(struct database *db, const struct operand *from, bool direct)
{
	const char *path = from->path;
	const char *head = from->head;
	size_t n = from->len;
	char fd_path[32];

	*db = (struct database){.copy_fd = -1, .direct.fd = -1};
	db->name = from->name;
	if (!from->seekable)
		db->copy_fd = fetch_copy(db->name, from->zio);
	else if (from->is_stdin)
		db->copy_fd = dup(from->fd);

	if (n >= 16 && memcmp(head, "SQLite format 3", 16) == 0) {
		snprintf(
		    fd_path, sizeof(fd_path), "/proc/self/fd/%d", db->copy_fd);
		if (fetch_copied() != NULL)
			path = fetch_copied();
		else if (db->copy_fd >= 0)
			path = fd_path;
		open_handle(db, path, direct);
		fetch_forget_copied();
		return;
	}
	if (db->copy_fd >= 0 ||
	    !(ends(path, ".nsys-rep") || ends(path, ".qdrep")) ||
	    starts(head, n, "version https://git-lfs"))
		not_a_database(db->name, head, n);
	db->converted = true;
	open_handle(db, fetch_converted(path), direct);
}

void
database_close(struct database *db)
{
	sqlite3_close(db->handle);
	if (db->direct.fd >= 0)
		close(db->direct.fd);
	if (db->copy_fd >= 0)
		close(db->copy_fd);
	if (db->converted)
		fetch_remove_converted();
}

/* ---- queries ---- */

/*
 * The errno of reading all of the file, or 0.  SQLite calls a file malformed
 * where the disk fails.
 */
static int
read_error(const struct database *db)
{
	const char *path = sqlite3_db_filename(db->handle, "main");
	int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	int error = 0;
	off_t at = 0;
	char *buf;
	ssize_t n;

	if (fd < 0)
		return 0;
	buf = mem_alloc(CHUNK);
	while ((n = pread(fd, buf, CHUNK, at)) > 0)
		at += n;
	if (n < 0)
		error = errno;
	free(buf);
	close(fd);
	return error;
}

_Noreturn void
database_fail(const struct database *db)
{
	int error = 0;

	if (db->handle != NULL && sqlite3_errcode(db->handle) == SQLITE_NOTADB)
		errx(1, "%s: not a database", db->name);
	if (db->handle != NULL &&
	    (sqlite3_errcode(db->handle) & 0xff) == SQLITE_CORRUPT)
		error = read_error(db);
	if (error != 0)
		errx(1, "%s: %s", db->name, strerror(error));
	errx(1, "%s: %s", db->name,
	    db->handle != NULL ? sqlite3_errmsg(db->handle) : "out of memory");
}

sqlite3_stmt *
database_prepare(const struct database *db, const char *fmt, ...)
{
	sqlite3_stmt *st = NULL;
	char *sql;
	va_list ap;
	int status;

	va_start(ap, fmt);
	sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	if (sql == NULL)
		errx(1, "out of memory");
	status = sqlite3_prepare_v2(db->handle, sql, -1, &st, NULL);
	sqlite3_free(sql);
	if (status != SQLITE_OK && status != SQLITE_ERROR)
		database_fail(db);
	return st;
}

bool
database_step(const struct database *db, sqlite3_stmt *st)
{
	int status = sqlite3_step(st);

	if (status == SQLITE_ROW)
		return true;
	if (status != SQLITE_DONE)
		database_fail(db);
	return false;
}

const char *
database_column(
    const struct database *db, const char *table, const char *column)
{
	bool there = database_int(db, 0,
			 database_prepare(db,
			     "SELECT 1 FROM pragma_table_info(%Q) "
			     "WHERE name = %Q",
			     table, column)) == 1;

	return there ? column : "NULL";
}

struct span
database_text(sqlite3_stmt *st, int col)
{
	const void *p = sqlite3_column_type(st, col) == SQLITE_BLOB
			    ? sqlite3_column_blob(st, col)
			    : sqlite3_column_text(st, col);

	if (p == NULL)
		return (struct span){"", 0};
	return (struct span){p, (size_t)sqlite3_column_bytes(st, col)};
}

struct name_list
database_names(const struct database *db, sqlite3_stmt *st)
{
	struct name_list names = {0};

	while (st != NULL && database_step(db, st))
		name_list_add(&names, database_text(st, 0));
	sqlite3_finalize(st);
	return names;
}

struct sql_value
database_value(sqlite3_stmt *st, int col)
{
	switch (sqlite3_column_type(st, col)) {
	case SQLITE_INTEGER:
		return (struct sql_value){
		    SQL_INT, .i = sqlite3_column_int64(st, col)};
	case SQLITE_FLOAT:
		return (struct sql_value){
		    SQL_REAL, .d = sqlite3_column_double(st, col)};
	case SQLITE_TEXT:
		return (struct sql_value){
		    SQL_TEXT, .s = database_text(st, col)};
	case SQLITE_BLOB:
		return (struct sql_value){
		    SQL_BLOB, .s = database_text(st, col)};
	default:
		return (struct sql_value){SQL_NULL};
	}
}

int64_t
database_int(const struct database *db, int64_t otherwise, sqlite3_stmt *st)
{
	int64_t v = otherwise;

	if (st != NULL && database_step(db, st) &&
	    sqlite3_column_type(st, 0) != SQLITE_NULL)
		v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return v;
}
