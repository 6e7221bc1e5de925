/* text.c - growable text, numbers to digits, JSON strings */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tq/base/digits.h"
#include "tq/base/mem.h"
#include "tq/base/text.h"
#include "tq/base/words.h"
#include "tq/base/utf8.h"

void
text_free(struct text *t)
{
	free(t->p);
	*t = (struct text){0};
}

void
text_grow(struct text *t, size_t n)
{
	size_t cap = t->cap > 0 ? t->cap : 64;

	while (cap - t->len <= n)
		cap = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;
	t->p = mem_resize(t->p, cap, 1);
	t->cap = cap;
}

void
text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	text_reserve(t, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(t->p + t->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	t->len += (size_t)n;
}

char *
text_digits(char *p, uint64_t v)
{
	return digits_put(p, v);
}

char *
text_digits_int(char *p, int64_t v)
{
	return digits_put_int(p, v);
}

void
text_add_int(struct text *t, int64_t v)
{
	char *p = text_reserve(t, TEXT_INT_MAX);

	text_end(t, text_digits_int(p, v));
}

void
text_add_double(struct text *t, double v)
{
	char buf[32];

	if (isnan(v)) {
		text_add_str(t, "null");
		return;
	}
	if (isinf(v))
		v = v > 0 ? 1.7976931348623157e308 : -1.7976931348623157e308;
	if (fabs(v) < 9007199254740992.0 && v == floor(v) &&
	    (v != 0 || !signbit(v))) {
		text_add_int(t, (int64_t)v);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	text_add_str(t, buf);
}

void
text_add_hex(struct text *t, uint64_t v)
{
	static const char hex[] = "0123456789abcdef";
	char buf[18], *p = buf + sizeof(buf);

	do
		*--p = hex[v & 15];
	while ((v >>= 4) != 0);
	*--p = 'x';
	*--p = '0';
	text_add(t, p, (size_t)(buf + sizeof(buf) - p));
}

/* Length of the UTF-8 sequence at p (RFC 3629), 0 where it is not one. */
static size_t
utf8_length(const unsigned char *p, size_t left)
{
	const unsigned char *next = p;

	return utf8_next(&next, p + left) < UTF8_NONE ? (size_t)(next - p) : 0;
}

void
text_add_escape(struct text *t, unsigned char c)
{
	static const char letters[32] = {['\b'] = 'b',
	    ['\t'] = 't',
	    ['\n'] = 'n',
	    ['\f'] = 'f',
	    ['\r'] = 'r'};

	if (c == '"' || c == '\\') {
		text_add_char(t, '\\');
		text_add_char(t, (char)c);
	} else if (c < 0x20 && letters[c] != '\0') {
		text_add_char(t, '\\');
		text_add_char(t, letters[c]);
	} else
		text_printf(t, "\\u%04x", c);
}

/*
 * The number of bytes at p that stand for themselves in a JSON string, in
 * steps of eight: it may stop up to seven bytes early.
 */
static size_t
plain_words(const unsigned char *p, size_t len)
{
	size_t i = 0;
	uint64_t v;

	for (; len - i >= 8; i += 8) {
		memcpy(&v, p + i, 8);
		if ((words_below(v, 0x20) | words_equal(v, '"') |
			words_equal(v, '\\') | words_equal(v, 0x7f) |
			(v & WORDS_HIGHS)) != 0)
			break;
	}
	return i;
}

size_t
text_add_json(struct text *t, const char *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t bad = 0, i = 0, plain;

	text_add_char(t, '"');
	while (i < len) {
		plain = i;
		i += plain_words(p + i, len - i);
		while (i < len && p[i] >= 0x20 && p[i] < 0x7f && p[i] != '"' &&
		       p[i] != '\\')
			i++;
		text_add(t, s + plain, i - plain);
		if (i == len)
			break;
		if (p[i] < 0x20 || p[i] == '"' || p[i] == '\\' ||
		    p[i] == 0x7f) {
			text_add_escape(t, p[i++]);
			continue;
		}
		if ((plain = utf8_length(p + i, len - i)) == 0) {
			text_add_str(t, "\xef\xbf\xbd");
			bad++;
			i++;
		} else {
			text_add(t, s + i, plain);
			i += plain;
		}
	}
	text_add_char(t, '"');
	return bad;
}

void
text_add_visible(struct text *t, struct span s, const char *keep)
{
	while (s.len > 0) {
		size_t plain = span_plain(s);
		const char *start = s.p + plain;
		unsigned c;

		text_add(t, s.p, plain);
		s = (struct span){start, s.len - plain};
		if (s.len == 0)
			break;
		c = utf8_take(&s) % UTF8_NONE;
		if (utf8_is_control(c) &&
		    (c == 0 || c >= 0x7f || strchr(keep, (int)c) == NULL))
			text_add_char(t, '?');
		else
			text_add(t, start, (size_t)(s.p - start));
	}
}

const char *
text_visible_name(struct text *t, const char *name)
{
	t->len = 0;
	text_add_visible(t, (struct span){name, strlen(name)}, "");
	text_add_char(t, '\0');
	return strcmp(t->p, name) == 0 ? name : t->p;
}
