/* span.c - bytes that somebody else owns */

#include "tq/base/span.h"

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
