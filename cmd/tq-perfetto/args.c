/* args.c - all that a record knew */

#include <stdlib.h>

#include "tq/title.h"

#include "args.h"
#include "notes.h"

enum { EVENT_CALLSTACK = 56 }; /* field of TrackEvent */

/* ---- what the schema does not know ---- */

/* put "args." before names that are taken */
static void
rename_taken(
    struct args *a, const struct event *ev, size_t nested, size_t count)
{
	struct note_member *m = a->members.member;
	struct text *names = &a->names;

	names->len = 0;
	for (size_t i = 0; i < count; i++) {
		size_t start = names->len;

		if (m[i].key.len > 0 && !title_taken(ev, m[i].key, i < nested))
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
	struct note_member *m;

	a->keys.len = 0;
	if (event_has(ev, KEY_args))
		nested = notes_take_apart(
		    &a->members, &a->keys, ev->value[KEY_args]);
	count = nested + ev->unknown_count;
	m = notes_reserve(&a->members, count);
	for (size_t i = nested; i < count; i++)
		m[i] = (struct note_member){.key = ev->unknown[i - nested].key,
		    .value = ev->unknown[i - nested].value};
	rename_taken(a, ev, nested, count);
	notes_sorted(p, NOTES_FIELD, m, count);
}

/* ---- what the schema knows ---- */

static size_t
open_note(struct text *b, enum key key)
{
	size_t note = proto_open(b, NOTES_FIELD);

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

static void
add_key(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names, enum key key)
{
	struct text *b = &p->out->buf;
	size_t note;

	if ((key == KEY_sym && add_symbol(a, p, ev, names)) ||
	    (key == KEY_stack && add_stack(a, p, ev, names)))
		return;
	switch (schema_keys[key].type) {
	case TYPE_INT:
		b->len = (size_t)(notes_put_int(text_reserve(b, NOTES_INT_MAX),
				      ev->value[key], key) -
				  b->p);
		return;
	case TYPE_STR:
		notes_string(p, ev->value[key], key);
		return;
	default:
		break;
	}
	note = open_note(b, key);
	if (schema_keys[key].type != TYPE_INTS ||
	    !notes_ints(b, ev->value[key]))
		notes_value(p, ev->value[key]);
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

/* keys of TYPE_INT that are nothing else */
static struct keyset plain_ints;

__attribute__((constructor)) static void
fill(void)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (schema_keys[i].type == TYPE_INT && i != KEY_sym &&
		    i != KEY_stack)
			keyset_add(&plain_ints, (enum key)i);
}

static inline enum key
first_of(size_t word, uint64_t bits)
{
	return (enum key)(word * 64 + (size_t)__builtin_ctzll(bits));
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

		while (bits != 0) {
			/* numbers one after the other go into one room */
			uint64_t others = bits & ~plain_ints.bits[word];
			uint64_t ints = bits & (others ^ (others - 1));
			char *q = text_reserve(b, 64 * (size_t)NOTES_INT_MAX);

			bits &= ~ints;
			ints &= ~others;
			for (; ints != 0; ints &= ints - 1) {
				enum key key = first_of(word, ints);

				q = notes_put_int(q, ev->value[key], key);
			}
			b->len = (size_t)(q - b->p);
			if (others != 0)
				add_key(
				    a, p, ev, names, first_of(word, others));
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
	free(a->members.member);
	text_free(&a->keys);
	text_free(&a->names);
	map_free(&a->stacks);
}
