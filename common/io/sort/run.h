/*
 * run.h - lines in order on the disk, written once and read once.
 *
 * A run is run_create, run_put of each line and run_written; then the line at
 * hand is the first, and run_next goes on.  Space of lines that were read is
 * given back to the disk.  Functions return false with errno set.
 */
#ifndef TQ_IO_SORT_RUN_H
#define TQ_IO_SORT_RUN_H

#include <sys/types.h>

#include "tq/io/sorter.h"

struct run {
	int fd;
	off_t size;     /* of the file */
	off_t next;     /* of lines that are in no buffer yet */
	off_t released; /* up to here it has no room on the disk */
	uint64_t lines; /* the one at hand, and those behind it */
	char *buf;      /* NULL between run_written and _load */
	size_t pos, len, cap;

	struct sorter_line line; /* at hand; its text once it was loaded */
	bool broken;             /* the lines that are left cannot be had */

	/* of run_mark */
	off_t marked;
	uint64_t marked_lines;
	struct sorter_line marked_line;
};

/* An empty run, for about as many bytes; the disk has to have room for them. */
bool run_create(struct run *r, uint64_t bytes);

/* A buffer of cap bytes is used to write, and to read. */
bool run_put(struct run *r, const struct sorter_line *line, size_t cap);

bool run_written(struct run *r);

/* The text of the line at hand, which is good until run_next. */
bool run_load(struct run *r, size_t cap);

/* To the next line; false at the end, where lines is 0, or on an error. */
bool run_next(struct run *r);

/* Lines that were read are not needed any more. */
void run_release(struct run *r);

/*
 * Remember the line at hand, and go back to it: nothing may be released
 * between the two.
 */
void run_mark(struct run *r);
void run_return(struct run *r);

/* Bytes of the line at hand and those behind it. */
uint64_t run_left(const struct run *r);

void run_close(struct run *r);

/* bytes that a line of len has in a run */
uint64_t run_bytes(size_t len);

#endif
