/*
 * spell.h - JSON values in a canonical spelling: raw UTF-8, the keys of
 * objects sorted, integers beyond 2^53 as strings.
 */
#ifndef SPELL_H
#define SPELL_H

#include "tq/draw/args.h"

enum { SPELL_EXACT = 15 }; /* digits of numbers that are below 2^53 */

/* True if spell_string leaves this string of valid JSON as it is. */
bool spell_is_plain(struct span json);

/* Append bytes as a string. */
void spell_bytes(struct text *t, struct span bytes);

/* Append valid JSON. */
void spell_string(struct text *t, struct span json);
void spell_number(struct text *t, struct span json);
void spell_value(struct text *t, struct span json);

/* Put brackets around all behind start, where each element has a comma first.
 */
static inline void
spell_enclose(struct text *t, size_t start, char open, char close)
{
	if (t->len == start)
		text_add_char(t, open);
	else
		t->p[start] = open;
	text_add_char(t, close);
}

/* Append members: ,"key":value,"key":value. */
void spell_args(struct text *t, const struct args *a);

enum { SPELL_TIME = TEXT_INT_MAX + 16 }; /* bytes of room */

/* Put a point before the last three digits. */
static inline char *
spell_point(char *end)
{
	uint32_t v;

	memcpy(&v, end - 3, sizeof(v)); /* the last byte is void */
	v = v << 8 | '.';
	memcpy(end - 3, &v, sizeof(v));
	return end + 1;
}

/* ns >= 0 as microseconds with three decimals; returns the end. */
char *spell_ns(char *p, int64_t ns);

/* The same; digits are ns, with 16 readable bytes behind them. */
static inline char *
spell_time(char *p, int64_t ns, struct span digits)
{
	enum { CHUNK = 16 };

	if (digits.len <= 3 || digits.len > CHUNK)
		return spell_ns(p, ns);
	memcpy(p, digits.p, CHUNK);
	return spell_point(p + digits.len);
}

#endif
