/* owners.c - processes that own GPUs */

#include <stdlib.h>

#include "owners.h"
#include "tq/base/array.h"

void
owners_add(struct owners *o, int64_t process)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i].process == process)
			return;
	if (o->count < OWNERS_MAX)
		*array_add(&o->all, &o->count, &o->cap) =
		    (struct owner){.process = process, .order = -1};
}

static int
by_order(const void *x, const void *y)
{
	const struct owner *a = x, *b = y;

	return (a->order > b->order) - (a->order < b->order);
}

size_t
owners_spaces(struct owners *o, int64_t process)
{
	size_t spaces = 0;

	if (o->count > 0)
		qsort(o->all, o->count, sizeof(*o->all), by_order);
	for (size_t i = o->count; i-- > 0;) {
		if (i + 1 < o->count &&
		    span_cmp(text_span(&o->all[i].title),
			text_span(&o->all[i + 1].title)) > 0)
			spaces++;
		if (o->all[i].process == process)
			return spaces;
	}
	return 0;
}

void
owners_reset(struct owners *o)
{
	for (size_t i = 0; i < o->count; i++)
		text_free(&o->all[i].title);
	free(o->all);
	*o = (struct owners){0};
}
