/* rows.h - how events become rows of an nsys export */

#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline.h"
#include "vocabulary.h"

enum {
	COLUMNS = 40, /* of the widest table */
	FRAMES = 6,   /* of a sample */
	FRAME_COLUMNS = 10,
	CONTEXT = 1,
	CATEGORY = 1
};

#define NONE INT64_MIN        /* NULL */
#define VM (INT64_C(1) << 48) /* of all global ids */

/* The ids in StringIds. */
struct strings {
	char *text[2048];
	size_t count;
	bool few; /* 20 names of kernels, and 192 of ranges of operators */
	int64_t calls[CALLS], ranges[RANGES], osrts[OSRTS];
	int64_t threads[THREADS], symbols[SYMBOLS], modules[MODULES];
	int64_t demangled[KERNELS], brief[KERNELS], mangled[KERNELS];
};

/* A row on its way into a table; text goes into column text_at, if not -1. */
struct row {
	int64_t value[COLUMNS];
	int text_at;
	char text[128];
};

/* How the events of a table of the timeline are stored. */
struct table_rows {
	const char *name;
	int columns;
	void (*fill)(
	    struct row *, const struct event *, const struct strings *);
};

extern const struct table_rows rows_exports[TABLES];
extern const int rows_pids[PROCESSES];
extern const int rows_streams[STREAMS];

/* The globalTid of a thread, as events number them. */
int64_t rows_global_tid(int thread);

/* The id of a string by its place, and the other way round. */
int64_t rows_string_id(size_t);
int64_t rows_string_of(int64_t id);

/* Frame I of all samples, as a row of SAMPLING_CALLCHAINS. */
void rows_frame(struct row *, uint32_t i, const struct strings *);

/* Row I of NVTX_EVENTS that names a domain or category; false behind them. */
bool rows_domain(struct row *, int process, int i);

/* A number that looks random, and is the same for equal X. */
uint32_t rows_scramble(uint32_t x);

/* Set the numbers of a row, and no text. */
void rows_set(struct row *, const int64_t *value, size_t count);

#endif
