/* output.c - stdout, or a file that appears only when it is complete */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/io/output.h"

enum { PIPE_SIZE = 1 << 20 };

static struct output *unfinished; /* has a temporary with a name */

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

/* a name beside the target that does not look like one */
static char *
temporary_name(const char *target)
{
	struct text t = {0};

	text_printf(&t, ".%s.%ld.tmp", target, (long)getpid());
	text_add_char(&t, '\0');
	return t.p;
}

/*
 * A file without a name, where the file system has such: it vanishes with
 * the process, however that ends.  Else one that is removed at exit.
 */
static void
open_temporary(struct output *o)
{
	o->temporary = temporary_name(o->target);
	o->fd = openat(o->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (o->fd >= 0)
		return;
	o->fd = openat(o->dir, o->temporary,
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (o->fd < 0)
		fail(o);
	unfinished = o;
	atexit(remove_unfinished);
}

static void
open_file(struct output *o, const char *file)
{
	struct stat st;
	char *path, *slash;

	if (stat(file, &st) == 0 && !S_ISREG(st.st_mode)) {
		/* a device or a pipe is written to as it is */
		o->fd = open(file, O_WRONLY | O_CLOEXEC);
		if (o->fd < 0)
			fail(o);
		return;
	}
	/* through symbolic links, so that they stay what they are */
	if ((path = realpath(file, NULL)) == NULL)
		path = mem_copy(file, strlen(file));
	slash = strrchr(path, '/');
	o->target = mem_copy(slash != NULL ? slash + 1 : path,
	    strlen(slash != NULL ? slash + 1 : path));
	if (slash != NULL)
		slash[slash == path] = '\0';
	o->dir = open(
	    slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	if (o->dir < 0)
		fail(o);
	open_temporary(o);
}

void
output_open(struct output *o, const char *file, enum zio_format format)
{
	*o = (struct output){.name = file != NULL ? file : "<stdout>",
	    .fd = STDOUT_FILENO,
	    .dir = -1};
	if (file != NULL)
		open_file(o, file);
	fcntl(o->fd, F_SETPIPE_SZ, PIPE_SIZE);
	o->zio = zio_writer_open(o->fd, format);
	text_reserve(&o->buf, OUTPUT_BUFFER * 2);
}

static void
put(struct output *o, bool flush)
{
	o->bytes += (int64_t)o->buf.len;
	if (!zio_write(o->zio, o->buf.p, o->buf.len, flush))
		fail(o);
	o->buf.len = 0;
	o->held = !flush;
}

void
output_write(struct output *o)
{
	if (o->zio != NULL)
		put(o, false);
}

void
output_flush(struct output *o)
{
	if (o->zio != NULL && (o->buf.len > 0 || o->held))
		put(o, true);
}

/* give the finished temporary its name */
static void
publish(struct output *o)
{
	char fd_path[64];

	if (unfinished == NULL) {
		snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", o->fd);
		if (linkat(AT_FDCWD, fd_path, o->dir, o->temporary,
			AT_SYMLINK_FOLLOW) < 0)
			fail(o);
		unfinished = o;
		atexit(remove_unfinished);
	}
	if (renameat(o->dir, o->temporary, o->dir, o->target) < 0)
		fail(o);
	unfinished = NULL;
	close(o->dir);
}

void
output_finish(struct output *o)
{
	put(o, false);
	if (!zio_finish(o->zio))
		fail(o);
	zio_writer_close(o->zio);
	if (o->target != NULL)
		publish(o);
	if (close(o->fd) < 0)
		fail(o);
	free(o->target);
	free(o->temporary);
	text_free(&o->buf);
}

void
output_abandon(struct output *o)
{
	remove_unfinished();
	unfinished = NULL;
	zio_writer_close(o->zio);
	close(o->fd);
	free(o->target);
	free(o->temporary);
	text_free(&o->buf);
}
