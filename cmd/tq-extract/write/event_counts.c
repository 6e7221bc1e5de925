/* event_counts.c - the number of events of a recording by type and fate */

#include <inttypes.h>
#include <stdlib.h>

#include "event_counts.h"
#include "tq/base/array.h"
#include "tq/show/col.h"

void
event_counts_recall(struct event_counts *c, struct span type)
{
	uint32_t n = intern_get(&c->types, type);

	if (n == c->count)
		*array_add(&c->all, &c->count, &c->cap) =
		    (struct event_count){0};
	c->now = &c->all[n];
}

void
event_counts_begin(struct event_counts *c, struct span type)
{
	event_counts_recall(c, type);
	c->now->events++;
}

void
event_counts_lose(struct event_counts *c, enum event_loss why)
{
	c->now->lost++;
	c->losses.of[why]++;
}

void
event_counts_lose_more(struct event_counts *c, enum event_loss why, int64_t n)
{
	c->now->events += n;
	c->now->lost += n;
	c->losses.of[why] += n;
}

void
event_counts_columns(struct table *t, const struct event_count *n)
{
	col_int(t, "events", UNIT_NONE, n->events);
	col_int(t, "records", UNIT_NONE, n->records);
	col_int(t, "paired", UNIT_NONE, n->paired);
	col_int(t, "folded", UNIT_NONE, n->folded);
	col_int(t, "lost", UNIT_NONE, n->lost);
}

static void
count_row(struct table *t, const struct event_count *n, struct span type)
{
	col_text(t, "type", type);
	event_counts_columns(t, n);
	col_int(t, "not read", UNIT_NONE, n->unread);
}

void
event_counts_check(const struct event_counts *c, struct check_sheet *s)
{
	struct table t = {0};

	col_heading(&t, count_row, &(struct event_count){0}, SPAN(""));
	for (size_t i = 0; i < c->count; i++)
		count_row(&t, &c->all[i], intern_text(&c->types, (uint32_t)i));
	check_sheet_table(s, "tables", &t);
	event_losses_check(&c->losses, s);
}

void
event_counts_free(struct event_counts *c)
{
	intern_free(&c->types);
	free(c->all);
}
