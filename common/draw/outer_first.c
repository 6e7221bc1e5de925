/* outer_first.c - ranges that come inside out */

#include <stdlib.h>

#include "tq/draw/outer_first.h"
#include "tq/base/mem.h"

#define NONE INT64_MIN /* no range */

enum { WAITING = 1024 }; /* heads, at most */

/* the first slices inside of a range that is still to come */
struct head {
	void *row;
	int64_t range;
	int64_t ts;              /* at which all of them start */
	struct kept_list slices; /* outermost first */
};

static void
put_slices(struct heads *h, void *row, struct kept_list *slices)
{
	struct kept *r;

	while ((r = kept_take(slices)) != NULL) {
		h->put(h->arg, row, kept_event(r, &h->again), kept_when(r));
		keep_drop(&h->keep, r);
	}
}

/* the slices go on */
static void
drop(struct heads *h, struct head *head)
{
	struct head *end = h->head + h->count;

	memmove(head, head + 1, (size_t)(end - head - 1) * sizeof(*head));
	h->count--;
}

static void
put_head(struct heads *h, struct head *head)
{
	struct head old = *head;

	drop(h, head);
	put_slices(h, old.row, &old.slices);
}

/* what waits for a range; the newest are the likeliest */
static struct head *
find(struct heads *h, const void *row, int64_t range)
{
	for (size_t i = h->count; i > 0; i--)
		if (h->head[i - 1].row == row && h->head[i - 1].range == range)
			return &h->head[i - 1];
	return NULL;
}

static void
become_head(struct heads *h, struct head head)
{
	if (h->head == NULL)
		h->head = mem_resize(NULL, WAITING, sizeof(*h->head));
	if (h->count == WAITING)
		put_head(h, h->head);
	h->head[h->count++] = head;
}

/* wait for the parent, if that comes later; false if that is not needed */
static bool
wait_for(struct heads *h, void *row, int64_t parent, const struct event *ev,
    const struct when *when, const struct kept_list *inside)
{
	struct head *head = find(h, row, parent);
	struct kept_list slices = {0};

	if (head != NULL && head->ts < when->ts)
		return false;
	kept_add(&slices, keep_record(&h->keep, ev, when));
	kept_join(&slices, inside);
	if (head != NULL && head->ts == when->ts) {
		kept_join(&head->slices, &slices);
		return true;
	}
	if (head != NULL)
		put_head(h, head);
	become_head(h, (struct head){row, parent, when->ts, slices});
	return true;
}

void
heads_add(
    struct heads *h, void *row, const struct event *ev, const struct when *when)
{
	int64_t id = event_int(ev, KEY_range, NONE);
	int64_t parent = event_int(ev, KEY_parent, NONE);
	struct head *own = id != NONE ? find(h, row, id) : NULL;
	struct kept_list inside = {0};

	if (own != NULL && own->ts != when->ts)
		put_head(h, own);
	else if (own != NULL) {
		inside = own->slices;
		drop(h, own);
	}
	if (parent == NONE || !wait_for(h, row, parent, ev, when, &inside)) {
		h->put(h->arg, row, ev, when);
		put_slices(h, row, &inside);
	}
}

void
heads_finish(struct heads *h)
{
	while (h->count > 0)
		put_head(h, h->head);
}

void
heads_free(struct heads *h)
{
	for (size_t i = 0; i < h->count; i++)
		kept_free_list(&h->head[i].slices);
	free(h->head);
	keep_free(&h->keep);
	event_free(&h->again);
}
