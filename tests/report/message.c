/* message.c - messages of protocol buffers, written field by field */

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };

static char *
reserve(struct message *m, size_t n)
{
	if (m->cap - m->len < n) {
		m->cap = (m->cap + n) * 2;
		m->p = realloc(m->p, m->cap);
		if (m->p == NULL)
			err(1, NULL);
	}
	m->len += n;
	return m->p + m->len - n;
}

void
message_raw(struct message *m, const void *p, size_t n)
{
	if (n > 0)
		memcpy(reserve(m, n), p, n);
}

void
message_varint(struct message *m, uint64_t v)
{
	unsigned char bytes[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (unsigned char)(v | 0x80);
	bytes[n++] = (unsigned char)v;
	message_raw(m, bytes, n);
}

static void
tag(struct message *m, unsigned field, unsigned wire)
{
	message_varint(m, (uint64_t)field << 3 | wire);
}

/* n bytes of a number, the lowest first */
static void
fixed(struct message *m, uint64_t v, size_t n)
{
	for (; n > 0; v >>= 8, n--)
		message_raw(m, &(unsigned char){v & 0xff}, 1);
}

void
message_int(struct message *m, unsigned field, int64_t v)
{
	tag(m, field, VARINT);
	message_varint(m, (uint64_t)v);
}

void
message_bytes(struct message *m, unsigned field, const void *p, size_t n)
{
	tag(m, field, BYTES);
	message_varint(m, n);
	message_raw(m, p, n);
}

void
message_text(struct message *m, unsigned field, const char *s)
{
	message_bytes(m, field, s, strlen(s));
}

void
message_double(struct message *m, unsigned field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	tag(m, field, FIXED64);
	fixed(m, bits, sizeof(bits));
}

void
message_float(struct message *m, unsigned field, float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	tag(m, field, FIXED32);
	fixed(m, bits, sizeof(bits));
}

void
message_move(struct message *m, unsigned field, struct message *from)
{
	message_bytes(m, field, from->p, from->len);
	from->len = 0;
}

void
message_free(struct message *m)
{
	free(m->p);
	*m = (struct message){0};
}
