/*
 * value_reader.h - JSON of any size, read value by value.
 *
 * A value is taken apart where it lies in the buffer.  Where the buffer ends
 * before the value does, more is read, and the value begun again.
 */
#ifndef VALUE_READER_H
#define VALUE_READER_H

#include "lenient.h"
#include "operand.h"
#include "read_ahead.h"

struct value_reader {
	const char *error; /* constant text, or NULL */
	int64_t offset;    /* of the last value in the file, decompressed */

	/* bytes that are read and not taken yet are buf[pos] to buf[len] */
	char *buf;
	size_t pos, len, cap;
	int64_t base; /* offset of buf */
	bool eof;
	bool cut; /* the file ends within the last value */
	struct read_ahead *from;
};

/* The operand is borrowed until the close. */
void value_reader_open(struct value_reader *r, struct operand *from);
void value_reader_close(struct value_reader *r);

/*
 * Read more behind the rest of the buffer, which moves.  False at the end of
 * the file; false with an error where reading fails, or the rest has 128 MiB.
 */
bool value_reader_more(struct value_reader *r);

/* The next character that is no white space, or -1 at the end. */
int value_reader_peek(struct value_reader *r);

/* Pass over a byte order mark at the start of the file. */
void value_reader_skip_mark(struct value_reader *r);

/* Pass over c, if that is the next character that is no white space. */
bool value_reader_skip(struct value_reader *r, char c);

/*
 * The value at pos, good until more is read.  False where it is no JSON, or
 * the file ends within it.
 */
bool value_reader_value(struct value_reader *r, struct span *value);

/* The same of a key, into *key, and pass over its colon. */
bool value_reader_key(struct value_reader *r, struct text *key);

enum value_item {
	VALUE_WHOLE,
	VALUE_BROKEN, /* no JSON: passed over, up to the end of its first line
		       */
	VALUE_END,
	VALUE_CUT /* the file ends too early, or has an error */
};

/* The next of values that stand one after the other. */
enum value_item value_reader_next(struct value_reader *r, struct span *value);

/* The next element of an array whose bracket was passed over. */
enum value_item value_reader_element(
    struct value_reader *r, struct span *value);

/* The error of a value that is cut. */
const char *value_reader_error(const struct value_reader *r);

#endif
