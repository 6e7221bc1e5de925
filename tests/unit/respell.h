/*
 * respell.h - other spellings of a line, and whether two events are the
 * same: what unit/event.c and fuzz/event.c hold against each other.
 */
#ifndef RESPELL_H
#define RESPELL_H

#include <math.h>
#include <stdlib.h>

#include "tq/line/event.h"
#include "tq/line/json.h"
#include "tq/base/mem.h"

enum {
	RESPELL_SPACES = 1,   /* white space wherever it may stand */
	RESPELL_REVERSED = 2, /* the members from the last to the first */
	RESPELL_ESCAPES = 4,  /* ASCII in keys and strings as \u00xx */
	RESPELL_NUMBERS = 8,  /* 5 as 5.0 */
	RESPELL_STYLES = 16
};

struct respell_member {
	struct text key;
	struct span value;
};

static inline void
respell_space(struct text *t, unsigned style)
{
	if (style & RESPELL_SPACES)
		text_add_str(t, " \t");
}

static inline void
respell_bytes(struct text *t, struct span s, unsigned style)
{
	text_add_char(t, '"');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 || c == '"' || c == '\\' ||
		    (c < 0x80 && (style & RESPELL_ESCAPES) != 0))
			text_printf(t, "\\u%04X", c);
		else
			text_add_char(t, s.p[i]);
	}
	text_add_char(t, '"');
}

/* a value of a key that the schema has, and that is not args */
static inline void
respell_value(struct text *t, struct span v, unsigned style)
{
	struct text bytes = {0};
	struct span element;
	struct json j;
	int64_t i;

	if (*v.p == '"') {
		json_decode(&bytes, v);
		respell_bytes(t, text_span(&bytes), style);
		text_free(&bytes);
	} else if (*v.p == '[') {
		json_open_array(&j, v);
		for (char c = '['; json_next_element(&j, &element); c = ',') {
			text_add_char(t, c);
			respell_space(t, style);
			respell_value(t, element, style);
			respell_space(t, style);
		}
		text_add_str(t, t->p[t->len - 1] == ':' ? "[]" : "]");
	} else {
		text_add_span(t, v);
		if ((style & RESPELL_NUMBERS) && v.len <= 18 &&
		    json_int(v, &i) && memchr(v.p, '.', v.len) == NULL &&
		    memchr(v.p, 'e', v.len) == NULL &&
		    memchr(v.p, 'E', v.len) == NULL)
			text_add_str(t, ".0");
	}
}

static inline void
respell_member(struct text *t, const struct respell_member *m, unsigned style)
{
	enum key k = schema_key(m->key.p, m->key.len);

	respell_space(t, style);
	respell_bytes(t, text_span(&m->key), style);
	respell_space(t, style);
	text_add_char(t, ':');
	if (k == KEY_NONE || k == KEY_args)
		text_add_span(t, m->value);
	else
		respell_value(t, m->value, style);
	respell_space(t, style);
}

/*
 * Append another spelling of line, which is an object.  Returns false where
 * a key stands in it twice: then the order of the members has a meaning.
 */
static inline bool
respell(struct text *t, struct span line, unsigned style)
{
	struct respell_member *members = NULL;
	struct text key = {0};
	struct span value;
	struct json j;
	size_t n = 0;
	bool once = true;

	json_open(&j, line);
	while (json_next(&j, &key, &value)) {
		for (size_t i = 0; i < n; i++)
			if (span_eq(
				text_span(&members[i].key), text_span(&key)))
				once = false;
		members = mem_resize(members, n + 1, sizeof(*members));
		members[n++] = (struct respell_member){key, value};
		key = (struct text){0};
	}
	respell_space(t, style);
	text_add_char(t, '{');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			text_add_char(t, ',');
		respell_member(t,
		    &members[style & RESPELL_REVERSED ? n - 1 - i : i], style);
	}
	text_add_char(t, '}');
	respell_space(t, style);
	for (size_t i = 0; i < n; i++)
		text_free(&members[i].key);
	text_free(&key);
	free(members);
	return once;
}

/* ---- are two events the same? ---- */

static inline bool
same_double(struct span a, struct span b)
{
	char *s = mem_copy(a.p, a.len), *t = mem_copy(b.p, b.len);
	double v = strtod(s, NULL), w = strtod(t, NULL);

	free(s);
	free(t);
	return v == w && signbit(v) == signbit(w);
}

static inline bool
same_value(const struct event *a, const struct event *b, enum key k)
{
	if (schema_keys[k].type == TYPE_NUM)
		return same_double(a->value[k], b->value[k]);
	return span_eq(a->value[k], b->value[k]);
}

static inline bool
same_unknown(const struct event *a, const struct event *b)
{
	for (size_t i = 0, j; i < a->unknown_count; i++) {
		for (j = 0; j < b->unknown_count; j++)
			if (span_eq(a->unknown[i].key, b->unknown[j].key) &&
			    span_eq(a->unknown[i].value, b->unknown[j].value))
				break;
		if (j == b->unknown_count)
			return false;
	}
	return a->unknown_count == b->unknown_count;
}

/*
 * NULL, or what a and b differ in.  want, when not NULL: look at these keys
 * only.
 */
static inline const char *
event_difference(
    const struct event *a, const struct event *b, const struct keyset *want)
{
	if (a->kind != b->kind || !span_eq(a->kind_name, b->kind_name))
		return "kind";
	for (enum key k = 0; k < KEY_COUNT; k++) {
		if (want != NULL && !keyset_has(want, k))
			continue;
		if (event_has(a, k) != event_has(b, k))
			return schema_keys[k].name;
		if (event_has(a, k) && !same_value(a, b, k))
			return schema_keys[k].name;
	}
	return want != NULL || same_unknown(a, b) ? NULL : "unknown keys";
}

#endif
