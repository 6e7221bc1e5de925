/*
 * elf_symbols.h - the names of the functions of a file
 */
#ifndef TQ_CAPTURE_ELF_SYMBOLS_H
#define TQ_CAPTURE_ELF_SYMBOLS_H

#include "elf_file.h"

struct elf_symbol {
	uint64_t address, size;
	uint32_t name;  /* offset in names */
	uint8_t weight; /* of several at one address the heaviest counts */
};

/* sorted by address; names is a copy of the file's */
struct elf_symbols {
	struct elf_symbol *all;
	size_t count;
	char *names;
	size_t names_size;
};

/* Read .symtab, else .dynsym; empty if there is neither. */
void elf_symbols_read(struct elf_symbols *s, const struct elf_file *e);

/* Where functions have their full table: .symtab is in this file. */
bool elf_symbols_are_full(const struct elf_file *e);

/* The name of the function at an address, mangled as it is; NULL: none. */
const char *elf_symbols_find(const struct elf_symbols *s, uint64_t address);

void elf_symbols_free(struct elf_symbols *s);

#endif
