/* escape.c - texts of the stream on a terminal, in HTML, Markdown, csv, tsv */

#include "tq/base/ascii.h"
#include "tq/base/utf8.h"
#include "tq/show/escape.h"

/* ---- terminals ---- */

/* Append the beginning of s that is plain ASCII, which s loses. */
static void
take_plain(struct text *t, struct span *s)
{
	size_t n = span_plain(*s);

	if (n == 0)
		return; /* s->p may be NULL */
	text_add(t, s->p, n);
	*s = (struct span){s->p + n, s->len - n};
}

void
escape_terminal(struct text *t, struct span s)
{
	for (take_plain(t, &s); s.len > 0; take_plain(t, &s)) {
		const char *start = s.p;
		unsigned c = utf8_take(&s);

		if (c == '\t' || c == '\n' || c == '\r')
			text_add_char(t, ' ');
		else if (utf8_is_control(c) || c >= UTF8_NONE)
			text_add_char(t, '?');
		else
			text_add(t, start, (size_t)(s.p - start));
	}
}

void
escape_print(FILE *f, struct span s)
{
	struct text visible = {0};

	escape_terminal(&visible, s);
	if (visible.len > 0)
		fwrite(visible.p, 1, visible.len, f);
	text_free(&visible);
}

/* ---- HTML ---- */

static const char *
html_entity(unsigned c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\t':
	case '\n':
		return NULL;
	default:
		return utf8_is_control(c) ? "\xef\xbf\xbd" : NULL;
	}
}

void
escape_html(struct text *t, struct span s)
{
	while (s.len > 0) {
		const char *start = s.p, *entity;

		entity = html_entity(utf8_take(&s));
		if (entity != NULL)
			text_add_str(t, entity);
		else
			text_add(t, start, (size_t)(s.p - start));
	}
}

void
escape_html_cut(struct text *t, struct span s, size_t most)
{
	size_t start = t->len;

	while (s.len > 0) {
		struct span left = s;
		size_t before = t->len;

		utf8_take(&s);
		escape_html(t, (struct span){left.p, left.len - s.len});
		if (t->len - start > most) {
			t->len = before;
			text_add_str(t, "\xe2\x80\xa6");
			return;
		}
	}
}

/* ---- Markdown ---- */

static bool
is_word(char c)
{
	return (c != '_' && ascii_is_word(c)) || (unsigned char)c >= 0x80;
}

void
escape_markdown(struct text *t, struct span s)
{
	struct text visible = {0};

	escape_terminal(&visible, s);
	s = text_span(&visible);
	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		/* an _ inside of a word means nothing */
		bool inside = c == '_' && i > 0 && i + 1 < s.len &&
			      is_word(s.p[i - 1]) && is_word(s.p[i + 1]);

		if (strchr("\\`*_[]<>&|~@", c) != NULL && !inside)
			text_add_char(t, '\\');
		text_add_char(t, c);
	}
	text_free(&visible);
}

/* ---- csv, tsv ---- */

static bool
contains(struct span s, char c)
{
	return s.len > 0 && memchr(s.p, c, s.len) != NULL;
}

void
escape_csv(struct text *t, struct span s)
{
	static const char stays[] = "\t\r\n";

	if (!contains(s, '"') && !contains(s, ',') && !contains(s, '\r') &&
	    !contains(s, '\n')) {
		text_add_visible(t, s, stays);
		return;
	}
	text_add_char(t, '"');
	while (contains(s, '"')) {
		const char *quote = memchr(s.p, '"', s.len);
		size_t n = (size_t)(quote + 1 - s.p);

		text_add_visible(t, (struct span){s.p, n}, stays);
		text_add_char(t, '"');
		s = (struct span){s.p + n, s.len - n};
	}
	text_add_visible(t, s, stays);
	text_add_char(t, '"');
}

void
escape_tsv(struct text *t, struct span s)
{
	size_t start = t->len;

	text_add_visible(t, s, "\t\r\n");
	for (size_t i = start; i < t->len; i++)
		if (t->p[i] == '\t' || t->p[i] == '\n' || t->p[i] == '\r')
			t->p[i] = ' ';
}
