/* suggestion.c - the words that a misspelt one may have meant */

#include <string.h>

#include "tq/base/suggestion.h"

enum { LONGEST = 48, CONTAINED = 1, CONTAINS = 3 };

/* letters in lower case, and digits; returns how many, at most LONGEST */
static size_t
squeeze(char to[LONGEST], struct span from)
{
	size_t n = 0;

	for (size_t i = 0; i < from.len && n < LONGEST; i++) {
		char c = from.p[i];

		if (c >= 'A' && c <= 'Z')
			to[n++] = (char)(c - 'A' + 'a');
		else if (c != '_' && c != '-' && c != '.')
			to[n++] = c;
	}
	return n;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* the optimal string alignment distance: rows i - 2, i - 1 and i of its table
 */
static unsigned
distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned table[3][LONGEST + 1];

	for (size_t j = 0; j <= nb; j++)
		table[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		const unsigned *above = table[(i - 1) % 3];
		unsigned *row = table[i % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = least(least(above[j], row[j - 1]) + 1,
			    above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = least(
				    row[j], table[(i - 2) % 3][j - 2] + 1);
		}
	}
	return table[na % 3][nb];
}

/* UINT_MAX: too far */
static unsigned
cost_of(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned steps = distance(a, na, b, nb);

	if (steps <= na / 3 && steps < nb)
		return steps;
	if (na >= 3 && memmem(b, nb, a, na) != NULL)
		return CONTAINED;
	if (nb >= 3 && memmem(a, na, b, nb) != NULL)
		return CONTAINS;
	return (unsigned)-1;
}

bool
suggestion_consider(struct suggestion *n, const char *known)
{
	char a[LONGEST], b[LONGEST];
	size_t na = squeeze(a, n->word), nb = squeeze(b, span_of(known));
	struct suggestion_guess guess = {known, cost_of(a, na, b, nb)};

	if (guess.cost == (unsigned)-1 ||
	    (n->best[0].text != NULL && guess.cost > n->best[0].cost))
		return false;
	if (n->best[0].text != NULL && guess.cost < n->best[0].cost)
		memset(n->best, 0, sizeof(n->best));
	for (size_t i = 0; i < SUGGESTION_MOST; i++)
		if (n->best[i].text == NULL) {
			n->best[i] = guess;
			return true;
		}
	return false;
}

/* in quotes if it looks like several */
static void
add_word(struct text *t, const char *word)
{
	bool several = strpbrk(word, " ,") != NULL;

	if (several)
		text_add_char(t, '\'');
	text_add_visible(t, span_of(word), "");
	if (several)
		text_add_char(t, '\'');
}

void
suggestion_add(const struct suggestion *n, struct text *t)
{
	for (size_t i = 0; i < SUGGESTION_MOST && n->best[i].text != NULL;
	     i++) {
		bool last =
		    i + 1 == SUGGESTION_MOST || n->best[i + 1].text == NULL;

		text_add_str(t, i == 0 ? ": did you mean "
				: last ? " or "
				       : ", ");
		add_word(t, n->best[i].text);
	}
	if (n->best[0].text != NULL)
		text_add_char(t, '?');
}

char *
suggestion_text(const struct suggestion *n)
{
	struct text t = {0};

	suggestion_add(n, &t);
	text_add_char(&t, '\0');
	return t.p;
}
