/* between_launches.c - time in records of a rule, from launch to launch */

#include "tq/base/time.h"

#include "tq/advice/between_launches.h"

void
between_launches_add(struct between_launches *b, uint32_t thread, size_t rule,
    int64_t ts, int64_t end)
{
	struct launch_line *l;
	bool fresh;

	l = keyed_get(&b->lines, thread, rule, &fresh);
	if (fresh)
		*l = (struct launch_line){
		    .since = INT64_MIN, .until = INT64_MIN};
	if (ts < l->until)
		ts = l->until;
	if (ts < l->since)
		ts = l->since;
	l->ns = time_end(l->ns, time_between(ts, end));
	if (l->until < end)
		l->until = end;
}

/* Begin anew at a time; a record may go on behind it. */
static void
begin(struct launch_line *l, int64_t since)
{
	l->since = since;
	l->ns = time_between(since, l->until);
}

/* Programs may have many threads, and few that launch often. */
static void
grow(struct launch_line *l)
{
	l->cap = l->cap == 0 ? LAUNCHES_FIRST : l->cap * 2;
	l->all = mem_resize(l->all, l->cap, sizeof(*l->all));
}

void
between_launches_launch(struct between_launches *b, uint32_t thread,
    uint64_t rules, int64_t ts, int64_t end)
{
	for (; rules != 0; rules &= rules - 1) {
		struct launch_line *l = keyed_find(
		    &b->lines, thread, (uint64_t)__builtin_ctzll(rules));
		struct launch_after *x;

		if (l == NULL)
			continue;
		if (l->next == l->cap && l->cap < LAUNCHES_HELD)
			grow(l);
		x = &l->all[l->next++ % l->cap];
		*x = (struct launch_after){ts, l->ns};
		if (ts < l->until)
			x->ns = time_between(time_between(ts, l->until), l->ns);
		begin(l, end);
	}
}

void
between_launches_wait(
    struct between_launches *b, uint32_t thread, uint64_t rules, int64_t end)
{
	for (; rules != 0; rules &= rules - 1) {
		struct launch_line *l = keyed_find(
		    &b->lines, thread, (uint64_t)__builtin_ctzll(rules));

		if (l != NULL)
			begin(l, end);
	}
}

int64_t *
between_launches_find(const struct between_launches *b, uint32_t thread,
    size_t rule, int64_t launch)
{
	const struct launch_line *l = keyed_find(&b->lines, thread, rule);

	for (size_t i = l != NULL ? l->next : 0, n = 0; i-- > 0 && n < l->cap;
	     n++) {
		struct launch_after *x = &l->all[i % l->cap];

		if (x->ts <= launch)
			return x->ts == launch ? &x->ns : NULL;
	}
	return NULL;
}

static void
free_lines(struct between_launches *b)
{
	for (size_t i = 0; i < b->lines.count; i++)
		free(b->lines.all[i].all);
}

void
between_launches_reset(struct between_launches *b)
{
	free_lines(b);
	keyed_clear(&b->lines);
}

void
between_launches_free(struct between_launches *b)
{
	free_lines(b);
	keyed_free(&b->lines);
}
