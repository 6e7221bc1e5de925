/* output.c - stdout, or a file that appears only when it is complete */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"
#include "tq/io/output.h"
#include "tq/io/pager.h"
#include "tq/io/signals.h"
#include "tq/io/status.h"

enum { PIPE_SIZE = 1 << 20, LINKS = 40, FD_PATH = 64 };

static struct output *unfinished; /* has a temporary with a name */

/* regular files by any of their names, which are those of one program */
struct files {
	struct stat *all;
	size_t count, cap;
};

static struct files inputs, outputs;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER; /* inputs */
static struct stat stdout_file; /* where that is a regular file */

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool
files_have(const struct files *f, const struct stat *st)
{
	for (size_t i = 0; i < f->count; i++)
		if (is_same(&f->all[i], st))
			return true;
	return false;
}

static void
files_add(struct files *f, const struct stat *st)
{
	struct stat *s;

	if (!S_ISREG(st->st_mode) || files_have(f, st))
		return;
	s = array_add(&f->all, &f->count, &f->cap);
	*s = *st;
}

static _Noreturn void
fail(const struct output *o)
{
	if (errno == EPIPE)
		exit(1);
	err(1, "%s", o->name);
}

static void
remove_unfinished(void)
{
	if (unfinished != NULL)
		unlinkat(unfinished->dir, unfinished->temporary, 0);
}

/* ---- the name of the file ---- */

/* what path, a symbolic link in the folder of the link, names; or NULL */
static char *
follow_link(const char *path)
{
	char to[PATH_MAX];
	const char *slash = strrchr(path, '/');
	struct text t = {0};
	ssize_t n = readlink(path, to, sizeof(to));

	if (n < 0 || n == sizeof(to))
		return NULL;
	if (to[0] != '/' && slash != NULL)
		text_add(&t, path, (size_t)(slash + 1 - path));
	text_add(&t, to, (size_t)n);
	text_add_char(&t, '\0');
	return t.p;
}

/* file behind symbolic links, so that they stay; they may lead nowhere yet */
static char *
resolve(const char *file)
{
	char *path = realpath(file, NULL), *next;

	if (path != NULL)
		return path;
	path = mem_copy(file, strlen(file));
	for (int i = 0; i < LINKS && (next = follow_link(path)) != NULL; i++) {
		free(path);
		path = next;
	}
	return path;
}

/* open the folder of the target, and set its name in it */
static void
open_folder(struct output *o, const char *file)
{
	char *path = resolve(file), *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	o->target = mem_copy(name, strlen(name));
	if (slash != NULL)
		slash[slash == path] = '\0';
	o->dir = open(
	    slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	if (o->dir < 0)
		fail(o);
}

/* ---- the temporary file ---- */

/* a name beside the target that does not look like one */
static char *
temporary_name(const char *target)
{
	struct text t = {0};
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	text_printf(
	    &t, ".%.200s.%ld-%09ld.tmp", target, (long)getpid(), now.tv_nsec);
	text_add_char(&t, '\0');
	return t.p;
}

/* what links a file without a name needs */
static const char *
fd_path(int fd, char path[FD_PATH])
{
	snprintf(path, FD_PATH, "/proc/self/fd/%d", fd);
	return path;
}

static bool
open_nameless(struct output *o, mode_t mode)
{
	char path[FD_PATH];

	o->fd = openat(o->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	if (o->fd < 0)
		return false;
	if (access(fd_path(o->fd, path), F_OK) == 0)
		return true;
	close(o->fd); /* no /proc */
	return false;
}

/* from now on the file has a name that no death may leave behind */
static void
guard_temporary(struct output *o)
{
	unfinished = o;
	signals_before_death(remove_unfinished);
}

/*
 * A file without a name, where the system has such: it vanishes with the
 * process, however that ends.  Else one that is removed at exit.
 */
static void
open_temporary(struct output *o)
{
	/* the mode of an old file is given when all is written */
	mode_t mode = o->replaces ? S_IRUSR | S_IWUSR : 0666;

	o->temporary = temporary_name(o->target);
	if (open_nameless(o, mode))
		return;
	o->fd = openat(o->dir, o->temporary,
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (o->fd < 0)
		fail(o);
	guard_temporary(o);
}

/* ---- opening ---- */

static _Noreturn void
refuse(const char *file)
{
	errx(TQ_USAGE, "input and output are the same file: %s", file);
}

void
output_refuse_input(const char *file, const char *input)
{
	struct stat out, in;

	if (stat(file, &out) == 0 && stat(input, &in) == 0 &&
	    S_ISREG(out.st_mode) && is_same(&out, &in))
		refuse(input);
}

void
output_refuse_terminal(const struct output *o)
{
	if (isatty(o->fd))
		errx(TQ_USAGE, "%s: is a terminal; use -o or a pipe", o->name);
}

static void
open_file(struct output *o, const char *file, bool in_place)
{
	o->replaces = stat(file, &o->old) == 0;
	if (!o->replaces && errno != ENOENT)
		fail(o); /* there may be a device */
	if (o->replaces && !S_ISREG(o->old.st_mode)) {
		/* a device or a pipe is written to as it is */
		o->fd = open(file, O_WRONLY | O_CLOEXEC);
		if (o->fd < 0)
			fail(o);
		return;
	}
	if (o->replaces && !in_place) {
		if (files_have(&inputs, &o->old))
			refuse(file);
		files_add(&outputs, &o->old);
	}
	open_folder(o, file);
	open_temporary(o);
}

bool
output_is_file(int fd)
{
	struct stat st;

	return stdout_file.st_nlink > 0 && fstat(fd, &st) == 0 &&
	       is_same(&st, &stdout_file);
}

void
output_reads(int fd, const char *name)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return;
	if (output_is_file(fd) || files_have(&outputs, &st))
		refuse(name);
	pthread_mutex_lock(&reading);
	files_add(&inputs, &st);
	pthread_mutex_unlock(&reading);
}

static void
open_any(
    struct output *o, const char *file, enum zio_format format, bool in_place)
{
	*o = (struct output){.name = file != NULL ? file : "<stdout>",
	    .fd = STDOUT_FILENO,
	    .dir = -1};
	if (file != NULL)
		open_file(o, file, in_place);
	else if (fstat(o->fd, &stdout_file) < 0 ||
		 !S_ISREG(stdout_file.st_mode))
		stdout_file = (struct stat){0};
	if (format != ZIO_PLAIN)
		output_refuse_terminal(o);
	fcntl(o->fd, F_SETPIPE_SZ, PIPE_SIZE);
	if (file == NULL && format == ZIO_PLAIN && parcel_may_go())
		o->parcels = mem_alloc(sizeof(*o->parcels));
	if ((o->zio = zio_writer_open(o->fd, format)) == NULL)
		fail(o);
	text_reserve(&o->buf, OUTPUT_BUFFER * 2);
}

void
output_open(struct output *o, const char *file, enum zio_format format)
{
	open_any(o, file, format, false);
}

void
output_open_again(struct output *o, const char *file, enum zio_format format)
{
	open_any(o, file, format, true);
}

/* ---- writing ---- */

void
output_page(struct output *o)
{
	o->paged = o->target == NULL && o->fd == STDOUT_FILENO &&
		   isatty(STDOUT_FILENO);
}

static bool
write_buffer(struct output *o, bool flush)
{
	if (o->parcels != NULL)
		return parcel_write(o->parcels, o->fd, &o->buf);
	return zio_write(o->zio, o->buf.p, o->buf.len, flush);
}

/*
 * The pager has closed its end.  A first buffer is longer than its pipe: where
 * no pager has run, no byte was read, and the terminal gets all of them.
 */
static void
lose_pager(struct output *o, bool flush, bool first)
{
	if (!first || pager_has_run()) {
		o->quit = true;
		return;
	}
	o->paged = false;
	if (!write_buffer(o, flush))
		fail(o);
}

static void
put(struct output *o, bool flush)
{
	bool first = o->bytes == 0;

	o->bytes += (int64_t)o->buf.len;
	if (!o->quit && !write_buffer(o, flush)) {
		if (!o->paged || errno != EPIPE)
			fail(o);
		lose_pager(o, flush, first);
	}
	o->buf.len = o->opened = 0;
	o->held = !flush;
}

void
output_write(struct output *o)
{
	if (o->zio == NULL)
		return;
	_Static_assert((int)OUTPUT_BUFFER > (int)PAGER_PIPE, "see lose_pager");
	if (o->paged && o->bytes == 0)
		o->paged = pager_begin();
	put(o, false);
}

void
output_flush(struct output *o)
{
	if (o->zio != NULL && (o->buf.len > 0 || o->held))
		put(o, true);
}

/* ---- the end ---- */

/* the new file belongs to whom the old one did, and may be read by no more */
static void
take_over_mode(const struct output *o)
{
	mode_t mode = o->old.st_mode & 0777;

	if (fchown(o->fd, (uid_t)-1, o->old.st_gid) < 0)
		mode &= ~(mode_t)S_IRWXG;
	if (fchown(o->fd, o->old.st_uid, (gid_t)-1) < 0 && errno != EPERM)
		fail(o);
	if (fchmod(o->fd, mode) < 0)
		fail(o);
}

/* give the finished temporary its name */
static void
publish(struct output *o)
{
	char path[FD_PATH];

	if (o->replaces)
		take_over_mode(o);
	/* else a crash may leave the name with a part of the bytes */
	if (fsync(o->fd) < 0 && errno != EINVAL)
		fail(o);
	if (unfinished == NULL) {
		if (linkat(AT_FDCWD, fd_path(o->fd, path), o->dir, o->temporary,
			AT_SYMLINK_FOLLOW) < 0)
			fail(o);
		guard_temporary(o);
	}
	if (renameat(o->dir, o->temporary, o->dir, o->target) < 0)
		fail(o);
	unfinished = NULL;
}

/* only a complete output takes the place of a file */
static void
publish_or_keep(struct output *o, bool complete)
{
	if (complete ||
	    (faccessat(o->dir, o->target, F_OK, 0) != 0 && errno == ENOENT)) {
		publish(o);
		return;
	}
	warnx(
	    "warning: %s: is not replaced: the input is not complete", o->name);
	remove_unfinished();
	unfinished = NULL;
}

static void
free_output(struct output *o)
{
	if (o->dir >= 0)
		close(o->dir);
	free(o->target);
	free(o->temporary);
	text_free(&o->buf);
	if (o->parcels != NULL)
		parcel_writer_free(o->parcels);
	free(o->parcels);
}

void
output_finish(struct output *o, bool complete)
{
	bool begun = o->bytes > 0;

	/* all of it is still there */
	if (o->paged && !begun && pager_show(text_span(&o->buf)))
		o->buf.len = 0;
	put(o, false);
	if (!zio_finish(o->zio))
		fail(o);
	zio_writer_close(o->zio);
	if (o->target != NULL)
		publish_or_keep(o, complete);
	if (o->paged && begun)
		pager_end();
	else if (close(o->fd) < 0)
		fail(o);
	free_output(o);
}

void
output_abandon(struct output *o)
{
	remove_unfinished();
	unfinished = NULL;
	zio_writer_close(o->zio);
	close(o->fd);
	free_output(o);
}
