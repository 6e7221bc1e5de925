/*
 * kernel_parts.h - the parts of the name of a kernel by which people recognise
 * it.
 */
#ifndef KERNEL_PARTS_H
#define KERNEL_PARTS_H

#include "tq/base/region.h"

/* {0} is empty; free(3) all */
struct part_list {
	struct span *all;
	size_t count, cap;
};

struct kernel_parts {
	struct span base; /* the name without types, namespaces, arguments */
	/* of the arguments of its template, in their order: */
	struct part_list identities; /* functors; functions around lambdas */
	struct part_list types;      /* f32, i64 */
	struct part_list numbers;
};

/* The parts of a demangled name; their texts live in the region. */
void kernel_parts_find(
    struct kernel_parts *p, struct span name, struct region *life);

void kernel_parts_free(struct kernel_parts *p);

#endif
