/*
 * event.c - a line taken apart: lines that the fast path of sequential.h does
 * not take, and the values of keys
 */

#include <stdio.h>
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
	ev->extra = NULL;
	ev->outline = NULL;
	ev->error = NULL;
	ev->scratch.len = 0;
}

void
event_add_unknown(struct event *ev, struct span key, struct span value)
{
	if (*value.p == 'n')
		return;
	for (size_t i = 0; i < ev->unknown_count; i++)
		if (span_eq(ev->unknown[i].key, key)) {
			ev->unknown[i].value = value;
			return;
		}
	*array_add(&ev->unknown, &ev->unknown_count, &ev->unknown_cap) =
	    (struct event_member){key, value};
}

static void
set_kind(struct event *ev)
{
	ev->kind_name = event_inside(ev->value[KEY_kind]);
	ev->kind = schema_kind(ev->kind_name.p, ev->kind_name.len);
}

/* ---- without a line ---- */

enum { KIND_ROOM = 32 };

/* the value of KEY_kind, with the padding of a line */
#define KIND(id, name, role, track, category, redact, doc) \
	[KIND_##id] = "\"" name "\"",
static const char kind_values[KIND_COUNT][KIND_ROOM + EVENT_PADDING] = {
#include "tq/events.def"
};

void
event_make(struct event *ev, enum kind kind)
{
	const struct schema_kind *k = &schema_kinds[kind];

	reset(ev, SPAN(""));
	ev->kind = kind;
	event_give(ev, KEY_kind, (struct span){kind_values[kind], k->len + 2});
	ev->kind_name = event_inside(ev->value[KEY_kind]);
}

void
event_borrow(struct event *ev, const struct event *from)
{
	reset(ev, from->line);
	ev->kind = from->kind;
	ev->kind_name = from->kind_name;
	ev->has = from->has;
	for (enum key k = keyset_next(&ev->has, 0); k != KEY_NONE;
	     k = keyset_next(&ev->has, k + 1))
		ev->value[k] = from->value[k];
	ev->plain = from->plain;
	ev->unknown = from->unknown;
	ev->unknown_count = from->unknown_count;
	ev->extra = from->extra;
	ev->scratch.len = from->scratch.len; /* for event_bytes() */
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
 * Values are spelt as in a canonical line, so that equal ones are equal bytes:
 * those that are spelt otherwise in this line stand in the scratch text.  So
 * that it does not move, it is made as long as the line can make it: an integer
 * of an array takes twenty bytes for the five of 1e18, and what escapes DEL,
 * six for one.
 */
enum { SCRATCH = 4, ESCAPED = JSON_RESPELT - 1 };

static void
reserve_scratch(struct event *ev)
{
	const char *p = ev->line.p, *end = p + ev->line.len;
	size_t escaped = 0;

	for (; (p = memchr(p, 0x7f, (size_t)(end - p))) != NULL; p++)
		escaped += ESCAPED;
	text_reserve(&ev->scratch,
	    ev->line.len * SCRATCH + escaped + TEXT_INT_MAX + EVENT_PADDING);
}

static struct span
scratch_from(const struct event *ev, size_t start)
{
	return (struct span){ev->scratch.p + start, ev->scratch.len - start};
}

static void
respell(struct event *ev, struct span *v)
{
	size_t start = ev->scratch.len;

	json_respell(&ev->scratch, *v);
	*v = scratch_from(ev, start);
}

static bool
respell_int(struct event *ev, struct span *v)
{
	size_t start = ev->scratch.len;
	int64_t i;

	if (!json_int(*v, &i))
		return false;
	text_add_int(&ev->scratch, i);
	*v = scratch_from(ev, start);
	return true;
}

static bool
is_number(struct span v)
{
	return *v.p == '-' || (*v.p >= '0' && *v.p <= '9');
}

static bool
is_int(struct event *ev, struct span *v)
{
	return is_number(*v) && respell_int(ev, v);
}

static bool
is_string(struct event *ev, struct span *v)
{
	if (*v->p != '"')
		return false;
	if (memchr(v->p, '\\', v->len) || memchr(v->p, 0x7f, v->len))
		respell(ev, v);
	return true;
}

static bool
is_array_of_ints(struct event *ev, struct span *v)
{
	size_t start = ev->scratch.len;
	struct json j;
	struct span e;

	json_open_array(&j, *v);
	text_add_char(&ev->scratch, '[');
	while (json_next_element(&j, &e)) {
		if (!is_int(ev, &e))
			return false;
		text_add_char(&ev->scratch, ',');
	}
	if (ev->scratch.len > start + 1)
		ev->scratch.len--;
	text_add_char(&ev->scratch, ']');
	*v = scratch_from(ev, start);
	return j.error == NULL;
}

static bool
is_array_of_strings(struct event *ev, struct span *v)
{
	struct json j;
	struct span e;

	json_open_array(&j, *v);
	while (json_next_element(&j, &e))
		if (*e.p != '"')
			return false;
	respell(ev, v);
	return j.error == NULL;
}

static bool
is_object(struct event *ev, struct span *v)
{
	if (*v->p != '{')
		return false;
	respell(ev, v);
	return true;
}

static bool
check_type(struct event *ev, struct span *v, enum type type)
{
	switch (type) {
	case TYPE_INT:
		return is_int(ev, v);
	case TYPE_STR:
		return is_string(ev, v);
	case TYPE_BOOL:
		return *v->p == 't' || *v->p == 'f';
	case TYPE_NUM:
		return is_number(*v);
	case TYPE_INTS:
		return *v->p == '[' && is_array_of_ints(ev, v);
	case TYPE_STRS:
		return *v->p == '[' && is_array_of_strings(ev, v);
	case TYPE_OBJ:
		return is_object(ev, v);
	}
	return false;
}

/* keep a copy of an unknown key; it must not move either */
static struct span
keep_key(struct event *ev, struct span key)
{
	size_t start = ev->scratch.len;

	text_add_span(&ev->scratch, key);
	return scratch_from(ev, start);
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

/* the value of the key that was read; NULL members count as absent */
static bool
take_member(struct event *ev, struct span v)
{
	enum key k = schema_key(ev->key.p, ev->key.len);

	if (*v.p == 'n')
		return true;
	if (k == KEY_NONE) {
		struct span key = keep_key(ev, text_span(&ev->key));

		respell(ev, &v);
		event_add_unknown(ev, key, v);
		return true;
	}
	if (!check_type(ev, &v, schema_keys[k].type))
		return wrong_type(ev, k);
	event_set(ev, k, v.p, v.p + v.len);
	return true;
}

static bool
parse_any(struct event *ev)
{
	struct json j;
	struct span v;

	reserve_scratch(ev);
	json_open(&j, ev->line);
	while (json_next(&j, &ev->key, &v))
		if (!take_member(ev, v))
			return false;
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

#ifdef TQ_CHECK_LINES
bool event_checks_outlines = true;

/* End the program where the line has not what its outline says. */
static void
check_outline(const struct event *ev)
{
	struct event read = {0};
	bool same = event_parse(&read, ev->line, NULL) &&
		    read.kind == ev->kind && read.unknown_count == 0;

	for (size_t i = 0; i < ev->line.len && same; i++)
		same = !ev->plain ||
		       (ev->line.p[i] >= ' ' && ev->line.p[i] < 0x7f &&
			   ev->line.p[i] != '\\');
	for (enum key k = 0; k < KEY_COUNT && same; k++)
		same = !event_has(ev, k) ||
		       (event_has(&read, k) &&
			   span_eq(read.value[k], ev->value[k]));
	event_free(&read);
	if (same)
		return;
	fprintf(
	    stderr, "not as outlined: %.*s\n", (int)ev->line.len, ev->line.p);
	abort();
}
#endif

bool
event_parse_outlined(struct event *ev, struct span line,
    const struct outline *outline, const struct keyset *want)
{
	if (ev->shapes == NULL)
		ev->shapes = line_shape_new();
	reset(ev, line);
	if (!line_shape_outlined(ev->shapes, ev, outline, want))
		return event_parse(ev, line, want);
#ifdef TQ_CHECK_LINES
	if (event_checks_outlines)
		check_outline(ev);
#endif
	return true;
}

const struct outline *
event_outline(const struct event *ev, struct outline *space)
{
	if (ev->outline != NULL)
		return ev->outline;
	line_shape_outline(ev->shapes, ev, space);
	return space;
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

uint64_t
event_address(const struct event *ev)
{
	/* from behind the quote */
	return strtoull(ev->value[KEY_address].p + 1, NULL, 16);
}
