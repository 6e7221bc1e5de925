/* edit.c - a record with some of its keys changed */

#include "tq/line/edit.h"
#include "tq/line/json.h"

static void
add_member(struct text *t, struct span name, struct span value)
{
	if (t->p[t->len - 1] != '{')
		text_add_char(t, ',');
	text_add_json(t, name.p, name.len);
	text_add_char(t, ':');
	text_add_span(t, value);
}

void
edit_write(const struct edit *e, struct span line, struct text *t)
{
	struct keyset left = e->set;
	struct text name = {0};
	struct json j;
	struct span value;

	text_add_char(t, '{');
	json_open(&j, line);
	while (json_next(&j, &name, &value)) {
		enum key k = schema_key(name.p, name.len);

		if (k == KEY_NONE ? e->drop_unknown
				  : keyset_has(&e->dropped, k))
			continue;
		if (k != KEY_NONE && keyset_has(&e->set, k)) {
			value = e->value[k];
			keyset_remove(&left, k);
		}
		add_member(t, text_span(&name), value);
	}
	for (enum key k = 0; k < KEY_COUNT; k++)
		if (keyset_has(&left, k))
			add_member(t,
			    (struct span){
				schema_keys[k].name, schema_keys[k].len},
			    e->value[k]);
	text_add_char(t, '}');
	text_free(&name);
}

void
edit_name(struct text *t, struct span name, struct span value)
{
	struct text old, member = {0};
	struct json j;
	struct span v;
	bool found = false;

	*text_reserve(t, 1) = '\0'; /* for the parser to see the end */
	old = *t;
	*t = (struct text){0};
	text_add_char(t, '{');
	json_open(&j, text_span(&old));
	while (json_next(&j, &member, &v)) {
		bool same = span_eq(text_span(&member), name);

		found |= same;
		add_member(t, text_span(&member), same ? value : v);
	}
	if (!found)
		add_member(t, name, value);
	text_add_char(t, '}');
	text_free(&old);
	text_free(&member);
}
