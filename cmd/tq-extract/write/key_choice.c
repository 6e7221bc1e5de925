/* key_choice.c - the keys that events are written with */

#include <string.h>

#include "key_choice.h"
#include "tq/io/opts.h"

/* keys without a meaning unless another is there */
static const struct {
	enum key key, with;
} companions[] = {{KEY_tid, KEY_pid}, {KEY_raw, KEY_name}, {KEY_open, KEY_dur},
    /* an interval that never ended has this one instead */
    {KEY_dur, KEY_open}};

/* the kind of KIND.KEY, of which *word becomes KEY; KIND_COUNT: any kind */
static enum kind
take_kind(struct span *word)
{
	const char *dot = memchr(word->p, '.', word->len);
	struct span name = {word->p, dot != NULL ? (size_t)(dot - word->p) : 0};
	enum kind k;

	if (dot == NULL)
		return KIND_COUNT;
	if ((k = schema_kind(name.p, name.len)) == KIND_UNKNOWN)
		opts_no_kind(name);
	word->p += name.len + 1;
	word->len -= name.len + 1;
	return k;
}

static void
add_word(struct key_choice *c, struct span word)
{
	enum kind of = take_kind(&word);
	enum key key = schema_key(word.p, word.len);

	if (key == KEY_NONE)
		opts_no_key(word.p, word.len);
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		if (of == KIND_COUNT || of == k)
			keyset_add(&c->keys[k], key);
}

static void
add_companions(struct keyset *keys)
{
	keyset_add(keys, KEY_kind);
	keyset_add(keys, KEY_ts);
	for (size_t i = 0; i < sizeof(companions) / sizeof(*companions); i++)
		if (keyset_has(keys, companions[i].key))
			keyset_add(keys, companions[i].with);
}

void
key_choice_take(struct key_choice *c, const char *list)
{
	*c = (struct key_choice){
	    .given = true, .listed = true, .launches = c->launches};
	for (;;) {
		size_t n = strcspn(list, ",");

		add_word(c, (struct span){list, n});
		if (list[n] == '\0')
			break;
		list += n + 1;
	}
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		add_companions(&c->keys[k]);
}

void
key_choice_drop(struct key_choice *c, enum key key)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		if (!c->given)
			c->keys[k] = keyset_all();
		keyset_remove(&c->keys[k], key);
	}
	c->given = true;
}

bool
key_choice_all(const struct key_choice *c, enum kind kind)
{
	enum role role = schema_role(kind);

	return !c->given || role == ROLE_FRAME || role == ROLE_DEF ||
	       kind == KIND_lost;
}

struct keyset
key_choice_of(const struct key_choice *c, enum kind kind)
{
	struct keyset keys = c->keys[kind];

	if (key_choice_all(c, kind))
		return keyset_all();
	if (c->launches && kind == KIND_api)
		keyset_add(&keys, KEY_gpu);
	return keys;
}
