/* idle_shares.c - what the time of a gap of a device went into */

#include <stdlib.h>

#include "tq/line/json.h"

#include "tq/account/idle_shares.h"

enum { SHARES_MOST = 1 << 17 /* with a thing */ };

/* ---- shares ---- */

static void
add_part(struct idle_shares *s, uint32_t text)
{
	if (text == 0)
		return;
	if (s->scratch.len > 0)
		text_add_char(&s->scratch, ' ');
	json_decode(&s->scratch, intern_text(&s->cuts.host.texts, text - 1));
}

/* True if the thing of a cause is a range, as it has none of its own. */
static bool
is_range(enum idle_cause cause)
{
	return cause == IDLE_RANGE || cause == IDLE_PYTHON_LOCK ||
	       cause == IDLE_PREEMPTED;
}

/* The number of a thing as people read it. */
static uint32_t
read_thing(struct idle_shares *s, enum idle_cause cause, struct host_thing of)
{
	if (s->things.count == 0)
		intern_get(&s->things, SPAN(""));
	s->scratch.len = 0;
	add_part(s, of.name);
	if (is_range(cause) && s->fold != NULL)
		s->fold(&s->scratch);
	add_part(s, of.file);
	return intern_get(&s->things, text_span(&s->scratch));
}

/* The index of a share. */
static size_t
find_share(struct idle_shares *s, enum gap_cause group, enum idle_cause cause,
    struct host_thing of)
{
	uint64_t kind = (uint64_t)group << 8 | cause, *slot;
	struct idle_share *share;
	uint32_t thing;
	bool fresh;

	if (s->ends.count >= SHARES_MOST &&
	    map_find(&s->ends, kind, (uint64_t)of.name << 32 | of.file) == NULL)
		of = (struct host_thing){0};
	slot = map_get(&s->ends, kind, (uint64_t)of.name << 32 | of.file);
	if (*slot == 0) {
		thing = read_thing(s, cause, of);
		share = keyed_get(&s->all, kind, thing, &fresh);
		if (fresh)
			*share = (struct idle_share){
			    .group = group, .cause = cause, .thing = thing};
		*slot = (uint64_t)(share - s->all.all) + 1;
	}
	return *slot - 1;
}

static void
add_time(struct idle_shares *s, enum gap_cause group, enum idle_cause cause,
    struct host_thing of, int64_t time)
{
	size_t i = find_share(s, group, cause, of);
	struct idle_share *share = &s->all.all[i];

	if (share->gap != s->gaps) {
		share->gap = s->gaps;
		share->time = 0;
		*array_add(&s->now, &s->now_count, &s->now_cap) = i;
	}
	share->time = time_end(share->time, time);
}

/* ---- gaps ---- */

static void
add_part_of_gap(void *shares, const struct idle_part *p)
{
	add_time(
	    shares, p->group, p->cause, p->thing, time_between(p->from, p->to));
}

void
idle_shares_divide(struct idle_shares *s, const struct lane_gap *gap)
{
	s->gaps++;
	s->now_count = 0;
	s->cuts.cut = add_part_of_gap;
	s->cuts.arg = s;
	idle_cuts_divide(&s->cuts, gap);
}

/* ---- records ---- */

void
idle_shares_operation(struct idle_shares *s, const struct event *ev)
{
	idle_cuts_operation(&s->cuts, ev, first_uses_add(&s->uses, ev));
}

void
idle_shares_reset(struct idle_shares *s)
{
	idle_cuts_reset(&s->cuts);
	first_uses_reset(&s->uses);
}

void
idle_shares_free(struct idle_shares *s)
{
	idle_cuts_free(&s->cuts);
	first_uses_free(&s->uses);
	map_free(&s->ends);
	keyed_free(&s->all);
	free(s->now);
	intern_free(&s->things);
	text_free(&s->scratch);
}
