/* key_choice.c - the keys that events are written with */

#include <string.h>

#include "key_choice.h"
#include "tq/io/opts.h"

/* keys that say nothing without another */
static const struct {
	enum key key, with;
} companions[] = {{KEY_tid, KEY_pid}, {KEY_raw, KEY_name}, {KEY_open, KEY_dur},
    /* an interval that never ended has this one instead */
    {KEY_dur, KEY_open}};

void
key_choice_take(struct key_choice *c, const char *list)
{
	*c = (struct key_choice){.given = true};
	keyset_add(&c->keys, KEY_kind);
	keyset_add(&c->keys, KEY_ts);
	for (;;) {
		size_t n = strcspn(list, ",");
		enum key k = schema_key(list, n);

		if (k == KEY_NONE)
			opts_no_key(list, n);
		keyset_add(&c->keys, k);
		if (list[n] == '\0')
			break;
		list += n + 1;
	}
	for (size_t i = 0; i < sizeof(companions) / sizeof(*companions); i++)
		if (keyset_has(&c->keys, companions[i].key))
			keyset_add(&c->keys, companions[i].with);
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
	if (key_choice_all(c, kind))
		return (struct keyset){{UINT64_MAX, UINT64_MAX}};
	return c->keys;
}
