/* outer_first.c - projected ranges, outermost first */

#include <stdlib.h>

#include "outer_first.h"
#include "tq/base/mem.h"

#define NO_RANGE INT64_MIN

enum { WAITING = 1024 }; /* parents that are waited for, at most */

/* the first slices inside a range that is still to come */
struct waiting_range {
	void *row;
	int64_t range;            /* their parent */
	int64_t ts;               /* start of all of them */
	struct saved_list slices; /* outermost first */
};

static void
put_slices(struct outer_first *o, void *row, struct saved_list *slices)
{
	struct saved_event *e;

	while ((e = saved_take(slices)) != NULL) {
		o->put(
		    o->arg, row, saved_restore(e, &o->restored), saved_time(e));
		saved_drop(&o->pool, e);
	}
}

/* the caller has taken the slices */
static void
remove_waiting(struct outer_first *o, struct waiting_range *w)
{
	struct waiting_range *end = o->waiting + o->count;

	memmove(w, w + 1, (size_t)(end - w - 1) * sizeof(*w));
	o->count--;
}

static void
put_waiting(struct outer_first *o, struct waiting_range *w)
{
	struct waiting_range old = *w;

	remove_waiting(o, w);
	put_slices(o, old.row, &old.slices);
}

/* the slices that wait for a range; the newest are the likeliest */
static struct waiting_range *
find_waiting(struct outer_first *o, const void *row, int64_t range)
{
	for (size_t i = o->count; i > 0; i--)
		if (o->waiting[i - 1].row == row &&
		    o->waiting[i - 1].range == range)
			return &o->waiting[i - 1];
	return NULL;
}

static void
add_waiting(struct outer_first *o, struct waiting_range w)
{
	if (o->waiting == NULL)
		o->waiting = mem_resize(NULL, WAITING, sizeof(*o->waiting));
	if (o->count == WAITING)
		put_waiting(o, o->waiting);
	o->waiting[o->count++] = w;
}

/* False if the range need not wait for its parent. */
static bool
wait_for(struct outer_first *o, void *row, int64_t parent,
    const struct event *ev, const struct drawn_time *drawn,
    const struct saved_list *inside)
{
	struct waiting_range *w = find_waiting(o, row, parent);
	struct saved_list slices = {0};

	if (w != NULL && w->ts < drawn->ts)
		return false;
	saved_append(&slices, saved_new(&o->pool, ev, drawn));
	saved_join(&slices, inside);
	if (w != NULL && w->ts == drawn->ts) {
		saved_join(&w->slices, &slices);
		return true;
	}
	if (w != NULL)
		put_waiting(o, w);
	add_waiting(o, (struct waiting_range){row, parent, drawn->ts, slices});
	return true;
}

void
outer_first_add(struct outer_first *o, void *row, const struct event *ev,
    const struct drawn_time *drawn)
{
	int64_t id = event_int(ev, KEY_range, NO_RANGE);
	int64_t parent = event_int(ev, KEY_parent, NO_RANGE);
	struct waiting_range *own =
	    id != NO_RANGE ? find_waiting(o, row, id) : NULL;
	struct saved_list inside = {0};

	if (own != NULL && own->ts != drawn->ts)
		put_waiting(o, own);
	else if (own != NULL) {
		inside = own->slices;
		remove_waiting(o, own);
	}
	if (parent == NO_RANGE ||
	    !wait_for(o, row, parent, ev, drawn, &inside)) {
		o->put(o->arg, row, ev, drawn);
		put_slices(o, row, &inside);
	}
}

void
outer_first_finish(struct outer_first *o)
{
	while (o->count > 0)
		put_waiting(o, o->waiting);
}

void
outer_first_free(struct outer_first *o)
{
	for (size_t i = 0; i < o->count; i++)
		saved_free_list(&o->waiting[i].slices);
	free(o->waiting);
	saved_free_pool(&o->pool);
	event_free(&o->restored);
}
