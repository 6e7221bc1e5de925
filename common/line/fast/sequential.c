/*
 * sequential.c - lines as tools write them
 *
 *	line    = "{" member { "," member } "}"
 *	member  = '"' key '"' ":" value
 *
 * There is no white space, and no escape in a key.
 */

#include "sequential.h"
#include "scan.h"
#include "line_shape.h"

/*
 * Records of a kind have the same keys in the same order, mostly: the one
 * that followed the last time is tried first, by words.
 */
static const struct expected {
	union {
		char bytes[24];
		uint64_t words[3];
	} text; /* "key": */
	uint64_t mask[2];
	size_t len;
} expected[KEY_COUNT] = {
/* the mask of n of eight bytes */
#define MASK(n) ((n) >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << (n) % 8 * 8) - 1)
#define KEY(id, type, unit, redact, doc) \
	{{"\"" #id "\":"}, \
	    {MASK(sizeof(#id) + 2), \
		MASK(sizeof(#id) + 2 > 8 ? sizeof(#id) - 6 : 0)}, \
	    sizeof(#id) + 2},
#include "tq/events.def"
};

#define KEY(id, type, unit, redact, doc) \
	_Static_assert(sizeof(#id) + 2 <= 16, "is_expected compares 16 " \
					      "bytes");
#include "tq/events.def"

static inline bool
is_expected(const char *p, const struct expected *x)
{
	uint64_t v[2];

	memcpy(v, p, sizeof(v)); /* may read the padding */
	return (((v[0] ^ x->text.words[0]) & x->mask[0]) |
		   ((v[1] ^ x->text.words[1]) & x->mask[1])) == 0;
}

/*
 * The key that starts at p, likely guess; *value is set behind its colon.
 * False where it is not canonical.
 */
static bool
scan_member(const char *p, const char *end, unsigned char *guess, enum key *k,
    const char **value)
{
	const char *quote;

	if (is_expected(p, &expected[*guess])) {
		*k = (enum key)guess[0];
		*value = p + expected[*guess].len;
		return *value < end;
	}
	if (*p != '"' || (quote = scan_key(p + 1, end)) == NULL)
		return false;
	*k = schema_key(p + 1, (size_t)(quote - p - 1));
	if (*k != KEY_NONE)
		*guess = (unsigned char)*k;
	*value = quote + 2;
	return quote[1] == ':' && *value < end;
}

/* take k out of s; is it empty now? */
static inline bool
drop(struct keyset *s, enum key k)
{
	keyset_remove(s, k);
	return keyset_is_empty(s);
}

/*
 * Kinds by their names, a slot each; such a line begins with {"kind":" and a
 * name that is looked up by two words.
 */
static struct kind_word {
	uint64_t text[2];
	enum kind kind;
	size_t len;
} kind_words[128];

static inline struct kind_word *
kind_slot(uint64_t a, uint64_t b)
{
	size_t i = (a ^ b << 7) * 0x9e3779b97f4a7c15u >> 57;

	while ((kind_words[i].text[0] ^ a) | (kind_words[i].text[1] ^ b)) {
		if (kind_words[i].len == 0)
			break;
		i = (i + 1) % 128;
	}
	return &kind_words[i];
}

__attribute__((constructor)) static void
fill_kind_words(void)
{
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		struct kind_word x = {.kind = k, .len = schema_kinds[k].len};

		if (x.len > sizeof(x.text) - 1)
			continue;
		memcpy(x.text, schema_kinds[k].name, x.len);
		*kind_slot(x.text[0], x.text[1]) = x;
	}
}

/* the bytes of v below the lowest that is hit */
static inline uint64_t
bytes_before(uint64_t v, uint64_t hit)
{
	return v & (((hit & -hit) >> 7) - 1);
}

/* set the kind of a line that begins with it; false where none is known */
static inline bool
read_kind(struct event *ev)
{
	static const char opening[] = "{\"kind\":\"";
	const size_t n = sizeof(opening) - 1;
	const char *p = ev->line.p;
	const struct kind_word *x;
	uint64_t a, b, hit;

	if (ev->line.len < n + 3 || memcmp(p, opening, n) != 0)
		return false;
	memcpy(&a, p + n, 8);
	memcpy(&b, p + n + 8, 8); /* may read the padding */
	if ((hit = words_equal(a, '"')) != 0) {
		a = bytes_before(a, hit);
		b = 0;
	} else if ((hit = words_equal(b, '"')) != 0)
		b = bytes_before(b, hit);
	x = kind_slot(a, b);
	if (x->len == 0)
		return false;
	ev->kind = x->kind;
	ev->kind_name = (struct span){p + n, x->len};
	event_set(ev, KEY_kind, p + n - 1, p + n + x->len + 1);
	return true;
}

/*
 * Read the members from the comma or brace at p on, all of them or, where want
 * is not NULL, up to the last one in want.  Returns the end of the bytes read,
 * which is the last brace if that is all; NULL where it is not canonical.
 */
static const char *
read_members(struct event *ev, const char *p, const struct keyset *want)
{
	const char *end = ev->line.p + ev->line.len;
	const char *key, *value;
	struct keyset left = {0};
	enum key k = KEY_NONE;

	if (want != NULL && event_has(ev, KEY_kind)) {
		left = want[ev->kind];
		drop(&left, KEY_kind);
	}
	do {
		key = p + 1;
		if (!scan_member(
			key, end, &ev->follows[ev->kind][k], &k, &value))
			return NULL;
		if (k == KEY_NONE) {
			struct span name = {key + 1, (size_t)(value - key - 3)};

			if ((p = scan_any(value, end, JSON_DEPTH)) == NULL)
				return NULL;
			event_add_unknown(ev, name,
			    (struct span){value, (size_t)(p - value)});
		} else {
			p = scan_value(value, end, schema_keys[k].type);
			if (p == NULL || event_has(ev, k))
				return NULL;
			event_set(ev, k, value, p);
			if (k == KEY_kind) {
				if (memchr(value, '\\', (size_t)(p - value)))
					return NULL;
				ev->kind_name =
				    event_inside(ev->value[KEY_kind]);
				ev->kind = schema_kind(
				    ev->kind_name.p, ev->kind_name.len);
				if (want != NULL)
					left = want[ev->kind];
			}
			if (want != NULL && drop(&left, k) &&
			    event_has(ev, KEY_kind))
				return p;
		}
	} while (p < end && *p == ',');
	return p == end - 1 && *p == '}' && event_has(ev, KEY_kind) ? p : NULL;
}

/* are these keys at the beginning of a line, where they are read at once? */
static inline bool
come_first(struct keyset s)
{
	const struct keyset first = {
	    {(uint64_t)1 << KEY_kind | (uint64_t)1 << KEY_ts |
		(uint64_t)1 << KEY_dur | (uint64_t)1 << KEY_pid}};

	s = keyset_without(s, &first);
	return keyset_is_empty(&s);
}

/*
 * The same, and check the members behind them.  A line that is unlike the lines
 * before takes this way, so that no tool passes on bad JSON there.
 */
static bool
read_and_check(
    struct event *ev, const char *p, const struct keyset *want, bool learn)
{
	const char *end = ev->line.p + ev->line.len;
	size_t unknown;
	struct keyset has;

	if ((p = read_members(ev, p, want)) == NULL)
		return false;
	has = ev->has;
	unknown = ev->unknown_count;
	if (p != end - 1 && (*p != ',' || read_members(ev, p, NULL) == NULL))
		return false;
	if (learn)
		line_shape_learn(ev->shapes, ev);
	/* the values of a line do not depend on earlier lines */
	ev->has = has;
	ev->unknown_count = unknown;
	return true;
}

bool
sequential_parse(struct event *ev, const struct keyset *want)
{
	const char *end = ev->line.p + ev->line.len, *p;

	if (ev->line.len < 2 || *ev->line.p != '{' || end[-1] != '}')
		return false;
	if (!read_kind(ev))
		return read_and_check(ev, ev->line.p, want, false);
	p = ev->kind_name.p + ev->kind_name.len + 1;
	if (*p != ',')
		return p == end - 1;
	if (want != NULL) {
		struct keyset left = want[ev->kind];

		if (drop(&left, KEY_kind))
			return true;
		if (come_first(left)) {
			p = read_members(ev, p, want);
			return p != NULL && (*p == ',' || p == end - 1);
		}
	}
	if (line_shape_parse(
		ev->shapes, ev, want != NULL ? &want[ev->kind] : NULL))
		return true;
	return read_and_check(ev, p, want, line_shape_wanted(ev->shapes));
}
