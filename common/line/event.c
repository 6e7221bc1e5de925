/*
 * event.c - a line taken apart: lines that the fast path of sequential.h does
 * not take, and the values of keys
 */

#include <stdlib.h>

#include "fast/sequential.h"
#include "fast/line_shape.h"
#include "tq/base/array.h"
#include "tq/base/mem.h"
#include "tq/line/json.h"

void
event_free(struct event *ev)
{
	line_shape_free(ev->shapes);
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
	ev->plain = false;
	ev->shape = 0;
	ev->memo = (struct event_memo){0};
	ev->unknown_count = 0;
	ev->error = NULL;
	ev->scratch.len = 0;
}

void
event_add_unknown(struct event *ev, struct span key, struct span value)
{
	*array_add(&ev->unknown, &ev->unknown_count, &ev->unknown_cap) =
	    (struct event_member){key, value};
}

static void
set_kind(struct event *ev)
{
	ev->kind_name = event_inside(ev->value[KEY_kind]);
	ev->kind = schema_kind(ev->kind_name.p, ev->kind_name.len);
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
 * text is made as long as the line can make it: "ts":1e18, are ten bytes for
 * 19 digits, and a key takes no more than its own length.
 */
enum { SCRATCH = 3 };

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

	text_reserve(&ev->scratch,
	    ev->line.len * SCRATCH + TEXT_INT_MAX + EVENT_PADDING);
	json_open(&j, ev->line);
	while (json_next(&j, &ev->key, &v)) {
		enum key k = schema_key(ev->key.p, ev->key.len);

		if (*v.p == 'n')
			continue;
		if (k == KEY_NONE) {
			event_add_unknown(
			    ev, keep_key(ev, text_span(&ev->key)), v);
			continue;
		}
		if (!check_type(ev, &v, schema_keys[k].type))
			return wrong_type(ev, k);
		event_set(ev, k, v.p, v.p + v.len);
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
	if (ev->shapes == NULL)
		ev->shapes = line_shape_new();
	reset(ev, line);
	if (sequential_parse(ev, want))
		return true;
	reset(ev, line);
	return parse_any(ev);
}

/* ---- values ---- */

int64_t
event_long_number(struct span v)
{
	const uint64_t e8 = 100000000;
	const char *p = v.p;
	size_t n = v.len;
	bool negative = *p == '-';
	uint64_t u;

	if (!negative && n > 8 && n <= 16)
		return (int64_t)(words_number(p, n - 8) * e8 +
				 words_number(p + n - 8, 8));
	if (negative) {
		p++;
		n--;
	}
	for (u = 0; n > 8; n -= 8, p += 8)
		u = u * e8 + words_number(p, 8);
	for (; n > 0; n--, p++)
		u = u * 10 + (uint64_t)(*p - '0');
	return (int64_t)(negative ? 0 - u : u);
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
	v = event_inside(ev->value[k]);
	if (ev->plain || memchr(v.p, '\\', v.len) == NULL)
		return v;
	start = t->len;
	json_decode(t, ev->value[k]);
	return (struct span){t->p + start, t->len - start};
}

bool
event_is_escaped(const struct event *ev, enum key k, struct span word)
{
	struct text t = {0};
	bool is = span_eq(event_str(ev, k, &t), word);

	text_free(&t);
	return is;
}
