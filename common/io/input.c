/* input.c - the lines of the operands */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/line/find_members.h"
#include "tq/io/input.h"
#include "tq/io/output.h"
#include "tq/base/mem.h"
#include "tq/io/temporary.h"

enum {
	BUFFER = 1 << 18,
	PADDING = BLOCK,
	PIPE_SIZE = 1 << 20,
	LOOK_MAX = 1 << 30
};

_Static_assert((int)INPUT_ROOM >= NEWLINES_ROOM, "for what is written ahead");

static char *no_operands[] = {NULL};
static char dash[] = "-", *stdin_only[] = {dash, NULL};

void
input_init(struct input *in, char **operands)
{
	*in = (struct input){
	    .operands = *operands != NULL ? operands : stdin_only,
	    .fd = -1,
	    .copy = -1,
	    .parcels = {.next = UINT64_MAX},
	    .name = INPUT_STDIN};
	in->first = in->operands;
	in->cap = BUFFER;
	in->buf = mem_resize(NULL, in->cap + PADDING, 1);
}

/* before a read; a signal ends a wait */
static void
tell_idle(void *input)
{
	struct input *in = input;
	struct pollfd p = {.fd = in->fd, .events = POLLIN};
	int wait = 0;

	while (in->idle != NULL && wait >= 0) {
		int ready = poll(&p, 1, wait);

		if (ready > 0 || (ready < 0 && errno != EINTR))
			return;
		if (ready == 0 || wait > 0)
			wait = in->idle(in->idle_arg);
	}
}

void
input_take(struct input *in, const char *name, int fd, struct zio_reader *zio)
{
	in->operands = no_operands;
	in->name = name;
	in->fd = fd;
	in->zio = zio;
	in->opened = true;
	zio_reader_before(zio, tell_idle, in);
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
}

/* how the operand at hand is read again, or NULL */
static struct input_again *
again(const struct input *in)
{
	return in->again != NULL ? &in->again[in->operands - in->first - 1]
				 : NULL;
}

static void
close_operand(struct input *in)
{
	const struct input_again *a = again(in);

	if (!in->opened)
		return;
	zio_reader_close(in->zio);
	if (in->fd != STDIN_FILENO && (a == NULL || a->fd != in->fd))
		close(in->fd);
	parcel_queue_free(&in->parcels);
	in->parcels = (struct parcel_queue){.next = UINT64_MAX};
	in->outline = NULL;
	in->opened = in->partial = false;
	in->copy = -1;
	in->next = in->found = 0;
}

/* Close what was kept open, or opened once more. */
static void
close_kept(struct input *in)
{
	for (size_t i = 0; in->again != NULL && in->first[i] != NULL; i++)
		if (in->again[i].fd > STDIN_FILENO)
			close(in->again[i].fd);
	free(in->again);
	in->again = NULL;
}

void
input_free(struct input *in)
{
	close_operand(in);
	close_kept(in);
	in->operands = no_operands;
	free(in->buf);
	in->buf = NULL;
	text_free(&in->visible);
}

/* ---- a second time ---- */

void
input_keep(struct input *in)
{
	size_t n = 0;

	while (in->first[n] != NULL)
		n++;
	in->again = mem_resize(NULL, n, sizeof(*in->again));
	while (n > 0)
		in->again[--n] = (struct input_again){.fd = -1};
}

void
input_rewind(struct input *in)
{
	close_operand(in);
	in->operands = in->first;
	in->ended = false;
}

/* another descriptor of the file, with a place of its own; or -1 */
static int
reopen(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool
input_share(struct input *in, const struct input *kept)
{
	size_t n = 0;
	bool all = true;

	input_keep(in);
	for (; in->first[n] != NULL; n++) {
		in->again[n] = kept->again[n];
		if (kept->again[n].fd >= 0)
			all &=
			    (in->again[n].fd = reopen(kept->again[n].fd)) >= 0;
	}
	return all;
}

/* see to it that the operand, which was just opened, can be read again */
static void
prepare(struct input *in)
{
	struct input_again *a = again(in);

	if (fstat(in->fd, &a->file) == 0 && S_ISREG(a->file.st_mode)) {
		if (in->fd == STDIN_FILENO) {
			a->fd = in->fd;
			a->start = lseek(in->fd, 0, SEEK_CUR);
		}
		return;
	}
	if ((in->copy = a->fd = temporary_open()) < 0)
		err(1, "%s", temporary_directory());
}

/* true if the file, of which st was known, was not written to since */
static bool
is_same_file(int fd, const struct stat *st)
{
	struct stat now;

	if (!S_ISREG(st->st_mode))
		return true;
	return fstat(fd, &now) == 0 && now.st_dev == st->st_dev &&
	       now.st_ino == st->st_ino && now.st_size == st->st_size &&
	       now.st_mtim.tv_sec == st->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == st->st_mtim.tv_nsec;
}

/* at the end of an operand, with its error: is it as it was before? */
static void
compare_passes(struct input *in, const char **error)
{
	struct input_again *a = again(in);
	bool failed = *error != NULL, expected;

	if (a == NULL)
		return;
	if (!a->done) {
		a->done = true;
		a->failed = failed;
		a->bytes = in->bytes;
		return;
	}
	/* a copy has what came before the error */
	expected = a->failed && S_ISREG(a->file.st_mode);
	in->changed = failed != expected || a->bytes != in->bytes ||
		      !is_same_file(in->fd, &a->file);
	if (in->changed && !failed)
		*error = "changed while it was read";
}

static bool
is_folder(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

/* True where tq made the pipe, or the file is a copy of such a pipe. */
static bool
may_have_parcels(const struct input *in)
{
	const struct input_again *a = again(in);
	struct stat st;

	if (a != NULL && a->done)
		return a->parcels;
	return parcel_may_come() && fstat(in->fd, &st) == 0 &&
	       S_ISFIFO(st.st_mode);
}

static bool
open_operand(struct input *in, const char **error)
{
	const char *operand = *in->operands++;
	struct input_again *a = again(in);
	bool is_stdin = strcmp(operand, "-") == 0;

	in->name =
	    is_stdin ? INPUT_STDIN : text_visible_name(&in->visible, operand);
	if (a != NULL && a->fd >= 0) {
		in->fd = a->fd;
		lseek(in->fd, a->start, SEEK_SET);
	} else {
		in->fd = is_stdin ? STDIN_FILENO
				  : open(operand, O_RDONLY | O_CLOEXEC);
		if (in->fd < 0) {
			*error = strerror(errno);
			return false;
		}
		if (is_folder(in->fd)) {
			*error = strerror(EISDIR);
			close(in->fd);
			return false;
		}
		output_reads(in->fd, in->name);
		if (a != NULL && !a->done)
			prepare(in);
	}
	fcntl(in->fd, F_SETPIPE_SZ, PIPE_SIZE);
	in->zio = zio_reader_open(in->fd);
	zio_reader_before(in->zio, tell_idle, in);
	if (may_have_parcels(in))
		zio_reader_parcels(in->zio, &in->parcels);
	in->opened = true;
	in->ended = false;
	in->lineno = in->pos = in->len = in->looked = 0;
	in->bytes = 0;
	return true;
}

static void
add_to_copy(struct input *in, const char *p, size_t n)
{
	struct span head = zio_reader_head(in->zio);

	again(in)->parcels |= head.len > 0;
	if (!zio_write_plain(in->copy, head.p, head.len) ||
	    !zio_write_plain(in->copy, p, n))
		err(1, "%s", temporary_directory());
}

/* more bytes behind those in the buffer; 0 at the end, < 0 on an error */
static ptrdiff_t
fill(struct input *in, const char **error)
{
	ptrdiff_t got;

	if (in->pos > 0) {
		memmove(in->buf, in->buf + in->pos, in->len - in->pos);
		in->len -= in->pos;
		in->looked -= in->pos;
		in->pos = 0;
	}
	if (in->len > INPUT_LINE_MAX) {
		*error = "a line is longer than 128 MiB";
		return -1;
	}
	if (in->cap - in->len < BUFFER / 2) {
		in->cap *= 2;
		in->buf = mem_resize(in->buf, in->cap + PADDING, 1);
	}
	got = zio_read(in->zio, in->buf + in->len, in->cap - in->len, error);
	if (got > 0 && in->copy >= 0)
		add_to_copy(in, in->buf + in->len, (size_t)got);
	if (got > 0) {
		in->len += (size_t)got;
		in->bytes += (uint64_t)got;
	}
	memset(in->buf + in->len, 0, PADDING);
	return got;
}

/* find the next newline alone: behind it, there may be lines with outlines */
static bool
look_once(struct input *in)
{
	const char *p =
	    memchr(in->buf + in->looked, '\n', in->len - in->looked);

	in->next = in->found = 0;
	in->looked = in->len;
	if (p == NULL)
		return false;
	in->base = (size_t)(p - in->buf);
	in->looked = in->base + 1;
	in->newlines[0] = 0;
	in->found = 1;
	return true;
}

/* find more newlines; false where there are none in the buffer */
static bool
look(struct input *in)
{
	if (in->parcels.text > 0)
		return look_once(in);
	while (in->next == in->found && in->looked < in->len) {
		size_t n = in->len - in->looked, done;

		in->base = in->looked;
		in->next = 0;
		in->found = find_members->newlines(in->newlines, INPUT_NEWLINES,
		    in->buf + in->base, n < LOOK_MAX ? n : LOOK_MAX, &done);
		in->looked += done;
	}
	return in->next < in->found;
}

/* the bytes up to the next newline, or to the end; false if none is left */
static bool
take_line(struct input *in, struct span *line, const char **error)
{
	ptrdiff_t got = 1;
	size_t end;

	in->outline = NULL;
	while (got > 0) {
		if (in->parcels.next == input_place(in)) {
			if (input_outlined_line(in, line))
				return true;
		} else if (look(in))
			break;
		if ((got = fill(in, error)) < 0)
			return false;
	}
	in->partial = got == 0;
	end = in->partial ? in->len : in->base + in->newlines[in->next++];
	*line = (struct span){in->buf + in->pos, end - in->pos};
	in->pos = in->partial ? end : end + 1;
	return !in->partial || line->len > 0;
}

static bool
blank(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] != ' ' && s.p[i] != '\t' && s.p[i] != '\r')
			return false;
	return true;
}

bool
input_any_line(struct input *in, struct span *line, const char **error)
{
	*error = NULL;
	if (in->ended || !in->opened) {
		in->ended = false;
		if (*in->operands == NULL || !open_operand(in, error))
			return false;
	}
	while (take_line(in, line, error)) {
		in->lineno++;
		while (line->len > 0 && line->p[line->len - 1] == '\r')
			line->len--;
		if (line->len > 0 && (*line->p == '{' || !blank(*line)))
			return true;
	}
	compare_passes(in, error);
	close_operand(in);
	in->ended = true;
	return false;
}
