/*
 * report_decoder.h - the body of an event becomes a row of slots
 * (sqlite/slot_row.h), with the columns that are wanted.
 */
#ifndef REPORT_DECODER_H
#define REPORT_DECODER_H

#include "report_tables.h"
#include "sqlite/slot_row.h"

enum {
	DECODER_FIELDS =
	    128,           /* numbers of fields, of a body or a message in it */
	DECODER_SUBS = 3,  /* messages in a body that are read */
	DECODER_SKIP = -1, /* in place of a value */
	DECODER_SUB = -2,  /* the first of the messages, then downwards */
};

/* which fields of the events of a table become which values of a row */
struct report_decoder {
	struct slot_shape shape;
	uint64_t all; /* values that a field can set, as bits */
	signed char body[DECODER_FIELDS];
	signed char subs[DECODER_SUBS][DECODER_FIELDS];
	unsigned char sub_count, sub_numbers[DECODER_SUBS];
	unsigned char as[SLOT_ROW_VALUES]; /* enum report_as */
	signed char absent;                /* a value, or -1 */
	int64_t absent_value;
};

/*
 * columns[i] becomes value i; NULL, and a column that the table lacks, is
 * always NULL.  count is at most SLOT_ROW_VALUES.
 */
void report_decoder_make(struct report_decoder *d, enum report_table table,
    const char *const *columns, int count, int release);

/*
 * Decode an event to the row at `row`, which has slot_row_size bytes.  Texts
 * are spans of the event.  chain is the value of a call chain.  some: stop as
 * soon as all columns have a value.  False where the event is no message.
 */
bool report_decoder_run(const struct report_decoder *d,
    const struct report_event *e, unsigned char *row, int64_t chain, bool some);

#endif
