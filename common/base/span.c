/* span.c - bytes that somebody else owns */

#include "tq/base/span.h"
#include "tq/base/words.h"

uint64_t
span_hash(struct span s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
	return h;
}

int
span_cmp(struct span a, struct span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.p, b.p, n) : 0;

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

bool
span_next_line(struct span *text, struct span *line)
{
	const char *newline;
	size_t len;

	if (text->len == 0)
		return false;
	newline = memchr(text->p, '\n', text->len);
	len = newline != NULL ? (size_t)(newline - text->p) : text->len;
	*line = (struct span){text->p, len};
	len += newline != NULL;
	*text = (struct span){text->p + len, text->len - len};
	return true;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct span
span_trimmed(struct span s)
{
	while (s.len > 0 && is_blank(*s.p))
		s = (struct span){s.p + 1, s.len - 1};
	while (s.len > 0 && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

size_t
span_plain(struct span s)
{
	size_t n = 0;

	for (; s.len - n >= 8; n += 8) {
		uint64_t eight;

		memcpy(&eight, s.p + n, 8);
		eight = words_not_plain(eight);
		if (eight != 0)
			return n + (size_t)__builtin_ctzll(eight) / 8;
	}
	while (n < s.len && s.p[n] >= 0x20 && s.p[n] < 0x7f)
		n++;
	return n;
}
