/* operand.c - an open operand and its first bytes */

#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/io/output.h"

#include "operand.h"

/* true for a regular file that is not compressed */
static bool
is_seekable(const struct operand *o)
{
	unsigned char head[4];
	struct stat st;
	ssize_t n;

	if (fstat(o->fd, &st) < 0)
		err(1, "%s", o->name);
	if (S_ISDIR(st.st_mode))
		errx(1, "%s: is a directory", o->name);
	if (!S_ISREG(st.st_mode))
		return false;
	if ((n = pread(o->fd, head, sizeof(head), 0)) < 0)
		err(1, "%s", o->name);
	return !(n == 4 && memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0) &&
	       !(n >= 2 && memcmp(head, "\x1f\x8b", 2) == 0);
}

/*
 * The first bytes.  More than a few are not waited for where these show that
 * it is a stream, which may come slowly.
 */
static void
peek(struct operand *o)
{
	static const size_t sizes[] = {64, OPERAND_HEAD};
	const char *error;
	ptrdiff_t n;

	for (int i = 0; i < 2; i++) {
		n = zio_peek(o->zio, o->head, sizes[i], &error);
		if (n < 0)
			errx(1, "%s: %s", o->name, error);
		o->len = (size_t)n;
		if (memmem(o->head, o->len, "\"kind\"", 6) != NULL)
			return;
	}
}

void
operand_open(struct operand *o, const char *arg)
{
	*o = (struct operand){.path = arg};
	o->name = text_visible_name(&o->visible, arg);
	o->is_stdin = strcmp(arg, "-") == 0;
	if (o->is_stdin)
		o->name = "<stdin>";
	o->fd =
	    o->is_stdin ? dup(STDIN_FILENO) : open(arg, O_RDONLY | O_CLOEXEC);
	if (o->fd < 0)
		err(1, "%s", o->name);
	output_reads(o->fd, o->name);
	o->seekable = is_seekable(o);
	o->zio = zio_reader_open(o->fd);
	peek(o);
}

void
operand_close(struct operand *o)
{
	text_free(&o->visible);
	if (o->zio == NULL)
		return; /* it was taken over */
	zio_reader_close(o->zio);
	close(o->fd);
}

bool
operand_is_stream(const struct operand *o)
{
	size_t i = 0;

	while (i < o->len && strchr(" \t\r\n", o->head[i]) != NULL &&
	       o->head[i] != '\0')
		i++;
	return i < o->len && o->head[i] == '{';
}
