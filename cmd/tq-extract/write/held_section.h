/*
 * held_section.h - a section whose records are held until all of the input has
 * been read, and what became of its events.
 *
 * The struct of such a source begins with a struct held_section, so that the
 * source takes these functions for its own.
 */
#ifndef HELD_SECTION_H
#define HELD_SECTION_H

#include "event_counts.h"
#include "sorted_records.h"
#include "read/value_reader.h"
#include "task_names.h"

struct held_section {
	const struct source *source;
	const char *name; /* of the input */
	struct output *out, *frames;
	struct sorted_records records;
	struct event_counts counts;
	struct task_names tasks;
	int64_t rounded; /* times that are finer than ns */
	bool cut;        /* the input ends too early */
};

void held_section_open(struct held_section *s, const struct source *source,
    const struct source_input *in);
void held_section_free(struct held_section *s);

/*
 * The next of values that stand one after the other; false at the end.  What
 * is no JSON is counted as lost, with a warning.
 */
bool held_section_next(
    struct held_section *s, struct value_reader *r, struct span *value);

/* The input ends too early at this byte: warn. */
void held_section_cut(
    struct held_section *s, int64_t offset, const char *error);

/* what a trace record has; empty texts are not known */
struct held_trace {
	struct span producer, schema;
	bool utc;          /* times are ns since 1970 */
	struct span clock; /* or ns of this clock */
	struct span host;
	const int64_t *rank; /* or NULL */
	struct span args;    /* members of JSON */
};

void held_section_trace(
    const struct held_section *s, const struct held_trace *t);

/*
 * The current event becomes a record: begin it, and end it when its keys were
 * added to s->records.
 */
void held_section_begin(
    struct held_section *s, enum kind kind, int64_t ts, int64_t dur);
void held_section_end(struct held_section *s);

/* The functions of a source. */
int held_section_count(void *section, int64_t counts[KIND_COUNT]);
struct source_result held_section_records(void *section);
void held_section_check(void *section);

#endif
