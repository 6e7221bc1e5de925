/* clip.c - ranges are shortened to the time of the records that are left */

#include <stdlib.h>

#include "tq/base/array.h"

#include "clip.h"

static struct span
put_digits(char *p, int64_t v)
{
	return (struct span){p, (size_t)(text_digits_int(p, v) - p)};
}

int64_t
clip_range(struct clip *c, const struct event *ev, const struct section *s,
    struct edit *edit)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	bool ends = event_has(ev, KEY_dur), late = ts < s->from;
	int64_t from = late ? s->from : ts;
	int64_t to = end > s->to && s->to >= from ? s->to : end;

	if ((!late && to == end) || end < from)
		return -1; /* nothing to shorten, or nothing left */
	edit_set(edit, KEY_range_ts, put_digits(c->digits[0], ts));
	edit_set(edit, KEY_ts, put_digits(c->digits[1], from));
	if (ends) {
		edit_set(edit, KEY_range_dur, ev->value[KEY_dur]);
		edit_set(edit, KEY_dur, put_digits(c->digits[2], to - from));
	}
	if (!late)
		return -1;
	return ends ? to - from : INT64_MAX;
}

void
clip_wait(struct clip *c, struct span line, int64_t dur)
{
	struct clip_line added = {dur, c->lines.len, line.len, c->count};

	*array_add(&c->waiting, &c->count, &c->cap) = added;
	text_add_span(&c->lines, line);
	memset(text_reserve(&c->lines, EVENT_PADDING), 0, EVENT_PADDING);
}

static int
longer_first(const void *pa, const void *pb)
{
	const struct clip_line *a = pa, *b = pb;

	if (a->dur != b->dur)
		return a->dur > b->dur ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

void
clip_sort(struct clip *c)
{
	if (c->count > 0)
		qsort(c->waiting, c->count, sizeof(*c->waiting), longer_first);
}

void
clip_free(struct clip *c)
{
	free(c->waiting);
	text_free(&c->lines);
}
