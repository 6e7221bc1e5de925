/*
 * python_layout.h - where CPython keeps the frames of a stack
 *
 * Offsets in bytes of release builds with 64-bit pointers, of the internal
 * headers of each version.
 */
#ifndef TQ_AGENT_PYTHON_LAYOUT_H
#define TQ_AGENT_PYTHON_LAYOUT_H

#include <stdint.h>

struct python_layout {
	int16_t minor; /* of 3.x */

	/*
	 * of a thread's state: its frame; NONE, or the struct that it points to
	 * has it there
	 */
	int16_t frame, current;

	/* of a frame: its code, the frame that called it, its instruction */
	int16_t code, back, last;
	int16_t unit;  /* bytes of the number that last is; 0: an address */
	int16_t owner; /* NONE, or a byte that is C_OWNS where it has no code */

	/* of code */
	int16_t line, file, name, table;
	int16_t instructions; /* where they begin, if last is an address */
	int16_t lines;        /* enum python_lines, of the table */

	int16_t ascii, compact; /* where the characters of a str begin */
};

enum { PYTHON_NONE = -1, PYTHON_C_OWNS = 3 };

/* The layout of "3.11.7 (main, ...)"; NULL if it is unknown. */
const struct python_layout *python_layout_of(const char *version);

#endif
