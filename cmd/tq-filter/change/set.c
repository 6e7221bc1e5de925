/* set.c - keys get the values of expressions */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/io/status.h"

#include "set.h"

/* ---- the command line ---- */

static _Noreturn void
refuse(const char *text, size_t at, const char *message)
{
	expr_complain_at(span_of(text), at, message);
	exit(TQ_USAGE);
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* true if a key of one type can get a value of the other */
static bool
is_same_type(enum type key, enum type value)
{
	return key == value || (key == TYPE_NUM && value == TYPE_INT) ||
	       value == TYPE_OBJ;
}

void
set_add(struct set *s, const char *text)
{
	struct setting *added = array_add(&s->settings, &s->count, &s->cap);
	struct expr_error error;
	size_t n = 0;

	while (is_name_char(text[n]))
		n++;
	if (n == 0 || text[n] != '=')
		refuse(text, n, "expected KEY=EXPRESSION");
	added->name = (struct span){text, n};
	added->key = schema_key(text, n);
	if (added->key == KEY_kind || added->key == KEY_ts)
		refuse(text, 0, "kind and ts cannot be set");
	added->value = expr_value(span_of(text + n + 1), &error);
	if (added->value == NULL) {
		error.at += n + 1;
		expr_complain(span_of(text), &error);
		exit(TQ_USAGE);
	}
	if (added->key != KEY_NONE &&
	    !is_same_type(
		schema_keys[added->key].type, expr_type(added->value)))
		refuse(text, n + 1, "a value of another type than the key");
}

/* ---- records ---- */

/* true if a value, whose type no expression shows, has the type of its key */
static bool
has_type(enum type type, struct span json)
{
	bool digit = *json.p == '-' || (*json.p >= '0' && *json.p <= '9');

	switch (type) {
	case TYPE_INT:
		return digit && memchr(json.p, '.', json.len) == NULL &&
		       memchr(json.p, 'e', json.len) == NULL &&
		       memchr(json.p, 'E', json.len) == NULL;
	case TYPE_NUM:
		return digit;
	case TYPE_STR:
		return *json.p == '"';
	case TYPE_BOOL:
		return *json.p == 't' || *json.p == 'f';
	case TYPE_INTS:
	case TYPE_STRS:
		return *json.p == '[';
	case TYPE_OBJ:
		break;
	}
	return *json.p == '{';
}

/*
 * The values stand one behind the other in a text that may move: the edit
 * gets their offsets first, and then their places.
 */
void
set_known(struct set *s, const struct event *ev,
    const struct expr_symbols *symbols, struct edit *edit, const char **error)
{
	size_t ends[KEY_COUNT];
	bool any = false;

	s->values.len = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct setting *x = &s->settings[i];
		size_t at = s->values.len;

		if (x->key == KEY_NONE)
			continue;
		if (!expr_evaluate(x->value, ev, symbols, &s->values, error) ||
		    !has_type(schema_keys[x->key].type,
			(struct span){s->values.p + at, s->values.len - at})) {
			s->values.len = at;
			continue;
		}
		edit_set(edit, x->key, (struct span){NULL, at});
		ends[x->key] = s->values.len;
		any = true;
	}
	for (enum key k = 0; any && k < KEY_COUNT; k++) {
		struct span *value = &edit->value[k];
		size_t at = value->len;

		if (keyset_has(&edit->set, k) && value->p == NULL)
			*value = (struct span){s->values.p + at, ends[k] - at};
	}
}

void
set_unknown(struct set *s, const struct event *ev,
    const struct expr_symbols *symbols, struct text *line, const char **error)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct setting *x = &s->settings[i];

		if (x->key != KEY_NONE)
			continue;
		s->values.len = 0;
		if (expr_evaluate(x->value, ev, symbols, &s->values, error))
			edit_name(line, x->name, text_span(&s->values));
	}
}

void
set_free(struct set *s)
{
	for (size_t i = 0; i < s->count; i++)
		expr_free(s->settings[i].value);
	free(s->settings);
	text_free(&s->values);
}
