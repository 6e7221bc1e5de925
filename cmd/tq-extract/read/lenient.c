/* lenient.c - JSON as profilers write it */

#include "lenient.h"
#include "tq/base/ascii.h"
#include "tq/base/plain.h"
#include "tq/line/json.h"

static bool
is_structure(char c)
{
	return c == '{' || c == '}' || c == '[' || c == ']' || c == ':';
}

const char *
lenient_space(const struct lenient *l, const char *p)
{
	while (p < l->end && ascii_is_space(*p))
		p++;
	return p;
}

/* ---- the end of a value ---- */

static const char *
need_more(struct lenient *l)
{
	l->more = true;
	return NULL;
}

/* the place of the first quote or backslash in 16 bytes; 16: there is none */
static inline size_t
string_mark(const char *p)
{
	plain_block v = plain_load(p), found;
	uint64_t w[2];

	found = (plain_block)(v == '"') | (plain_block)(v == '\\');
	memcpy(w, &found, sizeof(w));
	if (w[0] != 0)
		return (size_t)__builtin_ctzll(w[0]) / 8;
	return w[1] != 0 ? 8 + (size_t)__builtin_ctzll(w[1]) / 8 : PLAIN_BLOCK;
}

/* the end of the string whose opening quote is at p */
static const char *
string_end(struct lenient *l, const char *p)
{
	size_t mark;

	for (p++; p < l->end; p += mark) {
		if ((mark = string_mark(p)) == PLAIN_BLOCK)
			continue;
		p += mark;
		if (p >= l->end)
			break;
		if (*p == '"')
			return p + 1;
		mark = 2; /* the backslash and the escaped character */
	}
	return need_more(l);
}

static const char *
skip_digits(const struct lenient *l, const char *p)
{
	while (p < l->end && ascii_is_digit(*p))
		p++;
	return p;
}

/* digits, of which there is at least one */
static const char *
some_digits(struct lenient *l, const char *p)
{
	if (p == l->end)
		return need_more(l);
	return ascii_is_digit(*p) ? skip_digits(l, p) : NULL;
}

static const char *
word(struct lenient *l, const char *p, const char *expect)
{
	size_t n = strlen(expect), have = (size_t)(l->end - p);

	if (have < n)
		return memcmp(p, expect, have) == 0 ? need_more(l) : NULL;
	return memcmp(p, expect, n) == 0 ? p + n : NULL;
}

static const char *
number(struct lenient *l, const char *p)
{
	if (*p == '-' && ++p == l->end)
		return need_more(l);
	if (*p == 'I')
		return word(l, p, "Infinity");
	if (*p == '0')
		p++;
	else if ((p = some_digits(l, p)) == NULL)
		return NULL;
	if (p < l->end && *p == '.' && (p = some_digits(l, p + 1)) == NULL)
		return NULL;
	if (p < l->end && (*p | 32) == 'e') {
		if (++p < l->end && (*p == '+' || *p == '-'))
			p++;
		p = some_digits(l, p);
	}
	/* a number at the end of the text may have more digits behind it */
	return p == l->end ? need_more(l) : p;
}

static const char *value_at(struct lenient *, const char *, int);

/* the key behind p, whose value begins at the result; key->p: see member_at */
static inline const char *
key_at(struct lenient *l, const char *p, struct span *key)
{
	const char *start;

	p = lenient_space(l, p);
	if (p < l->end && *p == ',')
		p = lenient_space(l, p + 1);
	if (p == l->end)
		return need_more(l);
	key->p = NULL;
	if (*p == '}')
		return p + 1;
	if (*p != '"')
		return NULL;
	start = p + 1;
	if ((p = string_end(l, p)) == NULL)
		return NULL;
	*key = (struct span){start, (size_t)(p - 1 - start)};
	p = lenient_space(l, p);
	if (p == l->end)
		return need_more(l);
	return *p == ':' ? lenient_space(l, p + 1) : NULL;
}

const char *
lenient_key(struct lenient *l, const char *p, struct span *key)
{
	return key_at(l, p, key);
}

/* past white space, to the token behind a member */
static inline const char *
member_end(struct lenient *l, const char *p)
{
	p = lenient_space(l, p);
	if (p == l->end)
		return need_more(l);
	return *p == ',' || *p == '}' ? p : NULL;
}

const char *
lenient_member_end(struct lenient *l, const char *p)
{
	return member_end(l, p);
}

static inline const char *
member_at(struct lenient *l, const char *p, struct span *key,
    struct span *value, int depth)
{
	const char *start = key_at(l, p, key);

	if (start == NULL || key->p == NULL)
		return start;
	if ((p = value_at(l, start, depth)) == NULL)
		return NULL;
	*value = (struct span){start, (size_t)(p - start)};
	return member_end(l, p);
}

const char *
lenient_member(
    struct lenient *l, const char *p, struct span *key, struct span *value)
{
	return member_at(l, p, key, value, LENIENT_DEPTH);
}

static const char *
object(struct lenient *l, const char *p, int depth)
{
	struct span key, value;

	do
		p = member_at(l, p, &key, &value, depth);
	while (p != NULL && key.p != NULL);
	return p;
}

static const char *
array(struct lenient *l, const char *p, int depth)
{
	for (;;) {
		p = lenient_space(l, p);
		if (p == l->end)
			return need_more(l);
		if (*p == ']')
			return p + 1;
		if ((p = value_at(l, p, depth)) == NULL)
			return NULL;
		p = lenient_space(l, p);
		if (p == l->end)
			return need_more(l);
		if (*p == ',')
			p++;
		else if (*p != ']')
			return NULL;
	}
}

/* depth is how many brackets may still be opened */
static const char *
value_at(struct lenient *l, const char *p, int depth)
{
	if (p == l->end)
		return need_more(l);
	switch (*p) {
	case '"':
		return string_end(l, p);
	case '{':
		return depth > 0 ? object(l, p + 1, depth - 1) : NULL;
	case '[':
		return depth > 0 ? array(l, p + 1, depth - 1) : NULL;
	case 't':
		return word(l, p, "true");
	case 'f':
		return word(l, p, "false");
	case 'n':
		return word(l, p, "null");
	case 'N':
		return word(l, p, "NaN");
	case 'I':
		return word(l, p, "Infinity");
	default:
		return *p == '-' || ascii_is_digit(*p) ? number(l, p) : NULL;
	}
}

const char *
lenient_value(struct lenient *l, const char *p)
{
	return value_at(l, p, LENIENT_DEPTH);
}

/* ---- the contents of a value ---- */

struct span
lenient_find(struct span object, const char *name)
{
	struct lenient l = {NULL, false};
	struct span key, value, found = {NULL, 0};
	const char *p;

	if (object.len == 0 || *object.p != '{')
		return found;
	l.end = object.p + object.len;
	for (p = object.p + 1;;) {
		p = lenient_member(&l, p, &key, &value);
		if (p == NULL || key.p == NULL)
			return found;
		if (span_eq(key, span_of(name)))
			found = value;
	}
}

struct span
lenient_start(struct span head)
{
	struct lenient l = {head.p + head.len, false};
	const char *p = head.p;

	if (head.len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	p = lenient_space(&l, p);
	return (struct span){p, (size_t)(l.end - p)};
}

bool
lenient_element(struct span array, const char **at, struct span *element)
{
	struct lenient l = {array.p + array.len, false};
	const char *p = *at == NULL ? array.p + 1 : *at;

	p = lenient_space(&l, p);
	if (p < l.end && *p == ',')
		p = lenient_space(&l, p + 1);
	if (*array.p != '[' || p >= l.end || *p == ']' ||
	    (*at = lenient_value(&l, p)) == NULL)
		return false;
	*element = (struct span){p, (size_t)(*at - p)};
	return true;
}

/* ---- strings ---- */

/* true if the backslash at p begins an escape of JSON, of *n bytes */
static bool
is_escape(const char *p, const char *end, size_t *n)
{
	static const char hex[] = "0123456789abcdefABCDEF";

	*n = 2;
	if (end - p < 2)
		return false;
	if (p[1] != 'u')
		return memchr("\"\\/bfnrt", p[1], 8) != NULL;
	*n = 6;
	for (int i = 2; i < 6; i++)
		if (end - p <= i || memchr(hex, p[i], sizeof(hex) - 1) == NULL)
			return false;
	return true;
}

/* append the bytes that a string stands for; returns the number of repairs */
static size_t
decode(struct text *to, struct span inner)
{
	const char *p = inner.p, *end = p + inner.len, *escape;
	size_t n, repaired = 0;
	struct text quoted = {0};

	while (p < end) {
		escape = memchr(p, '\\', (size_t)(end - p));
		if (escape == NULL)
			escape = end;
		text_add(to, p, (size_t)(escape - p));
		p = escape;
		/* all escapes in a row: two of them may be one character */
		quoted.len = 0;
		text_add_char(&quoted, '"');
		while (p < end && *p == '\\' && is_escape(p, end, &n)) {
			text_add(&quoted, p, n);
			p += n;
		}
		text_add_char(&quoted, '"');
		json_decode(to, text_span(&quoted));
		if (p < end && *p == '\\') {
			text_add_char(to, *p++);
			repaired++;
		}
	}
	text_free(&quoted);
	return repaired;
}

void
lenient_decode(struct text *to, struct span inner)
{
	decode(to, inner);
}

/* true if this is the key, however it is spelt */
static bool
key_is(struct span key, const char *name)
{
	struct text decoded = {0};
	bool is;

	if (memchr(key.p, '\\', key.len) == NULL)
		return span_eq(key, span_of(name));
	decode(&decoded, key);
	is = span_eq(text_span(&decoded), span_of(name));
	text_free(&decoded);
	return is;
}

bool
lenient_has_key(struct span head, const char *name)
{
	struct lenient l = {head.p + head.len, false};
	struct span start = lenient_start(head), key, value;
	const char *p = start.len > 0 && *start.p == '{' ? start.p + 1 : NULL;

	while (p != NULL) {
		key.p = NULL;
		p = lenient_member(&l, p, &key, &value);
		if (key.p == NULL)
			return false;
		if (key_is(key, name))
			return true;
	}
	return false;
}

/* a text that stands for itself; nothing behind it is read */
static bool
is_plain(struct span s)
{
	char rest[PLAIN_BLOCK];
	plain_block odd = {0};
	size_t i = 0;

	for (; i + PLAIN_BLOCK <= s.len; i += PLAIN_BLOCK)
		odd |= plain_escaped(plain_load(s.p + i));
	if (i < s.len) {
		memset(rest, ' ', sizeof(rest));
		memcpy(rest, s.p + i, s.len - i);
		odd |= plain_escaped(plain_load(rest));
	}
	return plain_none(odd);
}

static bool
has_control(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.p[i] < 0x20)
			return true;
	return false;
}

size_t
lenient_write_string(struct text *to, struct span inner)
{
	struct text bytes = {0};
	size_t repaired;
	char *p;

	if (is_plain(inner)) {
		p = text_reserve(to, inner.len + 2);
		*p = '"';
		if (inner.len > 0)
			memcpy(p + 1, inner.p, inner.len);
		p[inner.len + 1] = '"';
		to->len += inner.len + 2;
		return 0;
	}
	repaired = decode(&bytes, inner) + has_control(inner);
	repaired += text_add_json(to, bytes.p, bytes.len);
	text_free(&bytes);
	return repaired > 0;
}

/* ---- values ---- */

enum { EXACT_DIGITS = 16 }; /* of 2^53 */

/* an integer that doubles do not all have, by its digits */
static bool
is_beyond_doubles(struct span n)
{
	static const char largest[] = "9007199254740992";
	size_t sign = *n.p == '-';

	if (n.len - sign < EXACT_DIGITS)
		return false;
	for (size_t i = sign; i < n.len; i++)
		if (!ascii_is_digit(n.p[i]))
			return false;
	return n.len - sign > EXACT_DIGITS ||
	       memcmp(n.p + sign, largest, EXACT_DIGITS) > 0;
}

static void
write_number(struct text *to, struct span n)
{
	bool quotes = n.p[n.len - 1] == 'y' || *n.p == 'N' /* words */ ||
		      is_beyond_doubles(n);

	if (quotes)
		text_add_char(to, '"');
	text_add_span(to, n);
	if (quotes)
		text_add_char(to, '"');
}

static void
write_word(struct text *to, struct span word)
{
	if (*word.p == 't' || *word.p == 'f' || *word.p == 'n')
		text_add_span(to, word);
	else
		write_number(to, word);
}

static const bool ends_token[256] = {[' '] = true,
    ['\n'] = true,
    ['\t'] = true,
    ['\r'] = true,
    [','] = true,
    ['{'] = true,
    ['}'] = true,
    ['['] = true,
    [']'] = true,
    [':'] = true};

/* the value at p, which is no bracket; returns where it ends */
static const char *
write_token(struct text *to, struct lenient *l, const char *p, size_t *repaired)
{
	const char *start = p;

	if (*p == '"') {
		p = string_end(l, p);
		*repaired += lenient_write_string(
		    to, (struct span){start + 1, (size_t)(p - start) - 2});
		return p;
	}
	while (p < l->end && !ends_token[(unsigned char)*p])
		p++;
	write_word(to, (struct span){start, (size_t)(p - start)});
	return p;
}

/* true between two values: not behind an opening bracket, nor before a closing
   one or another comma */
static bool
needs_comma(const struct text *t, char next)
{
	char last = t->len > 0 ? t->p[t->len - 1] : ',';

	return next != ']' && next != '}' && next != ',' && last != '{' &&
	       last != '[' && last != ',';
}

size_t
lenient_write(struct text *to, struct span value)
{
	struct lenient l = {value.p + value.len, false};
	const char *p = value.p;
	size_t repaired = 0;

	if (*p == '"')
		return lenient_write_string(to, lenient_inner(value));
	if (!is_structure(*p)) {
		write_word(to, value);
		return 0;
	}
	while (p < l.end) {
		if (ascii_is_space(*p)) {
			p++;
		} else if (*p == ',') {
			p = lenient_space(&l, p + 1);
			if (needs_comma(to, *p))
				text_add_char(to, ',');
		} else if (is_structure(*p)) {
			text_add_char(to, *p++);
		} else {
			p = write_token(to, &l, p, &repaired);
		}
	}
	return repaired;
}

/* ---- integers ---- */

/* 0 to 15; 16 of any other character */
static unsigned
digit_of(char c)
{
	if (ascii_is_digit(c))
		return (unsigned)(c - '0');
	c |= 32;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* digits of a base up to the end, or a fraction of zeros */
static bool
read_digits(struct span s, unsigned base, bool negative, int64_t *v)
{
	uint64_t limit = (uint64_t)INT64_MAX + negative, sum = 0;
	size_t i = 0;

	for (; i < s.len && s.p[i] != '.'; i++) {
		unsigned digit = digit_of(s.p[i]);

		if (digit >= base || sum > (limit - digit) / base)
			return false;
		sum = sum * base + digit;
	}
	if (i == 0 || (i < s.len && base != 10))
		return false;
	for (i++; i < s.len; i++)
		if (s.p[i] != '0')
			return false;
	*v = (int64_t)(negative ? 0 - sum : sum);
	return true;
}

enum { SURE_DIGITS = 18 }; /* so many always fit */

static bool
read_short(struct span s, int64_t *v)
{
	int64_t sum = 0;

	if (s.len == 0 || s.len > SURE_DIGITS)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (!ascii_is_digit(s.p[i]))
			return false;
		sum = sum * 10 + (s.p[i] - '0');
	}
	*v = sum;
	return true;
}

bool
lenient_int(struct span value, int64_t *v)
{
	struct span s = lenient_inner(value);
	bool negative = s.len > 0 && *s.p == '-';

	if (read_short(s, v))
		return true;
	if (s.len > 2 && s.p[0] == '0' && (s.p[1] | 32) == 'x')
		return read_digits(
		    (struct span){s.p + 2, s.len - 2}, 16, false, v);
	return read_digits(
	    (struct span){s.p + negative, s.len - negative}, 10, negative, v);
}

bool
lenient_find_int(struct span object, const char *key, int64_t *v)
{
	struct span value = lenient_find(object, key);

	return value.p != NULL && lenient_int(value, v);
}
