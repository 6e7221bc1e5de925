/* thrift.c - structs in Thrift's compact protocol */

#include "tq/draw/proto.h"

#include "thrift.h"

static void
add_varint(struct thrift *t, uint64_t v)
{
	char *p = text_reserve(t->to, PROTO_VARINT_MAX);

	text_end(t->to, proto_put(p, v));
}

static void
add_field(struct thrift *t, int id, enum thrift_type type)
{
	int step = id - t->last[t->depth];

	text_add_char(t->to, (char)(step << 4 | (int)type));
	t->last[t->depth] = id;
}

void
thrift_add_int(struct thrift *t, int64_t v)
{
	add_varint(t, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

void
thrift_add_bytes(struct thrift *t, struct span s)
{
	add_varint(t, s.len);
	text_add_span(t->to, s);
}

void
thrift_add_open(struct thrift *t)
{
	t->last[++t->depth] = 0;
}

void
thrift_int(struct thrift *t, int id, enum thrift_type type, int64_t v)
{
	add_field(t, id, type);
	thrift_add_int(t, v);
}

void
thrift_bool(struct thrift *t, int id, bool v)
{
	add_field(t, id, v ? THRIFT_TRUE : THRIFT_FALSE);
}

void
thrift_bytes(struct thrift *t, int id, struct span s)
{
	add_field(t, id, THRIFT_BYTES);
	thrift_add_bytes(t, s);
}

void
thrift_open(struct thrift *t, int id)
{
	add_field(t, id, THRIFT_STRUCT);
	thrift_add_open(t);
}

void
thrift_close(struct thrift *t)
{
	text_add_char(t->to, 0);
	t->depth--;
}

void
thrift_list(struct thrift *t, int id, enum thrift_type type, size_t count)
{
	add_field(t, id, THRIFT_LIST);
	if (count < 15) {
		text_add_char(t->to, (char)((int)count << 4 | (int)type));
		return;
	}
	text_add_char(t->to, (char)(0xf0 | (int)type));
	add_varint(t, count);
}
