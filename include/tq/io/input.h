/*
 * input.h - the lines of the operands, one after the other: files, "-" and
 * no operand at all for stdin, zstd and gzip by their magic.
 */
#ifndef TQ_IO_INPUT_H
#define TQ_IO_INPUT_H

#include <sys/stat.h>

#include "tq/base/text.h"
#include "tq/io/parcel.h"
#include "tq/io/zio.h"

/* the name of what comes from stdin, in messages: no file, no word to type */
#define INPUT_STDIN "<stdin>"

/* an operand that is read again: by its name where fd is -1 */
struct input_again {
	int fd;
	off_t start;
	bool parcels; /* it may have some: fd is a copy of them */
	bool done;    /* it was read once; its state then: */
	bool failed;
	uint64_t bytes; /* decompressed */
	struct stat file;
};

enum {
	INPUT_LINE_MAX = 128 << 20, /* a longer line is an error */
	INPUT_NEWLINES = 64,
	INPUT_ROOM = 66
};

struct input {
	const char *name; /* of the operand at hand, or INPUT_STDIN */
	size_t lineno;    /* of the line at hand, from 1 */
	bool partial;     /* the line at hand has no newline */
	bool ended;       /* the operand at hand has no more lines */
	bool changed;     /* it changed since it was read before */
	const struct outline *outline; /* of the line at hand, or NULL */

	/*
	 * Called before a read that has to wait for data, and again after so
	 * many ms as it returns, until there are some; -1: not again.  May be
	 * NULL.
	 */
	int (*idle)(void *);
	void *idle_arg;

	char **operands, **first;
	struct input_again *again; /* per operand, once input_keep was called */
	int copy;                  /* gets the bytes that are read, or -1 */
	bool opened;
	int fd;
	struct text visible; /* the name, where that differs */
	struct zio_reader *zio;
	struct parcel_queue parcels; /* of the operand at hand */
	uint64_t bytes;              /* that were read of the operand */
	char *buf;
	size_t pos, len, cap;

	/* the next newlines, as places behind base; looked: up to here */
	size_t next, found, base, looked;
	uint32_t newlines[INPUT_NEWLINES + INPUT_ROOM];
};

/* operands ends with NULL, and is borrowed until input_free. */
void input_init(struct input *in, char **operands);

/*
 * Instead of operands, before the first line: what zio reads from fd, under
 * this name.  All three are given away.
 */
void input_take(
    struct input *in, const char *name, int fd, struct zio_reader *zio);

/*
 * The next line that is not blank, without its newline (LF or CR LF); at
 * least 16 bytes behind it are readable.  Good until the next call.
 *
 * False at the end of each operand (in->ended; the next call goes on with the
 * next operand), at the end of all (then not in->ended), and where an operand
 * could not be read: then *error is a constant text, else NULL.  After
 * input_rewind an operand that ends elsewhere than before, or with another
 * error, sets in->changed, and *error is a text about that.
 */
static inline bool input_line(
    struct input *in, struct span *line, const char **error);

/* The same, of any line. */
bool input_any_line(struct input *in, struct span *line, const char **error);

/*
 * Before the first line: input_rewind will be called.  What cannot be read
 * twice, as a pipe, is copied while it is read, to a file in TMPDIR (or /tmp)
 * that has no name.  Where the copy cannot be made, the directory is named, and
 * the program ends with status 1.
 */
void input_keep(struct input *in);

/* Begin with the first operand again. */
void input_rewind(struct input *in);

/*
 * For an input of the same operands, before its first line: read what another
 * one has kept and read to its end, at places of its own, so that each may be
 * read in a thread of its own.  False if a descriptor cannot be opened again.
 */
bool input_share(struct input *in, const struct input *kept);

void input_free(struct input *in);

/* ---- for input_line and input.c alone ---- */

/* Where the next line is in the operand. */
static inline uint64_t
input_place(const struct input *in)
{
	return in->bytes - (in->len - in->pos);
}

/* The next line, which has an outline; false if it is not whole. */
static inline bool
input_outlined_line(struct input *in, struct span *line)
{
	size_t n = parcel_first(&in->parcels)->bytes + (size_t)1;

	if (in->len - in->pos <= n)
		return false;
	in->outline = parcel_next(&in->parcels);
	*line = (struct span){in->buf + in->pos, n};
	in->pos += n + 1;
	if (in->looked < in->pos)
		in->looked = in->pos;
	return true;
}

/* ---- */

static inline bool
input_line(struct input *in, struct span *line, const char **error)
{
	if (in->parcels.next == input_place(in) &&
	    input_outlined_line(in, line)) {
		*error = NULL;
		in->lineno++;
		return true;
	}
	if (in->next < in->found) {
		size_t newline = in->base + in->newlines[in->next];
		const char *p = in->buf + in->pos, *end = in->buf + newline;

		if (*p == '{' && end[-1] != '\r') {
			*line = (struct span){p, (size_t)(end - p)};
			*error = NULL;
			in->pos = newline + 1;
			in->next++;
			in->lineno++;
			return true;
		}
	}
	return input_any_line(in, line, error);
}

#endif
