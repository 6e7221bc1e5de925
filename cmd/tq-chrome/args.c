/* args.c - all that a record knew */

#include "args.h"
#include "spell.h"
#include "tq/plain.h"

/* what stands before a value, ready to be copied */
static struct prefix {
	unsigned char len;
	unsigned char gap;  /* the shortest that can stand there in a line */
	unsigned char type; /* of the value */
	bool special;       /* neither key nor value go out as they came */
	char text[20];
} prefixes[KEY_COUNT];

/* which values are spelt right as they stand, for short; [1]: in plain lines */
static struct rule {
	uint32_t gap;
	uint32_t inside; /* of a run: those that are not longer */
	uint32_t first;  /* the same for the first of a run */
	uint32_t list;   /* those of these that have no spaces */
} rules[2][KEY_COUNT];

/* in a value of this type */
static uint32_t
longest(enum type type, bool plain)
{
	if (type == TYPE_INT)
		return SPELL_EXACT;
	return type == TYPE_BOOL || (type == TYPE_STR && plain) ? UINT32_MAX
								: 0;
}

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
		for (size_t plain = 0; plain < 2; plain++) {
			struct rule *r = &rules[plain][i];
			uint32_t most = longest(schema_keys[i].type, plain);

			r->gap = x->gap;
			r->inside = x->special ? 0 : most;
			r->first = i == KEY_sym || i == KEY_stack ? 0 : most;
			r->list = x->type == TYPE_INTS ? SPELL_EXACT : 0;
		}
	}
}

/* up to 15 bytes more are written */
static inline char *
put_prefix(char *p, enum key key)
{
	const struct prefix *x = &prefixes[key];

	memcpy(p, x->text, sizeof(x->text));
	return p + x->len;
}

static void
add_prefix(struct text *t, enum key key)
{
	char *p = text_reserve(t, sizeof(prefixes->text));

	t->len = (size_t)(put_prefix(p, key) - t->p);
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

/* ---- what the schema knows ---- */

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
is_spelt(struct span v, enum type type, bool plain)
{
	if (type == TYPE_INTS)
		return are_exact(v);
	return v.len <= longest(type, plain) ||
	       (type == TYPE_STR && spell_is_plain(v));
}

static void
add_special(struct text *t, const struct event *ev, enum key key,
    const struct names *names)
{
	if (key == KEY_sym && names != NULL)
		add_symbol(t, ev, names);
	else if (key == KEY_stack && names != NULL)
		add_stack(t, ev, names);
	else
		add_value(t, ev, key);
}

/*
 * Members of a line that follow one another as they are to be written are a
 * run, and are copied as they stand.
 */
struct adding {
	struct text *to;
	const struct event *ev;
	const struct names *names;
	bool plain;
	const char *run, *end; /* from the first value of the run */
};

static const char nothing[1]; /* a run that is none */

/*
 * Room for all of a record but for what add_special adds.  Integers may be
 * longer than they are in the line, and so is "correlation".
 */
static char *
reserve(const struct adding *a)
{
	enum { MORE = KEY_COUNT * TEXT_INT_MAX + PLAIN_BLOCK };

	return text_reserve(a->to, a->ev->line.len + MORE);
}

static inline char *
put_run(char *p, const char *run, const char *end)
{
	return plain_put(p, (struct span){run, (size_t)(end - run)});
}

/* or was it spelt anew, where something else stands before it? */
static inline bool
is_in_line(const struct event *ev, struct span v)
{
	return (uintptr_t)v.p - (uintptr_t)ev->line.p < ev->line.len;
}

/* a key that is not simply in or at the start of a run */
__attribute__((noinline)) static char *
put_key(struct adding *a, char *p, enum key key)
{
	const struct prefix *x = &prefixes[key];
	struct span v = a->ev->value[key];
	bool spelt = is_spelt(v, (enum type)x->type, a->plain);

	if (spelt && !x->special && v.p == a->end + x->gap) {
		a->end = v.p + v.len;
		return p;
	}
	p = put_run(p, a->run, a->end);
	a->run = a->end = nothing;
	if (spelt && key != KEY_sym && key != KEY_stack) {
		p = put_prefix(p, key);
		if (!is_in_line(a->ev, v))
			return plain_put(p, v);
		a->run = v.p;
		a->end = v.p + v.len;
		return p;
	}
	a->to->len = (size_t)(p - a->to->p);
	add_special(a->to, a->ev, key, a->names);
	return reserve(a);
}

/* a value that is longer than that of most rules */
static inline bool
is_right_list(struct span v, const struct rule *rule)
{
	return v.len <= rule->list && !may_have_space(v);
}

/*
 * Go on with a run while keys follow one another in the line: a gap between
 * two values that is as long as the shortest spelling of the key can hold
 * nothing else.  Returns the keys that are left.
 */
static inline uint64_t
go_on(const struct span *value, const struct rule *rule, uint64_t keys,
    const char **end)
{
	const char *p = *end;

	for (; keys != 0; keys &= keys - 1) {
		unsigned k = (unsigned)__builtin_ctzll(keys);

		if (value[k].p != p + rule[k].gap ||
		    (value[k].len > rule[k].inside &&
			!is_right_list(value[k], &rule[k])))
			break;
		p = value[k].p + value[k].len;
	}
	*end = p;
	return keys;
}

/* the keys, but for those in *without */
static void
add_keys(struct adding *a, const struct keyset *without)
{
	char *p = reserve(a);

	for (unsigned i = 0; i < 2; i++) {
		const struct rule *rule = &rules[a->plain][i * 64];
		const struct span *value = &a->ev->value[i * 64];
		uint64_t keys = a->ev->has.bits[i] & ~without->bits[i];

		while ((keys = go_on(value, rule, keys, &a->end)) != 0) {
			unsigned k = (unsigned)__builtin_ctzll(keys);
			enum key key = (enum key)(i * 64 + k);
			struct span v = value[k];

			keys &= keys - 1;
			if ((v.len > rule[k].first &&
				!is_right_list(v, &rule[k])) ||
			    !is_in_line(a->ev, v)) {
				p = put_key(a, p, key);
				continue;
			}
			p = put_run(p, a->run, a->end);
			p = put_prefix(p, key);
			a->run = v.p;
			a->end = v.p + v.len;
		}
	}
	p = put_run(p, a->run, a->end);
	a->to->len = (size_t)(p - a->to->p);
}

void
args_add(struct text *t, const struct event *ev, bool plain,
    const struct names *names, const struct keyset *without,
    struct members *scratch)
{
	struct adding a = {t, ev, names, plain, nothing, nothing};
	size_t start;

	text_add(t, ",\"args\":", 8);
	start = t->len;
	add_keys(&a, without);
	if (ev->unknown_count > 0 || event_has(ev, KEY_args)) {
		members_others(scratch, ev, true);
		spell_members(t, scratch);
	}
	spell_enclose(t, start, '{', '}');
}

void
args_add_keys(struct text *t, const struct event *ev)
{
	struct adding a = {t, ev, NULL, false, nothing, nothing};
	struct keyset without = {0};

	keyset_add(&without, KEY_kind);
	keyset_add(&without, KEY_args);
	add_keys(&a, &without);
}
