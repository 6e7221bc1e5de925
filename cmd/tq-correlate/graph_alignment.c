/*
 * graph_alignment.c - the longest common subsequences of two sequences
 *
 * forward[i][j] is the length of the longest one of the first i names of a and
 * the first j of b, backward[i][j] of the others.  a[i] and b[j] are partners
 * in a longest one if they are equal and
 *
 *	forward[i][j] + 1 + backward[i + 1][j + 1] = longest
 *
 * and b[j] has no partner in some of them if there is an i for which
 *
 *	forward[i][j] + backward[i][j + 1] = longest
 *
 * Rows of backward are made one after the other, from the last; of forward some
 * rows are kept, and those between them are made again.
 */

#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"

#include "graph_alignment.h"

enum { CELLS = 64 << 20 };

#define NOT_FOUND (UINT32_MAX - 1) /* yet */

bool
graph_alignment_may(size_t a, size_t b)
{
	return a > 0 && b > 0 && a <= CELLS / b;
}

/* the row behind another one, for the next name of a */
static void
next_row(const uint32_t *before, uint32_t *row, uint32_t name,
    const uint32_t *b, size_t m)
{
	row[0] = 0;
	for (size_t j = 0; j < m; j++)
		row[j + 1] = name == b[j]             ? before[j] + 1
			     : before[j + 1] > row[j] ? before[j + 1]
						      : row[j];
}

/* the sequence b, what its names were found to be, and memory for rows */
struct alignment {
	const uint32_t *b;
	size_t m;
	uint32_t longest, *found;
	uint32_t *kept;     /* each rows-th row of forward */
	uint32_t *between;  /* the rows between two of them */
	uint32_t *backward; /* of the name of a behind the current one */
	size_t rows;
};

static uint32_t *
row_of(uint32_t *rows, size_t i, const struct alignment *x)
{
	return rows + i * (x->m + 1);
}

/* the current name of a: note its partners, and make its row of backward */
static void
note_partners(
    struct alignment *x, const uint32_t *forward, uint32_t name, uint32_t label)
{
	uint32_t *backward = x->backward, behind = 0; /* [i + 1][j + 1] */

	for (size_t j = x->m; j-- > 0;) {
		uint32_t here = backward[j], *found = &x->found[j];

		if (name == x->b[j]) {
			backward[j] = behind + 1;
			if (forward[j] + 1 + behind != x->longest)
				;
			else if (*found == NOT_FOUND)
				*found = label;
			else if (*found != label)
				*found = GRAPH_ALIGNMENT_NONE;
		} else if (backward[j + 1] > here)
			backward[j] = backward[j + 1];
		if (forward[j] + backward[j + 1] == x->longest)
			*found = GRAPH_ALIGNMENT_NONE;
		behind = here;
	}
}

/* Find the length of the longest ones; keeps rows. */
static void
go_forward(struct alignment *x, const struct graph_sequence *a)
{
	uint32_t *row = x->between, *next = x->backward, *swap;

	memset(row, 0, (x->m + 1) * sizeof(*row));
	for (size_t i = 0; i < a->count; i++) {
		if (i % x->rows == 0)
			memcpy(row_of(x->kept, i / x->rows, x), row,
			    (x->m + 1) * sizeof(*row));
		next_row(row, next, a->names[i], x->b, x->m);
		swap = row;
		row = next;
		next = swap;
	}
	x->longest = row[x->m];
	for (size_t j = 0; j < x->m; j++)
		x->found[j] =
		    row[j] == x->longest ? GRAPH_ALIGNMENT_NONE : NOT_FOUND;
}

static void
go_backward(struct alignment *x, const struct graph_sequence *a)
{
	memset(x->backward, 0, (x->m + 1) * sizeof(*x->backward));
	for (size_t k = (a->count - 1) / x->rows + 1; k-- > 0;) {
		size_t first = k * x->rows, i = first;

		memcpy(x->between, row_of(x->kept, k, x),
		    (x->m + 1) * sizeof(*x->between));
		for (; i + 1 < a->count && i + 1 < first + x->rows; i++)
			next_row(row_of(x->between, i - first, x),
			    row_of(x->between, i - first + 1, x), a->names[i],
			    x->b, x->m);
		for (i++; i-- > first;)
			note_partners(x, row_of(x->between, i - first, x),
			    a->names[i], a->labels[i]);
	}
}

size_t
graph_alignment_find(const struct graph_sequence *a, const uint32_t *b,
    size_t m, uint32_t *found)
{
	struct alignment x = {.b = b, .m = m, .found = found, .rows = 1};
	size_t row = m + 1;

	for (size_t j = 0; j < m; j++)
		found[j] = GRAPH_ALIGNMENT_NONE;
	if (a->count == 0)
		return 0;
	while (x.rows * x.rows < a->count)
		x.rows++;
	x.kept = mem_resize(
	    NULL, ((a->count - 1) / x.rows + 1) * row, sizeof(*x.kept));
	x.between = mem_resize(NULL, x.rows * row, sizeof(*x.between));
	x.backward = mem_resize(NULL, row, sizeof(*x.backward));
	go_forward(&x, a);
	go_backward(&x, a);
	free(x.kept);
	free(x.between);
	free(x.backward);
	return x.longest;
}
