/* database.c - an SQLite file, opened read-only */

#include <endian.h>
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
#include "tq/io/foreign.h"

enum { CHUNK = 1 << 16 };

#define REPORT "NVIDIA Tegra Profiler Report "

static bool
starts(const char *head, size_t n, const char *with)
{
	return n >= strlen(with) && memcmp(head, with, strlen(with)) == 0;
}

static bool
is_named_report(const char *path)
{
	return span_ends(span_of(path), SPAN(".nsys-rep")) ||
	       span_ends(span_of(path), SPAN(".qdrep"));
}

/* exits: the first bytes are not a database's; unknown is what the file is if
   nothing better is known */
static _Noreturn void
not_a_database(const char *name, struct span head, const char *unknown)
{
	const char *what = foreign_refused(name, head);

	if (head.len == 0)
		errx(1, "%s: is empty", name);
	if (what != NULL)
		errx(1, "%s: %s", name, what);
	if (starts(head.p, head.len, REPORT))
		errx(1, "%s: is a report, not an export", name);
	if (is_named_report(name))
		errx(1,
		    "%s: does not begin like a report of Nsight Systems: it is "
		    "damaged, encrypted, or of a newer nsys (--via-nsys has "
		    "nsys "
		    "export it)",
		    name);
	errx(1, "%s: %s", name, unknown);
}

/* ---- files ---- */

/* bytes of the header of a database; a version that stands for WAL mode */
enum { WRITE_VERSION = 18, READ_VERSION, CHANGE_COUNTER = 24, WAL = 2 };

/* offsets in the header, of numbers with the highest byte first */
enum { PAGE_SIZE = 16, PAGES = 28, COUNTER_OF_PAGES = 92, HEADER = 100 };

static uint32_t
header_number(struct span head, size_t at)
{
	uint32_t n;

	memcpy(&n, head.p + at, sizeof(n));
	return be32toh(n);
}

/* the bytes of a database by its header, or -1 if that does not count them */
static int64_t
declared_size(struct span head)
{
	int64_t page, pages;

	if (head.len < HEADER || header_number(head, CHANGE_COUNTER) !=
				     header_number(head, COUNTER_OF_PAGES))
		return -1;
	page = header_number(head, PAGE_SIZE) >> 16;
	pages = header_number(head, PAGES);
	return pages > 0 ? pages * (page == 1 ? 65536 : page) : -1;
}

/* true if the file at path is the one that is open at fd */
static bool
is_open_at(const char *path, int fd)
{
	struct stat a, b;

	return stat(path, &a) == 0 && fstat(fd, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static char *
fd_path(int fd)
{
	struct text t = {0};

	text_printf(&t, "/proc/self/fd/%d%c", fd, 0);
	return t.p;
}

/*
 * The path of the file itself, beside which other programs leave their
 * changes: not of a symbolic link, nor /proc/self/fd/0.  NULL where no such
 * path leads to the open file; free(3) it.
 */
static char *
real_path(const struct operand *from)
{
	char *link = from->is_stdin ? fd_path(from->fd) : NULL;
	char *path = realpath(link != NULL ? link : from->path, NULL);

	free(link);
	if (path != NULL &&
	    (!is_open_at(path, from->fd) || access(path, R_OK) != 0)) {
		free(path);
		path = NULL;
	}
	return path;
}

/* true if another program left changes beside the file */
static bool
has_changes_beside(const char *path)
{
	static const char *const suffixes[] = {"-wal", "-journal"};
	bool any = false;
	struct stat st;

	for (int i = 0; i < 2; i++) {
		struct text beside = {0};

		text_printf(&beside, "%s%s%c", path, suffixes[i], 0);
		any |= stat(beside.p, &st) == 0 && st.st_size > 0;
		text_free(&beside);
	}
	return any;
}

/* all zeros for a pipe, which has no state to compare */
static struct file_state
state_of(int fd, const char *name)
{
	struct file_state state = {0};
	unsigned char counter[4];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return state;
	if ((n = pread(fd, counter, sizeof(counter), CHANGE_COUNTER)) < 0)
		err(1, "%s", name);
	if (n == sizeof(counter))
		state.counter = get4(counter);
	state.size = st.st_size;
	state.changed = st.st_mtim;
	return state;
}

void
database_check_unchanged(const struct database *db)
{
	struct file_state now = state_of(db->file, db->name);
	const struct file_state *then = &db->state;

	if (now.counter != then->counter || now.size != then->size ||
	    now.changed.tv_sec != then->changed.tv_sec ||
	    now.changed.tv_nsec != then->changed.tv_nsec ||
	    (db->path != NULL && has_changes_beside(db->path)))
		errx(1, "%s: was written while it was read", db->name);
}

/* ---- opening ---- */

/*
 * The URI of path.  Nobody writes to an export any more, so it needs no lock
 * ("immutable") - unless another program left changes beside it, which SQLite
 * reads only with locks.
 */
static char *
uri_of(const char *path, bool settled)
{
	struct text t = {0};

	text_add_str(&t, "file:");
	for (const char *p = path; *p != '\0'; p++)
		if (strchr("?#%", *p) != NULL)
			text_printf(&t, "%%%02x", *p);
		else
			text_add_char(&t, *p);
	text_add_str(&t, settled ? "?mode=ro&immutable=1" : "?mode=ro");
	text_add_char(&t, '\0');
	return t.p;
}

/*
 * A view of a hostile file may have no end, or more rows than anybody waits
 * for.  What reads all of a file some times takes fewer steps than these.
 */
enum { STEPS = 1000000, STEPS_AT_LEAST = 50 * STEPS, STEPS_OF_BYTE = 400 };

static int
count_steps(void *database)
{
	struct database *db = database;

	db->steps_left -= STEPS;
	return db->steps_left < 0;
}

static void
limit_steps(struct database *db, const char *path)
{
	struct stat st;
	int64_t size = stat(path, &st) == 0 ? st.st_size : 0;

	if (__builtin_mul_overflow(size, STEPS_OF_BYTE, &db->steps_left))
		db->steps_left = INT64_MAX;
	if (db->steps_left < STEPS_AT_LEAST)
		db->steps_left = STEPS_AT_LEAST;
	sqlite3_progress_handler(db->handle, STEPS, count_steps, db);
}

static void
open_handle(struct database *db, const char *path, bool settled)
{
	char *uri = uri_of(path, settled);

	if (sqlite3_open_v2(uri, &db->handle,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
		NULL) != SQLITE_OK)
		database_fail(db);
	free(uri);
	limit_steps(db, path);
	/*
	 * The query reads the schema, and fails if it is no database.  In one
	 * transaction all queries see one state of a file that needs locks.
	 */
	if (sqlite3_exec(db->handle,
		"PRAGMA trusted_schema = 0; BEGIN; "
		"SELECT 1 FROM sqlite_master",
		NULL, NULL, NULL) != SQLITE_OK)
		database_fail(db);
}

static void
open_direct(struct database *db, int fd)
{
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (fd >= 0 && !btree_file_open(&db->direct, fd)) {
		close(fd);
		fd = -1;
	}
	db->direct.fd = fd;
}

/* a copy, or a file without a path: changes beside it would not be found */
static void
open_alone(struct database *db, const struct operand *from, const char *path)
{
	if (from->len > READ_VERSION && (from->head[WRITE_VERSION] == WAL ||
					    from->head[READ_VERSION] == WAL))
		errx(1,
		    "%s: a database in WAL mode without its -wal file: name "
		    "the file itself, or set its journal_mode to delete",
		    db->name);
	open_handle(db, path, true);
}

/* a file, perhaps with changes of another program beside it */
static bool
open_file(struct database *db, const struct operand *from)
{
	char *path = real_path(from);
	bool settled = true;

	if (path == NULL) {
		path = fd_path(from->fd);
		open_alone(db, from, path);
		free(path);
		return true;
	}
	settled = !has_changes_beside(path);
	open_handle(db, path, settled);
	if (!is_open_at(path, from->fd))
		errx(1, "%s: was replaced while it was opened", db->name);
	if (settled) {
		db->path = path;
		return true;
	}
	free(path);
	db->file = -1; /* has locks, and may be written */
	db->state = state_of(db->file, db->name);
	return false;
}

static void
open_converted(struct database *db, const char *report, bool direct)
{
	const char *path = fetch_converted(report);
	int fd;

	db->converted = true;
	open_handle(db, path, true);
	if (direct && (fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
		open_direct(db, fd);
		close(fd);
	}
}

void
database_open(struct database *db, const struct operand *from, bool direct,
    bool convert, const char *unknown)
{
	const char *head = from->head;
	size_t n = from->len;
	bool settled = true;

	*db = (struct database){.name = from->name,
	    .file = from->fd,
	    .copy_fd = -1,
	    .direct.fd = -1};
	db->state = state_of(db->file, db->name);
	if (n < 16 || memcmp(head, "SQLite format 3", 16) != 0) {
		if (!convert ||
		    foreign_refused(db->name, operand_head(from)) != NULL ||
		    (!starts(head, n, REPORT) && !is_named_report(from->path)))
			not_a_database(db->name, operand_head(from), unknown);
		if (!from->seekable || from->is_stdin)
			errx(1,
			    "%s: --via-nsys needs a file, not a pipe, and not "
			    "compressed",
			    db->name);
		open_converted(db, from->path, direct);
		return;
	}
	if (from->seekable) {
		settled = open_file(db, from);
	} else {
		db->copy_fd = fetch_copy(
		    db->name, from->zio, declared_size(operand_head(from)));
		open_alone(db, from, fetch_copied());
		fetch_forget_copied();
	}
	if (direct && settled)
		open_direct(db, from->seekable ? from->fd : db->copy_fd);
}

void
database_open_empty(struct database *db, const struct operand *from)
{
	*db = (struct database){.name = from->name,
	    .file = from->fd,
	    .copy_fd = -1,
	    .direct.fd = -1};
	db->state = state_of(db->file, db->name);
	if (sqlite3_open_v2("", &db->handle,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
		    SQLITE_OPEN_NOMUTEX,
		NULL) != SQLITE_OK ||
	    sqlite3_exec(db->handle,
		"PRAGMA journal_mode = off; PRAGMA synchronous = off; BEGIN",
		NULL, NULL, NULL) != SQLITE_OK)
		database_fail(db);
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
	free(db->path);
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
	struct text message = {0};
	int error = 0;

	if (db->handle != NULL && sqlite3_errcode(db->handle) == SQLITE_NOTADB)
		errx(1,
		    "%s: begins like an SQLite database, and is none: it is "
		    "damaged or encrypted",
		    db->name);
	if (db->steps_left < 0)
		errx(1, "%s: a view in it has no end, or too many rows",
		    db->name);
	database_check_unchanged(db);
	if (db->handle != NULL &&
	    sqlite3_extended_errcode(db->handle) == SQLITE_READONLY_ROLLBACK)
		errx(1,
		    "%s: a program died while it wrote to it: sqlite3 undoes "
		    "that when it opens the file and its -journal",
		    db->name);
	if (db->handle != NULL &&
	    (sqlite3_errcode(db->handle) & 0xff) == SQLITE_CORRUPT)
		error = read_error(db);
	if (error != 0)
		errx(1, "%s: %s", db->name, strerror(error));
	/* which may have names of the file in it */
	errx(1, "%s: %s", db->name,
	    db->handle != NULL
		? text_visible_name(&message, sqlite3_errmsg(db->handle))
		: "out of memory");
}

static char *
make_sql(const char *fmt, va_list ap)
{
	char *sql = sqlite3_vmprintf(fmt, ap);

	if (sql == NULL)
		errx(1, "out of memory");
	return sql;
}

char *
database_sql(const char *fmt, ...)
{
	va_list ap;
	char *sql;

	va_start(ap, fmt);
	sql = make_sql(fmt, ap);
	va_end(ap);
	return sql;
}

sqlite3_stmt *
database_prepare(const struct database *db, const char *fmt, ...)
{
	sqlite3_stmt *st = NULL;
	char *sql;
	va_list ap;
	int status;

	va_start(ap, fmt);
	sql = make_sql(fmt, ap);
	va_end(ap);
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
