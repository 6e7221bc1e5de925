/* condition.c - conditions on all of a stream; the grammar is in condition.h */

#include "tq/advice/condition.h"

static struct span
trim(struct span s)
{
	while (s.len > 0 && (*s.p == ' ' || *s.p == '\t'))
		s = (struct span){s.p + 1, s.len - 1};
	while (s.len > 0 && (s.p[s.len - 1] == ' ' || s.p[s.len - 1] == '\t'))
		s.len--;
	return s;
}

bool
condition_number(struct span text, int64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < text.len; i++)
		if (text.p[i] < '0' || text.p[i] > '9' ||
		    __builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, text.p[i] - '0', n))
			return false;
	return text.len > 0;
}

bool
condition_share(struct span text, int64_t *ppm)
{
	int64_t unit = PPM / 100;
	size_t i = 0;

	*ppm = 0;
	if (text.len < 2 || text.p[--text.len] != '%')
		return false;
	for (; i < text.len && i <= 4 && text.p[i] >= '0' && text.p[i] <= '9';
	     i++)
		*ppm = *ppm * 10 + (text.p[i] - '0') * (PPM / 100);
	if (i == 0 || i > 4)
		return false;
	if (i == text.len)
		return true;
	if (text.p[i++] != '.' || i == text.len || text.len - i > 4)
		return false;
	for (; i < text.len && text.p[i] >= '0' && text.p[i] <= '9'; i++)
		*ppm += (text.p[i] - '0') * (unit /= 10);
	return i == text.len;
}

/* Where " of " separates two expressions, outside of quotes. */
static size_t
find_of(struct span s)
{
	char quote = 0;

	for (size_t i = 0; i + 4 <= s.len; i++) {
		if (quote == 0 && memcmp(s.p + i, " of ", 4) == 0)
			return i;
		if (quote != 0 && s.p[i] == '\\')
			i++;
		else if (quote == s.p[i])
			quote = 0;
		else if (quote == 0 && (s.p[i] == '"' || s.p[i] == '\''))
			quote = s.p[i];
	}
	return s.len;
}

static const char *
take_inside(struct span inside, struct condition_text *c)
{
	size_t of = c->of == CONDITION_SHARE ? find_of(inside) : inside.len;

	c->what = trim((struct span){inside.p, of});
	c->all = (struct span){"", 0};
	if (c->of == CONDITION_SHARE && of == inside.len)
		return "expected share(EXPR of EXPR), not";
	if (of < inside.len)
		c->all =
		    trim((struct span){inside.p + of + 4, inside.len - of - 4});
	return NULL;
}

/* The last ")" of the text, behind which the comparison stands. */
static size_t
find_close(struct span s)
{
	while (s.len > 0 && s.p[s.len - 1] != ')')
		s.len--;
	return s.len;
}

const char *
condition_parse(struct span text, struct condition_text *c)
{
	static const char *const names[] = {
	    "count(", "share(", "time(", "runs(", "exposed(", "host("};
	const char *error;
	struct span limit;
	size_t close = find_close(text), n = 0;

	*c = (struct condition_text){0};
	for (c->of = CONDITION_COUNT; c->of <= CONDITION_HOST; c->of++)
		if (span_begins(text, span_of(names[c->of])))
			break;
	if (c->of > CONDITION_HOST || close == 0)
		return "expected count(...), share(... of ...), time(...), "
		       "runs(), exposed() or host(), not";
	n = strlen(names[c->of]);
	if (close <= n)
		return "expected an expression in";
	if (close > n + 1 && c->of >= CONDITION_RUNS)
		return "expected nothing between ( and ) of";
	error = take_inside((struct span){text.p + n, close - 1 - n}, c);
	if (error != NULL)
		return error;
	limit = trim((struct span){text.p + close, text.len - close});
	c->below = span_begins(limit, SPAN("<"));
	if (!c->below && !span_begins(limit, SPAN(">=")))
		return "expected >= or < behind the ')' of";
	n = c->below ? 1 : 2;
	limit = trim((struct span){limit.p + n, limit.len - n});
	if (c->of == CONDITION_COUNT ? !condition_number(limit, &c->limit)
				     : !condition_share(limit, &c->limit))
		return c->of == CONDITION_COUNT
			   ? "expected a number at the end of"
			   : "expected a share like 5% at the end of";
	return NULL;
}
