/* top.c - the longest records of each kind */

#include <stdlib.h>

#include "top.h"

/* of a heap, whose root is the first that a longer record replaces */
struct top_record {
	int64_t dur;
	uint64_t record;
};

static bool
is_replaced_before(const struct top_record *a, const struct top_record *b)
{
	return a->dur != b->dur ? a->dur < b->dur : a->record > b->record;
}

static void
sift_down(struct top_record *heap, size_t count, struct top_record x)
{
	size_t i = 0, child;

	while ((child = i * 2 + 1) < count) {
		if (child + 1 < count &&
		    is_replaced_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_replaced_before(&heap[child], &x))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = x;
}

void
top_add(struct top *t, enum kind kind, uint64_t record, int64_t dur)
{
	struct top_record x = {dur, record}, *heap = t->heaps[kind];
	size_t i = t->counts[kind];

	if (i == t->count) {
		if (is_replaced_before(&heap[0], &x))
			sift_down(heap, i, x);
		return;
	}
	if ((i & (i - 1)) == 0) /* room for a power of two */
		t->heaps[kind] = heap =
		    mem_resize(heap, i * 2 + 1, sizeof(*heap));
	t->counts[kind]++;
	for (; i > 0 && is_replaced_before(&x, &heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = x;
}

void
top_section_end(struct top *t)
{
	for (size_t k = 0; k <= KIND_COUNT; k++) {
		for (size_t i = 0; i < t->counts[k]; i++)
			record_set_add(&t->chosen, t->heaps[k][i].record);
		t->counts[k] = 0;
	}
}

void
top_free(struct top *t)
{
	for (size_t k = 0; k <= KIND_COUNT; k++)
		free(t->heaps[k]);
	free(t->chosen.words);
}
