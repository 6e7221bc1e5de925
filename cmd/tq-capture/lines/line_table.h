/*
 * line_table.h - which line an instruction of CPython is of
 *
 * The formats are of Objects/lnotab_notes.txt and Objects/locations.md of
 * CPython.
 */
#ifndef TQ_CAPTURE_LINE_TABLE_H
#define TQ_CAPTURE_LINE_TABLE_H

#include "tq/base/span.h"

#include "arena/record.h"

/*
 * The line of the instruction at an offset (bytes), in a table of a function
 * whose first line is first; 0: it has none, or the table is none.
 */
int32_t line_table_find(
    enum python_lines form, struct span table, int32_t first, uint32_t offset);

#endif
