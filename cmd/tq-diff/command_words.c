/* command_words.c - the words in which two commands differ */

#include "command_words.h"
#include "tq/base/ascii.h"
#include "tq/base/intern.h"
#include "tq/base/map.h"

/* The next word of a command; false behind the last. */
static bool
next_word(struct span *rest, struct span *word)
{
	size_t len = 0;

	while (rest->len > 0 && ascii_is_space(*rest->p))
		*rest = (struct span){rest->p + 1, rest->len - 1};
	while (len < rest->len && !ascii_is_space(rest->p[len]))
		len++;
	*word = (struct span){rest->p, len};
	*rest = (struct span){rest->p + len, rest->len - len};
	return len > 0;
}

/* Append the words that a command has more often than another. */
static void
add_words(struct text *t, struct span command, struct span other)
{
	struct map seen = {0};
	struct intern words = {0};
	struct span word;

	while (next_word(&other, &word))
		++*map_get(&seen, intern_get(&words, word), 0);
	while (next_word(&command, &word)) {
		uint64_t *left = map_get(&seen, intern_get(&words, word), 0);

		if (*left > 0) {
			--*left;
			continue;
		}
		text_add_char(t, ' ');
		text_add_span(t, word);
	}
	map_free(&seen);
	intern_free(&words);
}

/* Append them, or that there are none. */
static void
add_side(struct text *t, struct span command, struct span other)
{
	size_t len = t->len;

	add_words(t, command, other);
	if (t->len == len)
		text_add_str(t, " nothing else");
}

void
command_words_add(struct text *t, struct span a, struct span b)
{
	text_add_str(t, "only A has");
	add_side(t, a, b);
	text_add_str(t, ", only B");
	add_side(t, b, a);
}
