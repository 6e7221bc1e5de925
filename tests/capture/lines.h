/*
 * lines.h - records of the agent as text, a line each:
 *
 *	KIND CORRELATION START END WHERE NAME
 *
 * where WHERE is a stream or a thread, and names are cut.  Others are "device
 * NAME", "context", "stream NUMBER", "note TEXT", "object STREAM NAME", and
 * "node GRAPH NODE" behind a kernel of a graph.
 */
#ifndef TQ_TEST_LINES_H
#define TQ_TEST_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/record.h"

/*
 * The name in the RECORD_SYMBOL or RECORD_FUNCTION of that id, or, if it is 0,
 * of that address.
 */
typedef const char *lines_name(uint8_t type, uint64_t id, uint64_t address);

/* Print it; with fields, another line has the members of its struct. */
void lines_print(const char *record, lines_name *name, bool fields);

/* The KIND of such a line. */
const char *lines_kind(const char *record);

/*
 * The optional part of a record with that flag, NULL if there is none; *len:
 * the length of a text.
 */
const char *lines_part(const char *record, uint8_t flag, size_t *len);

#endif
