/*
 * code_map.h - which file is at an address of a process
 */
#ifndef TQ_CAPTURE_CODE_MAP_H
#define TQ_CAPTURE_CODE_MAP_H

#include "module.h"

/* executable memory: bytes of a module, from an offset in it on */
struct code_area {
	uint64_t start, end, offset;
	struct module *module;
};

/* of a process, in order of addresses; {0} has none */
struct code_map {
	struct code_area *all;
	size_t count, cap;
};

/* An area is mapped now, and whatever was there before is not. */
void code_map_add(struct code_map *m, struct code_area area);

/* The same of a module, which all gets if it is new. */
void code_map_add_module(
    struct code_map *m, struct modules *all, const struct module_key *key);

/* The same of all code that a process has mapped. */
void code_map_add_process(struct code_map *m, struct modules *all, int pid);

/* The area at an address; NULL: no code that is known. */
const struct code_area *code_map_find(
    const struct code_map *m, uint64_t address);

/* The same areas, of a child. */
void code_map_copy(struct code_map *to, const struct code_map *from);

void code_map_free(struct code_map *m);

#endif
