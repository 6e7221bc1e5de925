/* proto.c - messages of protocol buffers */

#include "tq/draw/proto.h"
#include "tq/base/words.h"
#include "tq/base/utf8.h"

void
proto_close_long(struct text *t, size_t start)
{
	char digits[PROTO_VARINT_MAX], *p;
	size_t len = t->len - start, more;

	more = (size_t)(proto_put(digits, len) - digits) - 1;
	text_reserve(t, more);
	p = t->p + start;
	memmove(p + more, p, len);
	memcpy(p - 1, digits, more + 1);
	t->len += more;
}

void
proto_bytes(struct text *t, unsigned field, struct span s)
{
	char *p = text_reserve(t, 2 * (size_t)PROTO_VARINT_MAX + s.len);

	p = proto_put_tag(p, field, PROTO_BYTES);
	p = proto_put(p, s.len);
	if (s.len > 0)
		memcpy(p, s.p, s.len);
	text_end(t, p + s.len);
}

static bool
is_ascii(struct span s)
{
	uint64_t all = 0, v;
	size_t i = 0;

	for (; s.len - i >= 8; i += 8) {
		memcpy(&v, s.p + i, 8);
		all |= v;
	}
	for (; i < s.len; i++)
		all |= (unsigned char)s.p[i];
	return (all & WORDS_HIGHS) == 0;
}

void
proto_string(struct text *t, unsigned field, struct span s)
{
	const unsigned char *p = (const unsigned char *)s.p, *end = p + s.len;
	size_t start;

	if (is_ascii(s)) {
		proto_bytes(t, field, s);
		return;
	}
	start = proto_open(t, field);
	while (p < end) {
		const unsigned char *from = p;

		if (utf8_next(&p, end) < UTF8_NONE)
			text_add(t, (const char *)from, (size_t)(p - from));
		else
			text_add(t, "\xef\xbf\xbd", 3);
	}
	proto_close(t, start);
}
