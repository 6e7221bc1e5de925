/* args.c - all that a record knew */

#include <errno.h>
#include <stdlib.h>

#include "args.h"
#include "tq/json.h"
#include "tq/mem.h"
#include "tq/words.h"

/* fields of TrackEvent and DebugAnnotation */
enum {
	EVENT_ANNOTATION = 4,
	EVENT_CALLSTACK = 56,
	NOTE_KEY = 1,
	NOTE_BOOL = 2,
	NOTE_UINT = 3,
	NOTE_INT = 4,
	NOTE_DOUBLE = 5,
	NOTE_STRING = 6,
	NOTE_MEMBER = 11,
	NOTE_ELEMENT = 12,
	NOTE_INTERNED = 17
};

enum { INTERNED_MAX = 1024 }; /* bytes of a string that is interned */

struct args_member {
	struct span key; /* bytes */
	struct span value;
	size_t at;
};

/* ---- values ---- */

/* the bytes of a string, which live until the next call */
static struct span
bytes_of(struct args *a, struct span json)
{
	struct span s = {json.p + 1, json.len - 2};

	if (memchr(s.p, '\\', s.len) == NULL)
		return s;
	a->bytes.len = 0;
	json_decode(&a->bytes, json);
	return text_span(&a->bytes);
}

static void
add_text(struct packets *p, struct span s)
{
	struct text *b = &p->out->buf;

	if (s.len > INTERNED_MAX)
		proto_string(b, NOTE_STRING, s);
	else
		proto_uint(
		    b, NOTE_INTERNED, packets_intern(p, INTERN_STRING, s));
}

static void
add_number(struct text *b, struct span json)
{
	char small[64], *copy = small, *end;
	int64_t v;
	uint64_t u;
	size_t n = json.len;

	if (json_int(json, &v)) {
		proto_uint(b, NOTE_INT, (uint64_t)v);
		return;
	}
	if (n >= sizeof(small))
		copy = mem_copy(json.p, n);
	else {
		memcpy(small, json.p, n);
		small[n] = '\0';
	}
	errno = 0;
	u = strtoull(copy, &end, 10);
	if (errno == 0 && *copy != '-' && *end == '\0')
		proto_uint(b, NOTE_UINT, u);
	else
		proto_double(b, NOTE_DOUBLE, strtod(copy, NULL));
	if (copy != small)
		free(copy);
}

static void add_members(struct args *a, struct packets *p, struct span object);

/* the value of an annotation; recursion ends where the parser did */
static void
add_value(struct args *a, struct packets *p, struct span json)
{
	struct text *b = &p->out->buf;
	struct json j;
	struct span v;
	size_t element;

	switch (*json.p) {
	case '"':
		add_text(p, bytes_of(a, json));
		break;
	case '{':
		add_members(a, p, json);
		break;
	case '[':
		json_open_array(&j, json);
		while (json_next_element(&j, &v)) {
			element = proto_open(b, NOTE_ELEMENT);
			add_value(a, p, v);
			proto_close(b, element);
		}
		break;
	case 't':
	case 'f':
		proto_uint(b, NOTE_BOOL, *json.p == 't');
		break;
	case 'n':
		add_text(p, SPAN("null"));
		break;
	default:
		add_number(b, json);
	}
}

/* ---- objects ---- */

static int
compare(const void *x, const void *y)
{
	const struct args_member *a = x, *b = y;
	int order = span_cmp(a->key, b->key);

	return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static struct args_member *
reserve(struct args_member **member, size_t *cap, size_t count)
{
	if (count > *cap) {
		*cap = count * 2 + 8;
		*member = mem_resize(*member, *cap, sizeof(**member));
	}
	return *member;
}

/* the members of an object, whose keys are decoded to the end of *keys */
static size_t
take_apart(struct args_member **member, size_t *cap, struct text *keys,
    struct span object)
{
	struct args_member *m;
	struct text key = {0};
	struct json j;
	struct span v;
	size_t count = 0;

	json_open(&j, object);
	while (json_next(&j, &key, &v)) {
		m = &reserve(member, cap, count + 1)[count];
		count++;
		*m = (struct args_member){
		    {NULL, key.len},
                    v, keys->len
                };
		text_add_span(keys, text_span(&key));
	}
	for (size_t i = 0; i < count; i++) {
		m = &(*member)[i];
		m->key.p = m->key.len > 0 ? keys->p + m->at : "";
	}
	text_free(&key);
	return count;
}

/* sorted; of several with the same key the last counts */
static void
add_sorted(struct args *a, struct packets *p, unsigned field,
    struct args_member *m, size_t count)
{
	struct text *b = &p->out->buf;

	for (size_t i = 0; i < count; i++)
		m[i].at = i;
	if (count > 1)
		qsort(m, count, sizeof(*m), compare);
	for (size_t i = 0; i < count; i++) {
		size_t note;

		if (i + 1 < count && span_eq(m[i].key, m[i + 1].key))
			continue;
		note = proto_open(b, field);
		proto_uint(
		    b, NOTE_KEY, packets_intern(p, INTERN_KEY, m[i].key));
		add_value(a, p, m[i].value);
		proto_close(b, note);
	}
}

static void
add_members(struct args *a, struct packets *p, struct span object)
{
	struct args_member *m = NULL;
	struct text keys = {0};
	size_t cap = 0, count = take_apart(&m, &cap, &keys, object);

	for (size_t i = 0; i < count; i++) /* a name that UIs show */
		if (m[i].key.len == 0)
			m[i].key = SPAN("(no name)");
	add_sorted(a, p, NOTE_MEMBER, m, count);
	free(m);
	text_free(&keys);
}

/* ---- what the schema does not know ---- */

/* is there an annotation of this name already? */
static bool
is_taken(const struct event *ev, struct span key, bool nested)
{
	enum key k = schema_key(key.p, key.len);

	if (k != KEY_NONE)
		return event_has(ev, k) || k == KEY_demangled;
	if (span_eq(key, SPAN("correlation")))
		return event_has(ev, KEY_corr);
	for (size_t i = 0; nested && i < ev->unknown_count; i++)
		if (span_eq(key, ev->unknown[i].key))
			return true;
	return false;
}

/* put "args." before names that are taken */
static void
rename_taken(
    struct args *a, const struct event *ev, size_t nested, size_t count)
{
	struct args_member *m = a->member;
	struct text *names = &a->names;

	names->len = 0;
	for (size_t i = 0; i < count; i++) {
		size_t start = names->len;

		if (m[i].key.len > 0 && !is_taken(ev, m[i].key, i < nested))
			continue;
		text_add_str(names, "args.");
		text_add_span(names, m[i].key);
		/* a place in names, while that may move */
		m[i].key = (struct span){NULL, names->len - start};
		m[i].at = start;
	}
	for (size_t i = 0; i < count; i++)
		if (m[i].key.p == NULL)
			m[i].key.p = names->p + m[i].at;
}

/* unknown keys of the record, and what is in its args */
static void
add_others(struct args *a, struct packets *p, const struct event *ev)
{
	size_t nested = 0, count;
	struct args_member *m;

	a->keys.len = 0;
	if (event_has(ev, KEY_args))
		nested = take_apart(
		    &a->member, &a->cap, &a->keys, ev->value[KEY_args]);
	count = nested + ev->unknown_count;
	m = reserve(&a->member, &a->cap, count);
	for (size_t i = nested; i < count; i++)
		m[i] = (struct args_member){.key = ev->unknown[i - nested].key,
		    .value = ev->unknown[i - nested].value};
	rename_taken(a, ev, nested, count);
	add_sorted(a, p, EVENT_ANNOTATION, m, count);
}

/* ---- what the schema knows ---- */

static size_t
open_note(struct text *b, enum key key)
{
	size_t note = proto_open(b, EVENT_ANNOTATION);

	proto_uint(b, NOTE_KEY, (uint64_t)key + 1);
	return note;
}

/* the number of the full name of a symbol; false where it is not defined */
static bool
find_symbol(struct args *a, struct packets *p, const struct names *names,
    int64_t id, uint32_t *number)
{
	size_t at = (uint64_t)id % ARGS_SYMBOLS;
	struct name s;

	if (a->symbol[at].known && a->symbol[at].id == id) {
		*number = a->symbol[at].number;
		return true;
	}
	if (!names_symbol(names, id, &s))
		return false;
	*number =
	    s.more.len == 0 ? 0 : packets_intern(p, INTERN_STRING, s.more);
	a->symbol[at].known = true;
	a->symbol[at].id = id;
	a->symbol[at].number = *number;
	return true;
}

/* the number of a call stack, 0 where it is not defined */
static uint32_t
find_stack(
    struct args *a, struct packets *p, const struct names *names, int64_t id)
{
	const uint32_t *frames;
	size_t n = names_stack(names, id, &frames), stack;
	uint64_t *slot;

	if (n == 0)
		return 0;
	slot = map_get(&a->stacks, (uint64_t)id, 0);
	if (*slot != 0)
		return (uint32_t)*slot;
	*slot = ++a->last_stack;
	/* functions come before the stack, which is outermost first */
	a->names.len = 0;
	for (size_t i = n; i > 0; i--)
		proto_uint(&a->names, 2,
		    packets_intern(
			p, INTERN_FUNCTION, names_frame(names, frames[i - 1])));
	stack = proto_open(&p->fresh, INTERNED_CALLSTACKS);
	proto_uint(&p->fresh, 1, a->last_stack);
	text_add_span(&p->fresh, text_span(&a->names));
	proto_close(&p->fresh, stack);
	return a->last_stack;
}

/* true if it stands for the key */
static bool
add_symbol(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names)
{
	struct text *b = &p->out->buf;
	uint32_t number;
	size_t note;

	if (!find_symbol(a, p, names, event_int(ev, KEY_sym, 0), &number))
		return false;
	if (number == 0 || event_has(ev, KEY_demangled))
		return true;
	note = open_note(b, KEY_demangled);
	proto_uint(b, NOTE_INTERNED, number);
	proto_close(b, note);
	return true;
}

static bool
add_stack(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names)
{
	uint32_t number =
	    find_stack(a, p, names, event_int(ev, KEY_stack, NAMES_NONE));

	if (number != 0)
		proto_uint(&p->out->buf, EVENT_CALLSTACK, number);
	return number != 0;
}

/* the number at p, of n digits and perhaps a sign; 8 bytes are readable */
static inline uint64_t
parse_int(const char *p, size_t n)
{
	uint64_t v, sign = *p == '-';

	p += sign;
	n -= sign;
	if (n <= 8) {
		memcpy(&v, p, 8);
		v <<= 64 - 8 * n; /* so that zeros come before it */
		v = (v & WORDS_ONES * 0x0f) * (10 << 8 | 1) >> 8;
		v = (v & 0x00ff00ff00ff00ffu) * (100 << 16 | 1) >> 16;
		v = (v & 0x0000ffff0000ffffu) * ((uint64_t)10000 << 32 | 1) >>
		    32;
	} else
		for (v = 0; n > 0; n--)
			v = v * 10 + (unsigned char)(*p++ - '0');
	return (v ^ (0 - sign)) + sign;
}

/* 22 len 08 key 20 value */
static inline void
add_int(struct text *b, struct span v, enum key key)
{
	char *start = text_reserve(b, 32), *p;

	_Static_assert(KEY_COUNT < 0x80, "a key takes one byte");
	start[0] = EVENT_ANNOTATION << 3 | PROTO_BYTES;
	start[2] = NOTE_KEY << 3 | PROTO_VARINT;
	start[3] = (char)(key + 1);
	start[4] = NOTE_INT << 3 | PROTO_VARINT;
	p = proto_put(start + 5, parse_int(v.p, v.len));
	start[1] = (char)(p - start - 2);
	b->len += (size_t)(p - start);
}

/* canonical [1,2,3]: 62 len 20 value for each; false where it is not that */
static bool
add_ints(struct text *b, struct span json)
{
	const char *p = json.p + 1, *end = json.p + json.len - 1, *from;
	size_t start = b->len;

	while (p < end) {
		char *element = text_reserve(b, 16), *q;

		for (from = p; *p == '-' || (*p >= '0' && *p <= '9'); p++)
			;
		if (p == from || p - from > 18 || (p < end && *p != ',')) {
			b->len = start;
			return false;
		}
		element[0] = NOTE_ELEMENT << 3 | PROTO_BYTES;
		element[2] = NOTE_INT << 3 | PROTO_VARINT;
		q = proto_put(element + 3, parse_int(from, (size_t)(p - from)));
		element[1] = (char)(q - element - 2);
		b->len += (size_t)(q - element);
		p++;
	}
	return true;
}

static void
add_key(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names, enum key key)
{
	struct text *b = &p->out->buf;
	size_t note;

	if ((key == KEY_sym && add_symbol(a, p, ev, names)) ||
	    (key == KEY_stack && add_stack(a, p, ev, names)))
		return;
	if (schema_keys[key].type == TYPE_INT) {
		add_int(b, ev->value[key], key);
		return;
	}
	note = open_note(b, key);
	if (schema_keys[key].type != TYPE_INTS || !add_ints(b, ev->value[key]))
		add_value(a, p, ev->value[key]);
	proto_close(b, note);
}

/* numbers of what was interned before are good for nothing any more */
static void
forget(struct args *a)
{
	memset(a->symbol, 0, sizeof(a->symbol));
	map_clear(&a->stacks);
	a->last_stack = 0;
}

void
args_add(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names, const struct keyset *without)
{
	struct text *b = &p->out->buf;

	if (a->epoch != p->epoch) {
		a->epoch = p->epoch;
		forget(a);
	}
	for (size_t word = 0; word < 2; word++) {
		uint64_t bits = ev->has.bits[word] & ~without->bits[word];

		for (; bits != 0; bits &= bits - 1) {
			enum key key = (enum key)(
			    word * 64 + (size_t)__builtin_ctzll(bits));

			if (schema_keys[key].type == TYPE_INT &&
			    key != KEY_sym && key != KEY_stack)
				add_int(b, ev->value[key], key);
			else
				add_key(a, p, ev, names, key);
		}
	}
	if (ev->unknown_count > 0 || event_has(ev, KEY_args))
		add_others(a, p, ev);
}

void
args_section(struct args *a)
{
	uint32_t last = a->last_stack;

	forget(a);
	a->last_stack = last; /* those of before are still known */
}

void
args_free(struct args *a)
{
	free(a->member);
	text_free(&a->keys);
	text_free(&a->names);
	text_free(&a->bytes);
	map_free(&a->stacks);
}
