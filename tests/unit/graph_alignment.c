/* graph_alignment.c - longest common subsequences, against all of them */

#include <stdlib.h>

#include "graph_alignment.h"
#include "check.h"

enum { MOST = 7 };

/* all ways to pair names of a and b; partners: by name of b, a bit each, in the
   longest ones, and whether one of these has none */
struct all_ways {
	const struct graph_sequence *a;
	const uint32_t *b;
	size_t m, longest;
	unsigned pairs[MOST], partners[MOST];
	bool alone[MOST];
};

static void
try_pairs(struct all_ways *w, size_t i, size_t j, size_t length)
{
	if (i == w->a->count || j == w->m) {
		if (length > w->longest) {
			memset(w->partners, 0, sizeof(w->partners));
			memset(w->alone, 0, sizeof(w->alone));
			w->longest = length;
		}
		for (size_t k = 0; k < w->m && length == w->longest; k++) {
			w->partners[k] |= w->pairs[k];
			w->alone[k] |= w->pairs[k] == 0;
		}
		return;
	}
	if (w->a->names[i] == w->b[j]) {
		w->pairs[j] = 1u << i;
		try_pairs(w, i + 1, j + 1, length + 1);
		w->pairs[j] = 0;
	}
	try_pairs(w, i + 1, j, length);
	try_pairs(w, i, j + 1, length);
}

static uint32_t
label_of(const struct all_ways *w, size_t j)
{
	uint32_t label = GRAPH_ALIGNMENT_NONE;

	for (size_t i = 0; i < w->a->count && !w->alone[j]; i++)
		if ((w->partners[j] >> i & 1) == 0)
			continue;
		else if (label == GRAPH_ALIGNMENT_NONE)
			label = w->a->labels[i];
		else if (label != w->a->labels[i])
			return GRAPH_ALIGNMENT_NONE;
	return label;
}

static void
check_sequences(size_t n, size_t m, unsigned names, unsigned labels)
{
	uint32_t a[MOST], l[MOST], b[MOST], found[MOST];
	struct graph_sequence of = {a, l, n};
	struct all_ways w = {.a = &of, .b = b, .m = m};
	size_t longest;

	for (size_t i = 0; i < n; i++) {
		a[i] = (uint32_t)(check_random() % names);
		l[i] = (uint32_t)(check_random() % labels);
	}
	for (size_t j = 0; j < m; j++)
		b[j] = (uint32_t)(check_random() % names);
	try_pairs(&w, 0, 0, 0);
	longest = graph_alignment_find(&of, b, m, found);
	CHECK(longest == w.longest, "%zu, not %zu", longest, w.longest);
	for (size_t j = 0; j < m; j++)
		CHECK(found[j] == label_of(&w, j), "name %zu: %u, not %u", j,
		    found[j], label_of(&w, j));
}

int
main(void)
{
	for (int i = 0; i < 3000; i++)
		check_sequences(check_random() % (MOST + 1),
		    check_random() % (MOST + 1), 1 + i % 5, 1 + i % 3);
	CHECK(graph_alignment_may(8192, 8192), "64 M are few enough");
	CHECK(!graph_alignment_may(8193, 8192), "more are too many");
	CHECK(!graph_alignment_may(0, 8192), "nothing resembles nothing");
	return check_status();
}
