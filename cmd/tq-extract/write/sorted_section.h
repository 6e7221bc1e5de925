/*
 * sorted_section.h - a section whose records are held until all of the input
 * has been read, and counts of its events.
 *
 * The struct of such a source begins with a struct sorted_section, so that the
 * source takes these functions for its own.
 */
#ifndef SORTED_SECTION_H
#define SORTED_SECTION_H

#include "definition_writer.h"
#include "event_counts.h"
#include "sorted_records.h"
#include "read/value_reader.h"
#include "task_names.h"

struct sorted_section {
	const struct source *source;
	const char *name; /* of the input */
	const char *what; /* lost records are about */
	struct output *out, *frames;
	struct sorted_records records;
	struct event_counts counts;
	struct task_names tasks;
	int64_t rounded; /* times that are finer than ns */
	bool cut;        /* the input ends too early */
};

void sorted_section_open(struct sorted_section *s, const struct source *source,
    const struct source_input *in);
void sorted_section_free(struct sorted_section *s);

/*
 * The next of values that stand one after the other; false at the end.  Text
 * that is no JSON is counted as lost, with a warning.
 */
bool sorted_section_next(
    struct sorted_section *s, struct value_reader *r, struct span *value);

/* The input ends too early at this byte: warn. */
void sorted_section_cut(
    struct sorted_section *s, int64_t offset, const char *error);

/*
 * Write the trace record, to which these are added: the source, and, if the
 * times have a clock, the origin in it.
 */
void sorted_section_trace(
    const struct sorted_section *s, const struct trace_record *t);

/*
 * The current event becomes a record: begin it, and end it when its keys were
 * added to s->records.
 */
void sorted_section_begin(
    struct sorted_section *s, enum kind kind, int64_t ts, int64_t dur);
void sorted_section_end(struct sorted_section *s);

/* The functions of a source. */
int sorted_section_count(void *section, int64_t counts[KIND_COUNT]);
struct source_result sorted_section_records(void *section);
void sorted_section_check(void *section, struct check_sheet *to);

#endif
