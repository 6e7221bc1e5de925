/*
 * event.c - a line taken apart: fast path and complete path
 *
 * The fast path takes '{' member { ',' member } '}' without white space,
 * where member is '"' key '"' ':' value and key has no escape.  It leaves
 * everything that it does not know to the complete path, errors included.
 */

#include <stdlib.h>

#include "tq/event.h"
#include "tq/json.h"
#include "tq/mem.h"

void
event_free(struct event *ev)
{
	free(ev->unknown);
	text_free(&ev->scratch);
	text_free(&ev->key);
	text_free(&ev->message);
}

static void
reset(struct event *ev, struct span line)
{
	ev->line = line;
	ev->kind = KIND_UNKNOWN;
	ev->kind_name.len = 0;
	ev->has = (struct keyset){0};
	ev->unknown_count = 0;
	ev->error = NULL;
	ev->scratch.len = 0;
}

static void
add_unknown(struct event *ev, struct span key, struct span value)
{
	if (ev->unknown_count == ev->unknown_cap) {
		ev->unknown_cap = ev->unknown_cap * 2 + 8;
		ev->unknown = mem_resize(
		    ev->unknown, ev->unknown_cap, sizeof(*ev->unknown));
	}
	ev->unknown[ev->unknown_count++] = (struct event_member){key, value};
}

static void
set_value(struct event *ev, enum key k, const char *p, const char *end)
{
	ev->value[k] = (struct span){p, (size_t)(end - p)};
	keyset_add(&ev->has, k);
}

static void
set_kind(struct event *ev)
{
	struct span v = ev->value[KEY_kind];

	ev->kind_name = (struct span){v.p + 1, v.len - 2};
	ev->kind = schema_kind(ev->kind_name.p, ev->kind_name.len);
}

/* ---- the fast path: each scan returns NULL for "not canonical" ---- */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "scan_string counts trailing zeros");

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

static inline uint64_t
zero_bytes(uint64_t v)
{
	return (v - ONES) & ~v & HIGHS;
}

/* the end of the string that starts at p with a quote */
static const char *
scan_string(const char *p, const char *end)
{
	const char *error;
	const char *start = p++;

	for (;;) {
		uint64_t v, hit;

		if (p >= end)
			return NULL;
		memcpy(&v, p, 8); /* may read the padding */
		hit = zero_bytes(v ^ ONES * '"') | zero_bytes(v ^ ONES * '\\') |
		      ((v - ONES * 0x20) & ~v & HIGHS);
		if (hit == 0) {
			p += 8;
			continue;
		}
		/* the lowest hit is exact; those above it need not be */
		p += __builtin_ctzll(hit) / 8;
		if (p >= end)
			return NULL;
		if (*p == '"')
			return p + 1;
		return json_string(start, end, &error);
	}
}

static const char *
scan_int(const char *p, const char *end)
{
	const char *start;

	if (*p == '-')
		p++;
	start = p;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	if (p == start || p - start > 18 || (*start == '0' && p - start > 1))
		return NULL;
	return p;
}

static const char *
scan_ints(const char *p, const char *end)
{
	if (p[1] == ']')
		return p + 2;
	do {
		if ((p = scan_int(p + 1, end)) == NULL || p == end)
			return NULL;
	} while (*p == ',');
	return *p == ']' ? p + 1 : NULL;
}

static const char *
scan_strings(const char *p, const char *end)
{
	if (p[1] == ']')
		return p + 2;
	do {
		if (p[1] != '"' || (p = scan_string(p + 1, end)) == NULL)
			return NULL;
	} while (*p == ',');
	return *p == ']' ? p + 1 : NULL;
}

static const char *
scan_value(const char *p, const char *end, enum type type)
{
	const char *error;

	switch (type) {
	case TYPE_INT:
		return scan_int(p, end);
	case TYPE_STR:
		return *p == '"' ? scan_string(p, end) : NULL;
	case TYPE_INTS:
		return *p == '[' ? scan_ints(p, end) : NULL;
	case TYPE_OBJ:
		return *p == '{' ? json_value(p, end, &error) : NULL;
	case TYPE_NUM:
		if (*p != '-' && (*p < '0' || *p > '9'))
			return NULL;
		return json_value(p, end, &error);
	case TYPE_BOOL:
		if (*p != 't' && *p != 'f')
			return NULL;
		return json_value(p, end, &error);
	case TYPE_STRS:
		return *p == '[' ? scan_strings(p, end) : NULL;
	}
	return NULL;
}

/* the closing quote of the key that starts at p */
static const char *
scan_key(const char *p, const char *end)
{
	for (; p < end; p++) {
		if (*p == '"')
			return p;
		if (*p == '\\' || (unsigned char)*p < 0x20)
			return NULL;
	}
	return NULL;
}

static bool
parse_fast(struct event *ev, const struct keyset *want)
{
	const char *p = ev->line.p, *end = p + ev->line.len;
	const char *key, *value, *error;
	size_t left = SIZE_MAX; /* keys still to be found */
	enum key k;

	if (ev->line.len < 2 || *p != '{' || end[-1] != '}')
		return false;
	do {
		if (p[1] != '"' || (key = scan_key(p + 2, end)) == NULL)
			return false;
		k = schema_key(p + 2, (size_t)(key - p - 2));
		value = key + 2;
		if (key[1] != ':' || value >= end)
			return false;
		if (k == KEY_NONE) {
			struct span name = {p + 2, (size_t)(key - p - 2)};

			if ((p = json_value(value, end, &error)) == NULL)
				return false;
			if (*value != 'n')
				add_unknown(ev, name,
				    (struct span){value, (size_t)(p - value)});
		} else {
			p = scan_value(value, end, schema_keys[k].type);
			if (p == NULL || event_has(ev, k))
				return false;
			set_value(ev, k, value, p);
			if (k == KEY_kind) {
				if (memchr(value, '\\', (size_t)(p - value)))
					return false;
				set_kind(ev);
				if (want != NULL) {
					want += ev->kind;
					left = (size_t)(__builtin_popcountll(
							    want->bits[0]) +
							__builtin_popcountll(
							    want->bits[1]));
				}
			} else if (left != SIZE_MAX && keyset_has(want, k))
				left--;
			if (left == 0)
				return true;
		}
	} while (p < end && *p == ',');
	return p == end - 1 && *p == '}' && event_has(ev, KEY_kind);
}

/* ---- the complete path ---- */

static const char *
type_expected(enum type type)
{
	static const char *const texts[] = {
	    [TYPE_INT] = "expected an integer",
	    [TYPE_STR] = "expected a string",
	    [TYPE_BOOL] = "expected true or false",
	    [TYPE_NUM] = "expected a number",
	    [TYPE_INTS] = "expected an array of integers",
	    [TYPE_STRS] = "expected an array of strings",
	    [TYPE_OBJ] = "expected an object",
	};

	return texts[type];
}

/*
 * Values that are kept stand in the line, except integers, which may be
 * spelt like 1e3 and are spelt anew.  So that it does not move, the scratch
 * text is made as long as the line can make it: "1e9" is the shortest
 * spelling of ten digits, and a key takes no more than its own length.
 */
static bool
respell_int(struct event *ev, struct span *v)
{
	char *p;
	int64_t i;

	if (!json_int(*v, &i))
		return false;
	p = ev->scratch.p + ev->scratch.len;
	*v = (struct span){p, (size_t)(text_digits_int(p, i) - p)};
	ev->scratch.len += v->len;
	return true;
}

static bool
is_number(struct span v)
{
	return *v.p == '-' || (*v.p >= '0' && *v.p <= '9');
}

static bool
is_array_of(struct span v, bool (*element)(struct span))
{
	struct json j;
	struct span e;

	json_open_array(&j, v);
	while (json_next_element(&j, &e))
		if (!element(e))
			return false;
	return j.error == NULL;
}

static bool
is_int(struct span v)
{
	int64_t i;

	return is_number(v) && json_int(v, &i);
}

static bool
is_string(struct span v)
{
	return *v.p == '"';
}

static bool
check_type(struct event *ev, struct span *v, enum type type)
{
	switch (type) {
	case TYPE_INT:
		return is_number(*v) && respell_int(ev, v);
	case TYPE_STR:
		return is_string(*v);
	case TYPE_BOOL:
		return *v->p == 't' || *v->p == 'f';
	case TYPE_NUM:
		return is_number(*v);
	case TYPE_INTS:
		return *v->p == '[' && is_array_of(*v, is_int);
	case TYPE_STRS:
		return *v->p == '[' && is_array_of(*v, is_string);
	case TYPE_OBJ:
		return *v->p == '{';
	}
	return false;
}

/* keep a copy of an unknown key; it must not move either */
static struct span
keep_key(struct event *ev, struct span key)
{
	char *p = ev->scratch.p + ev->scratch.len;

	if (key.len > 0)
		memcpy(p, key.p, key.len);
	ev->scratch.len += key.len;
	return (struct span){p, key.len};
}

static bool
wrong_type(struct event *ev, enum key k)
{
	ev->message.len = 0;
	text_printf(&ev->message, "%s: %s", schema_keys[k].name,
	    type_expected(schema_keys[k].type));
	text_add_char(&ev->message, '\0');
	ev->error = ev->message.p;
	return false;
}

static bool
parse_any(struct event *ev)
{
	struct json j;
	struct span v;

	text_reserve(&ev->scratch, ev->line.len * 7 + TEXT_INT_MAX);
	json_open(&j, ev->line);
	while (json_next(&j, &ev->key, &v)) {
		enum key k = schema_key(ev->key.p, ev->key.len);

		if (*v.p == 'n')
			continue;
		if (k == KEY_NONE) {
			add_unknown(ev, keep_key(ev, text_span(&ev->key)), v);
			continue;
		}
		if (!check_type(ev, &v, schema_keys[k].type))
			return wrong_type(ev, k);
		set_value(ev, k, v.p, v.p + v.len);
	}
	if ((ev->error = j.error) != NULL)
		return false;
	if (!event_has(ev, KEY_kind)) {
		ev->error = "no kind";
		return false;
	}
	if (memchr(ev->value[KEY_kind].p, '\\', ev->value[KEY_kind].len)) {
		size_t start = ev->scratch.len;

		json_decode(&ev->scratch, ev->value[KEY_kind]);
		ev->kind_name = (struct span){
		    ev->scratch.p + start, ev->scratch.len - start};
		ev->kind = schema_kind(ev->kind_name.p, ev->kind_name.len);
	} else
		set_kind(ev);
	return true;
}

bool
event_parse(struct event *ev, struct span line, const struct keyset *want)
{
	reset(ev, line);
	if (parse_fast(ev, want))
		return true;
	reset(ev, line);
	return parse_any(ev);
}

/* ---- values ---- */

int64_t
event_int(const struct event *ev, enum key k, int64_t otherwise)
{
	const char *p, *end;
	uint64_t v = 0;
	bool negative;

	if (!event_has(ev, k))
		return otherwise;
	p = ev->value[k].p;
	end = p + ev->value[k].len;
	if ((negative = *p == '-'))
		p++;
	while (p < end)
		v = v * 10 + (uint64_t)(*p++ - '0');
	return (int64_t)(negative ? 0 - v : v);
}

bool
event_true(const struct event *ev, enum key k)
{
	return event_has(ev, k) && *ev->value[k].p == 't';
}

struct span
event_str(const struct event *ev, enum key k, struct text *t)
{
	struct span v = {"", 0};
	size_t start;

	if (!event_has(ev, k))
		return v;
	v = (struct span){ev->value[k].p + 1, ev->value[k].len - 2};
	if (memchr(v.p, '\\', v.len) == NULL)
		return v;
	start = t->len;
	json_decode(t, ev->value[k]);
	return (struct span){t->p + start, t->len - start};
}
