/* group.c - the durations of any records, by any keys */

#include "tq/base/intern.h"
#include "tq/base/map.h"
#include "tq/base/mem.h"
#include "tq/names/fold_name.h"

#include "ranges/range.h"
#include "sums.h"

enum { MANY = 16 }; /* keys to group by, at most */

/* how a key of a record becomes a part of a group */
enum spelling { SPELL_VALUE, SPELL_NAME, SPELL_FOLDED };

static const char *const suffixes[] = {"", ":name", ":folded"};

/* the names of ranges in a section, where a key is the id of one */
struct group_ranges {
	struct map ids; /* number of the name + 1 */
	struct intern names;
};

static enum spelling
spelling_of(const struct report_settings *settings, size_t i)
{
	return settings->folded >> i & 1  ? SPELL_FOLDED
	       : settings->named >> i & 1 ? SPELL_NAME
					  : SPELL_VALUE;
}

static void
define_range(struct report *r, const struct event *ev)
{
	struct group_ranges *ranges = r->state;
	int64_t id = event_int(ev, KEY_id, NO_ID);

	if (id != NO_ID && range_name(&r->scratch, r->settings, ev))
		*map_get(&ranges->ids, (uint64_t)id, 0) =
		    (uint64_t)intern_get(
			&ranges->names, text_span(&r->scratch)) +
		    1;
}

/* The id where the range is not in the stream. */
static struct span
range_of(struct report *r, const struct event *ev)
{
	struct group_ranges *ranges = r->state;
	int64_t id = event_int(ev, KEY_range, NO_ID);
	const uint64_t *name = map_find(&ranges->ids, (uint64_t)id, 0);

	return name != NULL ? intern_text(&ranges->names, (uint32_t)(*name - 1))
			    : ev->value[KEY_range];
}

/* as a part of the key: a string decoded, a number or an array as it is */
static void
add_part(struct report *r, const struct event *ev, size_t i)
{
	enum key key = r->settings->group[i];
	struct span value = {"", 0};

	r->scratch.len = 0;
	if (!event_has(ev, key))
		;
	else if (key == KEY_range && spelling_of(r->settings, i) != SPELL_VALUE)
		value = range_of(r, ev);
	else
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

	if (ev->kind == KIND_range && r->settings->named != 0)
		define_range(r, ev);
	if (!event_has(ev, KEY_dur))
		return;
	r->key.len = 0;
	for (size_t i = 0; keys[i] != KEY_NONE; i++) {
		add_part(r, ev, i);
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
	r->state = region_get(&r->life, sizeof(struct group_ranges));
	*(struct group_ranges *)r->state = (struct group_ranges){0};
}

/* an id is of a range of its section */
static void
group_section_end(struct report *r)
{
	map_clear(&((struct group_ranges *)r->state)->ids);
}

static void
group_close(struct report *r)
{
	struct group_ranges *ranges = r->state;

	map_free(&ranges->ids);
	intern_free(&ranges->names);
}

void
group_keys(
    struct keyset *want, enum kind k, const struct report_settings *settings)
{
	keyset_add_all(want, settings->group);
	if (settings->named != 0 && k == KIND_range)
		keyset_add_all(want, KEYS(KEY_id, KEY_name, KEY_domain));
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

static bool
may_have(enum key key, enum spelling spelling)
{
	return spelling == SPELL_VALUE || key == KEY_range ||
	       (spelling == SPELL_FOLDED && schema_keys[key].type == TYPE_STR);
}

/* The key that is spelt so; KEY_NONE if there is none. */
static enum key
parse_key(struct span text, enum spelling *spelling)
{
	enum key key;

	*spelling = SPELL_FOLDED;
	while (*spelling > SPELL_VALUE &&
	       !span_ends(text, span_of(suffixes[*spelling])))
		--*spelling;
	text.len -= strlen(suffixes[*spelling]);
	key = schema_key(text.p, text.len);
	return key != KEY_NONE && schema_keys[key].type != TYPE_OBJ &&
		       may_have(key, *spelling)
		   ? key
		   : KEY_NONE;
}

/* True of keys whose texts are names, which number what a program does. */
static bool
is_of_names(enum key key)
{
	return key == KEY_range || key == KEY_name || key == KEY_api_name;
}

void
group_spell(struct text *t, const struct report_settings *settings, bool folded)
{
	const enum key *keys = settings->group;

	for (size_t i = 0; keys != NULL && keys[i] != KEY_NONE; i++)
		text_printf(t, "%s%s%s", i > 0 ? "," : "",
		    schema_keys[keys[i]].name,
		    suffixes[folded && is_of_names(keys[i])
				 ? SPELL_FOLDED
				 : spelling_of(settings, i)]);
}

bool
group_may_fold(const struct report_settings *settings)
{
	bool may = false;

	for (const enum key *k = settings->group; *k != KEY_NONE; k++)
		may |= is_of_names(*k);
	return may && settings->folded == 0;
}

const char *
group_parse(const char *list, struct report_settings *settings, size_t *len)
{
	enum key **keys = &settings->group;
	size_t count = 0;

	settings->folded = settings->named = 0;
	for (;;) {
		size_t n = strcspn(list, ",");
		enum spelling spelling;
		enum key key = parse_key((struct span){list, n}, &spelling);

		*len = n;
		if (key == KEY_NONE || count == MANY)
			return list;
		settings->folded |= (unsigned)(spelling == SPELL_FOLDED)
				    << count;
		settings->named |=
		    (unsigned)(key == KEY_range && spelling != SPELL_VALUE)
		    << count;
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
	.question = ASKS_KEYS,
	.title = "Durations by Keys",
	.missing = "nothing with a duration in the stream",
	.kinds = REPORT_EVENTS,
	.keys = KEYS(KEY_ts, KEY_dur),
	.grouped = true,
	.sum = SUM(KEY_dur, "Count"),
	.open = group_open,
	.event = group_event,
	.section_end = group_section_end,
	.table = group_table,
	.close = group_close},
    {0},
};
