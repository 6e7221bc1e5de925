/* shell.c - words of commands that people are to run */

#include <stdbool.h>

#include "tq/base/shell.h"
#include "tq/base/utf8.h"

static bool
is_plain(const char *s)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789_./+,:@%=-";

	return *s != '\0' && s[strspn(s, plain)] == '\0';
}

void
shell_add_quoted(struct text *t, struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == '\'')
			text_add_str(t, "'\\''");
		else
			text_add_char(t, s.p[i]);
}

/* in quotes; what no terminal may get is a "?" outside, which matches it */
static void
add_name(struct text *t, struct span name)
{
	text_add_char(t, '\'');
	while (name.len > 0) {
		const char *start = name.p;
		unsigned c = utf8_take(&name);

		if (utf8_is_control(c) || c >= UTF8_NONE)
			text_add_str(t, "'?'");
		else
			shell_add_quoted(
			    t, (struct span){start, (size_t)(name.p - start)});
	}
	text_add_char(t, '\'');
}

void
shell_add_word(struct text *t, const char *word)
{
	if (is_plain(word))
		text_add_str(t, word);
	else
		add_name(t, span_of(word));
}

void
shell_add_file(struct text *t, const char *name)
{
	if (*name == '-') {
		text_add_str(t, "./");
		add_name(t, span_of(name));
	} else
		shell_add_word(t, name);
}

bool
shell_next_word(const char **words, struct text *t)
{
	const char *p = *words + strspn(*words, " ");
	bool quoted = false;

	t->len = 0;
	if (*p == '\0')
		return false;
	for (; *p != '\0' && (quoted || *p != ' '); p++)
		if (*p == '\'')
			quoted = !quoted;
		else if (!quoted && *p == '\\' && p[1] != '\0')
			text_add_char(t, *++p);
		else
			text_add_char(t, *p);
	*words = p;
	return true;
}
