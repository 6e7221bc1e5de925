/*
 * report_decoder.h - the body of an event becomes a row of slots
 * (sqlite/slot_row.h), with the columns that records need.
 */
#ifndef REPORT_DECODER_H
#define REPORT_DECODER_H

#include "report_tables.h"
#include "sqlite/slot_row.h"

enum {
	DECODER_FIELDS = 128, /* numbers of fields, of a body or in it */
	DECODER_SUBS = 3,     /* messages in a body that are read */
};

/* the use of a field; FIELD_SKIP is {0} */
enum field_use {
	FIELD_SKIP,
	FIELD_INT,
	FIELD_REAL,
	FIELD_FLOAT,
	FIELD_TEXT,
	FIELD_CHAIN,
	FIELD_SUB /* a message, whose number is in place of the value */
};

struct decoder_field {
	unsigned char use, value;
};

/* which fields of the events of a table become which values of a row */
struct report_decoder {
	struct slot_shape shape;
	struct decoder_field body[DECODER_FIELDS];
	struct decoder_field subs[DECODER_SUBS][DECODER_FIELDS];
	unsigned char sub_count, sub_numbers[DECODER_SUBS];
	signed char absent; /* a value, or -1 */
	int64_t absent_value;
};

/*
 * columns[i] becomes value i; NULL, and a column that the table lacks, is
 * always NULL.  count is at most SLOT_ROW_VALUES.
 */
void report_decoder_make(struct report_decoder *d, enum report_table table,
    const char *const *columns, int count, int release);

/* The value that an integer of the body becomes; -1 for none. */
static inline int
report_decoder_value(const struct report_decoder *d, unsigned field)
{
	return d->body[field].use == FIELD_INT ? d->body[field].value : -1;
}

/*
 * Decode an event to the row at `row`, which has slot_row_size bytes.  Texts
 * are spans of the event.  chain is the value of a call chain.  False where the
 * event is no message.
 */
bool report_decoder_run(const struct report_decoder *d,
    const struct report_event *e, unsigned char *row, int64_t chain);

#endif
