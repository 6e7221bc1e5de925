/*
 * json.c - the complete JSON parser, in place
 *
 *	value   = object | array | string | number | "true" | "false" | "null"
 *	object  = "{" [ string ":" value { "," string ":" value } ] "}"
 *	array   = "[" [ value { "," value } ] "]"
 *	string  = '"' { byte except '"', '\' and 0x00..0x1f | escape } '"'
 *	escape  = '\' ( one of "\/bfnrt | "u" hex hex hex hex )
 *	number  = [ "-" ] ( "0" | digit1-9 { digit } )
 *	          [ "." digit { digit } ] [ ( "e" | "E" ) [ "+" | "-" ] digit
 *	          { digit } ]
 */

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "tq/base/ascii.h"
#include "tq/base/array.h"
#include "tq/line/json.h"

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && ascii_is_space(*p))
		p++;
	return p;
}

static bool
digit_at(const char *p, const char *end)
{
	return p < end && ascii_is_digit(*p);
}

static const char *
skip_digits(const char *p, const char *end)
{
	while (digit_at(p, end))
		p++;
	return p;
}

const char *
json_string(const char *p, const char *end, const char **error)
{
	for (p++; p < end; p++) {
		if (*p == '"')
			return p + 1;
		if ((unsigned char)*p < 0x20) {
			*error = "control character in a string";
			return NULL;
		}
		if (*p != '\\')
			continue;
		if (++p == end)
			break;
		if (*p == 'u') {
			for (int i = 1; i <= 4; i++)
				if (p + i >= end ||
				    !isxdigit((unsigned char)p[i])) {
					*error = "bad \\u escape";
					return NULL;
				}
			p += 4;
		} else if (memchr("\"\\/bfnrt", *p, 8) == NULL) {
			*error = "bad escape in a string";
			return NULL;
		}
	}
	*error = "string does not end";
	return NULL;
}

static const char *
number(const char *p, const char *end, const char **error)
{
	const char *start = p;

	*error = "bad number";
	if (*p == '-')
		p++;
	if (!digit_at(p, end))
		return NULL;
	p = *p == '0' ? p + 1 : skip_digits(p, end);
	if (p < end && *p == '.') {
		if (!digit_at(p + 1, end))
			return NULL;
		p = skip_digits(p + 1, end);
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		if (!digit_at(p, end))
			return NULL;
		p = skip_digits(p, end);
	}
	*error = NULL;
	return p > start ? p : NULL;
}

static const char *
word(const char *p, const char *end, const char *expect, size_t n,
    const char **error)
{
	if ((size_t)(end - p) >= n && memcmp(p, expect, n) == 0)
		return p + n;
	*error = "expected a value";
	return NULL;
}

/* Behind as many integers that have a comma behind them as there are. */
static const char *
skip_integers(const char *p, const char *end)
{
	for (;;) {
		const char *at = p + (p < end && *p == '-');

		if (at == end || *at < '1' || *at > '9') {
			if (at == end || *at != '0')
				return p;
			at++;
		} else {
			at = skip_digits(at, end);
		}
		if (at == end || *at != ',')
			return p;
		p = at + 1;
	}
}

static const char *value(const char *, const char *, const char **, int);

/* an object or array, from its opening bracket; depth is the levels left */
static const char *
nested(const char *p, const char *end, const char **error, int depth)
{
	bool object = *p == '{';
	char close = object ? '}' : ']';

	if (depth == 0) {
		*error = "nested too deep";
		return NULL;
	}
	p = skip_space(p + 1, end);
	if (p < end && *p == close)
		return p + 1;
	for (;;) {
		if (!object)
			p = skip_space(skip_integers(p, end), end);
		if (object) {
			if (p == end || *p != '"') {
				*error = "expected a key";
				return NULL;
			}
			if ((p = json_string(p, end, error)) == NULL)
				return NULL;
			p = skip_space(p, end);
			if (p == end || *p != ':') {
				*error = "expected ':'";
				return NULL;
			}
			p = skip_space(p + 1, end);
		}
		if ((p = value(p, end, error, depth - 1)) == NULL)
			return NULL;
		p = skip_space(p, end);
		if (p < end && *p == close)
			return p + 1;
		if (p == end || *p != ',') {
			*error = object ? "expected ',' or '}'"
					: "expected ',' or ']'";
			return NULL;
		}
		p = skip_space(p + 1, end);
	}
}

static const char *
value(const char *p, const char *end, const char **error, int depth)
{
	*error = "expected a value";
	if (p == end)
		return NULL;
	switch (*p) {
	case '"':
		return json_string(p, end, error);
	case '{':
	case '[':
		return nested(p, end, error, depth);
	case 't':
		return word(p, end, "true", 4, error);
	case 'f':
		return word(p, end, "false", 5, error);
	case 'n':
		return word(p, end, "null", 4, error);
	default:
		if (*p == '-' || digit_at(p, end))
			return number(p, end, error);
		return NULL;
	}
}

const char *
json_value(const char *p, const char *end, const char **error)
{
	return value(p, end, error, JSON_DEPTH);
}

static void
open_bracket(struct json *j, struct span text, char bracket, const char *error)
{
	if (text.p == NULL) /* to which not even 0 may be added */
		text = (struct span){"", 0};
	j->end = text.p + text.len;
	j->p = skip_space(text.p, j->end);
	j->first = true;
	j->error = NULL;
	if (j->p == j->end || *j->p != bracket)
		j->error = error;
	else
		j->p = skip_space(j->p + 1, j->end);
}

void
json_open(struct json *j, struct span text)
{
	open_bracket(j, text, '{', "expected '{'");
}

void
json_open_array(struct json *j, struct span text)
{
	open_bracket(j, text, '[', "expected '['");
}

static bool
failed(struct json *j, const char *error)
{
	j->error = error;
	return false;
}

/* move to the next member or element; false where close or an error is */
static bool
advance(struct json *j, char close, const char *expected)
{
	if (j->error != NULL)
		return false;
	if (j->p < j->end && *j->p == close) {
		j->p = skip_space(j->p + 1, j->end);
		return j->p == j->end ? false
				      : failed(j, "text after the object");
	}
	if (!j->first) {
		if (j->p == j->end || *j->p != ',')
			return failed(j, expected);
		j->p = skip_space(j->p + 1, j->end);
	}
	j->first = false;
	return true;
}

static bool
take_value(struct json *j, struct span *v)
{
	const char *end = json_value(j->p, j->end, &j->error);

	if (end == NULL)
		return false;
	*v = (struct span){j->p, (size_t)(end - j->p)};
	j->p = skip_space(end, j->end);
	j->error = NULL;
	return true;
}

bool
json_next_key(struct json *j, struct text *key)
{
	const char *end;

	if (!advance(j, '}', "expected ',' or '}'"))
		return false;
	if (j->p == j->end || *j->p != '"')
		return failed(j, "expected a key");
	if ((end = json_string(j->p, j->end, &j->error)) == NULL)
		return false;
	key->len = 0;
	json_decode(key, (struct span){j->p, (size_t)(end - j->p)});
	j->p = skip_space(end, j->end);
	if (j->p == j->end || *j->p != ':')
		return failed(j, "expected ':'");
	j->p = skip_space(j->p + 1, j->end);
	return true;
}

bool
json_take(struct json *j, struct span *v)
{
	return take_value(j, v);
}

bool
json_next(struct json *j, struct text *key, struct span *v)
{
	return json_next_key(j, key) && take_value(j, v);
}

bool
json_next_element(struct json *j, struct span *v)
{
	return advance(j, ']', "expected ',' or ']'") && take_value(j, v);
}

/* integers of up to 18 digits that have a comma behind them; the first that is
   something else is left */
static void
take_plain(struct json *j, struct json_integers *to)
{
	enum { PLAIN = 18 };

	for (;;) {
		const char *p = j->p, *digits = p + (p < j->end && *p == '-');
		int64_t n = 0;

		for (p = digits;
		     p < j->end && p - digits < PLAIN && *p >= '0' && *p <= '9';
		     p++)
			n = n * 10 + (*p - '0');
		if (p == digits || p == j->end || *p != ',' ||
		    (*digits == '0' && p - digits > 1))
			return;
		*array_add(&to->all, &to->count, &to->cap) =
		    digits > j->p ? -n : n;
		j->p = p + 1;
	}
}

bool
json_take_integers(struct json *j, struct json_integers *to)
{
	struct json a = {.p = j->p, .end = j->end, .first = true};
	struct span v;
	int64_t n;

	to->count = 0;
	if (a.p == a.end || *a.p != '[')
		return take_value(j, &v) && false;
	a.p = skip_space(a.p + 1, a.end);
	while (a.p < a.end && *a.p != ']') {
		take_plain(&a, to);
		a.p = skip_space(a.p, a.end);
		if (!take_value(&a, &v) || !json_int(v, &n))
			return take_value(j, &v) && false;
		*array_add(&to->all, &to->count, &to->cap) = n;
		if (a.p < a.end && *a.p == ',')
			a.p = skip_space(a.p + 1, a.end);
	}
	j->p = skip_space(a.p + (a.p < a.end), j->end);
	return true;
}

static unsigned
hex4(const char *p)
{
	unsigned v = 0;

	for (int i = 0; i < 4; i++) {
		char c = p[i];

		v = v * 16 +
		    (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
	}
	return v;
}

static void
add_utf8(struct text *t, unsigned c)
{
	char *p = text_reserve(t, 4);

	if (c < 0x80) {
		*p++ = (char)c;
	} else if (c < 0x800) {
		*p++ = (char)(0xc0 | c >> 6);
		*p++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*p++ = (char)(0xe0 | c >> 12);
		*p++ = (char)(0x80 | (c >> 6 & 63));
		*p++ = (char)(0x80 | (c & 63));
	} else {
		*p++ = (char)(0xf0 | c >> 18);
		*p++ = (char)(0x80 | (c >> 12 & 63));
		*p++ = (char)(0x80 | (c >> 6 & 63));
		*p++ = (char)(0x80 | (c & 63));
	}
	text_end(t, p);
}

/* the escape behind the backslash at p; returns the end of it */
static const char *
decode_escape(struct text *t, const char *p, const char *end)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *letter;
	unsigned c, low;

	if (p[1] != 'u') {
		letter = memchr(from, p[1], 5);
		text_add_char(t, letter != NULL ? to[letter - from] : p[1]);
		return p + 2;
	}
	c = hex4(p + 2);
	p += 6;
	if (c >= 0xd800 && c < 0xdc00 && end - p >= 6 && p[0] == '\\' &&
	    p[1] == 'u' && (low = hex4(p + 2)) >= 0xdc00 && low < 0xe000) {
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		p += 6;
	} else if (c >= 0xd800 && c < 0xe000)
		c = 0xfffd; /* half of a pair */
	add_utf8(t, c);
	return p;
}

void
json_decode(struct text *t, struct span string)
{
	const char *p = string.p + 1, *end = string.p + string.len - 1;

	while (p < end) {
		const char *q = memchr(p, '\\', (size_t)(end - p));

		if (q == NULL)
			q = end;
		text_add(t, p, (size_t)(q - p));
		p = q < end ? decode_escape(t, q, end) : q;
	}
}

static bool
needs_escape(char c)
{
	return (unsigned char)c < 0x20 || c == '"' || c == '\\' || c == 0x7f;
}

/* what is at p and not spelt as tq spells it: an escape, or DEL */
static const char *
respell_character(struct text *t, const char *p, const char *end)
{
	size_t start = t->len;
	char c;

	if (*p == '\\')
		p = decode_escape(t, p, end);
	else
		text_add_char(t, *p++);
	c = t->p[start];
	if (t->len == start + 1 && needs_escape(c)) {
		t->len = start;
		text_add_escape(t, (unsigned char)c);
	}
	return p;
}

/* the string that starts at p; returns its end */
static const char *
respell_string(struct text *t, const char *p, const char *end)
{
	const char *run = p++;

	while (*p != '"') {
		if (*p != '\\' && *p != 0x7f) {
			p++;
			continue;
		}
		text_add(t, run, (size_t)(p - run));
		run = p = respell_character(t, p, end);
	}
	text_add(t, run, (size_t)(p + 1 - run));
	return p + 1;
}

void
json_respell(struct text *t, struct span value)
{
	const char *p = value.p, *end = p + value.len;

	while (p < end)
		if (*p == '"')
			p = respell_string(t, p, end);
		else if (ascii_is_space(*p))
			p++;
		else
			text_add_char(t, *p++);
}

/* digits alone, few enough to fit: what integers mostly are */
static bool
plain_int(struct span n, int64_t *v)
{
	bool minus = n.len > 0 && *n.p == '-';
	int64_t sum = 0;

	if (n.len <= minus || n.len > 18)
		return false;
	for (size_t i = minus; i < n.len; i++) {
		if (!ascii_is_digit(n.p[i]))
			return false;
		sum = sum * 10 + (n.p[i] - '0');
	}
	*v = minus ? -sum : sum;
	return true;
}

bool
json_int(struct span n, int64_t *v)
{
	char buf[64], *end;
	long double d;
	int64_t whole;

	if (plain_int(n, v))
		return true;
	if (n.len == 0 || n.len >= sizeof(buf))
		return false;
	memcpy(buf, n.p, n.len);
	buf[n.len] = '\0';
	errno = 0;
	if (strpbrk(buf, ".eE") == NULL) {
		whole = strtoll(buf, &end, 10);
		if (errno != 0 || *end != '\0' || end == buf)
			return false;
		*v = whole;
		return true;
	}
	/* 1.0 and 1e3 are integers too; 64 bits of mantissa hold them all */
	d = strtold(buf, &end);
	if (*end != '\0' || !(d >= -9.2e18L && d <= 9.2e18L))
		return false;
	whole = (int64_t)d;
	if ((long double)whole != d)
		return false;
	*v = whole;
	return true;
}

bool
json_valid(struct span text)
{
	const char *error, *end = text.p + text.len;
	const char *p = json_value(skip_space(text.p, end), end, &error);

	return p != NULL && skip_space(p, end) == end;
}
