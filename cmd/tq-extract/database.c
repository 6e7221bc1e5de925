/* database.c - an SQLite file, opened read-only, whatever it came as */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "database.h"
#include "tq/mem.h"
#include "tq/zio.h"

extern char **environ;

enum { HEAD = 64 };

static const char *
temporary_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir != NULL && *dir != '\0' ? dir : "/tmp";
}

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

/* ---- what is no database as it is ---- */

static char *spooled; /* a file that is to be removed */

static void
remove_spooled(void)
{
	if (spooled != NULL)
		unlink(spooled);
	free(spooled);
	spooled = NULL;
}

/* run at exit, once */
static void
at_exit(void (*function)(void), bool *registered)
{
	if (!*registered)
		atexit(function);
	*registered = true;
}

/*
 * Copy what zio reads from fd to a file of its own.  SQLite opens files by
 * name, so it has one until then.
 */
static int
spool(const char *name, int fd)
{
	struct zio_reader *r = zio_reader_open(fd);
	const char *dir = temporary_directory(), *error;
	char *buf = mem_resize(NULL, 1 << 18, 1);
	static bool registered;
	struct text path = {0};
	ptrdiff_t n;
	int to;

	text_printf(&path, "%s/tq-extract.XXXXXX%c", dir, 0);
	if ((to = mkostemp(path.p, O_CLOEXEC)) < 0)
		err(1, "%s", dir);
	spooled = path.p;
	at_exit(remove_spooled, &registered);
	while ((n = zio_read(r, buf, 1 << 18, &error)) > 0)
		for (ptrdiff_t done = 0; done < n;) {
			ssize_t put = write(to, buf + done, (size_t)(n - done));

			if (put < 0 && errno != EINTR)
				err(1, "%s", dir);
			done += put > 0 ? put : 0;
		}
	if (n < 0)
		errx(1, "%s: %s", name, error);
	zio_reader_close(r);
	free(buf);
	return to;
}

/*
 * nsys takes long and says how far it is on its stdout, which is ours to
 * keep clean: it goes to stderr, on a terminal, else nowhere.
 */
static int
run_nsys(char *const argv[])
{
	posix_spawn_file_actions_t fa;
	pid_t pid;
	int status, error;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	if (isatty(STDERR_FILENO)) {
		posix_spawn_file_actions_adddup2(&fa, 2, 1);
	} else {
		posix_spawn_file_actions_addopen(
		    &fa, 1, "/dev/null", O_WRONLY, 0);
		posix_spawn_file_actions_adddup2(&fa, 1, 2);
	}
	error = posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (error != 0)
		return -error;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static struct database *converting; /* its directory is removed at exit */

static void
remove_converted(void)
{
	struct text path = {0};

	if (converting == NULL)
		return;
	text_printf(&path, "%s/export.sqlite%c", converting->converted, 0);
	unlink(path.p);
	rmdir(converting->converted);
	text_free(&path);
	free(converting->converted);
	converting = NULL;
}

/* the tables that are of use to us, in the syntax of nsys export --tables */
static const char tables_wanted[] =
    "StringIds,ThreadNames,PROCESSES,TARGET_INFO_*,META_DATA_*,ENUM_*,"
    "ANALYSIS_DETAILS,CUPTI_*,CUDA_*,CUDNN_*,CUBLAS_*,NVTX_*,OSRT_*,SYSCALL*,"
    "MPI_*,UCP_*,OPENMP_*,SCHED_EVENTS,COMPOSITE_EVENTS,SAMPLING_CALLCHAINS,"
    "GPU_METRICS,PROFILER_OVERHEAD,DIAGNOSTIC_EVENT";

/* convert a report; returns the path of the database */
static char *
convert(struct database *db)
{
	struct text out = {0}, tables = {0};
	char nsys[] = "nsys", export[] = "export", type[] = "--type=sqlite",
	     quiet[] = "--quiet=true", force[] = "--force-overwrite=true";
	static bool registered;
	int status;

	text_printf(&out, "%s/tq-extract.XXXXXX%c", temporary_directory(), 0);
	if (mkdtemp(out.p) == NULL)
		err(1, "%s", temporary_directory());
	db->converted = mem_copy(out.p, strlen(out.p));
	converting = db;
	at_exit(remove_converted, &registered);

	out.len = 0;
	text_printf(&out, "--output=%s/export.sqlite%c", db->converted, 0);
	text_printf(&tables, "--tables=%s%c", tables_wanted, 0);
	{
		char *report = mem_copy(db->name, strlen(db->name));
		char *some[] = {nsys, export, type, force, quiet, out.p,
		    tables.p, report, NULL};
		char *all[] = {nsys, export, type, force, out.p, report, NULL};

		if (isatty(STDERR_FILENO))
			warnx("%s: converting with nsys export", db->name);
		/* an older nsys does not know these options */
		if ((status = run_nsys(some)) > 0)
			status = run_nsys(all);
		free(report);
	}
	if (status == -ENOENT)
		errx(1,
		    "%s: a report, not an export: nsys is needed to convert it "
		    "and is not in PATH; run 'nsys export --type=sqlite %s' "
		    "where it is",
		    db->name, db->name);
	if (status < 0)
		errx(1, "nsys: %s", strerror(-status));
	if (status > 0)
		errx(1, "%s: nsys export failed with status %d", db->name,
		    status);
	text_free(&tables);
	out.len = 0;
	text_printf(&out, "%s/export.sqlite%c", db->converted, 0);
	return out.p;
}

/* why a file that does not start like a database is none; exits */
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
	if (starts(head, n, "{\"kind\":"))
		errx(1, "%s: is an event stream already", name);
	errx(1, "%s: not a database", name);
}

/* ---- opening ---- */

/*
 * The URI of path.  An export is not written to any more, so no lock is
 * needed ("immutable") - unless another program left changes beside it,
 * which only SQLite's ordinary ways read.
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
	/* reads the schema, and so finds out whether it is one */
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

/* the first bytes of the file, without moving in it; -1 if it cannot seek */
static ptrdiff_t
peek(const char *name, int fd, char *head, bool *regular)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		err(1, "%s", name);
	if (S_ISDIR(st.st_mode))
		errx(1, "%s: is a directory", name);
	*regular = S_ISREG(st.st_mode);
	if (!*regular)
		return 0;
	if ((n = pread(fd, head, HEAD, 0)) < 0)
		err(1, "%s", name);
	return n;
}

static bool
compressed(const char *head, size_t n)
{
	return starts(head, n, "\x28\xb5\x2f\xfd") ||
	       starts(head, n, "\x1f\x8b");
}

void
database_open(struct database *db, const char *operand, bool direct)
{
	bool is_stdin = strcmp(operand, "-") == 0, regular;
	char head[HEAD], fd_path[32], *path = NULL;
	ptrdiff_t n;
	int fd;

	*db = (struct database){.spool = -1, .direct.fd = -1};
	db->name = is_stdin ? "<stdin>" : operand;
	fd = is_stdin ? dup(STDIN_FILENO) : open(operand, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", db->name);
	n = peek(db->name, fd, head, &regular);
	if (!regular || compressed(head, (size_t)n)) {
		db->spool = spool(db->name, fd);
		n = peek(db->name, db->spool, head, &regular);
	} else if (is_stdin)
		db->spool = dup(fd);
	close(fd);

	if (n >= 16 && memcmp(head, "SQLite format 3", 16) == 0) {
		snprintf(
		    fd_path, sizeof(fd_path), "/proc/self/fd/%d", db->spool);
		open_handle(db,
		    spooled != NULL  ? spooled
		    : db->spool >= 0 ? fd_path
				     : operand,
		    direct);
		remove_spooled();
		return;
	}
	if (db->spool >= 0 ||
	    !(ends(operand, ".nsys-rep") || ends(operand, ".qdrep")) ||
	    starts(head, (size_t)n, "version https://git-lfs"))
		not_a_database(db->name, head, (size_t)n);
	path = convert(db);
	open_handle(db, path, direct);
	free(path);
}

void
database_close(struct database *db)
{
	sqlite3_close(db->handle);
	if (db->direct.fd >= 0)
		close(db->direct.fd);
	if (db->spool >= 0)
		close(db->spool);
	if (db->converted != NULL)
		remove_converted();
}

/* ---- queries ---- */

_Noreturn void
database_fail(const struct database *db)
{
	if (db->handle != NULL && sqlite3_errcode(db->handle) == SQLITE_NOTADB)
		errx(1, "%s: not a database", db->name);
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
