/* line_table.c - which line an instruction of CPython is of */

#include <stdbool.h>

#include "line_table.h"

/* a table while it is read */
struct table_cursor {
	const unsigned char *p, *end;
};

static uint32_t
take_byte(struct table_cursor *c)
{
	return c->p < c->end ? *c->p++ : 0;
}

/* The same as a number of -128 to 127. */
static int32_t
take_signed_byte(struct table_cursor *c)
{
	int32_t v = (int32_t)take_byte(c);

	return v < 128 ? v : v - 256;
}

static int32_t
in_range(int64_t line)
{
	return line > 0 && line < INT32_MAX ? (int32_t)line : 0;
}

/* ---- before 3.10: pairs of distances ---- */

static int32_t
find_in_lnotab(struct table_cursor c, int32_t first, uint32_t offset)
{
	uint64_t at = 0;
	int64_t line = first;

	while (c.p < c.end) {
		uint32_t bytes = take_byte(&c);
		int32_t lines = take_signed_byte(&c);

		at += bytes;
		if (at > offset)
			break;
		line += lines;
	}
	return in_range(line);
}

/* ---- 3.10: lengths of ranges, and distances ---- */

static int32_t
find_in_ranges(struct table_cursor c, int32_t first, uint32_t offset)
{
	enum { NO_LINE = -128 };
	uint64_t end = 0;
	int64_t line = first;

	while (c.p < c.end) {
		uint32_t bytes = take_byte(&c);
		int32_t lines = take_signed_byte(&c);

		end += bytes;
		if (lines != NO_LINE)
			line += lines;
		if (offset < end)
			return lines != NO_LINE ? in_range(line) : 0;
	}
	return 0;
}

/* ---- since 3.11: locations ---- */

enum location {
	SHORT_LAST = 9,
	LINE_FIRST = 10,
	LINE_LAST = 12,
	NO_COLUMNS,
	LONG,
	NO_LOCATION
};

/* six bits a byte, the least first */
static uint64_t
take_varint(struct table_cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint32_t byte;

	do {
		byte = take_byte(c);
		if (shift < 60)
			v |= (uint64_t)(byte & 63) << shift;
		shift += 6;
	} while ((byte & 64) != 0 && c->p < c->end);
	return v;
}

static int64_t
take_signed_varint(struct table_cursor *c)
{
	uint64_t v = take_varint(c);

	return (v & 1) != 0 ? -(int64_t)(v >> 1) : (int64_t)(v >> 1);
}

/* Read the rest of an entry, and return how many lines it is on. */
static int64_t
take_location(struct table_cursor *c, unsigned code)
{
	int64_t lines = 0;

	if (code <= SHORT_LAST) {
		take_byte(c);
	} else if (code <= LINE_LAST) {
		lines = (int64_t)code - LINE_FIRST;
		take_byte(c);
		take_byte(c);
	} else if (code <= LONG) {
		lines = take_signed_varint(c);
		for (int i = 0; code == LONG && i < 3; i++)
			take_varint(c);
	}
	return lines;
}

static int32_t
find_in_locations(struct table_cursor c, int32_t first, uint32_t offset)
{
	enum { UNIT = 2, LINES_MOST = 1 << 30 };
	uint64_t end = 0;
	int64_t line = first;

	while (c.p < c.end) {
		uint32_t byte = take_byte(&c);
		unsigned code = byte >> 3 & 15;
		int64_t lines = take_location(&c, code);

		if (lines > LINES_MOST || lines < -LINES_MOST)
			return 0;
		end += ((byte & 7) + 1) * UNIT;
		line += lines;
		if (offset < end)
			return code != NO_LOCATION ? in_range(line) : 0;
	}
	return 0;
}

int32_t
line_table_find(
    enum python_lines form, struct span table, int32_t first, uint32_t offset)
{
	struct table_cursor c;

	if (table.len == 0)
		return 0;
	c.p = (const unsigned char *)table.p;
	c.end = c.p + table.len;
	switch (form) {
	case PYTHON_LNOTAB:
		return find_in_lnotab(c, first, offset);
	case PYTHON_RANGES:
		return find_in_ranges(c, first, offset);
	case PYTHON_LOCATIONS:
		return find_in_locations(c, first, offset);
	}
	return 0;
}
