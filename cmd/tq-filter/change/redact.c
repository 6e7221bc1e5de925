/*
 * redact.c - pseudonyms in place of names
 *
 * The column redact of events.def decides which strings stay; all others are
 * replaced.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "redact.h"

/* ---- SipHash ---- */

static uint64_t
rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

static void
rounds(uint64_t v[4], int n)
{
	while (n-- > 0) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

/* n bytes, the lowest first */
static uint64_t
word(const char *p, size_t n)
{
	uint64_t w = 0;

	while (n-- > 0)
		w = w << 8 | (unsigned char)p[n];
	return w;
}

/*
 * SipHash-2-4 with 64 bits of result, after J.-P. Aumasson and D. J.
 * Bernstein, "SipHash: a fast short-input PRF", 2012.
 */
uint64_t
redact_siphash(const uint64_t key[2], struct span text)
{
	uint64_t v[4] = {key[0] ^ 0x736f6d6570736575,
	    key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
	    key[1] ^ 0x7465646279746573};
	uint64_t length = (uint64_t)text.len << 56;

	for (;;) {
		size_t n = text.len < 8 ? text.len : 8;
		uint64_t m = word(text.p, n) | (n < 8 ? length : 0);

		v[3] ^= m;
		rounds(v, 2);
		v[0] ^= m;
		if (n < 8)
			break;
		text = (struct span){text.p + 8, text.len - 8};
	}
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- which strings are replaced ---- */

struct redact {
	uint64_t key[2];
	struct keyset fields[KIND_COUNT + 1]; /* of each kind */
	struct text key_name, decoded, hashed;
};

struct redact *
redact_open(const char *key)
{
	/* never to be changed: pseudonyms are the same in every version */
	static const uint64_t fixed[2][2] = {{1, 0}, {2, 0}};
	struct redact *r = mem_alloc(sizeof(*r));
	enum kind kind = KIND_UNKNOWN;

	for (int i = 0; i < 2; i++)
		r->key[i] = redact_siphash(fixed[i], span_of(key));
	for (size_t i = 0; i < schema_row_count; i++) {
		if (schema_rows[i].key == KEY_NONE)
			kind = schema_rows[i].kind;
		else
			keyset_add(&r->fields[kind], schema_rows[i].key);
	}
	return r;
}

void
redact_free(struct redact *r)
{
	if (r == NULL)
		return;
	text_free(&r->key_name);
	text_free(&r->decoded);
	text_free(&r->hashed);
	free(r);
}

/* the prefix for the strings of a key, which is given as a JSON string */
static const char *
prefix_of(struct redact *r, enum kind kind, struct span string)
{
	const char *prefix;
	enum key key;

	r->key_name.len = 0;
	json_decode(&r->key_name, string);
	key = schema_key(r->key_name.p, r->key_name.len);
	if (key == KEY_kind)
		return schema_keep;
	if (key == KEY_NONE || kind == KIND_UNKNOWN)
		return schema_text;
	/* it is from a list of rules */
	if (key == KEY_category && kind == KIND_kernel)
		return schema_keep;
	prefix = key == KEY_name ? schema_kinds[kind].redact
				 : schema_keys[key].redact;
	if (((prefix == schema_keep || prefix == schema_call) &&
		!keyset_has(&r->fields[kind], key)))
		return schema_text;
	return prefix;
}

/* ---- the pseudonyms ---- */

static void
add_pseudonym(
    struct redact *r, const char *prefix, struct span s, struct text *t)
{
	if (s.len == 0)
		return;
	r->hashed.len = 0;
	text_add(&r->hashed, prefix, strlen(prefix) + 1);
	text_add_span(&r->hashed, s);
	text_printf(t, "%s_%012" PRIx64, prefix,
	    redact_siphash(r->key, text_span(&r->hashed)) >> 16);
}

/* the length of the function name in s, as in "dlopen(libx.so)" */
static size_t
function_name(struct span s)
{
	size_t n = 0;

	for (; n < s.len; n++) {
		char c = s.p[n];

		if ((c < '0' || c > '9') && (c < 'A' || c > 'Z') &&
		    (c < 'a' || c > 'z') && c != '_')
			break;
	}
	return n;
}

static void
add_call(struct redact *r, struct span s, struct text *t)
{
	size_t n = function_name(s);

	text_add(t, s.p, n);
	text_add_char(t, '(');
	add_pseudonym(r, schema_text, (struct span){s.p + n, s.len - n}, t);
	text_add_char(t, ')');
}

/* the parts of s, which ":" joins */
static void
add_parts(struct redact *r, const char *last, struct span s, struct text *t)
{
	const char *colon;

	while ((colon = memchr(s.p, ':', s.len)) != NULL) {
		size_t n = (size_t)(colon - s.p);

		add_pseudonym(r, schema_domain, (struct span){s.p, n}, t);
		text_add_char(t, ':');
		s = (struct span){colon + 1, s.len - n - 1};
	}
	add_pseudonym(r, last, s, t);
}

/* the pseudonym of a text, as a JSON string */
static void
add_string(struct redact *r, const char *prefix, struct span s, struct text *t)
{
	text_add_char(t, '"');
	if (prefix == schema_call)
		add_call(r, s, t);
	else if (prefix == schema_range || prefix == schema_domain)
		add_parts(r, prefix, s, t);
	else
		add_pseudonym(r, prefix, s, t);
	text_add_char(t, '"');
}

/* true of what profilers write where CUDA has no function */
static bool
is_of_profiler(struct span call)
{
	static const char *const words[] = {"Graph Creation", "Graph Clone",
	    "GraphExec Creation", "Graph Node Creation"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_eq(call, span_of(words[i])))
			return true;
	return false;
}

/* true if a JSON string stays as it is; its text in *s if not */
static bool
is_kept(
    struct redact *r, const char *prefix, struct span string, struct span *s)
{
	if (prefix == schema_keep)
		return true;
	r->decoded.len = 0;
	json_decode(&r->decoded, string);
	*s = text_span(&r->decoded);
	return s->len == 0 ||
	       (prefix == schema_call &&
		   (function_name(*s) == s->len || is_of_profiler(*s)));
}

/* true if the string that ends at p is a key */
static bool
is_key(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
		p++;
	return p < end && *p == ':';
}

/* the string that starts at p, in valid JSON */
static struct span
string_at(const char *p, const char *end)
{
	const char *error, *behind = json_string(p, end, &error);

	if (behind == NULL)
		abort(); /* rather than write a string that is not redacted */
	return (struct span){p, (size_t)(behind - p)};
}

/*
 * A walk from string to string is enough: no recursion, and all other bytes
 * stay as they are.
 */
bool
redact_apply(struct redact *r, const struct event *ev, struct text *line)
{
	const char *p = ev->line.p, *end = p + ev->line.len, *done = p;
	const char *prefix = schema_keep;
	struct span s, plain;
	int depth = 0;

	for (; p < end; p += s.len) {
		s.len = 1;
		if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		if (*p != '"')
			continue;
		s = string_at(p, end);
		if (is_key(p + s.len, end)) {
			if (depth == 1)
				prefix = prefix_of(r, ev->kind, s);
		} else if (!is_kept(r, prefix, s, &plain)) {
			text_add(line, done, (size_t)(p - done));
			add_string(r, prefix, plain, line);
			done = p + s.len;
		}
	}
	if (done == ev->line.p)
		return false;
	text_add(line, done, (size_t)(end - done));
	return true;
}
