/* cpp_name.c - a full C++ name without all but its last part */

#include <stddef.h>

#include "tq/base/cpp_name.h"

static bool
ends_with(struct span s, size_t end, const char *word)
{
	size_t n = strlen(word);

	return end >= n && memcmp(s.p + end - n, word, n) == 0;
}

/* the length of an "operator+" that ends at end; 0: none does */
static size_t
operator_at(struct span s, size_t end)
{
	static const char *const operators[] = {"()", "[]", "->*", "->", "<=>",
	    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
	    "--", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+", "-", "*",
	    "/", "%", "^", "&", "|", "~", "!", "=", "<", ">", ","};

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (ends_with(s, end, operators[i]) &&
		    ends_with(s, end - strlen(operators[i]), "operator"))
			return strlen("operator") + strlen(operators[i]);
	return 0;
}

/*
 * The index of the bracket that the one before end closes, of any kind; end if
 * there is none.  The > in (a > b) is no bracket.
 */
static size_t
opening(struct span s, size_t end)
{
	static const char closed[] = ")]}>", open[] = "([{<";
	char stack[64];
	size_t depth = 0;

	for (size_t i = end; i-- > 0;) {
		const char *at = memchr(closed, s.p[i], 4);
		size_t n = operator_at(s, i + 1);

		if (n > 0 && i + 1 < end) {
			i -= n - 1;
		} else if (at != NULL) {
			if (*at == '>' && depth > 0 && stack[depth - 1] != '<')
				continue;
			if (depth == sizeof(stack))
				return end;
			stack[depth++] = open[at - closed];
		} else if (depth > 0 && s.p[i] == stack[depth - 1] &&
			   --depth == 0) {
			return i;
		}
	}
	return end;
}

/* the end of s without qualifiers: " const", "[clone .kd]" ... */
static size_t
without_qualifiers(struct span s, size_t end)
{
	static const char *const qualifiers[] = {
	    " const", " volatile", " &", " &&", " noexcept", " "};
	size_t before;

	do {
		before = end;
		for (size_t i = 0; i < 6; i++)
			if (ends_with(s, end, qualifiers[i]))
				end -= strlen(qualifiers[i]);
		if (ends_with(s, end, "]") &&
		    ends_with(s, opening(s, end), " "))
			end = opening(s, end);
	} while (end < before);
	return end;
}

/* true if "operator" of a conversion, new or delete stands there */
static bool
is_operator_word(struct span s, size_t at)
{
	size_t n = strlen("operator");

	return s.len - at > n && memcmp(s.p + at, "operator", n) == 0 &&
	       (s.p[at + n] == ' ' || s.p[at + n] == '"') &&
	       (at == 0 || s.p[at - 1] == ':' || s.p[at - 1] == ' ');
}

/* where the name that ends at end begins */
static size_t
beginning(struct span s, size_t end)
{
	size_t found = 0;

	for (size_t i = end; i > 0; i--) {
		char c = s.p[i - 1];

		if (is_operator_word(s, i - 1))
			return i - 1;
		if (memchr(")]}>", c, 4) != NULL) {
			/* the type of a conversion has no other brackets */
			if ((found > 0 && c != '>') || opening(s, i) == i)
				break;
			i = opening(s, i) + 1; /* i-- steps over the bracket */
		} else if (found == 0 && memchr(" :*&", c, 4) != NULL) {
			found = i;
		}
	}
	return found;
}

struct span
cpp_name_base(struct span s)
{
	size_t end = without_qualifiers(s, s.len), start, n;

	if (operator_at(s, end) == 0 && ends_with(s, end, ")"))
		end = without_qualifiers(s, opening(s, end));
	if (operator_at(s, end) == 0 && ends_with(s, end, ">"))
		end = without_qualifiers(s, opening(s, end));
	n = operator_at(s, end);
	start = n > 0 ? end - n : beginning(s, end);
	if (start >= end)
		return s;
	return (struct span){s.p + start, end - start};
}
