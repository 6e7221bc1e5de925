/* escape.c - texts of the stream in HTML, csv and tsv */

#include "tq/show/escape.h"

void
escape_html(struct text *t, struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		switch (s.p[i]) {
		case '&':
			text_add_str(t, "&amp;");
			break;
		case '<':
			text_add_str(t, "&lt;");
			break;
		case '>':
			text_add_str(t, "&gt;");
			break;
		case '"':
			text_add_str(t, "&quot;");
			break;
		default:
			if ((unsigned char)s.p[i] >= ' ' || s.p[i] == '\t' ||
			    s.p[i] == '\n')
				text_add_char(t, s.p[i]);
			else
				text_add_str(t, "\xef\xbf\xbd");
		}
}

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
