/* elf_symbols.c - the names of the functions of a file */

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/lower_bound.h"
#include "tq/base/mem.h"

#include "elf_symbols.h"

static int
compare(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->weight != y->weight)
		return (int)x->weight - (int)y->weight;
	return x->name < y->name ? 1 : x->name > y->name ? -1 : 0;
}

/* global names before weak ones before local ones; then with a size */
static uint8_t
weight_of(const Elf64_Sym *s)
{
	unsigned bind = ELF64_ST_BIND(s->st_info);

	return (uint8_t)((bind == STB_GLOBAL    ? 4
			     : bind == STB_WEAK ? 2
						: 0) +
			 (s->st_size > 0));
}

static bool
is_function(const Elf64_Sym *s)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC ||
		   (type == STT_NOTYPE && s->st_size > 0)) &&
	       s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE &&
	       s->st_value != 0;
}

static void
take_table(struct elf_symbols *s, const struct elf_part *table)
{
	size_t n = table->size / sizeof(Elf64_Sym);

	s->all = mem_resize(NULL, n + 1, sizeof(*s->all));
	for (size_t i = 0; i < n; i++) {
		Elf64_Sym sym;

		memcpy(&sym, table->bytes + i * sizeof(sym), sizeof(sym));
		if (!is_function(&sym) || sym.st_name >= s->names_size ||
		    s->names[sym.st_name] == '\0')
			continue;
		s->all[s->count++] =
		    (struct elf_symbol){.address = sym.st_value,
			.size = sym.st_size,
			.name = sym.st_name,
			.weight = weight_of(&sym)};
	}
	s->all = mem_resize(s->all, s->count + 1, sizeof(*s->all));
	qsort(s->all, s->count, sizeof(*s->all), compare);
}

static bool
read_pair(struct elf_symbols *s, const struct elf_file *e, const char *symbols,
    const char *names)
{
	struct elf_part table = elf_file_section(e, symbols);
	struct elf_part strings = elf_file_section(e, names);
	bool there = table.bytes != NULL && strings.bytes != NULL &&
		     table.entry == sizeof(Elf64_Sym);

	if (there) {
		s->names = strings.bytes;
		s->names_size = strings.size;
		take_table(s, &table);
	} else {
		free(strings.bytes);
	}
	free(table.bytes);
	return there;
}

void
elf_symbols_read(struct elf_symbols *s, const struct elf_file *e)
{
	*s = (struct elf_symbols){0};
	if (!read_pair(s, e, ".symtab", ".strtab"))
		read_pair(s, e, ".dynsym", ".dynstr");
}

bool
elf_symbols_are_full(const struct elf_file *e)
{
	struct elf_part table = elf_file_section(e, ".symtab");
	bool full = table.bytes != NULL;

	free(table.bytes);
	return full;
}

const char *
elf_symbols_find(const struct elf_symbols *s, uint64_t address)
{
	const struct elf_symbol *found;
	size_t i;

	LOWER_BOUND(i, 0, s->count, s->all[i].address <= address);
	if (i == 0)
		return NULL;
	found = &s->all[i - 1];
	/* one without a size reaches to the next */
	if (found->size > 0 && address - found->address >= found->size)
		return NULL;
	return s->names + found->name;
}

void
elf_symbols_free(struct elf_symbols *s)
{
	free(s->all);
	free(s->names);
	*s = (struct elf_symbols){0};
}
