/* range_epochs.c - ranges of a thread that cross */

#include <stdlib.h>

#include "tq/base/array.h"

#include "range_epochs.h"

/* ---- boundaries ---- */

static bool
is_start(const struct range_boundary *b)
{
	return b == &b->range->start;
}

static struct range_boundary *
partner_of(const struct range_boundary *b)
{
	return is_start(b) ? &b->range->stop : &b->range->start;
}

static void
append(struct range_boundaries *list, struct range_boundary *b)
{
	b->list = list;
	b->prev = list->last;
	b->next = NULL;
	if (b->prev != NULL)
		b->prev->next = b;
	else
		list->first = b;
	list->last = b;
	list->count++;
}

static void
take_out(struct range_boundaries *list, struct range_boundary *b)
{
	if (b->prev != NULL)
		b->prev->next = b->next;
	else
		list->first = b->next;
	if (b->next != NULL)
		b->next->prev = b->prev;
	else
		list->last = b->prev;
	list->count--;
	b->list = NULL;
}

/* The boundaries of the smaller list go to the other one, but those that meet.
 */
static void
move(struct range_epochs *x, struct range_boundaries *from,
    struct range_boundaries *to)
{
	struct range_boundary *b = from->first, *next;

	for (; b != NULL; b = next) {
		struct range_boundary *partner = partner_of(b);

		next = b->next;
		if (partner->list == to) {
			take_out(partner->list, partner);
			take_out(from, b);
			*array_add(&x->met, &x->met_count, &x->met_cap) =
			    b->range;
		} else {
			b->list = to;
		}
	}
}

/* One list, in which the boundaries of a are before those of b. */
static struct range_boundaries *
join(struct range_epochs *x, struct range_boundaries *a,
    struct range_boundaries *b)
{
	struct range_boundaries *to = a, *from = b;

	if (a->count < b->count) {
		to = b;
		from = a;
	}
	move(x, from, to);
	if (from->count > 0 && to->count > 0) {
		a->last->next = b->first;
		b->first->prev = a->last;
	}
	to->first = a->count > 0 ? a->first : b->first;
	to->last = b->count > 0 ? b->last : a->last;
	to->count += from->count;
	free(from);
	return to;
}

/* ---- sets ---- */

/* the set is before the oldest epoch where at is NULL */
static void
go_on(struct range_epochs *x, struct range_set *s)
{
	s->at = s->at != NULL ? s->at->newer : x->oldest;
	for (struct range_boundary *b = s->at->before->first; b != NULL;
	     b = b->next)
		if (is_start(b))
			range_set_enter(s, b->range);
		else
			range_set_leave(s, b->range);
}

static void
go_back(struct range_set *s)
{
	for (struct range_boundary *b = s->at->before->last; b != NULL;
	     b = b->prev)
		if (is_start(b))
			range_set_leave(s, b->range);
		else
			range_set_enter(s, b->range);
	s->at = s->at->older;
}

static struct range_set *
set_of(struct range_epochs *x, int64_t device)
{
	struct range_set *s = x->sets;

	while (s != NULL && s->device != device)
		s = s->next;
	if (s == NULL) {
		s = range_set_new(device);
		s->next = x->sets;
		x->sets = s;
	}
	return s;
}

void
range_epochs_add(struct range_epochs *x, struct range_epoch *e,
    int64_t call_end, const struct device_operation *op, bool launch)
{
	struct range_set *s = set_of(x, op->device);

	while (s->at == NULL || s->at->number < e->number)
		go_on(x, s);
	while (s->at->number > e->number)
		go_back(s);
	if (call_end > e->within)
		range_set_add_in_call(s, op, launch, call_end);
	else
		range_set_add(s, op, launch);
}

void
range_epochs_settle(struct range_epochs *x)
{
	for (struct range_set *s = x->sets; s != NULL; s = s->next)
		range_set_clear(s);
}

/* ---- epochs ---- */

/* an epoch that is over and has no users */
static void
drop(struct range_epochs *x, struct range_epoch *e)
{
	struct range_epoch *newer = e->newer;

	for (struct range_set *s = x->sets; s != NULL; s = s->next)
		if (s->at == e)
			go_on(x, s);
	newer->before = join(x, e->before, newer->before);
	newer->older = e->older;
	if (e->older != NULL)
		e->older->newer = newer;
	else
		x->oldest = newer;
	free(e);
}

/* a new epoch begins */
static void
turn(struct range_epochs *x, struct range_boundary *b)
{
	struct range_epoch *e = mem_alloc(sizeof(*e)), *older = x->newest;

	e->number = ++x->number;
	e->within = x->ends.next;
	e->before = mem_alloc(sizeof(*e->before));
	append(e->before, b);
	e->older = older;
	x->newest = e;
	if (older == NULL) {
		x->oldest = e;
		return;
	}
	older->newer = e;
	if (older->users == 0)
		drop(x, older);
}

void
range_epochs_start(struct range_epochs *x, struct range *r)
{
	r->start.range = r->stop.range = r;
	r->stop.list = NULL;
	expiry_add(&x->ends, r->end, r);
	turn(x, &r->start);
	r->epoch = x->number;
}

void
range_epochs_end(struct range_epochs *x, struct range *r)
{
	expiry_take(&x->ends); /* it is the first to end */
	turn(x, &r->stop);
}

struct range_epoch *
range_epochs_enter(struct range_epochs *x)
{
	x->newest->users++;
	return x->newest;
}

void
range_epochs_leave(struct range_epochs *x, struct range_epoch *e)
{
	if (--e->users == 0 && e != x->newest)
		drop(x, e);
}

static int
inner_last(const void *pa, const void *pb)
{
	const struct range *a = *(struct range *const *)pa;
	const struct range *b = *(struct range *const *)pb;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->epoch < b->epoch ? -1 : 1;
}

struct range *
range_epochs_complete(struct range_epochs *x)
{
	if (x->met_count == 0)
		return NULL;
	if (x->met_count > 1 && !x->sorted)
		qsort(x->met, x->met_count, sizeof(*x->met), inner_last);
	x->sorted = --x->met_count > 0;
	return x->met[x->met_count];
}

void
range_epochs_free(struct range_epochs *x)
{
	struct range_epoch *e;
	struct range_set *s;

	while ((s = x->sets) != NULL) {
		x->sets = s->next;
		range_set_free(s);
	}
	while ((e = x->oldest) != NULL) {
		x->oldest = e->newer;
		free(e->before);
		free(e);
	}
	expiry_free(&x->ends);
	free(x->met);
	*x = (struct range_epochs){.ends = EXPIRY_EMPTY};
}
