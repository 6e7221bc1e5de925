/* open_ranges.c - ranges that have begun and not ended */

#include <stdlib.h>

#include "open_ranges.h"
#include "tq/base/array.h"

enum { CROSSED_MAX = 256 };

struct open_range *
open_ranges_begin(struct open_ranges *r, uint64_t a, uint64_t b)
{
	uint64_t *innermost = map_get(&r->innermost, a, b);
	uint64_t place = r->unused;
	struct open_range *o;

	if (place == 0) {
		*array_add(&r->all, &r->count, &r->cap) =
		    (struct open_range){.outer = 0};
		place = r->count;
	} else {
		r->unused = r->all[place - 1].outer;
	}
	o = &r->all[place - 1];
	o->name.len = o->text.len = 0;
	o->outer = *innermost;
	*innermost = place;
	return o;
}

/* the link to the range that an end of this name ends */
static uint64_t *
find_begin(struct open_ranges *r, uint64_t *innermost, struct span name)
{
	uint64_t *link = innermost;

	if (name.len == 0)
		return innermost;
	for (int n = 0; *link != 0 && n < CROSSED_MAX; n++) {
		struct open_range *o = &r->all[*link - 1];

		if (span_eq(text_span(&o->name), name))
			return link;
		link = &o->outer;
	}
	return innermost;
}

const struct open_range *
open_ranges_end(struct open_ranges *r, uint64_t a, uint64_t b, struct span name)
{
	uint64_t *innermost = map_find(&r->innermost, a, b), *link, place;
	struct open_range *o;

	if (innermost == NULL)
		return NULL;
	link = find_begin(r, innermost, name);
	place = *link;
	o = &r->all[place - 1];
	*link = o->outer;
	if (*innermost == 0)
		map_remove(&r->innermost, a, b);
	o->outer = r->unused;
	r->unused = place;
	return o;
}

void
open_ranges_rest(const struct open_ranges *r,
    void (*put)(void *arg, const struct open_range *), void *arg)
{
	const struct map *m = &r->innermost;

	for (size_t i = 0; i < m->size; i++)
		for (uint64_t place = m->used[i] ? m->slots[i].value : 0;
		     place != 0; place = r->all[place - 1].outer)
			put(arg, &r->all[place - 1]);
}

void
open_ranges_free(struct open_ranges *r)
{
	for (size_t i = 0; i < r->count; i++) {
		text_free(&r->all[i].name);
		text_free(&r->all[i].text);
	}
	free(r->all);
	map_free(&r->innermost);
}
