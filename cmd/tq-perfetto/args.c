/* args.c - all that a record knew */

#include "args.h"
#include "fields.h"
#include "notes.h"

enum { EVENT_CALLSTACK = 56 }; /* field of TrackEvent */

/* ---- what the schema knows ---- */

static size_t
open_note(struct text *b, enum key key)
{
	size_t note = proto_open(b, NOTES_FIELD);

	proto_uint(b, NOTE_KEY, (uint64_t)key + 1);
	return note;
}

/* NULL where the record has none, or it is not defined */
static const struct args_symbol *
find_symbol(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names)
{
	int64_t id;
	struct args_symbol *symbol;
	struct name s;

	if (!event_has(ev, KEY_sym))
		return NULL;
	id = event_int(ev, KEY_sym, 0);
	symbol = &a->symbol[(uint64_t)id % ARGS_SYMBOLS];
	if (symbol->known && symbol->id == id)
		return symbol;
	if (!names_symbol(names, id, &s))
		return NULL;
	*symbol = (struct args_symbol){.id = id, .known = true};
	if (s.more.len > 0)
		symbol->value = packets_value(p, s.more);
	if (s.more.len > 0 && symbol->value == 0)
		symbol->string = packets_intern(p, INTERN_STRING, s.more);
	return symbol;
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
	a->scratch.len = 0;
	for (size_t i = n; i > 0; i--)
		proto_uint(&a->scratch, 2,
		    packets_intern(
			p, INTERN_FUNCTION, names_frame(names, frames[i - 1])));
	stack = proto_open(&p->fresh, INTERNED_CALLSTACKS);
	proto_uint(&p->fresh, 1, a->last_stack);
	text_add_span(&p->fresh, text_span(&a->scratch));
	proto_close(&p->fresh, stack);
	return a->last_stack;
}

/* true if it stands for the key */
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

	if (key == KEY_stack && add_stack(a, p, ev, names))
		return;
	note = open_note(b, key);
	notes_value(p, ev->value[key]);
	proto_close(b, note);
}

static void
add_symbol(struct text *b, const struct args_symbol *symbol)
{
	size_t note = open_note(b, KEY_demangled);

	proto_uint(b, NOTE_INTERNED, symbol->string);
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

static inline enum key
first_of(size_t word, uint64_t bits)
{
	return (enum key)(word * 64 + (size_t)__builtin_ctzll(bits));
}

/* the number of a string in the enumeration; 0 where it has none */
static uint32_t
find_value(struct args_last *last, struct packets *p, struct span s)
{
	uint32_t number;

	if (memchr(s.p, '\\', s.len) != NULL)
		return 0;
	number = packets_value(p, s);
	if (number != 0 && s.len <= ARGS_LAST) {
		last->number = number;
		last->len = (uint32_t)s.len;
		memcpy(last->text, s.p, s.len);
	}
	return number;
}

/*
 * A typed field at q, as fields_put; NULL where the value is none that it can
 * have.
 */
static inline char *
put_field(
    char *q, struct args *a, struct packets *p, enum key key, struct span v)
{
	struct args_last *last = &a->last[key];
	struct span s = {v.p + 1, v.len - 2};
	uint32_t number;

	if (fields_tags[key].type == TYPE_INT)
		return fields_put_int(q, key, v);
	if (fields_tags[key].type == TYPE_INTS)
		return fields_put_ints(q, key, v);
	number = last->number;
	if (number == 0 || last->len != s.len || !intern_equal(last->text, s))
		number = find_value(last, p, s);
	return number == 0 ? NULL : fields_put(q, key, number);
}

/* typed fields of what they can hold; *keys keeps the rest */
static void
add_fields(struct args *a, struct packets *p, const struct event *ev,
    const struct args_symbol *symbol, struct keyset *keys)
{
	struct text *b = &p->out->buf;
	size_t start = b->len, fields = proto_open(b, FIELDS_EVENT);
	char *q = text_reserve(b, FIELDS_GROWTH * ev->line.len), *end;

	for (size_t word = 0; word < 2; word++) {
		uint64_t typed = keys->bits[word] & fields_keys.bits[word];

		keys->bits[word] &= ~typed;
		for (; typed != 0; typed &= typed - 1) {
			enum key key = first_of(word, typed);

			end = put_field(q, a, p, key, ev->value[key]);
			if (end == NULL)
				keyset_add(keys, key);
			else
				q = end;
		}
	}
	if (symbol != NULL && symbol->value != 0)
		q = fields_put(q, KEY_demangled, symbol->value);
	b->len = (size_t)(q - b->p);
	if (b->len == fields)
		b->len = start;
	else
		proto_close(b, fields);
}

void
args_add(struct args *a, struct packets *p, const struct event *ev,
    const struct names *names, const struct keyset *without)
{
	struct keyset keys = {
	    {ev->has.bits[0] & ~without->bits[0],
             ev->has.bits[1] & ~without->bits[1]}
        };
	const struct args_symbol *symbol;

	if (a->epoch != p->epoch) {
		a->epoch = p->epoch;
		forget(a);
	}
	symbol = find_symbol(a, p, ev, names);
	if (symbol != NULL)
		keyset_remove(&keys, KEY_sym);
	if (event_has(ev, KEY_demangled))
		symbol = NULL;
	add_fields(a, p, ev, symbol, &keys);
	if (symbol != NULL && symbol->string != 0)
		add_symbol(&p->out->buf, symbol);
	for (size_t word = 0; word < 2; word++)
		for (uint64_t bits = keys.bits[word]; bits != 0;
		     bits &= bits - 1)
			add_key(a, p, ev, names, first_of(word, bits));
	if (ev->unknown_count > 0 || event_has(ev, KEY_args)) {
		members_others(&a->members, ev, false);
		notes_members(p, NOTES_FIELD, &a->members);
	}
}

void
args_free(struct args *a)
{
	members_free(&a->members);
	text_free(&a->scratch);
	map_free(&a->stacks);
}
