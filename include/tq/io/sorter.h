/*
 * sorter.h - lines put in order of time, in bounded memory: beyond it they go
 * to files without a name in TMPDIR (or /tmp).
 *
 * The order is the order of a stream: ts ascending, then the longer dur first,
 * then as they were added.  Lines that come in order cost least.
 *
 * Functions return false with errno set where the disk is full or broken, and
 * never exit (but for mem.h).  A file that outgrows RLIMIT_FSIZE is such an
 * error only where SIGXFSZ is ignored.
 */
#ifndef TQ_IO_SORTER_H
#define TQ_IO_SORTER_H

#include "tq/base/text.h"

struct sorter;

struct sorter_line {
	int64_t ts, dur;
	struct span line; /* without padding behind it */
	uint32_t tag;
};

struct sorter_counts {
	uint64_t held;  /* lines that were added and not emitted yet */
	uint64_t late;  /* added when later ones had been emitted */
	uint64_t lost;  /* could not be read back from the disk */
	uint64_t bytes; /* of the files: the lines held there */
};

/*
 * memory: bytes for lines and their keys, roughly; buffers for the files come
 * on top, at most as much again and at least 1 MiB.
 */
struct sorter *sorter_open(size_t memory);

/* Forgets all lines.  May be given NULL. */
void sorter_free(struct sorter *s);

/*
 * Hold a copy of line, which may be any bytes; dur is 0 of an instant.  tag is
 * given back as it is.  False: this line is not held, all others are; after an
 * emit it may be tried again.
 */
bool sorter_add(
    struct sorter *s, int64_t ts, int64_t dur, struct span line, uint32_t tag);

/*
 * Give all lines with ts < until to put, in order, and forget them.  A line
 * is good until put returns; put must not call the sorter.  A line that is
 * added later with ts < until is late: it comes out at the next emit, before
 * all others there.  False where lines were lost, which are counted; all
 * others were given.
 */
bool sorter_emit(struct sorter *s, int64_t until,
    void (*put)(void *arg, const struct sorter_line *line), void *arg);

/* The same of all lines; the sorter is then as it was when it was opened. */
bool sorter_finish(struct sorter *s,
    void (*put)(void *arg, const struct sorter_line *line), void *arg);

struct sorter_counts sorter_counts(const struct sorter *s);

#endif
