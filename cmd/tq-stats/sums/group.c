/* group.c - the durations of any records, by any keys */

#include "tq/base/mem.h"

#include "sums.h"

enum { MANY = 16 }; /* keys to group by, at most */

/* as a part of the key: what a string says, a number or an array as it is */
static void
add_part(struct report *r, const struct event *ev, enum key key)
{
	struct span value = {"", 0};

	r->scratch.len = 0;
	if (event_has(ev, key))
		value = schema_keys[key].type == TYPE_STR
			    ? event_str(ev, key, &r->scratch)
			    : ev->value[key];
	groups_part(&r->key, value);
}

static void
group_event(struct report *r, const struct event *ev)
{
	if (!event_has(ev, KEY_dur))
		return;
	r->key.len = 0;
	for (const enum key *k = r->settings->group; *k != KEY_NONE; k++)
		add_part(r, ev, *k);
	groups_interval(
	    sums_group(r), event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

static void
group_table(struct report *r, struct table *t)
{
	const char **labels =
	    region_get(&r->life, (MANY + 1) * sizeof(*labels));
	size_t n = 0;

	for (const enum key *k = r->settings->group; *k != KEY_NONE; k++)
		labels[n++] = schema_keys[*k].name;
	groups_table(&r->groups, t, "Count", labels, r);
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

const struct report_kind group_reports[] = {
    {.name = "group",
	.title = "Durations by Keys",
	.missing = "nothing with a duration in the stream",
	.kinds = REPORT_EVENTS,
	.keys = KEYS(KEY_ts, KEY_dur),
	.grouped = true,
	.sum = SUM(KEY_dur, "Count"),
	.event = group_event,
	.table = group_table},
    {0},
};
