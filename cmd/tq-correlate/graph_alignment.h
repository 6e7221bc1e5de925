/*
 * graph_alignment.h - which name of one sequence may be which of another: by
 * the longest common subsequences, all of them.
 */
#ifndef GRAPH_ALIGNMENT_H
#define GRAPH_ALIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* instead of the label of a name that has not one in each of them */
#define GRAPH_ALIGNMENT_NONE UINT32_MAX

/* names as numbers, and a label of each */
struct graph_sequence {
	const uint32_t *names, *labels;
	size_t count;
};

/* True if it is not too long: time is the product of both lengths. */
bool graph_alignment_may(size_t a, size_t b);

/*
 * The length of the longest common subsequences of a and the m names of b.
 * found[j] becomes the label of the partner of b[j], if it has one in each of
 * these, and the same label in all.  Memory: m times the root of the length of
 * a, in 8 bytes.
 */
size_t graph_alignment_find(const struct graph_sequence *a, const uint32_t *b,
    size_t m, uint32_t *found);

#endif
