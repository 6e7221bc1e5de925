/*
 * event.c - a line taken apart: fast path and complete path
 *
 * The fast path takes '{' member { ',' member } '}' without white space,
 * where member is '"' key '"' ':' value and key has no escape.  It leaves
 * everything that it does not know to the complete path, errors included.
 */

#include <stdlib.h>

#include "scan.h"
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

/* ---- the fast path ---- */

/*
 * Records of a kind have the same keys in the same order, mostly: the one
 * that followed the last time is tried first, by words.
 */
static struct expected {
	uint64_t text[2], mask[2]; /* "key": */
	size_t len;
} expected[KEY_COUNT];

__attribute__((constructor)) static void
fill_expected(void)
{
	for (size_t k = 0; k < KEY_COUNT; k++) {
		struct expected *x = &expected[k];
		char text[sizeof(x->text)] = "\"", mask[sizeof(x->mask)];
		size_t n = schema_keys[k].len;

		if (n + 3 > sizeof(text))
			continue; /* its mask of 0 goes with a len of 0 */
		memcpy(text + 1, schema_keys[k].name, n);
		memcpy(text + 1 + n, "\":", 2);
		x->len = n + 3;
		memset(mask, 0, sizeof(mask));
		memset(mask, 0xff, x->len);
		memcpy(x->text, text, sizeof(text));
		memcpy(x->mask, mask, sizeof(mask));
	}
}

static inline bool
is_expected(const char *p, const struct expected *x)
{
	uint64_t v[2];

	memcpy(v, p, sizeof(v)); /* may read the padding */
	return (((v[0] ^ x->text[0]) & x->mask[0]) |
		   ((v[1] ^ x->text[1]) & x->mask[1])) == 0 &&
	       x->len > 0;
}

/*
 * The key that starts at p, where guess says which it may be; *value is set
 * behind its colon.  False where it is not canonical.
 */
static bool
scan_member(const char *p, const char *end, unsigned char *guess, enum key *k,
    const char **value)
{
	const char *quote;

	if (is_expected(p, &expected[*guess])) {
		*k = (enum key)guess[0];
		*value = p + expected[*guess].len;
		return *value < end;
	}
	if (*p != '"' || (quote = scan_key(p + 1, end)) == NULL)
		return false;
	*k = schema_key(p + 1, (size_t)(quote - p - 1));
	if (*k != KEY_NONE)
		*guess = (unsigned char)*k;
	*value = quote + 2;
	return quote[1] == ':' && *value < end;
}

/* take k out of s; is it empty now? */
static inline bool
drop(struct keyset *s, enum key k)
{
	s->bits[k >> 6] &= ~((uint64_t)1 << (k & 63));
	return (s->bits[0] | s->bits[1]) == 0;
}

static bool
parse_fast(struct event *ev, const struct keyset *want)
{
	const char *p = ev->line.p, *end = p + ev->line.len;
	const char *key, *value, *error;
	struct keyset left = {0}; /* keys still to be found */
	enum key k = KEY_NONE;

	if (ev->line.len < 2 || *p != '{' || end[-1] != '}')
		return false;
	do {
		key = p + 1;
		if (!scan_member(
			key, end, &ev->follows[ev->kind][k], &k, &value))
			return false;
		if (k == KEY_NONE) {
			struct span name = {key + 1, (size_t)(value - key - 3)};

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
				if (want != NULL)
					left = want[ev->kind];
			}
			if (want != NULL && drop(&left, k) &&
			    event_has(ev, KEY_kind))
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

	text_reserve(
	    &ev->scratch, ev->line.len * 7 + TEXT_INT_MAX + EVENT_PADDING);
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

/* the number that the n digits at p stand for, 1 to 8 */
static inline uint64_t
digits(const char *p, size_t n)
{
	uint64_t v;

	memcpy(&v, p, 8); /* may read the padding */
	v <<= 64 - 8 * n; /* so that zeros come before it */
	v = (v & WORDS_ONES * 0x0f) * (10 << 8 | 1) >> 8;
	v = (v & 0x00ff00ff00ff00ffu) * (100 << 16 | 1) >> 16;
	return (v & 0x0000ffff0000ffffu) * ((uint64_t)10000 << 32 | 1) >> 32;
}

int64_t
event_int(const struct event *ev, enum key k, int64_t otherwise)
{
	static const uint64_t powers[] = {
	    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
	const char *p;
	size_t n;
	uint64_t v = 0;
	bool negative;

	if (!event_has(ev, k))
		return otherwise;
	p = ev->value[k].p;
	n = ev->value[k].len;
	if ((negative = *p == '-')) {
		p++;
		n--;
	}
	for (; n > 8; n -= 8, p += 8)
		v = v * powers[8] + digits(p, 8);
	v = v * powers[n] + digits(p, n);
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
