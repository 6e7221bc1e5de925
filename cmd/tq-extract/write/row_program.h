/*
 * row_program.h - how the rows of a format become records, worked out once.
 *
 * A program is a list of texts, each with a value behind it.  Everything equal
 * in all rows of the format, keys and constants, is in the texts; columns that
 * are NULL do not appear.
 */
#ifndef ROW_PROGRAM_H
#define ROW_PROGRAM_H

#include "record_map.h"
#include "tq/line/outline.h"

enum op_code {
	OP_END,
	OP_TEXT, /* no value */
	OP_A,    /* load A, an argument of a later operation */
	OP_B,
	OP_SYMBOL, /* before the text: may write records of their own */
	OP_STACK,
	OP_LAUNCHES,  /* the same: may leave the row out */
	OP_SYMBOL_ID, /* of the record that OP_SYMBOL wrote */
	OP_STACK_ID,
	OP_TS,
	OP_TIMES, /* and with its key the duration */
	OP_SMALL, /* an integer of one byte */
	OP_INT,
	OP_EXACT, /* up to TYPED_EXACT; others fail */
	OP_ID,    /* the same, but not 2^32-1 */
	OP_NONZERO,
	OP_SURE, /* the same, where these values fail, too */
	OP_UINT, /* a string from TYPED_EXACT on */
	OP_REAL,
	OP_INT32,
	OP_THREAD, /* loads A, too */
	OP_PROCESS,
	OP_PID,
	OP_HOST,
	OP_STRING,
	OP_FUNCTION,
	OP_RAW,
	OP_BYTES, /* a text of a file: bytes behind it may be read */
	OP_JSON,  /* any text */
	OP_BINARY,
	OP_MEMBERS,
	OP_ENUM,
	OP_BOOL,
	OP_BYTE,
	OP_HEX,
	OP_COLOR,
	OP_MODE,
	OP_GPU,
	OP_DEVICE,
	OP_SYNC,
	OP_WAIT_STREAM,
	OP_WAIT_CONTEXT,
	OP_WAIT_CORR,
	OP_FILE,
	OP_FILE_BYTES,
	OP_TID,
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
	unsigned char column; /* of the record_map */
	unsigned char begins; /* 1: a member of the record begins */
};

struct row_program {
	size_t room;      /* bytes of a record without longer values, at most */
	const char *text; /* of all operations, in their order */
	const struct column_map *columns;
	int64_t odd;   /* values of type TYPED_ODD that are left out */
	int64_t bad;   /* bytes of its texts that were no UTF-8 */
	bool defines;  /* it begins with operations before the text */
	bool outlined; /* its records have an outline, of this plan */
	struct outline_plan outline;
	struct row_op ops[];
};

/*
 * A program for the rows of a format; free(3) it.  NULL where their types need
 * a closer look: typed_row.h has that.  A program for flat rows is never NULL,
 * and never fails.
 */
struct row_program *row_program_make(
    const struct record_map *m, const struct row_format *format, bool flat);

/* operations that are put together one by one; {0} has none */
struct row_ops {
	struct row_op *all;
	size_t count, cap;
	struct text texts; /* of the operations */
	struct text text;  /* of the next operation */
};

/* Add an operation, with the text so far, whose last `own` bytes are its own.
 */
struct row_op *row_program_add(
    struct row_ops *to, enum op_code code, struct value_ref from, size_t own);

/* The program of these operations, which are freed; free(3) it. */
struct row_program *row_program_assemble(
    struct row_ops *ops, const struct column_map *columns);

/*
 * Its records get an outline, where they can have one: the program is put
 * together anew.
 */
struct row_program *row_program_outline(
    struct row_program *program, enum kind kind);

#endif
