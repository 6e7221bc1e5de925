/*
 * spool_run.h - lines in order on the disk, written once and read once.
 *
 * A run is spool_run_create, spool_run_put of each line and
 * spool_run_written; then the line at hand is the first, and spool_run_next
 * goes on.  What was read is given back to the disk.  Functions return false
 * with errno set.
 */
#ifndef SPOOL_RUN_H
#define SPOOL_RUN_H

#include <sys/types.h>

#include "tq/io/sorter.h"

struct spool_run {
	int fd;
	off_t size;     /* of the file */
	off_t next;     /* of what is in no buffer yet */
	off_t released; /* up to here it has no room on the disk */
	uint64_t lines; /* the one at hand, and those behind it */
	char *buf;      /* NULL between spool_run_written and _load */
	size_t pos, len, cap;

	struct spool_line line; /* at hand; its text once it was loaded */
	bool broken;            /* the lines that are left cannot be had */

	/* of spool_run_mark */
	off_t marked;
	uint64_t marked_lines;
	struct spool_line marked_line;
};

/* An empty run, for about as many bytes; the disk has to have room for them. */
bool spool_run_create(struct spool_run *r, uint64_t bytes);

/* A buffer of cap bytes is used to write, and to read. */
bool spool_run_put(
    struct spool_run *r, const struct spool_line *line, size_t cap);

bool spool_run_written(struct spool_run *r);

/* The text of the line at hand, which is good until spool_run_next. */
bool spool_run_load(struct spool_run *r, size_t cap);

/* To the next line; false at the end, where lines is 0, or on an error. */
bool spool_run_next(struct spool_run *r);

/* What was read is not needed any more. */
void spool_run_release(struct spool_run *r);

/*
 * Remember the line at hand, and go back to it: nothing may be released
 * between the two.
 */
void spool_run_mark(struct spool_run *r);
void spool_run_return(struct spool_run *r);

/* Bytes of the line at hand and those behind it. */
uint64_t spool_run_left(const struct spool_run *r);

void spool_run_close(struct spool_run *r);

/* bytes that a line of len has in a run */
uint64_t spool_run_bytes(size_t len);

#endif
