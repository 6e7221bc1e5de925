/*
 * packet_reader.c - the packets of a trace
 *
 *	trace      = { field }
 *	packet     = field 1, bytes; other fields are left out
 *	compressed = packet whose field 50 is a trace, as zlib has it
 */

#include <stdlib.h>
#include <zlib.h>

#include "packet_reader.h"
#include "read/proto_reader.h"
#include "tq/base/mem.h"

enum { BLOCK = 1 << 20, PACKET = 1, COMPRESSED = 50 };

/* read more behind the rest of the buffer; false where there is no more */
static bool
fill(struct packet_reader *r)
{
	ptrdiff_t n;

	if (r->eof)
		return false;
	if (r->buf == NULL)
		r->buf = mem_alloc(r->cap = BLOCK);
	memmove(r->buf, r->buf + r->pos, r->len - r->pos);
	r->base += (int64_t)r->pos;
	r->len -= r->pos;
	r->pos = 0;
	if (r->len == r->cap) {
		if (r->cap > PACKET_MAX) {
			r->error = "a packet has more than 128 MiB";
			return false;
		}
		r->buf = mem_resize(r->buf, r->cap *= 2, 1);
	}
	n = zio_read(r->from, r->buf + r->len, r->cap - r->len, &r->error);
	r->eof = n <= 0;
	if (n > 0)
		r->len += (size_t)n;
	return n > 0;
}

/* ---- compressed packets ---- */

/* all of it, or nothing */
static bool
inflate_all(struct span from, struct text *to)
{
	z_stream z = {
	    .next_in = (Bytef *)(uintptr_t)from.p, .avail_in = (uInt)from.len};
	int status = Z_OK;

	to->len = 0;
	if (inflateInit(&z) != Z_OK)
		return false;
	while (status == Z_OK && to->len <= PACKET_MAX) {
		z.next_out = (Bytef *)text_reserve(to, BLOCK);
		z.avail_out = BLOCK;
		status = inflate(&z, Z_NO_FLUSH);
		to->len += BLOCK - z.avail_out;
	}
	inflateEnd(&z);
	return status == Z_STREAM_END;
}

static bool
next_inner(struct packet_reader *r, struct span *packet)
{
	struct proto_reader in = proto_reader((struct span){
	    r->inner.p + r->inner_pos, r->inner.len - r->inner_pos});
	struct proto_field f;

	while (proto_reader_next(&in, &f))
		if (f.number == PACKET && f.bytes.p != NULL) {
			r->inner_pos = r->inner.len - (size_t)(in.end - in.p);
			*packet = f.bytes;
			return true;
		}
	r->broken += in.broken;
	r->inner.len = r->inner_pos = 0;
	return false;
}

/* ---- packets ---- */

/* a field of the trace; false where it goes on behind the buffer */
static bool
take_field(struct packet_reader *r, struct proto_field *f)
{
	struct proto_reader in =
	    proto_reader((struct span){r->buf + r->pos, r->len - r->pos});

	if (!proto_reader_next(&in, f))
		return false;
	r->offset = r->base + (int64_t)r->pos;
	r->pos = r->len - (size_t)(in.end - in.p);
	return true;
}

/* the next packet of the file itself */
static bool
next_outer(struct packet_reader *r, struct span *packet)
{
	struct proto_field f;

	for (;;) {
		if (r->pos == r->len && !fill(r))
			return false;
		while (!take_field(r, &f))
			if (!fill(r)) {
				r->offset = r->base + (int64_t)r->pos;
				if (r->error == NULL)
					r->error =
					    "the file ends within a packet";
				return false;
			}
		if (f.number == PACKET && f.bytes.p != NULL) {
			*packet = f.bytes;
			return true;
		}
	}
}

bool
packet_reader_next(struct packet_reader *r, struct span *packet)
{
	struct span compressed;

	for (;;) {
		if (r->inner.len > 0 && next_inner(r, packet))
			return true;
		if (!next_outer(r, packet))
			return false;
		compressed = proto_reader_bytes(*packet, COMPRESSED);
		if (compressed.len == 0)
			return true;
		if (!inflate_all(compressed, &r->inner)) {
			r->inner.len = 0;
			r->broken++;
		}
	}
}

void
packet_reader_free(struct packet_reader *r)
{
	free(r->buf);
	text_free(&r->inner);
}

/* ---- detection ---- */

static bool
has_control(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.p[i] < ' ' &&
		    memchr("\t\n\r", s.p[i], 3) == NULL)
			return true;
	return false;
}

/* true if the fields of the packet are those of one, as far as it is there */
bool
packet_reader_detect(struct span head)
{
	enum { FIELDS = 1100 };
	struct proto_reader in = proto_reader(head), packet;
	struct proto_field f;
	uint64_t tag, len;

	if (head.len < 4 || *head.p != 0x0a || !has_control(head))
		return false;
	in.p++;
	if (!proto_reader_varint(&in, &len) || len == 0 || len > PACKET_MAX)
		return false;
	if (len < (uint64_t)(in.end - in.p)) {
		packet = proto_reader((struct span){(const char *)in.p, len});
		while (proto_reader_next(&packet, &f))
			if (f.number > FIELDS)
				return false;
		return !packet.broken && in.p[len] == 0x0a;
	}
	return proto_reader_varint(&in, &tag) && tag >> 3 > 0 &&
	       tag >> 3 <= FIELDS && (tag & 7) <= 5 && (tag & 7) != 3 &&
	       (tag & 7) != 4;
}
