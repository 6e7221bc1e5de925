/* group.c - the durations of anything, by any keys */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "groups.h"
#include "report.h"

enum { MANY = 16 }; /* keys to group by, at most */

struct group_report {
	struct groups groups;
	const char *labels[MANY + 1];
	struct text key, scratch;
};

/* as a part of the key: what a string says, a number or an array as it is */
static void
add_part(struct group_report *g, const struct event *ev, enum key key)
{
	struct span value = {"", 0};

	g->scratch.len = 0;
	if (event_has(ev, key))
		value = schema_keys[key].type == TYPE_STR
			    ? event_str(ev, key, &g->scratch)
			    : ev->value[key];
	groups_part(&g->key, value);
}

static void
event(struct report *r, const struct event *ev)
{
	struct group_report *g = r->state;

	if (!event_has(ev, KEY_dur))
		return;
	g->key.len = 0;
	for (const enum key *k = r->ask->group; *k != KEY_NONE; k++)
		add_part(g, ev, *k);
	groups_interval(groups_get(&g->groups, text_span(&g->key)),
	    event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

static void
table(struct report *r, struct table *t)
{
	struct group_report *g = r->state;
	size_t n = 0;

	for (const enum key *k = r->ask->group; *k != KEY_NONE; k++)
		g->labels[n++] = schema_keys[*k].name;
	groups_table(&g->groups, t, "Count", g->labels, r);
}

static struct groups *
groups_of(const struct report *r)
{
	return &((struct group_report *)r->state)->groups;
}

static void
close_report(struct report *r)
{
	struct group_report *g = r->state;

	groups_free(&g->groups);
	text_free(&g->key);
	text_free(&g->scratch);
}

const char *
group_parse(const char *list, enum key **keys, size_t *len)
{
	size_t count = 0;

	for (;;) {
		size_t n = strcspn(list, ",");
		enum key key = schema_key(list, n);

		*len = n;
		if (key == KEY_NONE || schema_keys[key].type == TYPE_OBJ ||
		    count == MANY)
			return list;
		*keys = mem_resize(*keys, count + 2, sizeof(**keys));
		(*keys)[count++] = key;
		(*keys)[count] = KEY_NONE;
		if (list[n] == '\0')
			return NULL;
		list += n + 1;
	}
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_NONE};

const struct report_kind report_group[] = {
    {.name = "group",
	.title = "Durations by Keys",
	.missing = "nothing with a duration in the stream",
	.kinds = REPORT_EVENTS,
	.keys = keys,
	.grouped = true,
	.size = sizeof(struct group_report),
	.event = event,
	.table = table,
	.close = close_report,
	.groups = groups_of},
    {0},
};
