/* url.c - text as a part of a URL */

#include "url.h"

static bool
stays(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("-_.~", c) != NULL);
}

void
url_add(struct text *t, struct span s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (stays(c))
			text_add_char(t, (char)c);
		else
			text_printf(t, "%%%02X", c);
	}
}
