/* args.c - all that a record knew */

#include <stdlib.h>

#include "args.h"
#include "spell.h"

/* what stands before a value, ready to be copied */
static struct prefix {
	unsigned char len;
	unsigned char gap;  /* the shortest that can stand there in a line */
	unsigned char type; /* of the value */
	bool special;       /* neither key nor value go out as they came */
	char text[20];
} prefixes[KEY_COUNT];

__attribute__((constructor)) static void
fill(void)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		struct prefix *x = &prefixes[i];
		/* as Kineto's tools look for it */
		const char *name =
		    i == KEY_corr ? "correlation" : schema_keys[i].name;
		size_t n = strlen(name);

		memcpy(x->text, ",\"", 2);
		memcpy(x->text + 2, name, n);
		memcpy(x->text + 2 + n, "\":", 2);
		x->len = (unsigned char)(n + 4);
		x->gap = (unsigned char)(schema_keys[i].len + 4);
		x->type = (unsigned char)schema_keys[i].type;
		x->special = i == KEY_corr || i == KEY_sym || i == KEY_stack;
	}
}

static void
add_prefix(struct text *t, enum key key)
{
	const struct prefix *x = &prefixes[key];
	char *p = text_reserve(t, sizeof(x->text));

	memcpy(p, x->text, sizeof(x->text));
	t->len += x->len;
}

static void
add_value(struct text *t, const struct event *ev, enum key key)
{
	add_prefix(t, key);
	spell_value(t, ev->value[key]);
}

static void
add_symbol(struct text *t, const struct event *ev, const struct names *names)
{
	struct name s;

	if (!names_symbol(names, event_int(ev, KEY_sym, NAMES_NONE), &s)) {
		add_value(t, ev, KEY_sym);
		return;
	}
	if (s.more.len > 0 && !event_has(ev, KEY_demangled)) {
		add_prefix(t, KEY_demangled);
		spell_bytes(t, s.more);
	}
}

static void
add_stack(struct text *t, const struct event *ev, const struct names *names)
{
	const uint32_t *frames;
	size_t n =
	    names_stack(names, event_int(ev, KEY_stack, NAMES_NONE), &frames);

	if (n == 0) {
		add_value(t, ev, KEY_stack);
		return;
	}
	add_prefix(t, KEY_stack);
	for (size_t i = 0; i < n; i++) {
		text_add_char(t, i == 0 ? '[' : ',');
		spell_bytes(t, names_frame(names, frames[i]));
	}
	text_add_char(t, ']');
}

/* ---- what the schema does not know ---- */

/* is there a member of this name already? */
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
rename_taken(const struct event *ev, struct spell_member *m, size_t nested,
    size_t count, struct text *names)
{
	for (size_t i = 0; i < count; i++) {
		size_t start = names->len;

		if (!is_taken(ev, m[i].key, i < nested))
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

/* keys of the record, and what is in its args */
static void
add_others(struct text *t, const struct event *ev, struct args_scratch *scratch)
{
	struct spell_member *m;
	size_t nested = 0, count;

	scratch->keys.len = scratch->names.len = 0;
	if (event_has(ev, KEY_args))
		nested = spell_take_apart(
		    ev->value[KEY_args], &scratch->members, &scratch->keys);
	count = nested + ev->unknown_count;
	m = spell_reserve(&scratch->members, count);
	for (size_t i = nested; i < count; i++)
		m[i] = (struct spell_member){.key = ev->unknown[i - nested].key,
		    .value = ev->unknown[i - nested].value};
	rename_taken(ev, m, nested, count, &scratch->names);
	spell_sorted(t, m, count);
}

/* ---- what the schema knows ---- */

/* [1,2,3] of numbers that are exact everywhere? */
static bool
are_exact(struct span v)
{
	size_t digits = 0;

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
static inline bool
is_spelt(struct span v, enum type type)
{
	if (type == TYPE_INT)
		return v.len <= SPELL_EXACT;
	if (type == TYPE_STR)
		return spell_is_plain(v);
	return type == TYPE_BOOL || (type == TYPE_INTS && are_exact(v));
}

/*
 * The keys, but for those in *without.  Where the members of a line follow
 * one another as they are to be written they are copied as they stand: a gap
 * between two values that is as long as the shortest spelling of the key can
 * hold nothing else.
 */
static void
add_keys(struct text *t, const struct event *ev, const struct names *names,
    const struct keyset *without)
{
	struct span run = {NULL, 0};

	for (size_t word = 0; word < 2; word++) {
		uint64_t bits = ev->has.bits[word] & ~without->bits[word];

		for (; bits != 0; bits &= bits - 1) {
			enum key key = (enum key)(
			    word * 64 + (size_t)__builtin_ctzll(bits));
			const struct prefix *x = &prefixes[key];
			struct span v = ev->value[key];
			bool spelt = is_spelt(v, (enum type)x->type);

			if (run.len > 0 && spelt && !x->special &&
			    v.p == run.p + run.len + x->gap) {
				run.len += x->gap + v.len;
				continue;
			}
			text_add_span(t, run);
			run.len = 0;
			if (key == KEY_sym && names != NULL)
				add_symbol(t, ev, names);
			else if (key == KEY_stack && names != NULL)
				add_stack(t, ev, names);
			else if (!spelt)
				add_value(t, ev, key);
			else {
				add_prefix(t, key);
				run = v;
			}
		}
	}
	text_add_span(t, run);
}

void
args_add(struct text *t, const struct event *ev, const struct names *names,
    const struct keyset *without, struct args_scratch *scratch)
{
	size_t start;

	text_add(t, ",\"args\":", 8);
	start = t->len;
	add_keys(t, ev, names, without);
	if (ev->unknown_count > 0 || event_has(ev, KEY_args))
		add_others(t, ev, scratch);
	spell_enclose(t, start, '{', '}');
}

void
args_add_keys(struct text *t, const struct event *ev)
{
	struct keyset without = {0};

	keyset_add(&without, KEY_kind);
	keyset_add(&without, KEY_args);
	add_keys(t, ev, NULL, &without);
}

void
args_free(struct args_scratch *scratch)
{
	free(scratch->members.member);
	text_free(&scratch->keys);
	text_free(&scratch->names);
}
