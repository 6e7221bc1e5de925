/*
 * text_lines.h - the lines of an operand that is text, as UTF-8: with the byte
 * order mark of UTF-16 it is converted.
 */
#ifndef TEXT_LINES_H
#define TEXT_LINES_H

#include "operand.h"

enum { TEXT_LINES_MAX = 128 << 20 }; /* bytes of a line */

/* {0} but for from, which is borrowed */
struct text_lines {
	struct zio_reader *from;
	int64_t number;    /* of the line, from 1 */
	const char *error; /* constant text, once the text ended too early */

	enum { TEXT_UTF8, TEXT_UTF16LE, TEXT_UTF16BE } encoding;
	bool begun, eof;
	char *block; /* bytes as they are read */
	size_t pos, len;
	struct text line;
};

/*
 * The next line, without LF or CR LF; it may be empty, and is good until the
 * next call.  False at the end, and on an error.
 */
bool text_lines_next(struct text_lines *t, struct span *line);

/* After the last one: warn where the text ended too early; *cut is then true.
 */
void text_lines_warn(const struct text_lines *t, const char *name, bool *cut);

void text_lines_free(struct text_lines *t);

#endif
