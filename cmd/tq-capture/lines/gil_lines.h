/*
 * gil_lines.h - waits for the lock of Python, and holds of it, become lines
 */
#ifndef TQ_CAPTURE_GIL_LINES_H
#define TQ_CAPTURE_GIL_LINES_H

#include <stdint.h>

#include "arena/record.h"

struct lines;

/* the thread that has the lock, by the records so far */
struct gil_holder {
	uint64_t start; /* ticks when the process began to record */
	uint64_t since; /* ticks; 0: nobody that is known */
	int32_t tid;
};

/* Write the hold that goes on, or that the process did not live to end; returns
   how many. */
int gil_lines_open(struct lines *l);

#endif
