/* input.c - the lines of the operands */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/input.h"
#include "tq/mem.h"

enum { BUFFER = 1 << 18, PADDING = 16, PIPE_SIZE = 1 << 20 };

static char *no_operands[] = {NULL};
static char dash[] = "-", *stdin_only[] = {dash, NULL};

void
input_init(struct input *in, char **operands)
{
	*in = (struct input){
	    .operands = *operands != NULL ? operands : stdin_only,
	    .fd = -1,
	    .name = "<stdin>"};
	in->cap = BUFFER;
	in->buf = mem_resize(NULL, in->cap + PADDING, 1);
}

static void
close_operand(struct input *in)
{
	if (!in->opened)
		return;
	zio_reader_close(in->zio);
	if (in->fd != STDIN_FILENO)
		close(in->fd);
	in->opened = false;
}

void
input_free(struct input *in)
{
	close_operand(in);
	in->operands = no_operands;
	free(in->buf);
	in->buf = NULL;
}

static bool
open_operand(struct input *in, const char **error)
{
	const char *operand = *in->operands++;
	bool is_stdin = strcmp(operand, "-") == 0;

	in->name = is_stdin ? "<stdin>" : operand;
	in->fd = is_stdin ? STDIN_FILENO : open(operand, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0) {
		*error = strerror(errno);
		return false;
	}
	fcntl(in->fd, F_SETPIPE_SZ, PIPE_SIZE);
	in->zio = zio_reader_open(in->fd);
	in->opened = true;
	in->ended = false;
	in->lineno = in->pos = in->len = in->searched = 0;
	return true;
}

static void
tell_idle(struct input *in)
{
	struct pollfd p = {.fd = in->fd, .events = POLLIN};

	if (in->idle != NULL && poll(&p, 1, 0) == 0)
		in->idle(in->idle_arg);
}

/* more bytes behind those in the buffer; 0 at the end, < 0 on an error */
static ptrdiff_t
fill(struct input *in, const char **error)
{
	ptrdiff_t got;

	if (in->pos > 0) {
		memmove(in->buf, in->buf + in->pos, in->len - in->pos);
		in->len -= in->pos;
		in->pos = 0;
	}
	if (in->cap - in->len < BUFFER / 2) {
		in->cap *= 2;
		in->buf = mem_resize(in->buf, in->cap + PADDING, 1);
	}
	tell_idle(in);
	got = zio_read(in->zio, in->buf + in->len, in->cap - in->len, error);
	if (got > 0)
		in->len += (size_t)got;
	memset(in->buf + in->len, 0, PADDING);
	return got;
}

/* the bytes up to the next newline, or to the end; false if none is left */
static bool
take_line(struct input *in, struct span *line, const char **error)
{
	for (;;) {
		char *start = in->buf + in->pos;
		char *from = start + in->searched;
		char *newline =
		    in->len > in->pos
			? memchr(from, '\n', (size_t)(in->buf + in->len - from))
			: NULL;
		ptrdiff_t got;

		if (newline != NULL) {
			*line = (struct span){start, (size_t)(newline - start)};
			in->pos += line->len + 1;
			in->searched = 0;
			in->partial = false;
			return true;
		}
		in->searched = in->len - in->pos;
		if ((got = fill(in, error)) < 0)
			return false;
		if (got == 0) {
			*line = (struct span){in->buf, in->len};
			in->pos = in->len;
			in->searched = 0;
			in->partial = true;
			return line->len > 0;
		}
	}
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
input_line(struct input *in, struct span *line, const char **error)
{
	*error = NULL;
	if (in->ended || !in->opened) {
		in->ended = false;
		if (*in->operands == NULL || !open_operand(in, error))
			return false;
	}
	while (take_line(in, line, error)) {
		in->lineno++;
		if (line->len > 0 && line->p[line->len - 1] == '\r')
			line->len--;
		if (line->len > 0 && (*line->p == '{' || !blank(*line)))
			return true;
	}
	close_operand(in);
	in->ended = true;
	return false;
}
