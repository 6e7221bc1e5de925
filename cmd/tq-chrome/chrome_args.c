/*
 * chrome_args.c - all that a record has, as args
 *
 * Members of a line that stand there as they are to be written are a run, and
 * are copied at once.  In all plain lines of one shape (event.h) these are the
 * same members, so that they are looked for once.
 */

#include <stdlib.h>

#include "chrome_args.h"
#include "spell.h"
#include "tq/base/mem.h"
#include "tq/base/plain.h"

enum { PIECES = 256, SYMBOLS = 256 }; /* that are remembered */

/* how much is known of the values of a line */
enum trust { VALID, PLAIN_STRINGS, PLAIN };

struct arg_piece {
	char text[20]; /* the bytes before it: ,"key": */
	unsigned char len;
	unsigned char first, last; /* keys of a run */
	bool special;              /* a single key, whose value is spelt anew */
};

/* the parts of a record's args */
struct arg_pieces {
	uint64_t shape; /* of plain lines, or 0 */
	struct keyset keys;
	const struct arg_piece *end;
	struct arg_piece all[KEY_COUNT];
};

/* the member that stands for a symbol */
struct symbol_member {
	int64_t id;
	int64_t replaced; /* in names.h, at the time */
	struct text text; /* ,"demangled":"..."; or empty */
};

void
chrome_args_init(
    struct chrome_args *a, struct text *to, const struct names *names)
{
	*a = (struct chrome_args){.to = to,
	    .names = names,
	    .pieces = mem_alloc(PIECES * sizeof(*a->pieces)),
	    .symbol = mem_alloc(SYMBOLS * sizeof(*a->symbol))};
}

void
chrome_args_free(struct chrome_args *a)
{
	for (size_t i = 0; a->symbol != NULL && i < SYMBOLS; i++)
		text_free(&a->symbol[i].text);
	free(a->symbol);
	free(a->pieces);
	args_free(&a->others);
}

/* ---- pieces ---- */

static bool
is_special(enum key key)
{
	return key == KEY_sym || key == KEY_stack;
}

static struct arg_piece
piece_of(enum key key, bool special)
{
	struct span name = args_name(key);
	struct arg_piece x = {.len = (unsigned char)(name.len + 4),
	    .first = (unsigned char)key,
	    .last = (unsigned char)key,
	    .special = special};

	memcpy(x.text, ",\"", 2);
	memcpy(x.text + 2, name.p, name.len);
	memcpy(x.text + 2 + name.len, "\":", 2);
	return x;
}

/* True if s, or one of the up to 15 bytes behind it, has a space. */
static inline bool
may_have_space(struct span s)
{
	plain_block block = plain_load(s.p);

	return !plain_none(
	    (plain_block)(block == ' ') | (plain_block)(block == '\t'));
}

/* True if these are [1,2,3] of numbers that are exact everywhere. */
static bool
are_exact(struct span v)
{
	size_t digits = 0;

	if (v.len <= SPELL_EXACT && !may_have_space(v))
		return true;
	for (size_t i = 1; i + 1 < v.len; i++) {
		if (v.p[i] == ',')
			digits = 0;
		else if (v.p[i] == ' ' || v.p[i] == '\t' ||
			 ++digits > SPELL_EXACT)
			return false;
	}
	return true;
}

/* True if spell_value spells the value like this. */
static bool
is_spelt(struct span v, enum type type, enum trust trust)
{
	switch (type) {
	case TYPE_BOOL:
		return true;
	case TYPE_STR:
		return trust >= PLAIN_STRINGS || spell_is_plain(v);
	case TYPE_INT:
		return trust >= PLAIN || v.len <= SPELL_EXACT;
	case TYPE_INTS:
		return trust >= PLAIN || are_exact(v);
	case TYPE_STRS:
		return trust >= PLAIN;
	default:
		return false;
	}
}

/* False if the value was spelt anew, and stands elsewhere. */
static inline bool
is_in_line(const struct event *ev, struct span v)
{
	return (uintptr_t)v.p - (uintptr_t)ev->line.p < ev->line.len;
}

/*
 * Add a key to the pieces, of which x is the next; run_end is where the run
 * ends that may go on, or 0.  A gap between two values that is as long as the
 * shortest spelling of the key can hold nothing else.
 */
static inline struct arg_piece *
add_key(struct arg_piece *x, const struct event *ev, enum key key,
    enum trust trust, uintptr_t *run_end)
{
	struct span v = ev->value[key];
	bool copied =
	    !is_special(key) && is_spelt(v, schema_keys[key].type, trust);

	if (copied && key != KEY_corr && /* which is renamed */
	    (uintptr_t)v.p == *run_end + schema_keys[key].len + 4)
		x[-1].last = (unsigned char)key;
	else
		*x++ = piece_of(key, !copied);
	*run_end = copied && is_in_line(ev, v) ? (uintptr_t)(v.p + v.len) : 0;
	return x;
}

static enum trust
trust_in(const struct event *ev)
{
	if (ev->plain)
		return PLAIN;
	return plain_line(ev->line) ? PLAIN_STRINGS : VALID;
}

static void
make_pieces(struct arg_pieces *pieces, const struct event *ev)
{
	enum trust trust = trust_in(ev);
	struct arg_piece *x = pieces->all;
	uintptr_t run_end = 0;

	for (enum key k = keyset_next(&pieces->keys, 0); k != KEY_NONE;
	     k = keyset_next(&pieces->keys, k + 1))
		x = add_key(x, ev, k, trust, &run_end);
	pieces->end = x;
}

/*
 * The pieces for a record: new ones where no remembered ones fit.  Those of one
 * shape that are common differ in whether they have a pid or tid.
 */
static inline const struct arg_pieces *
find_pieces(struct chrome_args *a, const struct event *ev, struct keyset keys)
{
	uint64_t shape = ev->plain ? ev->shape : 0;
	unsigned ids =
	    keyset_has(&keys, KEY_pid) * 2u | keyset_has(&keys, KEY_tid);
	struct arg_pieces *pieces = &a->pieces[(shape * 4 + ids) % PIECES];

	if (shape == 0 || pieces->shape != shape ||
	    !keyset_equals(&pieces->keys, &keys)) {
		pieces->shape = shape;
		pieces->keys = keys;
		make_pieces(pieces, ev);
	}
	return pieces;
}

/* ---- values that are not copied ---- */

static void
add_value(struct text *t, const struct event *ev, const struct arg_piece *x)
{
	text_add(t, x->text, x->len);
	spell_value(t, ev->value[x->first]);
}

static void
add_symbol(const struct chrome_args *a, const struct event *ev,
    const struct arg_piece *x)
{
	int64_t id = event_int(ev, KEY_sym, NO_ID);
	struct symbol_member *known = &a->symbol[(uint64_t)id % SYMBOLS];
	struct defined_name s;

	if (known->id != id || known->replaced != a->names->replaced ||
	    known->text.len == 0) {
		if (!names_symbol(a->names, id, &s)) {
			add_value(a->to, ev, x);
			return;
		}
		known->id = id;
		known->replaced = a->names->replaced;
		known->text.len = 0;
		if (s.more.len > 0) {
			text_add_span(&known->text, SPAN(",\"demangled\":"));
			spell_bytes(&known->text, s.more);
		}
	}
	if (!event_has(ev, KEY_demangled))
		text_add_span(a->to, text_span(&known->text));
}

static void
add_stack(const struct chrome_args *a, const struct event *ev,
    const struct arg_piece *x)
{
	const uint32_t *frames;
	size_t n =
	    names_stack(a->names, event_int(ev, KEY_stack, NO_ID), &frames);

	if (n == 0) {
		add_value(a->to, ev, x);
		return;
	}
	text_add(a->to, x->text, x->len);
	for (size_t i = 0; i < n; i++) {
		text_add_char(a->to, i == 0 ? '[' : ',');
		spell_bytes(a->to, names_frame(a->names, frames[i]));
	}
	text_add_char(a->to, ']');
}

static void
add_special(const struct chrome_args *a, const struct event *ev,
    const struct arg_piece *x)
{
	if (x->first == KEY_sym)
		add_symbol(a, ev, x);
	else if (x->first == KEY_stack)
		add_stack(a, ev, x);
	else
		add_value(a->to, ev, x);
}

/* ---- args ---- */

/*
 * Room for all of a record but for what add_special adds; "correlation" is
 * longer than the key in the line.
 */
static char *
reserve(struct text *t, const struct event *ev)
{
	return text_reserve(t, event_bytes(ev) + CHROME_ARGS_ROOM);
}

static inline char *
put_keys(const struct chrome_args *a, char *p, const struct event *ev,
    const struct arg_pieces *pieces)
{
	for (const struct arg_piece *x = pieces->all; x < pieces->end; x++) {
		const struct span *last = &ev->value[x->last];
		const char *run = ev->value[x->first].p;
		size_t len = (size_t)(last->p + last->len - run);

		if (x->special) {
			text_end(a->to, p);
			add_special(a, ev, x);
			p = reserve(a->to, ev);
			continue;
		}
		memcpy(p, x->text, sizeof(x->text));
		p = plain_put(p + x->len, (struct span){run, len});
	}
	return p;
}

char *
chrome_args_put(
    struct chrome_args *a, char *p, const struct event *ev, struct keyset keys)
{
	static const char args_are[8] = ",\"args\":";
	size_t start = (size_t)(p - a->to->p) + sizeof(args_are);

	memcpy(p, args_are, sizeof(args_are));
	p = put_keys(a, p + sizeof(args_are), ev, find_pieces(a, ev, keys));
	if (args_has_others(ev)) {
		text_end(a->to, p);
		args_others(&a->others, ev, ARGS_AS_THEY_ARE);
		spell_args(a->to, &a->others);
		p = reserve(a->to, ev);
	}
	/* the first comma becomes the brace */
	if (p == a->to->p + start)
		p++;
	a->to->p[start] = '{';
	memcpy(p, "}}", 2);
	return p + 2;
}

void
chrome_args_add_keys(struct text *t, const struct event *ev)
{
	for (enum key key = 0; key < KEY_COUNT; key++)
		if (event_has(ev, key) && key != KEY_kind && key != KEY_args) {
			struct arg_piece x = piece_of(key, true);

			add_value(t, ev, &x);
		}
}
