/* arg_pieces.c - the pieces that the args of a record are put together from */

#include "arg_pieces.h"
#include "spell.h"
#include "tq/base/plain.h"

/* what is known of the values of a line */
enum trust { VALID, PLAIN_STRINGS, PLAIN, TRUSTS };

static struct key_prefix {
	struct arg_piece piece;   /* of the key alone */
	unsigned char gap;        /* the shortest in front of it in a line */
	bool renamed;             /* so that no run goes on with it */
	uint32_t longest[TRUSTS]; /* value that is spelt right for sure */
} prefixes[KEY_COUNT];

static uint32_t
longest(enum type type, enum trust trust)
{
	switch (type) {
	case TYPE_BOOL:
		return UINT32_MAX;
	case TYPE_STR:
		return trust >= PLAIN_STRINGS ? UINT32_MAX : 0;
	case TYPE_INT:
		return trust >= PLAIN ? UINT32_MAX : SPELL_EXACT;
	case TYPE_INTS:
	case TYPE_STRS:
		return trust >= PLAIN ? UINT32_MAX : 0;
	default:
		return 0;
	}
}

__attribute__((constructor)) static void
fill(void)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		struct key_prefix *x = &prefixes[i];
		/* as Kineto's tools look for it */
		const char *name =
		    i == KEY_corr ? "correlation" : schema_keys[i].name;
		size_t n = strlen(name);

		memcpy(x->piece.text, ",\"", 2);
		memcpy(x->piece.text + 2, name, n);
		memcpy(x->piece.text + 2 + n, "\":", 2);
		x->piece.len = (unsigned char)(n + 4);
		x->piece.first = x->piece.last = (unsigned char)i;
		x->piece.special = i == KEY_sym || i == KEY_stack;
		x->gap = (unsigned char)(schema_keys[i].len + 4);
		x->renamed = i == KEY_corr;
		for (size_t trust = 0; trust < TRUSTS; trust++)
			x->longest[trust] =
			    longest(schema_keys[i].type, (enum trust)trust);
	}
}

/* is there a space, or in what is up to 15 bytes behind? */
static inline bool
may_have_space(struct span v)
{
	plain_block block = plain_load(v.p);

	return !plain_none(
	    (plain_block)(block == ' ') | (plain_block)(block == '\t'));
}

/* [1,2,3] of numbers that are exact everywhere? */
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

/* is this how spell_value spells it? */
static bool
is_spelt(struct span v, enum key key, enum trust trust)
{
	if (v.len <= prefixes[key].longest[trust])
		return true;
	if (schema_keys[key].type == TYPE_INTS)
		return are_exact(v);
	return schema_keys[key].type == TYPE_STR && spell_is_plain(v);
}

/* or was it spelt anew, where something else stands before it? */
static inline bool
is_in_line(const struct event *ev, struct span v)
{
	return (uintptr_t)v.p - (uintptr_t)ev->line.p < ev->line.len;
}

/*
 * Add a key to the pieces, of which x is the next; end is where the run ends
 * that may go on, or 0.  A gap between two values that is as long as the
 * shortest spelling of the key can hold nothing else.
 */
static inline struct arg_piece *
add_key(struct arg_piece *x, const struct event *ev, enum key key,
    enum trust trust, uintptr_t *end)
{
	const struct key_prefix *prefix = &prefixes[key];
	struct span v = ev->value[key];
	bool copied = !prefix->piece.special && is_spelt(v, key, trust);

	if (copied && !prefix->renamed && (uintptr_t)v.p == *end + prefix->gap)
		x[-1].last = (unsigned char)key;
	else {
		*x = prefix->piece;
		x++->special = !copied;
	}
	*end = copied && is_in_line(ev, v) ? (uintptr_t)(v.p + v.len) : 0;
	return x;
}

static enum trust
trust_in(const struct event *ev)
{
	if (ev->plain)
		return PLAIN;
	return plain_line(ev->line) ? PLAIN_STRINGS : VALID;
}

void
arg_pieces_make(
    struct arg_pieces *pieces, const struct event *ev, struct keyset keys)
{
	enum trust trust = trust_in(ev);
	struct arg_piece *x = pieces->all;
	uintptr_t end = 0;

	for (unsigned i = 0; i < 2; i++)
		for (uint64_t bits = keys.bits[i]; bits != 0;
		     bits &= bits - 1) {
			unsigned k = (unsigned)__builtin_ctzll(bits);

			x = add_key(x, ev, (enum key)(i * 64 + k), trust, &end);
		}
	pieces->end = x;
}

struct arg_piece
arg_pieces_key(enum key key)
{
	struct arg_piece x = prefixes[key].piece;

	x.special = true;
	return x;
}
