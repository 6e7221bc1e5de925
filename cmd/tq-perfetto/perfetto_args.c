/* perfetto_args.c - all that a record has, as arguments */

#include <stdlib.h>

#include "fields.h"
#include "notes.h"
#include "perfetto_args.h"
#include "tq/base/map.h"
#include "tq/base/mem.h"

enum { EVENT_CALLSTACK = 56 }; /* field of TrackEvent */

enum {
	SYMBOLS = 1024,
	LISTS_OF_FIELDS = 256,
	WAYS = 4 /* places for a list of fields, one after another */
};

/* how to write a set of keys, of which a stream has few */
struct field_list {
	struct keyset keys;
	struct keyset notes; /* of the keys: neither a field nor a symbol */
	/* INTs come first, then INTS and STR, each in the order of the keys */
	size_t ints, lists, strings;
	struct field fields[KEY_COUNT];
};

/* the demangled name of a symbol, if it has one */
struct symbol_arg {
	int64_t id;
	uint32_t value;  /* number of a field's value, or 0 */
	uint32_t string; /* else number of an interned string */
	bool known;
};

struct perfetto_args {
	struct packets *packets;
	const struct names *names;
	struct args others;
	struct text scratch;
	struct map stacks; /* id -> number of the callstack */
	uint32_t last_stack;
	unsigned epoch; /* of packets, in which these numbers are good */
	struct symbol_arg symbols[SYMBOLS];
	struct field_list lists[LISTS_OF_FIELDS]; /* {0}: without keys */
	struct keyset left; /* of this record: values that cannot be fields */
};

struct perfetto_args *
perfetto_args_new(struct packets *p, const struct names *names)
{
	struct perfetto_args *a = mem_alloc(sizeof(*a));

	a->packets = p;
	a->names = names;
	return a;
}

void
perfetto_args_free(struct perfetto_args *a)
{
	args_free(&a->others);
	text_free(&a->scratch);
	map_free(&a->stacks);
	free(a);
}

/* ---- lists of fields ---- */

/* returns how many there are */
static size_t
add_type(struct field_list *list, struct field *to, enum type type)
{
	size_t n = 0;

	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keyset_has(&list->keys, (enum key)i) &&
		    keyset_has(&fields_keys, (enum key)i) &&
		    fields[i].type == type) {
			keyset_remove(&list->notes, (enum key)i);
			to[n++] = fields[i];
		}
	return n;
}

static void
make_list(struct field_list *list, struct keyset keys)
{
	list->keys = list->notes = keys;
	keyset_remove(&list->notes, KEY_sym);
	list->ints = add_type(list, list->fields, TYPE_INT);
	list->lists = add_type(list, list->fields + list->ints, TYPE_INTS);
	list->strings =
	    add_type(list, list->fields + list->ints + list->lists, TYPE_STR);
}

static inline bool
is_for(const struct field_list *list, struct keyset keys)
{
	return keyset_equals(&list->keys, &keys);
}

/* the list is not at its first place: look on, or make one */
static __attribute__((noinline)) const struct field_list *
look_on(struct perfetto_args *a, size_t at, struct keyset keys)
{
	const struct keyset none = {{0}};
	struct field_list *list;

	for (size_t i = 0; i < WAYS; i++) {
		list = &a->lists[(at + i) % LISTS_OF_FIELDS];
		if (is_for(list, keys))
			return list;
		if (is_for(list, none))
			break;
	}
	if (!is_for(list, none))
		list = &a->lists[at];
	make_list(list, keys);
	return list;
}

/* good until the next call */
static inline const struct field_list *
find_list(struct perfetto_args *a, struct keyset keys)
{
	const uint64_t phi = 0x9e3779b97f4a7c15u; /* 2^64 / phi: mixed bits */
	uint64_t hash = 0;
	size_t at;

	for (size_t i = KEYSET_WORDS; i-- > 0;)
		hash = hash * phi + keys.bits[i];
	at = hash * phi >> 56;

	return is_for(&a->lists[at], keys) ? &a->lists[at]
					   : look_on(a, at, keys);
}

/* ---- symbols, stacks, annotations ---- */

static size_t
open_note(struct text *b, enum key key)
{
	size_t note = proto_open(b, NOTES_FIELD);

	proto_uint(b, NOTE_KEY, (uint64_t)key + 1);
	return note;
}

/* NULL if the symbol is not defined */
static const struct symbol_arg *
find_symbol(struct perfetto_args *a, int64_t id)
{
	struct symbol_arg *symbol = &a->symbols[(uint64_t)id % SYMBOLS];
	struct defined_name s;

	if (symbol->known && symbol->id == id)
		return symbol;
	if (!names_symbol(a->names, id, &s))
		return NULL;
	*symbol = (struct symbol_arg){.id = id, .known = true};
	if (s.more.len > 0)
		symbol->value = packets_value(a->packets, s.more);
	if (s.more.len > 0 && symbol->value == 0)
		symbol->string =
		    packets_intern(a->packets, LIST_STRING, s.more);
	return symbol;
}

/* a renewal makes the numbers of interned data void */
static void
follow_renewal(struct perfetto_args *a)
{
	if (a->epoch == a->packets->epoch)
		return;
	a->epoch = a->packets->epoch;
	memset(a->symbols, 0, sizeof(a->symbols));
	map_clear(&a->stacks);
	a->last_stack = 0;
}

/* the number of a call stack; 0 if it is not defined */
static uint32_t
find_stack(struct perfetto_args *a, int64_t id)
{
	const uint32_t *frames;
	size_t n = names_stack(a->names, id, &frames), stack;
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
		    packets_intern(a->packets, LIST_FUNCTION,
			names_frame(a->names, frames[i - 1])));
	stack = proto_open(&a->packets->fresh, INTERNED_CALLSTACKS);
	proto_uint(&a->packets->fresh, 1, a->last_stack);
	text_add_span(&a->packets->fresh, text_span(&a->scratch));
	proto_close(&a->packets->fresh, stack);
	return a->last_stack;
}

uint32_t
perfetto_args_stack(struct perfetto_args *a, int64_t id)
{
	follow_renewal(a);
	return find_stack(a, id);
}

/* True if the stack stands for the key. */
static bool
add_stack(struct perfetto_args *a, const struct event *ev)
{
	uint32_t number = find_stack(a, event_int(ev, KEY_stack, NO_ID));

	if (number != 0)
		proto_uint(&a->packets->out->buf, EVENT_CALLSTACK, number);
	return number != 0;
}

static void
add_key(struct perfetto_args *a, const struct event *ev, enum key key)
{
	struct text *b = &a->packets->out->buf;
	size_t note;

	if (key == KEY_stack && add_stack(a, ev))
		return;
	note = open_note(b, key);
	notes_value(a->packets, ev->value[key]);
	proto_close(b, note);
}

static void
add_symbol(struct text *b, const struct symbol_arg *symbol)
{
	size_t note = open_note(b, KEY_demangled);

	proto_uint(b, NOTE_INTERNED, symbol->string);
	proto_close(b, note);
}

/* ---- fields ---- */

/* not inline, so that registers are left */
static __attribute__((noinline)) char *
put_ints(char *q, const struct event *ev, const struct field *f, size_t n)
{
	for (const struct field *last = f + n; f < last; f++)
		q = fields_put_int(q, f, ev->value[f->key]);
	return q;
}

/* values that cannot be fields are left */
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
put_strings(struct perfetto_args *a, char *q, const struct event *ev,
    const struct field *f, size_t n)
{
	for (const struct field *last = f + n; f < last; f++) {
		struct span v = ev->value[f->key], s = {v.p + 1, v.len - 2};
		uint32_t number = packets_json_value(a->packets, s);

		if (number != 0)
			q = fields_put(q, f, number);
		else
			keyset_add(&a->left, f->key);
	}
	return q;
}

static inline void
add_fields(struct perfetto_args *a, char *q, const struct event *ev,
    const struct field_list *list, uint32_t demangled)
{
	const struct field *f = list->fields;
	struct text *b = &a->packets->out->buf;
	char *start = q, *message;

	message = q = proto_put_open(q, FIELDS_EVENT);
	q = put_ints(q, ev, f, list->ints);
	f += list->ints;
	q = put_lists(a, q, ev, f, list->lists);
	f += list->lists;
	q = put_strings(a, q, ev, f, list->strings);
	if (demangled != 0)
		q = fields_put(q, &fields[KEY_demangled], demangled);
	text_end(b, q == message ? start : q);
	if (q != message)
		proto_close(b, (size_t)(message - b->p));
}

/*
 * Few records have annotations, or other arguments.  Not inline, so that
 * registers are left for the fields.
 */
static __attribute__((noinline)) void
add_rest(struct perfetto_args *a, const struct event *ev, struct keyset notes)
{
	keyset_add_set(&notes, &a->left);
	for (enum key k = keyset_next(&notes, 0); k != KEY_NONE;
	     k = keyset_next(&notes, k + 1))
		add_key(a, ev, k);
	a->left = (struct keyset){0};
	if (args_has_others(ev)) {
		args_others(&a->others, ev, ARGS_APART);
		notes_members(a->packets, NOTES_FIELD, &a->others);
	}
}

void
perfetto_args_add(struct perfetto_args *a, char *q, const struct event *ev,
    struct keyset keys)
{
	const struct field_list *list = find_list(a, keys);
	const struct symbol_arg *symbol = NULL;

	follow_renewal(a);
	if (event_has(ev, KEY_sym)) {
		symbol = find_symbol(a, event_int(ev, KEY_sym, 0));
		if (symbol == NULL)
			keyset_add(&a->left, KEY_sym);
		if (event_has(ev, KEY_demangled))
			symbol = NULL;
	}
	add_fields(a, q, ev, list, symbol != NULL ? symbol->value : 0);
	if (symbol != NULL && symbol->string != 0)
		add_symbol(&a->packets->out->buf, symbol);
	if (!keyset_is_empty(&list->notes) || !keyset_is_empty(&a->left) ||
	    args_has_others(ev))
		add_rest(a, ev, list->notes);
}
