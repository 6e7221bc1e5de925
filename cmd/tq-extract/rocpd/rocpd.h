/* rocpd.h - an open rocpd database, and the writing of its rows */
#ifndef ROCPD_H
#define ROCPD_H

#include "rocpd_details.h"
#include "rocpd_tables.h"
#include "source.h"
#include "tq/base/intern.h"
#include "write/record_values.h"

/* the tables with one suffix, which are those of a process */
struct rocpd_suffix {
	struct rocpd_ids ids;
	struct rocpd_details events, args, counters;
	struct rocpd_details_reader values; /* of counters */
	struct rocpd_table tables[ROCPD_TABLES];
	struct map graphs;  /* that launched kernels */
	struct map counted; /* events whose counters were written */

	/* rows of counters that became records, and rows that are lost */
	int64_t value_records, not_numbers, without_event;
	int64_t arguments; /* rows that are in args */
};

/* rows that were read less well than they could be */
enum rocpd_note {
	NOTE_BROKEN,   /* extdata that is no JSON */
	NOTE_BLOB,     /* extdata in a form of a later schema */
	NOTE_NEGATIVE, /* they end before they start */
	ROCPD_NOTES
};

/* a kernel whose counters are to be written behind all that start with it */
struct rocpd_waiting {
	struct rocpd_suffix *suffix;
	int64_t ts, pid, device, corr, event;
};

struct rocpd {
	const struct database *db;
	const struct source_settings *settings;
	struct output *out, *frames; /* see struct source_input */
	struct row_writer writer;
	struct record_values record;
	struct name_list names; /* the suffixes */
	struct rocpd_suffix *suffixes;
	struct rocpd_counts counts;
	int64_t origin;
	int64_t notes[ROCPD_NOTES];

	struct rocpd_waiting *waiting;
	size_t waiting_count, waiting_cap;
	struct intern stacks;
	struct text args, text;
};

/* a chain of rows, and where the details of its rows are read */
struct rocpd_chain {
	struct rocpd_suffix *suffix;
	struct rocpd_table *table;
	struct rocpd_details_reader events, args;
};

static inline bool
rocpd_wants_args(const struct rocpd *r, enum kind kind)
{
	const struct keyset keys = key_choice_of(&r->settings->keys, kind);

	return keyset_has(&keys, KEY_args);
}

static inline void
rocpd_put(struct rocpd *r, enum key key, int64_t v)
{
	if (v != ROCPD_NONE)
		record_values_int(&r->record, key, v);
}

/* Write the trace record and all definitions. */
void rocpd_definitions_write(struct rocpd *r);

/* Write the record of a chain's current row. */
void rocpd_rows_write(
    struct rocpd *r, struct rocpd_chain *c, struct row_source *rows);

/* Write what waits and starts before ts, or no later if dur is 0. */
void rocpd_rows_write_waiting(struct rocpd *r, int64_t ts, int64_t dur);

/* The version of the schema: of the database's metadata, or by its columns. */
struct text rocpd_definitions_schema(const struct rocpd *r);

/* Print the report of --check. */
void rocpd_check(const struct rocpd *r, struct check_sheet *s);

/* Rows that may become records; that are lost; and why. */
int64_t rocpd_check_rows(const struct rocpd *r);
int64_t rocpd_check_lost(const struct rocpd *r);
const char *rocpd_check_reason(enum rocpd_fate lost);

#endif
