/* stack_names.c - addresses become frames, frames become stacks */

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tq/names.h"

#include "lines/demangle.h"

#include "stack_names.h"

/* ---- frames ---- */

uint32_t
stack_names_frame(struct stack_names *n, struct span text)
{
	struct text json = {0};
	uint32_t number;

	text_add_json(&json, text.p, text.len);
	number = intern_get(&n->frames, text_span(&json));
	text_free(&json);
	return number;
}

/* "name (module)"; without a name its offset in the file */
static void
write_frame(
    struct text *to, const struct module *m, uint64_t address, uint64_t offset)
{
	const char *name = elf_symbols_find(&m->symbols, address);
	char *readable = name != NULL ? demangle(name) : NULL;

	to->len = 0;
	if (name != NULL)
		text_add_str(to, readable != NULL ? readable : name);
	else
		text_printf(to, "0x%" PRIx64, offset);
	text_printf(to, " (%s)", m->name);
	free(readable);
}

/* Where code is in the file of its module. */
static uint64_t
offset_of(const struct code_area *area, uint64_t pc)
{
	return pc - area->start + area->offset;
}

/* The address that symbols have there; UINT64_MAX: none. */
static uint64_t
address_of(const struct code_area *area, uint64_t offset)
{
	uint64_t address = UINT64_MAX;

	module_read(area->module);
	module_address(area->module, offset, &address);
	return address;
}

static uint32_t
number_in_module(
    struct stack_names *n, const struct code_area *area, uint64_t pc)
{
	uint64_t offset = offset_of(area, pc);
	uint64_t *slot =
	    map_get(&n->by_address, (uint64_t)area->module->number + 1, offset);

	if (*slot != 0)
		return (uint32_t)(*slot - 1);
	write_frame(
	    &n->scratch, area->module, address_of(area, offset), offset);
	*slot = stack_names_frame(n, text_span(&n->scratch)) + UINT64_C(1);
	return (uint32_t)(*slot - 1);
}

static uint32_t
number_of(struct stack_names *n, const struct code_map *map, uint64_t pc)
{
	const struct code_area *area = code_map_find(map, pc);

	if (area != NULL && module_has_code(area->module))
		return number_in_module(n, area, pc);
	n->scratch.len = 0;
	text_printf(&n->scratch, "0x%" PRIx64 " ([unknown])", pc);
	return stack_names_frame(n, text_span(&n->scratch));
}

/* ---- lines of the source ---- */

/* "": it has none */
static struct span
source_in_module(
    struct stack_names *n, const struct code_area *area, uint64_t pc)
{
	uint64_t offset = offset_of(area, pc), address;
	uint64_t *slot =
	    map_get(&n->by_source, (uint64_t)area->module->number + 1, offset);

	if (*slot == 0) {
		*slot = 1;
		n->scratch.len = 0;
		address = address_of(area, offset);
		if (address != UINT64_MAX &&
		    module_source(area->module, address, &n->scratch))
			*slot = UINT64_C(2) +
				intern_get(&n->sources, text_span(&n->scratch));
	}
	return *slot == 1 ? SPAN("")
			  : intern_text(&n->sources, (uint32_t)(*slot - 2));
}

/* code that the program, or a library of its own, has */
static bool
is_of_program(const struct code_area *area)
{
	char module[PATH_MAX + 2];

	if (area == NULL || !module_has_code(area->module) ||
	    area->module->ours)
		return false;
	snprintf(module, sizeof(module), "(%s)", area->module->name);
	return !names_is_of_system(span_of(module));
}

struct span
stack_names_source(struct stack_names *n, const struct code_map *map,
    const struct unwind_frames *f)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct code_area *area = code_map_find(map, f->pcs[i]);

		if (is_of_program(area))
			return source_in_module(n, area, f->pcs[i]);
	}
	return SPAN("");
}

/* ---- the leaf ---- */

static bool
has_name(const struct code_area *area, uint64_t pc)
{
	return elf_symbols_find(&area->module->symbols,
		   address_of(area, offset_of(area, pc))) != NULL;
}

void
stack_names_cut_leaf(struct unwind_frames *f, const struct code_map *map)
{
	const struct module *leaf = NULL;

	for (size_t i = 0; i < f->count; i++) {
		const struct code_area *area = code_map_find(map, f->pcs[i]);

		if (area == NULL || !module_has_code(area->module) ||
		    (leaf != NULL && area->module != leaf))
			return;
		leaf = area->module;
		if (has_name(area, f->pcs[i])) {
			f->count -= i;
			memmove(f->pcs, f->pcs + i, f->count * sizeof(*f->pcs));
			return;
		}
	}
}

const char *
stack_names_entry(const struct unwind_frames *f, const struct code_map *map)
{
	const struct code_area *leaf, *area;
	size_t i = 1;

	if (f->count == 0 || (leaf = code_map_find(map, f->pcs[0])) == NULL)
		return NULL;
	while (i < f->count && (area = code_map_find(map, f->pcs[i])) != NULL &&
	       area->module == leaf->module)
		i++;
	return elf_symbols_find(&leaf->module->symbols,
	    address_of(leaf, offset_of(leaf, f->pcs[i - 1])));
}

/* ---- stacks ---- */

uint32_t
stack_names_of(struct stack_names *n, const uint32_t *frames, size_t count)
{
	if (count == 0)
		return INTERN_NONE;
	return intern_get(&n->stacks,
	    (struct span){(const char *)frames, count * sizeof(*frames)});
}

uint32_t
stack_names_number(struct stack_names *n, const struct code_map *map,
    const struct unwind_frames *f)
{
	uint32_t numbers[UNWIND_FRAMES + 1];
	size_t count = 0;

	for (size_t i = 0; i < f->count; i++) {
		const struct code_area *area = code_map_find(map, f->pcs[i]);

		if (area == NULL || !area->module->ours)
			numbers[count++] = number_of(n, map, f->pcs[i]);
	}
	if (count > 0 && f->end == UNWIND_TRUNCATED)
		numbers[count++] = stack_names_frame(n, SPAN("[truncated]"));
	return stack_names_of(n, numbers, count);
}

void
stack_names_json(const struct stack_names *n, uint32_t stack, struct text *to)
{
	struct span numbers = intern_text(&n->stacks, stack);

	text_add_char(to, '[');
	for (size_t i = 0; i < numbers.len; i += sizeof(uint32_t)) {
		uint32_t frame;

		memcpy(&frame, numbers.p + i, sizeof(frame));
		if (i > 0)
			text_add_char(to, ',');
		text_add_span(to, intern_text(&n->frames, frame));
	}
	text_add_char(to, ']');
}

void
stack_names_free(struct stack_names *n)
{
	module_free_all(&n->modules);
	map_free(&n->by_address);
	map_free(&n->by_source);
	intern_free(&n->frames);
	intern_free(&n->sources);
	intern_free(&n->stacks);
	text_free(&n->scratch);
}
