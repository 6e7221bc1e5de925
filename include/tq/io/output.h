/*
 * output.h - where a tool writes: stdout, or a file that appears only when
 * it is complete.
 *
 * With input.h and reader.h this is the edge of a tool: an error here is
 * printed ("tool: FILE: No space left on device") and ends the program with
 * status 1; a reader that left (EPIPE) ends it without a message.
 */
#ifndef TQ_IO_OUTPUT_H
#define TQ_IO_OUTPUT_H

#include <sys/stat.h>

#include "tq/base/text.h"
#include "tq/io/parcel.h"
#include "tq/io/zio.h"

enum { OUTPUT_BUFFER = 1 << 18 };

struct output {
	struct text buf; /* to be written; append to it freely */
	size_t opened;   /* where emit_open began a record in it */
	int64_t lines;   /* records since the counter was last set to 0 */

	const char *name;
	int fd, dir;
	char *target, *temporary;
	bool replaces; /* a file of that name, which was so: */
	struct stat old;
	struct zio_writer *zio;
	struct parcel_writer *parcels; /* where its reader takes them */
	bool held;        /* a compressor may hold written bytes back */
	bool paged, quit; /* a pager gets it; it has ended */
	int64_t bytes;
};

/*
 * Write to FILE, or to stdout where it is NULL.  A regular file, or one that
 * is not there yet, is replaced by output_finish and not before.  A file that
 * is read, by this name or another, ends the program with TQ_USAGE, as does a
 * terminal of a compressed output.
 */
void output_open(struct output *o, const char *file, enum zio_format format);

/* The same, of a file that is read, and that takes the place of itself. */
void output_open_again(
    struct output *o, const char *file, enum zio_format format);

/* End the program with TQ_USAGE where it is a terminal: the output is no text.
 */
void output_refuse_terminal(const struct output *o);

/*
 * Where it is a terminal, a pager gets all that is written, see pager.h: at the
 * end, or when the buffer is full.
 */
void output_page(struct output *o);

/* Write out the buffer; an output that was never opened keeps it. */
void output_write(struct output *o);

/* Also push out the bytes that a compressor holds; before waiting for input. */
void output_flush(struct output *o);

/* To be called after each record that was appended to buf. */
static inline void
output_check(struct output *o)
{
	if (o->buf.len >= OUTPUT_BUFFER)
		output_write(o);
}

/* Pass a record on, byte for byte. */
static inline void
output_line(struct output *o, struct span line)
{
	char *p = text_reserve(&o->buf, line.len + 1);

	memcpy(p, line.p, line.len);
	p[line.len] = '\n';
	o->buf.len += line.len + 1;
	o->lines++;
	output_check(o);
}

/*
 * The record that is appended next has this outline, if it takes so many bytes
 * without its last brace.
 */
static inline void
output_outline(struct output *o, const struct outline *outline, size_t bytes)
{
	if (o->parcels != NULL && outline->shape != 0 &&
	    outline->bytes == bytes)
		parcel_add(o->parcels, outline, o->buf.len);
}

/*
 * Note that fd, a file of that name, is read.  Where an output is to replace it
 * or appends to it, or is opened with its name later, the program ends with
 * TQ_USAGE.
 */
void output_reads(int fd, const char *name);

/* End the program with TQ_USAGE where both names are of one regular file. */
void output_refuse_input(const char *file, const char *input);

/* True if fd is the file that an output without a name appends to. */
bool output_is_file(int fd);

/*
 * Write the rest, and give the file its name and the mode of the file that it
 * replaces.  One that is not complete, since its input was not, replaces none:
 * it is dropped with a warning, unless the name is free.
 */
void output_finish(struct output *o, bool complete);

/*
 * Abandon it instead: the buffer is not written, and the file does not appear.
 */
void output_abandon(struct output *o);

#endif
