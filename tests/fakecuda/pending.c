/* pending.c - a heap of work, by its end */

#include "pending.h"

static struct fake_op **heap;
static size_t count, room;

static bool
before(size_t a, size_t b)
{
	return heap[a]->end < heap[b]->end;
}

static void
swap(size_t a, size_t b)
{
	struct fake_op *op = heap[a];

	heap[a] = heap[b];
	heap[b] = op;
}

void
pending_add(const struct fake_op *op)
{
	size_t i = count++;

	if (count > room) {
		room = room * 2 + 64;
		heap = realloc(heap, room * sizeof(struct fake_op *));
	}
	heap[i] = malloc(sizeof(*op));
	*heap[i] = *op;
	for (; i > 0 && before(i, (i - 1) / 2); i = (i - 1) / 2)
		swap(i, (i - 1) / 2);
}

bool
pending_take(struct fake_op *op, uint64_t now)
{
	size_t i = 0, child;

	if (count == 0 || heap[0]->end > now)
		return false;
	*op = *heap[0];
	free(heap[0]);
	heap[0] = heap[--count];
	while ((child = 2 * i + 1) < count) {
		if (child + 1 < count && before(child + 1, child))
			child++;
		if (!before(child, i))
			break;
		swap(i, child);
		i = child;
	}
	return true;
}
