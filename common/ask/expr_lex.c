/* expr_lex.c - the tokens of an expression, one by one for the parser */

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "expr_parser.h"
#include "tq/line/json.h"
#include "tq/base/array.h"
#include "tq/base/ascii.h"
#include "tq/base/units.h"

void *
expr_lex_fail(struct parser *ps, const char *at, const char *fmt, ...)
{
	va_list ap;

	ps->error->at = (size_t)(at - ps->start);
	va_start(ap, fmt);
	vsnprintf(ps->error->message, sizeof(ps->error->message), fmt, ap);
	va_end(ap);
	return NULL;
}

void *
expr_lex_expected(struct parser *ps, const char *what)
{
	return expr_lex_fail(ps, ps->p, "expected %s%s", what,
	    expr_lex_more(ps) ? "" : ", not the end");
}

bool
expr_lex_more(struct parser *ps)
{
	while (ps->p < ps->end && memchr(" \t\r\n", *ps->p, 4) != NULL)
		ps->p++;
	return ps->p < ps->end;
}

/* ---- symbols and names ---- */

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct span
expr_lex_name(const struct parser *ps, const char *p)
{
	struct span name = {p, 0};

	if (p < ps->end && is_letter(*p))
		while (p < ps->end && (is_letter(*p) || ascii_is_digit(*p)))
			p++;
	name.len = (size_t)(p - name.p);
	return name;
}

bool
expr_lex_at(struct parser *ps, const char *symbol)
{
	size_t n = strlen(symbol);

	if (!expr_lex_more(ps))
		return false;
	if (is_letter(*symbol))
		return span_eq(expr_lex_name(ps, ps->p), span_of(symbol));
	return (size_t)(ps->end - ps->p) >= n && memcmp(ps->p, symbol, n) == 0;
}

bool
expr_lex_take(struct parser *ps, const char *symbol)
{
	if (!expr_lex_at(ps, symbol))
		return false;
	ps->p += strlen(symbol);
	return true;
}

/* ---- numbers ---- */

/* the end of digits with a fraction and an exponent, if they are there */
static const char *
skip_plain(const char *p, const char *end)
{
	const char *q;

	while (p < end && ascii_is_digit(*p))
		p++;
	if (p < end && *p == '.')
		for (p++; p < end && ascii_is_digit(*p);)
			p++;
	if (p == end || (*p != 'e' && *p != 'E'))
		return p;
	q = p + 1;
	if (q < end && (*q == '+' || *q == '-'))
		q++;
	if (q == end || !ascii_is_digit(*q))
		return p;
	while (q < end && ascii_is_digit(*q))
		q++;
	return q;
}

/* the end of what looks like a number, right or wrong */
static const char *
skip_token(const char *p, const char *end)
{
	while (p < end && (is_letter(*p) || ascii_is_digit(*p) || *p == '.' ||
			      (*p & 0x80) != 0))
		p++;
	return p;
}

/* a number without a unit: whole ones are integers */
static bool
read_plain(const char *token, struct value *v)
{
	long double d;

	v->type = VALUE_INT;
	if (strpbrk(token, ".eE") == NULL) {
		errno = 0;
		v->i = strtoll(token, NULL, 10);
		return errno == 0;
	}
	d = strtold(token, NULL);
	if (d == floorl(d) && d < 0x1p63L) {
		v->i = (int64_t)d;
		return true;
	}
	v->type = VALUE_REAL;
	v->real = d;
	return isfinite(d);
}

/* would the units of token be right if its numbers were small? */
static bool
has_units(char *token)
{
	const char *p = token;
	char *to = token;
	int64_t v;

	for (; *p != '\0'; p++)
		if (!ascii_is_digit(*p) || to == token ||
		    !ascii_is_digit(to[-1]))
			*to++ = ascii_is_digit(*p) ? '1' : *p;
	*to = '\0';
	return units_time(token, &v) || units_size(token, &v);
}

bool
expr_lex_number(struct parser *ps, struct value *v)
{
	const char *start = ps->p, *end = skip_plain(start, ps->end);
	bool plain = end == skip_token(end, ps->end), good, units = true;
	char *token;

	if (!plain)
		end = skip_token(start, ps->end);
	token = mem_copy(start, (size_t)(end - start));
	if (plain) {
		good = read_plain(token, v);
	} else {
		v->type = VALUE_INT;
		good = units_time(token, &v->i) || units_size(token, &v->i);
		units = good || has_units(token);
	}
	free(token);
	ps->p = end;
	if (good)
		return true;
	if (units) {
		expr_lex_fail(ps, start, "number is too large");
		return false;
	}
	expr_lex_fail(ps, start,
	    "the units of numbers are ns us ms s m h,"
	    " B K M G T kB MB GB TB KiB MiB GiB TiB");
	return false;
}

/* ---- strings ---- */

/* the end of the escape at p, or NULL */
static const char *
skip_escape(const char *p, const char *end)
{
	if (end - p < 2)
		return NULL;
	if (p[1] != 'u')
		return memchr("\"'\\/bfnrt", p[1], 9) != NULL ? p + 2 : NULL;
	for (int i = 2; i < 6; i++)
		if (p + i >= end ||
		    !(ascii_is_digit(p[i]) || (p[i] >= 'a' && p[i] <= 'f') ||
			(p[i] >= 'A' && p[i] <= 'F')))
			return NULL;
	return p + 6;
}

/* the string at p, quotes included */
static bool
scan_string(struct parser *ps, struct span *raw)
{
	const char *start = ps->p, *p = start + 1;

	while (p < ps->end && *p != *start) {
		const char *next = *p == '\\' ? skip_escape(p, ps->end) : p + 1;

		if (next == NULL) {
			expr_lex_fail(ps, p, "bad escape in a string");
			return false;
		}
		p = next;
	}
	if (p == ps->end) {
		expr_lex_fail(ps, start, "the string does not end");
		return false;
	}
	ps->p = p + 1;
	*raw = (struct span){start, (size_t)(ps->p - start)};
	return true;
}

struct span
expr_lex_keep(struct parser *ps, struct span s)
{
	char *p = region_get(&ps->expr->memory, s.len + 1);

	if (s.len > 0)
		memcpy(p, s.p, s.len);
	return (struct span){p, s.len};
}

bool
expr_lex_string(struct parser *ps, struct span *s)
{
	struct text t = {0};
	struct span raw;

	if (!scan_string(ps, &raw))
		return false;
	json_decode(&t, raw);
	*s = expr_lex_keep(ps, text_span(&t));
	text_free(&t);
	return true;
}

/* ---- patterns ---- */

/* the place in a string, quotes included, of a byte of its value */
static const char *
place_in_string(struct span raw, size_t at)
{
	const char *p = raw.p + 1, *end = raw.p + raw.len - 1;
	struct text t = {0};

	while (p < end) {
		const char *next = *p == '\\' ? skip_escape(p, end) : p + 1;

		/* with a byte before and behind it, which are not looked at */
		json_decode(&t, (struct span){p - 1, (size_t)(next - p) + 2});
		if (t.len > at)
			break;
		p = next;
	}
	text_free(&t);
	return p;
}

/* the text between slashes, the first of which is at p; moves behind them */
static bool
scan_slashes(struct parser *ps, struct text *t)
{
	const char *start = ps->p, *p = start + 1;

	for (; p < ps->end && *p != '/'; p++) {
		if (*p == '\\' && p + 1 < ps->end && *++p != '/')
			text_add_char(t, '\\');
		text_add_char(t, *p);
	}
	if (p == ps->end) {
		expr_lex_fail(ps, start, "the regular expression does not end");
		return false;
	}
	ps->p = p + 1;
	return true;
}

/* the place of a byte of the text between slashes, the first of which is p */
static const char *
place_in_slashes(const char *p, size_t at)
{
	for (p++; at > 0; at--, p++)
		p += *p == '\\' && p[1] == '/';
	return p;
}

/* True if a pattern has a digit; the range 0-9 of a class is none. */
static bool
has_digits(struct span p)
{
	bool class = false;

	for (size_t i = 0; i < p.len; i++) {
		struct span rest = {p.p + i, p.len - i};

		if (class && span_begins(rest, SPAN("0-9")))
			i += 2;
		else if (ascii_is_digit(*rest.p))
			return true;
		else if (*rest.p == '\\')
			i += rest.len > 1 && !ascii_is_digit(rest.p[1]);
		else
			class = *rest.p == '[' || (class && *rest.p != ']');
	}
	return false;
}

/* the pattern of this text belongs to the expression */
static struct pattern *
own(struct parser *ps, struct pattern *p, struct span text)
{
	struct expr *e = ps->expr;

	e->tells_digits |= has_digits(text);
	*array_add(&e->patterns, &e->pattern_count, &e->pattern_cap) = p;
	return p;
}

static struct pattern *
regex_in_slashes(struct parser *ps)
{
	const char *start = ps->p, *error = NULL;
	struct pattern *pattern = NULL;
	struct text t = {0};
	struct span flags;
	size_t at = 0;

	if (scan_slashes(ps, &t)) {
		flags = expr_lex_name(ps, ps->p);
		ps->p += flags.len;
		if (flags.len > 0 && !span_eq(flags, SPAN("i")))
			expr_lex_fail(ps, flags.p,
			    "the only flag of a regular expression is i");
		else if ((pattern = pattern_regex(text_span(&t), flags.len > 0,
			      &error, &at)) == NULL)
			expr_lex_fail(
			    ps, place_in_slashes(start, at), "%s", error);
	}
	if (pattern != NULL)
		own(ps, pattern, text_span(&t));
	text_free(&t);
	return pattern;
}

/* a string that is the text of a pattern, a regular expression or a glob */
static struct pattern *
pattern_in_string(struct parser *ps, bool glob)
{
	struct span raw, s;
	struct pattern *p;
	const char *error;
	size_t at;

	raw.p = ps->p;
	if (!expr_lex_string(ps, &s))
		return NULL;
	raw.len = (size_t)(ps->p - raw.p);
	p = glob ? pattern_glob(s, &error, &at)
		 : pattern_regex(s, false, &error, &at);
	if (p == NULL)
		return expr_lex_fail(ps, place_in_string(raw, at), "%s", error);
	return own(ps, p, s);
}

struct pattern *
expr_lex_regex(struct parser *ps)
{
	if (expr_lex_at(ps, "/"))
		return regex_in_slashes(ps);
	if (expr_lex_at(ps, "\"") || expr_lex_at(ps, "'"))
		return pattern_in_string(ps, false);
	return expr_lex_expected(ps, "a /regular expression/ or a \"string\"");
}

struct pattern *
expr_lex_glob(struct parser *ps)
{
	if (expr_lex_at(ps, "\"") || expr_lex_at(ps, "'"))
		return pattern_in_string(ps, true);
	return expr_lex_expected(ps, "a \"string\"");
}
