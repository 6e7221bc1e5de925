/* whole_folder.c - a folder whose new files appear together */

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tq/base/array.h"
#include "tq/io/signals.h"
#include "tq/io/status.h"
#include "tq/io/zio.h"

#include "whole_folder.h"

enum { NUMBER = TEXT_INT_MAX + 1, PATH = 256 };

static struct whole_folder *unfinished;

/* ---- names ---- */

static const char *
number_name(size_t file, char name[NUMBER])
{
	*text_digits(name, file) = '\0';
	return name;
}

static const char *
path_of(struct whole_folder *f, const char *name)
{
	f->path.len = 0;
	text_printf(&f->path, "%s/%s%c", f->name, name, 0);
	return f->path.p;
}

static _Noreturn void
fail(struct whole_folder *f, size_t file)
{
	err(TQ_FAIL, "%s", path_of(f, f->files[file]));
}

/* the folders in the name of a file, those that are empty */
static void
remove_folders(int dir, const char *name)
{
	char path[PATH];
	size_t len = strlen(name);

	if (len >= sizeof(path))
		return;
	memcpy(path, name, len);
	while (len > 0)
		if (path[--len] == '/') {
			path[len] = '\0';
			if (unlinkat(dir, path, AT_REMOVEDIR) < 0)
				return;
		}
}

static bool
make_folders(int dir, const char *name)
{
	struct text path = {0};
	bool ok = true;

	for (size_t i = 0; ok && name[i] != '\0'; i++) {
		if (name[i] == '/') {
			text_add_char(&path, '\0');
			ok = mkdirat(dir, path.p, 0777) == 0 || errno == EEXIST;
			path.len--;
		}
		text_add_char(&path, name[i]);
	}
	text_free(&path);
	return ok;
}

/* ---- what no death leaves behind ---- */

/* safe in a signal handler: what it reads is not changed while it is set */
static void
remove_unfinished(void)
{
	struct whole_folder *f = unfinished;
	char name[NUMBER];

	if (f == NULL)
		return;
	unfinished = NULL;
	for (size_t i = 0; i < f->published; i++) {
		unlinkat(f->dir, f->files[i], 0);
		remove_folders(f->dir, f->files[i]);
	}
	for (size_t i = 0; i < f->count; i++)
		unlinkat(f->hidden, number_name(i, name), 0);
	unlinkat(f->dir, f->temporary, AT_REMOVEDIR);
	if (f->made)
		rmdir(f->name);
}

static void
make_hidden(struct whole_folder *f)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(f->temporary, sizeof(f->temporary), ".tq-table.%ld-%09ld.tmp",
	    (long)getpid(), now.tv_nsec);
	if (mkdirat(f->dir, f->temporary, 0777) < 0 ||
	    (f->hidden = openat(
		 f->dir, f->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		err(TQ_FAIL, "%s", f->name);
}

void
whole_folder_open(struct whole_folder *f, const char *name)
{
	*f = (struct whole_folder){.name = name, .dir = -1, .hidden = -1};
	unfinished = f;
	signals_before_death(remove_unfinished);
	f->made = mkdir(name, 0777) == 0;
	if (!f->made && errno != EEXIST)
		err(TQ_FAIL, "%s", name);
	f->dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->dir < 0)
		err(TQ_FAIL, "%s", name);
	make_hidden(f);
}

void
whole_folder_refuse(struct whole_folder *f, const char *suffix)
{
	DIR *d = opendir(f->name);
	const struct dirent *e;

	if (d == NULL)
		err(TQ_FAIL, "%s", f->name);
	while ((e = readdir(d)) != NULL)
		if (span_ends(span_of(e->d_name), span_of(suffix)))
			errx(TQ_FAIL, "%s: is there already",
			    path_of(f, e->d_name));
	closedir(d);
}

/* ---- files ---- */

size_t
whole_folder_add(struct whole_folder *f, const char *name)
{
	struct stat st;

	if (fstatat(f->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		errx(TQ_FAIL, "%s: is there already", path_of(f, name));
	*array_add(&f->files, &f->count, &f->cap) =
	    mem_copy(name, strlen(name));
	return f->count - 1;
}

int
whole_folder_begin(struct whole_folder *f, size_t file)
{
	char name[NUMBER];
	int fd = openat(f->hidden, number_name(file, name),
	    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0)
		fail(f, file);
	return fd;
}

void
whole_folder_write(struct whole_folder *f, size_t file, int fd, struct span s)
{
	if (!zio_write_plain(fd, s.p, s.len))
		fail(f, file);
}

void
whole_folder_end(struct whole_folder *f, size_t file, int fd)
{
	if (close(fd) < 0)
		fail(f, file);
}

/* else a crash may leave the name with a part of the bytes */
static void
sync_file(struct whole_folder *f, size_t file)
{
	int fd = whole_folder_begin(f, file);

	if (fsync(fd) < 0 && errno != EINVAL)
		fail(f, file);
	whole_folder_end(f, file, fd);
}

void
whole_folder_publish(struct whole_folder *f)
{
	char name[NUMBER];

	for (size_t i = 0; i < f->count; i++)
		sync_file(f, i);
	for (size_t i = 0; i < f->count; i++) {
		if (!make_folders(f->dir, f->files[i]) ||
		    renameat(f->hidden, number_name(i, name), f->dir,
			f->files[i]) < 0)
			fail(f, i);
		f->published = i + 1;
	}
	unfinished = NULL;
	unlinkat(f->dir, f->temporary, AT_REMOVEDIR);
	if (f->made && f->count == 0)
		rmdir(f->name);
}

void
whole_folder_free(struct whole_folder *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->files[i]);
	free(f->files);
	text_free(&f->path);
	close(f->hidden);
	close(f->dir);
}
