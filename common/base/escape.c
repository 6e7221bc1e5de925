/* escape.c - texts of the stream in HTML */

#include "tq/base/escape.h"

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
