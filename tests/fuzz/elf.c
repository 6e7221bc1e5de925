/*
 * elf.c - any bytes as an ELF file, whose table, symbols and lines are read:
 * each address has one rule and at most one name, and a stack of any bytes
 * ends.
 */

#include "fuzz.h"
#include "stacks/source_line.h"
#include "stacks/unwind.h"

enum { ADDRESSES = 256 };

static bool
same_rule(const struct unwind_rule *a, const struct unwind_rule *b)
{
	return a->how == b->how && a->bp == b->bp && a->offset == b->offset &&
	       a->bp_offset == b->bp_offset;
}

static void
check_table(const struct unwind_table *t)
{
	for (size_t i = 1; i < t->count; i++)
		REQUIRE(t->offsets[i - 1] < t->offsets[i]);
	for (size_t i = 0; i < t->count; i++) {
		struct unwind_rule r =
		    unwind_table_find(t, t->base + t->offsets[i]);

		REQUIRE(t->rules_of[i] < t->rule_count);
		REQUIRE(same_rule(&r, &t->rules[t->rules_of[i]]));
	}
}

static void
check_symbols(const struct elf_symbols *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const char *name = elf_symbols_find(s, s->all[i].address);

		REQUIRE(name != NULL && *name != '\0');
		REQUIRE(i == 0 || s->all[i - 1].address <= s->all[i].address);
	}
}

/* the file as it is, mapped at 0; its own bytes are the stack */
static void
check_stack(struct module *m, const uint8_t *data, size_t size)
{
	static struct unwind_frames f;
	struct code_map map = {0};
	struct unwind_input in = {
	    .sp = 4096, .stack = {(const char *)data, size}};

	code_map_add(&map, (struct code_area){.end = UINT64_MAX, .module = m});
	for (size_t i = 0; i < m->table.count && i < ADDRESSES; i++) {
		in.pc = m->table.base + m->table.offsets[i];
		in.bp = in.sp + i * 8;
		unwind_stack(&f, &map, &in);
		REQUIRE(f.count >= 1 && f.count <= UNWIND_FRAMES);
	}
	code_map_free(&map);
}

/* "FILE:LINE", or nothing */
static void
check_lines(const struct elf_file *e, uint64_t address)
{
	struct text t = {0};
	bool found = source_line_find(e, address, &t);

	REQUIRE(found == (t.len > 0));
	REQUIRE(!found || (t.p[0] != ':' && memchr(t.p, ':', t.len) != NULL));
	text_free(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct module m = {.read = true, .name = ""};
	struct elf_segment all = {.size = UINT64_MAX, .executable = true};
	struct elf_file e;
	struct elf_part note;
	char build[72];

	/* bytes that are no file may still be a section */
	unwind_table_parse(
	    &m.table, (struct span){(const char *)data, size}, 4096);
	check_table(&m.table);
	unwind_table_free(&m.table);
	if (!elf_file_open_image(&e, (const char *)data, size))
		return 0;
	note = elf_file_build_note(&e);
	elf_file_build_id(&note, build);
	free(note.bytes);
	unwind_table_read(&m.table, &e);
	check_table(&m.table);
	elf_symbols_read(&m.symbols, &e);
	check_symbols(&m.symbols);
	m.segments = &all;
	m.segment_count = 1;
	check_stack(&m, data, size);
	check_lines(&e, 0x1139);
	for (size_t i = 0; i < m.symbols.count && i < ADDRESSES; i++)
		check_lines(&e, m.symbols.all[i].address);
	elf_file_close(&e);
	unwind_table_free(&m.table);
	elf_symbols_free(&m.symbols);
	return 0;
}
