/*
 * glob.c - matching of globs
 *
 *	glob = { "*" | "?" | set | [ "\" ] character }
 *	set  = "[" [ "!" | "^" ] item { item } "]"
 *	item = [ "\" ] character [ "-" [ "\" ] character ]
 *
 * A "]" is the end of a set, but not as its first item; a "-" is an item as the
 * first or last of a set.
 */

#include "glob.h"
#include "tq/base/utf8.h"

/* the character at *p, which a backslash may stand before */
static unsigned
literal(const unsigned char **p, const unsigned char *end)
{
	if (**p == '\\')
		++*p;
	return utf8_next(p, end);
}

/* the set whose bracket is at *p, which is moved behind it */
static bool
in_set(const unsigned char **p, const unsigned char *end, unsigned c)
{
	const unsigned char *s = *p + 1, *first;
	bool negated = *s == '!' || *s == '^', found = false;
	unsigned from, to;

	s += negated;
	for (first = s; *s != ']' || s == first;) {
		from = to = literal(&s, end);
		if (*s == '-' && s[1] != ']') {
			s++;
			to = literal(&s, end);
		}
		found |= from <= c && c <= to;
	}
	*p = s + 1;
	return found != negated;
}

/* True if c matches the item at *p, which moves behind it. */
static bool
item_is(const unsigned char **p, const unsigned char *end, unsigned c)
{
	if (**p == '[')
		return in_set(p, end, c);
	if (**p == '?') {
		++*p;
		return true;
	}
	return literal(p, end) == c;
}

/* where the text behind a star may go on, from p; NULL: nowhere */
static const unsigned char *
candidate(
    const unsigned char *glob, const unsigned char *p, const unsigned char *end)
{
	if (*glob >= 0x80 || strchr("*?[\\", *glob) != NULL)
		return p;
	return memchr(p, *glob, (size_t)(end - p));
}

/*
 * Only the last star needs to be gone back to: the items before it matched at
 * their first place, and no later one could do more.
 */
bool
glob_match(struct span glob, struct span text)
{
	const unsigned char *g = (const unsigned char *)glob.p;
	const unsigned char *glob_end = g + glob.len, *star = NULL;
	const unsigned char *t = (const unsigned char *)text.p;
	const unsigned char *end = t + text.len, *retry = NULL, *next;

	while (t < end) {
		next = t;
		if (g < glob_end && *g == '*') {
			if (++g == glob_end)
				return true;
			star = g;
			retry = t;
		} else if (g < glob_end &&
			   item_is(&g, glob_end, utf8_next(&next, end))) {
			t = next;
			continue;
		} else {
			if (star == NULL)
				return false;
			g = star;
			utf8_next(&retry, end);
		}
		if ((t = retry = candidate(star, retry, end)) == NULL)
			return false;
	}
	while (g < glob_end && *g == '*')
		g++;
	return g == glob_end;
}

/* the end of the set whose bracket is at p, or NULL */
static const unsigned char *
check_set(const unsigned char *p, const unsigned char *end, const char **error)
{
	const unsigned char *first;
	unsigned from;

	if (++p < end && (*p == '!' || *p == '^'))
		p++;
	for (first = p; p < end && (*p != ']' || p == first);) {
		if (*p == '\\' && p + 1 == end)
			break;
		from = literal(&p, end);
		if (end - p < 2 || *p != '-' || p[1] == ']')
			continue;
		if (*++p == '\\' && p + 1 == end)
			break;
		if (literal(&p, end) < from) {
			*error = "a range of the set is out of order";
			return NULL;
		}
	}
	if (p < end && *p == ']')
		return p + 1;
	*error = "a [ is not closed";
	return NULL;
}

const char *
glob_check(struct span glob, size_t *at)
{
	const unsigned char *start = (const unsigned char *)glob.p;
	const unsigned char *p = start, *end = p + glob.len, *next;
	const char *error = NULL;

	for (; p < end; p = next) {
		next = p + 1;
		if (*p == '[')
			next = check_set(p, end, &error);
		else if (*p == '\\' && ++next > end) {
			error = "nothing follows the last \\";
			next = NULL;
		}
		if (next == NULL) {
			*at = (size_t)(p - start);
			return error;
		}
	}
	return NULL;
}
