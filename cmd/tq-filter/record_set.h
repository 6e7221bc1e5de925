/*
 * record_set.h - a set of records of the input, a bit for each.
 */
#ifndef RECORD_SET_H
#define RECORD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tq/base/mem.h"

/* {0} is the empty set */
struct record_set {
	uint64_t *words;
	size_t cap;
};

static inline void
record_set_add(struct record_set *m, uint64_t n)
{
	size_t i = n >> 6;

	if (i >= m->cap) {
		size_t cap = i + i / 2 + 1024;

		m->words = mem_resize(m->words, cap, sizeof(*m->words));
		memset(
		    m->words + m->cap, 0, (cap - m->cap) * sizeof(*m->words));
		m->cap = cap;
	}
	m->words[i] |= (uint64_t)1 << (n & 63);
}

static inline bool
record_set_has(const struct record_set *m, uint64_t n)
{
	return n >> 6 < m->cap && (m->words[n >> 6] >> (n & 63) & 1) != 0;
}

#endif
