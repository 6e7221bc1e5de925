/* group.c - the durations of any records, by any keys */

#include "tq/base/mem.h"

#include "tq/names/fold_name.h"
#include "sums.h"

enum { MANY = 16 }; /* keys to group by, at most */

/* as a part of the key: a string decoded, a number or an array as it is */
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

/* the last part of the key, which is a name */
static void
fold_part(struct text *key)
{
	size_t start = key->len - 1;

	while (start > 0 && key->p[start - 1] != '\0')
		start--;
	key->len =
	    start + fold_name_always(key->p + start, key->len - 1 - start);
	text_add_char(key, '\0');
}

static void
group_event(struct report *r, const struct event *ev)
{
	const enum key *keys = r->settings->group;

	if (!event_has(ev, KEY_dur))
		return;
	r->key.len = 0;
	for (size_t i = 0; keys[i] != KEY_NONE; i++) {
		add_part(r, ev, keys[i]);
		if (r->families.parts >> i & 1)
			fold_part(&r->key);
	}
	sums_interval(r, sums_group(r), event_int(ev, KEY_ts, 0),
	    event_int(ev, KEY_dur, 0));
}

static void
group_open(struct report *r)
{
	r->families.parts = r->settings->folded;
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

/* The key that is spelt so, folded or not; KEY_NONE if there is none. */
static enum key
parse_key(struct span text, bool *folded)
{
	enum key key;

	*folded = span_eq(text, SPAN("name:folded"));
	if (*folded)
		return KEY_name;
	key = schema_key(text.p, text.len);
	return key != KEY_NONE && schema_keys[key].type != TYPE_OBJ ? key
								    : KEY_NONE;
}

const char *
group_parse(const char *list, struct report_settings *settings, size_t *len)
{
	enum key **keys = &settings->group;
	size_t count = 0;

	settings->folded = 0;
	for (;;) {
		size_t n = strcspn(list, ",");
		bool folded;
		enum key key = parse_key((struct span){list, n}, &folded);

		*len = n;
		if (key == KEY_NONE || count == MANY)
			return list;
		settings->folded |= (unsigned)folded << count;
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
	.open = group_open,
	.event = group_event,
	.table = group_table},
    {0},
};
