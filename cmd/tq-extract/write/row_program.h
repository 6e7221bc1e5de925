/*
 * plan.h - how the rows of a shape become records, worked out once.
 *
 * A plan is a list of texts, each with a value behind it.  What is the same
 * in all rows of the shape, keys and constants, stands in the texts; columns
 * that are NULL do not appear.  Rows that are too odd for a plan are written
 * by record.c, which reads cells and knows all cases; both give the same
 * bytes.
 */
#ifndef PLAN_H
#define PLAN_H

#include "nsys/event_table.h"

enum op_code {
	OP_END,
	OP_TEXT, /* no value */
	OP_A,    /* keep it for an operation to come */
	OP_B,
	OP_SYMBOL, /* before the text: may write records of their own */
	OP_STACK,
	OP_SYMBOL_ID, /* what they came to */
	OP_STACK_ID,
	OP_TS,
	OP_TIMES, /* and with its key the duration */
	OP_SMALL, /* an integer of one byte */
	OP_INT,
	OP_EXACT, /* integers that a double can hold */
	OP_ID,    /* but not 2^32-1 */
	OP_NONZERO,
	OP_SURE,   /* neither is to be expected */
	OP_THREAD, /* kept as A, too */
	OP_PROCESS,
	OP_STRING,
	OP_FUNCTION,
	OP_RAW,
	OP_BYTES,
	OP_ENUM,
	OP_BOOL,
	OP_BYTE,
	OP_HEX,
	OP_COLOR,
	OP_MODE,
	OP_GPU,
	OP_DEVICE,
	OP_END_TID,
	OP_DOMAIN,
	OP_CATEGORY,
};

/* bytes of a text, and of a value that finds room without asking for it */
enum { OP_TEXT_MAX = 32, OP_VALUE_MAX = 256 };

struct row_op {
	struct value_ref from;
	unsigned char code;   /* of enum op_code */
	unsigned char len;    /* of its text */
	unsigned char own;    /* the end of that, left out with the value */
	unsigned char column; /* of the map of the table */
};

struct row_program {
	size_t room;      /* bytes of a record without longer values, at most */
	const char *text; /* of all operations, in their order */
	const struct nsys_column *columns;
	bool defines; /* it begins with what comes before the text */
	struct row_op ops[];
};

/* A plan for the rows of a shape, NULL where record.c is to write them. */
struct row_program *row_program_make(
    const struct event_table *t, const struct row_format *format);

#endif
