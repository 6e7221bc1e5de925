/*
 * reader.h - an arena read as tq-capture does it, and checked: for the tests
 * of the agent
 */
#ifndef TQ_TEST_READER_H
#define TQ_TEST_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/arena.h"
#include "arena/record.h"

enum { READER_TYPES = 256, READER_NAMES = 1 << 17, READER_THREADS = 4096 };

struct reader {
	struct arena *a;
	size_t size;
	int pid;
	bool dump; /* print each record */

	uint32_t done[ARENA_CHUNKS_MAX];    /* bytes read of each chunk */
	int32_t tid[ARENA_CHUNKS_MAX];      /* of the next record */
	uint32_t visible[ARENA_CHUNKS_MAX]; /* bytes that may be read now */
	uint64_t count[READER_TYPES];       /* of records, by type */
	uint64_t text;      /* bytes of the texts of marks, parts included */
	uint64_t malformed; /* records that can't be read */
	uint64_t undefined; /* strings and domains that were used before */
	uint64_t unpaired;  /* pops without push */
	uint64_t unordered; /* times that go back on a thread */
	bool string[READER_NAMES], domain[READER_NAMES];
	struct {
		int32_t tid;
		int64_t depth;
		uint64_t ticks, parts;
	} thread[READER_THREADS];
};

/* An arena by its memfd, which is closed; NULL, with a word on stderr, where
   it can't be.  Freed by reader_free. */
struct reader *reader_new(int fd, int pid, bool dump);
void reader_free(struct reader *r);

/* Read all complete records, and free full chunks. */
void reader_drain(struct reader *r);

#endif
