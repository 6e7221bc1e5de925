/*
 * top.h - the longest records of each kind.
 */
#ifndef TOP_H
#define TOP_H

#include "tq/line/schema.h"

#include "record_set.h"

struct top_record;

struct top {
	size_t count;             /* of each kind, in each section */
	bool collecting;          /* the pass before chosen is known */
	struct record_set chosen; /* the longest records */
	struct top_record *heaps[KIND_COUNT + 1];
	size_t counts[KIND_COUNT + 1];
};

/* A record is a candidate; of equal ones the first comes first. */
void top_add(struct top *t, enum kind kind, uint64_t record, int64_t dur);

/* The section ends: choose its records. */
void top_section_end(struct top *t);

void top_free(struct top *t);

#endif
