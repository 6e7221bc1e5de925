/*
 * source_line.h - the line of the source that an instruction is of
 */
#ifndef TQ_CAPTURE_SOURCE_LINE_H
#define TQ_CAPTURE_SOURCE_LINE_H

#include "tq/base/text.h"

#include "elf_file.h"

/*
 * Append "hang.c:12", the last part of the name of a file of the source and the
 * line, of the instruction at an address of the file.  False, and nothing is
 * appended: the file has no .debug_line that knows it (versions 2 to 5 of
 * DWARF, section 6.2 of version 5).  Reads all of that section.
 */
bool source_line_find(
    const struct elf_file *e, uint64_t address, struct text *to);

#endif
