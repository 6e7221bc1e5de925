/* range_lines.c - in which range a thread was at each time */

#include "tq/base/lower_bound.h"

#include "tq/advice/range_lines.h"

static void
add_change(struct range_line *t, int64_t at, struct range_name name)
{
	if (t->count > 0 && t->changes[t->count - 1].at >= at)
		t->changes[t->count - 1].name = name;
	else
		*array_add(&t->changes, &t->count, &t->cap) =
		    (struct range_change){at, name};
}

/* The ranges that are over at a time end. */
static void
close_ranges(struct range_line *t, int64_t now)
{
	while (t->open_count > 0 && t->open[t->open_count - 1].end <= now) {
		int64_t end = t->open[--t->open_count].end;

		add_change(t, end,
		    t->open_count > 0 ? t->open[t->open_count - 1].name
				      : (struct range_name){0});
	}
}

static void
keep_name(const struct range_line *t, struct text *names, struct range_name *n)
{
	size_t at = names->len;

	text_add(names, t->names.p + n->at, n->len);
	n->at = at;
}

/* Drop the changes before the last one that is not after oldest, and of too
   many half. */
static void
drop(struct range_line *t, int64_t oldest)
{
	struct text names = {0};
	size_t n;

	LOWER_BOUND(n, 0, t->count, t->changes[n].at <= oldest);
	n -= n > 0;
	if (t->count - n >= RANGE_CHANGES)
		n += RANGE_CHANGES / 2;
	t->count -= n;
	memmove(t->changes, t->changes + n, t->count * sizeof(*t->changes));
	for (size_t i = 0; i < t->count; i++)
		keep_name(t, &names, &t->changes[i].name);
	for (size_t i = 0; i < t->open_count; i++)
		keep_name(t, &names, &t->open[i].name);
	text_free(&t->names);
	t->names = names;
}

bool
range_lines_are_full(const struct range_lines *l, uint32_t thread)
{
	const struct range_line *t = numbered_find(&l->threads, thread);

	return t != NULL && t->count > 0 && t->count + 2 >= t->cap;
}

void
range_lines_add(struct range_lines *l, uint32_t thread, int64_t ts, int64_t end,
    struct span name, int64_t oldest)
{
	struct range_name n;
	bool fresh;
	struct range_line *t = numbered_get(&l->threads, thread, &fresh);

	if (fresh)
		*t = (struct range_line){0};
	if (t->count > 0 && t->count + 2 >= t->cap)
		drop(t, oldest);
	n = (struct range_name){t->names.len, name.len};
	text_add_span(&t->names, name);
	close_ranges(t, ts);
	add_change(t, ts, n);
	*array_add(&t->open, &t->open_count, &t->open_cap) =
	    (struct range_open){end, n};
}

struct span
range_lines_find(
    struct range_lines *l, uint32_t thread, int64_t from, int64_t *to)
{
	struct range_line *t = numbered_find(&l->threads, thread);
	size_t i;

	if (t == NULL)
		return SPAN("");
	close_ranges(t, *to);
	LOWER_BOUND(i, 0, t->count, t->changes[i].at <= from);
	if (i < t->count && t->changes[i].at < *to)
		*to = t->changes[i].at;
	if (i == 0)
		return SPAN("");
	return (struct span){
	    t->names.p + t->changes[i - 1].name.at, t->changes[i - 1].name.len};
}

static void
free_threads(struct range_lines *l)
{
	for (size_t i = 0; i < l->threads.count; i++) {
		free(l->threads.all[i].changes);
		free(l->threads.all[i].open);
		text_free(&l->threads.all[i].names);
	}
}

void
range_lines_reset(struct range_lines *l)
{
	free_threads(l);
	numbered_clear(&l->threads);
}

void
range_lines_free(struct range_lines *l)
{
	free_threads(l);
	numbered_free(&l->threads);
}
