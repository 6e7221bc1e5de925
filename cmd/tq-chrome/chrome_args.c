/* chrome_args.c - all that a record knew */

#include <stdlib.h>

#include "chrome_args.h"
#include "spell.h"
#include "tq/base/mem.h"
#include "tq/base/plain.h"

/* keys that are not among the args, by what is asked for */
static struct keyset left_out[ARGS_SETS];

__attribute__((constructor)) static void
fill(void)
{
	static const enum key optional[] = {
	    KEY_ts, KEY_dur, KEY_on, KEY_pid, KEY_tid};

	for (unsigned asked = 0; asked < ARGS_SETS; asked++) {
		struct keyset *keys = &left_out[asked];

		keyset_add(keys, KEY_kind);
		keyset_add(keys, KEY_name);
		keyset_add(keys, KEY_args);
		for (unsigned i = 0; 1u << i < ARGS_SETS; i++)
			if ((asked >> i & 1) == 0)
				keyset_add(keys, optional[i]);
	}
}

/* the member that stands for a symbol */
struct symbol_member {
	int64_t id;
	int64_t replaced; /* as names.h had it */
	struct text text; /* ,"demangled":"..."; or empty */
};

void
chrome_args_init(
    struct chrome_args *a, struct text *to, const struct names *names)
{
	*a = (struct chrome_args){.to = to,
	    .names = names,
	    .pieces = mem_alloc(ARGS_PIECES * sizeof(*a->pieces)),
	    .symbol = mem_alloc(ARGS_SYMBOLS * sizeof(*a->symbol))};
}

void
chrome_args_free(struct chrome_args *a)
{
	for (size_t i = 0; a->symbol != NULL && i < ARGS_SYMBOLS; i++)
		text_free(&a->symbol[i].text);
	free(a->symbol);
	free(a->pieces);
	args_free(&a->scratch);
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
	struct symbol_member *known = &a->symbol[(uint64_t)id % ARGS_SYMBOLS];
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

/* ---- what the schema knows ---- */

/*
 * Room for all of a record but for what add_special adds.  Integers may be
 * longer than they are in the line, and so is "correlation".
 */
static char *
reserve(struct text *t, const struct event *ev)
{
	return text_reserve(t, ev->line.len + ARGS_ROOM);
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

static struct keyset
keys_of(const struct event *ev, unsigned asked)
{
	struct keyset keys = ev->has;

	keys.bits[0] &= ~left_out[asked].bits[0];
	keys.bits[1] &= ~left_out[asked].bits[1];
	return keys;
}

/*
 * The pieces for a record: a new one where none is known that is good for it.
 * Those of one shape that are common differ in whose pid and tid it is.
 */
static inline const struct arg_pieces *
find_pieces(struct chrome_args *a, const struct event *ev, unsigned asked)
{
	uint64_t shape = ev->plain ? ev->shape : 0;
	uint64_t number = shape * ARGS_SETS + asked;
	struct arg_pieces *pieces = &a->pieces[number / ARGS_PID % ARGS_PIECES];

	if (pieces->number != number || shape == 0) {
		pieces->number = number;
		arg_pieces_make(pieces, ev, keys_of(ev, asked));
	}
	return pieces;
}

char *
chrome_args_put(
    struct chrome_args *a, char *p, const struct event *ev, unsigned asked)
{
	static const char args_are[8] = ",\"args\":";
	size_t start = (size_t)(p - a->to->p) + sizeof(args_are);

	memcpy(p, args_are, sizeof(args_are));
	p = put_keys(a, p + sizeof(args_are), ev, find_pieces(a, ev, asked));
	if (ev->unknown_count > 0 || event_has(ev, KEY_args)) {
		text_end(a->to, p);
		args_others(&a->scratch, ev, true);
		spell_args(a->to, &a->scratch);
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
			struct arg_piece x = arg_pieces_key(key);

			add_value(t, ev, &x);
		}
}
