/*
 * check_sheet.h - what --check prints: lines for people, or the JSON object of
 * tq-json(5).
 *
 * A source calls check_sheet_source() first; then its tables and notes follow.
 */
#ifndef CHECK_SHEET_H
#define CHECK_SHEET_H

#include "tq/evidence/evidence.h"
#include "tq/io/output.h"
#include "tq/show/format.h"
#include "tq/show/table.h"

enum check_form { CHECK_LINES, CHECK_JSON };

#define ROWS_DROPPED "rows dropped"
#define CHECK_FORMS "table|json"

struct check_sheet {
	unsigned form; /* enum check_form */
	struct output text;
	struct format_options json;
	struct table sources, notes; /* of all operands */
	struct text file, source;
	bool any; /* JSON has a report */
	bool examined;
};

/* examined: check_sheet_evidence() follows */
void check_sheet_begin(
    struct check_sheet *s, const struct json_head *head, bool examined);

/* The next operand, and the profiler and version that wrote it. */
void check_sheet_source(
    struct check_sheet *s, const char *file, struct span source);

/* A table of the operand, with a static name, which is freed. */
void check_sheet_table(
    struct check_sheet *s, const char *report, struct table *t);

/* A fact on a line of its own: a number of something, or a text.  note may be
   NULL where what says it all. */
void check_sheet_count(
    struct check_sheet *s, const char *note, int64_t n, const char *what);
void check_sheet_text(
    struct check_sheet *s, const char *note, struct span text);

/* Events that are lost for this reason; of may be NULL. */
void check_sheet_lost(
    struct check_sheet *s, int64_t n, const char *of, const char *reason);

/* Two numbers that belong together, as the sum at the end. */
void check_sheet_sum(struct check_sheet *s, int64_t n, const char *what,
    int64_t other, const char *other_what);

/* Several numbers on a line: before is what stands there before. */
void check_sheet_number(struct check_sheet *s, const char *before,
    const char *note, int64_t n, const char *behind);

/* The operand ends. */
void check_sheet_end(struct check_sheet *s, int64_t records, int64_t lost);

/* All operands have; standard output has what there is of them. */
void check_sheet_operands(struct check_sheet *s);

/* What was found out about them, perhaps by another process. */
void check_sheet_evidence(
    struct check_sheet *s, const struct recording_evidence *x);

void check_sheet_finish(struct check_sheet *s);

#endif
