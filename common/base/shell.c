/* shell.c - words of commands that people are to run */

#include <stdbool.h>

#include "tq/base/shell.h"

static bool
is_plain(const char *s)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789_./+,:@%=-";

	return *s != '\0' && *s != '-' && s[strspn(s, plain)] == '\0';
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

void
shell_add_file(struct text *t, const char *name)
{
	if (is_plain(name)) {
		text_add_str(t, name);
		return;
	}
	text_add_str(t, *name == '-' ? "./'" : "'");
	shell_add_quoted(t, span_of(name));
	text_add_char(t, '\'');
}
