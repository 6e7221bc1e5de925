/* expr_complain.c - the error of an expression, and its place */

#include <errno.h>
#include <stdio.h>

#include "expr_parser.h"
#include "tq/base/utf8.h"

enum { SHOWN = 100, BEFORE = 70 }; /* characters of the text, before at */

/* the text for a terminal of the character c, which is from p to end */
static void
add_shown(struct text *t, unsigned c, const unsigned char *p,
    const unsigned char *end)
{
	if (c == '\n' || c == '\r' || c == '\t')
		text_add_char(t, ' ');
	else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c >= UTF8_NONE)
		text_add_char(t, '?');
	else
		text_add(t, (const char *)p, (size_t)(end - p));
}

/* add the characters from to to of s */
static void
add_range(struct text *t, struct span s, size_t from, size_t to)
{
	const unsigned char *p = (const unsigned char *)s.p, *next = p;
	const unsigned char *end = p + s.len;

	for (size_t i = 0; p < end && i < to; i++, p = next) {
		unsigned c = utf8_next(&next, end);

		if (i >= from)
			add_shown(t, c, p, next);
	}
}

/* characters in the first len bytes of s */
static size_t
count(struct span s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s.p;
	const unsigned char *end = p + s.len, *stop = p + len;
	size_t n = 0;

	while (p < stop) {
		utf8_next(&p, end);
		n += p <= stop;
	}
	return n;
}

void
expr_complain(struct span text, const struct expr_error *error)
{
	struct text t = {0};
	size_t length, at, from, to;

	if (text.len == 0)
		text.p = "";
	length = count(text, text.len);
	at = count(text, error->at < text.len ? error->at : text.len);
	from = length > SHOWN && at > BEFORE ? at - BEFORE : 0;
	to = length - from > SHOWN ? from + SHOWN : length;

	text_add_str(&t, program_invocation_short_name);
	text_add_str(&t, ": ");
	add_range(&t, span_of(error->message), 0, sizeof(error->message));
	text_add_str(&t, from > 0 ? "\n\t..." : "\n\t");
	add_range(&t, text, from, to);
	text_add_str(&t, to < length ? "...\n\t" : "\n\t");
	text_printf(&t, "%*s^\n", (int)(at - from + (from > 0 ? 3 : 0)), "");
	fwrite(t.p, 1, t.len, stderr);
	text_free(&t);
}

void
expr_complain_at(struct span text, size_t at, const char *message)
{
	struct expr_error e = {.at = at};
	size_t n = strlen(message);

	memcpy(e.message, message,
	    n < sizeof(e.message) ? n : sizeof(e.message) - 1);
	expr_complain(text, &e);
}
