/* range_depth.c - how many ranges are around a range */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "range_depth.h"

struct deep_range {
	int64_t ts, depth;
	struct nesting_stack *stack; /* that it is on */
	struct deep_range *next;     /* of the spare ones */
};

static void
give_back(struct range_depth *d, struct deep_range *r)
{
	r->next = d->spare;
	d->spare = r;
}

static struct deep_range *
new_range(struct range_depth *d)
{
	struct deep_range *r = d->spare;

	if (r == NULL)
		return mem_alloc(sizeof(*r));
	d->spare = r->next;
	return r;
}

int64_t
range_depth_add(struct range_depth *d, int64_t pid, int64_t tid,
    struct span domain, int64_t ts, int64_t end)
{
	struct nesting_thread *t = nesting_thread(&d->nesting, pid, tid);
	struct deep_range *r = new_range(d);
	const struct deep_range *parent;

	while (expiry_due(&d->expiry, ts)) {
		struct deep_range *over = expiry_take(&d->expiry);

		nesting_remove(over->stack, over, over->ts);
		give_back(d, over);
	}
	r->ts = ts;
	r->stack = &nesting_domain(&d->nesting, t, domain)->stack;
	parent = nesting_parent(r->stack, ts, end);
	r->depth = parent != NULL ? parent->depth + 1 : 0;
	nesting_push(r->stack, r, ts, end);
	expiry_add(&d->expiry, end, r);
	return r->depth;
}

void
range_depth_clear(struct range_depth *d)
{
	while (expiry_due(&d->expiry, INT64_MAX))
		give_back(d, expiry_take(&d->expiry));
	nesting_clear(&d->nesting);
}

void
range_depth_free(struct range_depth *d)
{
	struct deep_range *r;

	range_depth_clear(d);
	expiry_free(&d->expiry);
	nesting_free(&d->nesting);
	while ((r = d->spare) != NULL) {
		d->spare = r->next;
		free(r);
	}
}
