/*
 * spell.c - JSON values spelt in one way
 *
 * A stream that went through jq -c, with or without --sort-keys, or through
 * other programs gives the same bytes.
 */

#include <stdlib.h>

#include "spell.h"
#include "tq/base/mem.h"
#include "tq/base/plain.h"
#include "tq/line/json.h"

/* bytes to escape or decode, in strings of JSON or in other bytes */
static inline plain_block
find_odd(plain_block v, bool json)
{
	plain_block found = plain_odd(v);

	if (!json)
		found |= (plain_block)(v < ' ') | (plain_block)(v == '"');
	return found;
}

/*
 * True if it is ASCII in which text_add_json escapes nothing.  In a string of
 * JSON only backslash and DEL can be escaped.
 */
static inline bool
is_plain(const char *p, size_t len, bool json)
{
	plain_block found = {0};
	size_t i = 0;

	if (len >= PLAIN_BLOCK) {
		for (; i + PLAIN_BLOCK < len; i += PLAIN_BLOCK)
			found |= find_odd(plain_load(p + i), json);
		found |= find_odd(plain_load(p + len - PLAIN_BLOCK), json);
		return plain_none(found);
	}
	for (; i < len; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c >= 0x7f || c == '\\' || (!json && (c < 0x20 || c == '"')))
			return false;
	}
	return true;
}

bool
spell_is_plain(struct span json)
{
	return is_plain(json.p, json.len, true);
}

void
spell_bytes(struct text *t, struct span s)
{
	char *p;

	if (!is_plain(s.p, s.len, false)) {
		text_add_json(t, s.p, s.len);
		return;
	}
	p = text_reserve(t, s.len + 2);
	*p++ = '"';
	memcpy(p, s.p, s.len);
	p[s.len] = '"';
	t->len += s.len + 2;
}

void
spell_string(struct text *t, struct span json)
{
	struct text bytes = {0};

	if (spell_is_plain(json)) {
		text_add_span(t, json);
		return;
	}
	json_decode(&bytes, json);
	text_add_json(t, bytes.p, bytes.len);
	text_free(&bytes);
}

void
spell_number(struct text *t, struct span json)
{
	char buf[64], *end;
	bool integer = true;

	for (size_t i = 0; i < json.len && integer; i++)
		integer =
		    json.p[i] == '-' || (json.p[i] >= '0' && json.p[i] <= '9');
	if (integer && json.len <= SPELL_EXACT) {
		text_add_span(t, json);
	} else if (integer) {
		int64_t v;

		if (json_int(json, &v) && v < (int64_t)1 << 53 &&
		    v > -((int64_t)1 << 53)) {
			text_add_span(t, json);
			return;
		}
		text_add_char(t, '"');
		text_add_span(t, json);
		text_add_char(t, '"');
	} else if (json.len < sizeof(buf)) {
		memcpy(buf, json.p, json.len);
		buf[json.len] = '\0';
		text_add_double(t, strtod(buf, &end));
	} else {
		char *copy = mem_copy(json.p, json.len);

		text_add_double(t, strtod(copy, &end));
		free(copy);
	}
}

/* ---- objects ---- */

void
spell_args(struct text *t, const struct args *a)
{
	for (size_t i = 0; i < a->count; i++) {
		text_add_char(t, ',');
		spell_bytes(t, a->all[i].key);
		text_add_char(t, ':');
		spell_value(t, a->all[i].value);
	}
}

static void
spell_object(struct text *t, struct span object)
{
	struct args a = {0};

	args_of(&a, object);
	spell_args(t, &a);
	args_free(&a);
}

/* the parser has limited the depth of recursion: JSON_DEPTH */
void
spell_value(struct text *t, struct span json)
{
	size_t start = t->len;
	struct json j;
	struct span v;

	switch (*json.p) {
	case '"':
		spell_string(t, json);
		break;
	case '{':
		spell_object(t, json);
		spell_enclose(t, start, '{', '}');
		break;
	case '[':
		json_open_array(&j, json);
		while (json_next_element(&j, &v)) {
			text_add_char(t, ',');
			spell_value(t, v);
		}
		spell_enclose(t, start, '[', ']');
		break;
	case 't':
	case 'f':
	case 'n':
		text_add_span(t, json);
		break;
	default:
		spell_number(t, json);
	}
}

/* ---- time ---- */

/* ns < 1000 */
static char *
spell_short(char *p, unsigned ns)
{
	memcpy(p, "0.", 2);
	p[2] = (char)('0' + ns / 100);
	p[3] = (char)('0' + ns / 10 % 10);
	p[4] = (char)('0' + ns % 10);
	return p + 5;
}

char *
spell_ns(char *p, int64_t ns)
{
	if (ns < 1000)
		return spell_short(p, (unsigned)ns);
	return spell_point(text_digits(p, (uint64_t)ns));
}
