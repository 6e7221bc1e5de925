/*
 * range_paths.h - paths of ranges: the names of a range and of the ranges
 * around it, as a tree of names.
 *
 * A path is a number: that of no names is 0, others follow in order of first
 * use, each behind its parent, which has all names but the innermost one.  A
 * text that several paths share is held once.
 */
#ifndef TQ_ACCOUNT_RANGE_PATHS_H
#define TQ_ACCOUNT_RANGE_PATHS_H

#include "tq/base/intern.h"

struct range_path_node {
	uint32_t parent, name; /* name: the innermost one */
};

/* {0} is empty */
struct range_paths {
	struct intern names; /* values of JSON: "step" with its quotes */
	struct range_path_node *all; /* by number of the path; none of 0 */
	size_t count, cap;           /* with 0, once that is in use */
	uint32_t *slots;             /* of a hash table: numbers, or 0 */
	size_t size;                 /* 0 or a power of two */
};

/* The path of no names, which is 0. */
uint32_t range_paths_root(struct range_paths *p);

/* The path of a name within a parent, which is in use. */
uint32_t range_paths_get(
    struct range_paths *p, uint32_t parent, struct span name);

/* The path of an array of JSON; false with the path so far if it is none. */
bool range_paths_read(struct range_paths *p, struct span array, uint32_t *path);

/* Add a path as an array of JSON without white space, and its length. */
void range_paths_add(
    struct text *t, const struct range_paths *p, uint32_t path);
size_t range_paths_length(const struct range_paths *p, uint32_t path);

/* All paths from 0 to count - 1 in the order of these texts; free(3) them. */
uint32_t *range_paths_order(const struct range_paths *p);

/* No path is added any more: free what only finding them needs. */
void range_paths_close(struct range_paths *p);

void range_paths_free(struct range_paths *p);

#endif
