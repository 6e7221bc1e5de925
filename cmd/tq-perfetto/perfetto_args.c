/* perfetto_args.c - all that a record knew */

#include "perfetto_args.h"
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

/* NULL where it is not defined */
static const struct symbol_arg *
find_symbol(struct perfetto_args *a, struct packets *p,
    const struct names *names, int64_t id)
{
	struct symbol_arg *symbol = &a->symbol[(uint64_t)id % ARGS_SYMBOLS];
	struct defined_name s;

	if (symbol->known && symbol->id == id)
		return symbol;
	if (!names_symbol(names, id, &s))
		return NULL;
	*symbol = (struct symbol_arg){.id = id, .known = true};
	if (s.more.len > 0)
		symbol->value = packets_value(p, s.more);
	if (s.more.len > 0 && symbol->value == 0)
		symbol->string = packets_intern(p, LIST_STRING, s.more);
	return symbol;
}

/* the number of a call stack, 0 where it is not defined */
static uint32_t
find_stack(struct perfetto_args *a, struct packets *p,
    const struct names *names, int64_t id)
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
			p, LIST_FUNCTION, names_frame(names, frames[i - 1])));
	stack = proto_open(&p->fresh, INTERNED_CALLSTACKS);
	proto_uint(&p->fresh, 1, a->last_stack);
	text_add_span(&p->fresh, text_span(&a->scratch));
	proto_close(&p->fresh, stack);
	return a->last_stack;
}

/* true if it stands for the key */
static bool
add_stack(struct perfetto_args *a, struct packets *p, const struct event *ev,
    const struct names *names)
{
	uint32_t number =
	    find_stack(a, p, names, event_int(ev, KEY_stack, NO_ID));

	if (number != 0)
		proto_uint(&p->out->buf, EVENT_CALLSTACK, number);
	return number != 0;
}

static void
add_key(struct perfetto_args *a, struct packets *p, const struct event *ev,
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
add_symbol(struct text *b, const struct symbol_arg *symbol)
{
	size_t note = open_note(b, KEY_demangled);

	proto_uint(b, NOTE_INTERNED, symbol->string);
	proto_close(b, note);
}

/* numbers of what was interned before are good for nothing any more */
static void
forget(struct perfetto_args *a)
{
	memset(a->symbol, 0, sizeof(a->symbol));
	map_clear(&a->stacks);
	a->last_stack = 0;
}

/* the number of a string in the enumeration; 0 where it has none */
static uint32_t
find_value(struct packets *p, struct recent_slot *home, struct span s)
{
	uint32_t number;

	if (memchr(s.p, '\\', s.len) != NULL)
		return 0;
	number = packets_value(p, s);
	if (number != 0)
		recent_add(home, s, number);
	return number;
}

/* ---- fields ---- */

/* on its own, so that registers are left */
static __attribute__((noinline)) char *
put_ints(char *q, const struct event *ev, const struct field *f, size_t n)
{
	for (const struct field *last = f + n; f < last; f++)
		q = fields_put_int(q, f, ev->value[f->key]);
	return q;
}

/* what cannot be a field is left */
static char *
put_lists(struct perfetto_args *a, char *q, const struct event *ev,
    const struct field *f, size_t n)
{
	char *end;

	for (const struct field *last = f + n; f < last; f++) {
		end = fields_put_ints(q, f, ev->value[f->key]);
		if (end != NULL)
			q = end;
		else
			keyset_add(&a->left, f->key);
	}
	return q;
}

static char *
put_strings(struct perfetto_args *a, struct packets *p, char *q,
    const struct event *ev, const struct field *f, size_t n)
{
	for (const struct field *last = f + n; f < last; f++) {
		struct span v = ev->value[f->key], s = {v.p + 1, v.len - 2};
		struct recent_slot *home =
		    recent_home(a->values, ARGS_VALUES, s);
		uint32_t number = recent_find(home, s);

		if (number == 0)
			number = find_value(p, home, s);
		if (number != 0)
			q = fields_put(q, f, number);
		else
			keyset_add(&a->left, f->key);
	}
	return q;
}

static inline void
add_fields(struct perfetto_args *a, struct packets *p, char *q,
    const struct event *ev, const struct field_list *list, uint32_t demangled)
{
	const struct field *f = list->fields;
	struct text *b = &p->out->buf;
	char *start = q, *message;

	message = q = proto_put_open(q, FIELDS_EVENT);
	q = put_ints(q, ev, f, list->ints);
	f += list->ints;
	q = put_lists(a, q, ev, f, list->lists);
	f += list->lists;
	q = put_strings(a, p, q, ev, f, list->strings);
	if (demangled != 0)
		q = fields_put(q, &fields[KEY_demangled], demangled);
	text_end(b, q == message ? start : q);
	if (q != message)
		proto_close(b, (size_t)(message - b->p));
}

/*
 * What few records have: annotations, and keys that are unknown.  On its own,
 * so that registers are left for the fields.
 */
static __attribute__((noinline)) void
add_rest(struct perfetto_args *a, struct packets *p, const struct event *ev,
    const struct names *names, struct keyset notes)
{
	for (size_t word = 0; word < 2; word++)
		for (uint64_t bits = notes.bits[word] | a->left.bits[word];
		     bits != 0; bits &= bits - 1)
			add_key(a, p, ev, names,
			    (enum key)(
				word * 64 + (size_t)__builtin_ctzll(bits)));
	a->left = (struct keyset){0};
	if (ev->unknown_count > 0 || event_has(ev, KEY_args)) {
		args_others(&a->members, ev, false);
		notes_members(p, NOTES_FIELD, &a->members);
	}
}

static inline bool
is_empty(const struct keyset *s)
{
	return (s->bits[0] | s->bits[1]) == 0;
}

void
perfetto_args_add(struct perfetto_args *a, struct packets *p, char *q,
    const struct event *ev, const struct names *names,
    const struct keyset *without)
{
	const struct field_list *list =
	    field_list_find(&a->lists, ev->has.bits[0] & ~without->bits[0],
		ev->has.bits[1] & ~without->bits[1]);
	const struct symbol_arg *symbol = NULL;

	if (a->epoch != p->epoch) {
		a->epoch = p->epoch;
		forget(a);
	}
	if (event_has(ev, KEY_sym)) {
		symbol = find_symbol(a, p, names, event_int(ev, KEY_sym, 0));
		if (symbol == NULL)
			keyset_add(&a->left, KEY_sym);
		if (event_has(ev, KEY_demangled))
			symbol = NULL;
	}
	add_fields(a, p, q, ev, list, symbol != NULL ? symbol->value : 0);
	if (symbol != NULL && symbol->string != 0)
		add_symbol(&p->out->buf, symbol);
	if (!is_empty(&list->notes) || !is_empty(&a->left) ||
	    ev->unknown_count > 0 || event_has(ev, KEY_args))
		add_rest(a, p, ev, names, list->notes);
}

void
perfetto_args_free(struct perfetto_args *a)
{
	args_free(&a->members);
	text_free(&a->scratch);
	map_free(&a->stacks);
}
