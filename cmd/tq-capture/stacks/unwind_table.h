/*
 * unwind_table.h - where the caller of a function is: a rule for each address
 * of the code of a file, made from its .eh_frame
 *
 * Source of the format: Linux Standard Base, "Exception Frames"; DWARF 4,
 * section 6.4.  x86-64 only: registers 6 (rbp), 7 (rsp) and 16 (return
 * address).  Rules that compilers do not make become UNWIND_NONE.
 */
#ifndef TQ_CAPTURE_UNWIND_TABLE_H
#define TQ_CAPTURE_UNWIND_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_file.h"

/* how the CFA, the stack pointer of the caller, is found */
enum unwind_how {
	UNWIND_NONE,   /* it is not known */
	UNWIND_END,    /* there is no caller: the first function of a thread */
	UNWIND_SP,     /* rsp + offset */
	UNWIND_BP,     /* rbp + offset */
	UNWIND_PLT,    /* rsp + 8, or 16 from byte 11 of an entry on */
	UNWIND_SIGNAL, /* the kernel pushed the registers */
};

/* what rbp was in the caller */
enum unwind_bp {
	UNWIND_BP_SAME,
	UNWIND_BP_SAVED, /* at CFA + bp_offset */
	UNWIND_BP_LOST
};

/* the return address is at CFA - 8 */
struct unwind_rule {
	int32_t offset, bp_offset;
	uint8_t how, bp;
};

/* rule i holds from offsets[i] to offsets[i + 1] */
struct unwind_table {
	uint32_t *offsets;  /* from base, increasing */
	uint16_t *rules_of; /* index in rules */
	size_t count;
	uint64_t base; /* an address of the file */
	struct unwind_rule *rules;
	size_t rule_count;
};

/* Make the table of a file; an empty one if it has none that can be read. */
void unwind_table_read(struct unwind_table *t, const struct elf_file *e);

/* The same of bytes that are loaded at an address. */
void unwind_table_parse(
    struct unwind_table *t, struct span eh_frame, uint64_t address);

/* The rule at an address of the file. */
struct unwind_rule unwind_table_find(
    const struct unwind_table *t, uint64_t address);

void unwind_table_free(struct unwind_table *t);

#endif
