/* nvtx_record.c - a record with its optional parts */

#include <string.h>

#include "nvtx_record.h"
#include "agent.h"
#include "utf8_put.h"

/* bytes of text and blob in one record */
enum { PART_MOST = AGENT_RECORD_MAX - 1024 };

static size_t
padded(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* ---- texts ---- */

void
nvtx_record_set_wide(struct nvtx_record *e, const wchar_t *s)
{
	if (s == NULL)
		return;
	e->flags |= FLAG_TEXT;
	e->text = (struct nvtx_text){.wide = s};
	for (; *s != L'\0'; s++)
		e->text.len += utf8_put_length((uint32_t)*s);
}

size_t
nvtx_record_copy_text(struct nvtx_text *t, char *to, size_t room)
{
	size_t n = 0;

	if (t->wide == NULL) {
		n = t->len < room ? t->len : room;
		if (n > 0)
			memcpy(to, t->bytes, n);
		t->bytes += n;
		t->len -= n;
		return n;
	}
	while (t->len > 0) {
		uint32_t u = (uint32_t)*t->wide;
		size_t len = utf8_put_length(u);

		if (n + len > room)
			break;
		n += utf8_put(to + n, u);
		t->len -= len;
		t->wide++;
	}
	return n;
}

/* ---- blobs ---- */

/* the rest of a blob */
struct blob_rest {
	const struct blob_piece *piece;
	size_t done, left;
};

void
nvtx_record_set_blob(
    struct nvtx_record *e, const struct blob_piece *pieces, size_t n)
{
	e->flags |= FLAG_BLOB;
	e->pieces = pieces;
	e->blob = 0;
	for (size_t i = 0; i < n; i++)
		e->blob += padded(pieces[i].len);
}

static size_t
take_blob(struct blob_rest *b, char *to, size_t room)
{
	size_t n = 0;

	if (room > b->left)
		room = b->left;
	while (n < room) {
		const struct blob_piece *p = b->piece;
		size_t left = padded(p->len) - b->done;
		size_t now = left < room - n ? left : room - n;
		size_t data = b->done < p->len ? p->len - b->done : 0;

		if (data > now)
			data = now;
		if (data > 0)
			memcpy(to + n, (const char *)p->p + b->done, data);
		memset(to + n + data, 0, now - data);
		n += now;
		b->done += now;
		if (b->done == padded(p->len)) {
			b->piece++;
			b->done = 0;
		}
	}
	b->left -= n;
	return n;
}

/* ---- records ---- */

static char *
put_u64(char *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

static inline void
put_head(char *p, const struct nvtx_record *e, uint8_t type, unsigned flags,
    size_t bytes)
{
	struct record r = {.words = (uint16_t)(bytes / 8),
	    .type = type,
	    .flags = (uint8_t)flags,
	    .domain = e->domain,
	    .ticks = e->ticks != 0 ? e->ticks : process_clock()};

	memcpy(p, &r, sizeof(r));
}

/* RECORD_PARTs with the text or blob, as far as the record has no room for it
 */
static bool
put_parts(struct writer *w, const struct nvtx_record *e, struct nvtx_text *t,
    struct blob_rest *b)
{
	unsigned more = 0; /* FLAG_PARTS: not the first one */

	while (t->len > PART_MOST || b->left > 0) {
		bool text = t->len > PART_MOST;
		size_t fixed = sizeof(struct record) + sizeof(uint64_t), n;
		char *p = writer_room(w, e->loss, fixed + PART_MOST);

		if (p == NULL)
			return false;
		n = text ? nvtx_record_copy_text(t, p + fixed, PART_MOST)
			 : take_blob(b, p + fixed, PART_MOST);
		memset(p + fixed + n, 0, padded(n) - n);
		put_u64(p + sizeof(struct record), n);
		put_head(p, e, RECORD_PART,
		    (text ? FLAG_TEXT : FLAG_BLOB) | more, fixed + padded(n));
		writer_commit(w, fixed + padded(n), 0);
		more = FLAG_PARTS;
	}
	return true;
}

static inline char *
put_fixed(char *p, const struct nvtx_record *e)
{
	if (e->flags & FLAG_ID)
		p = put_u64(p, e->id);
	if (e->flags & FLAG_STYLE)
		p = put_u64(p, (uint64_t)e->category << 32 | e->color);
	if (e->flags & FLAG_PAYLOAD) {
		p = put_u64(p, e->payload_type);
		p = put_u64(p, e->payload);
	}
	if (e->flags & FLAG_STRING)
		p = put_u64(p, e->string);
	return p;
}

/* as memcpy, but inline: calling it takes longer than copying most names */
static inline void
copy_name(char *to, const char *from, size_t n)
{
	typedef uint64_t pair __attribute__((vector_size(16)));
	pair first, last;

	if (n < sizeof(pair) || n > 2 * sizeof(pair)) {
		memcpy(to, from, n);
		return;
	}
	memcpy(&first, from, sizeof(pair));
	memcpy(&last, from + n - sizeof(pair), sizeof(pair));
	memcpy(to, &first, sizeof(pair));
	memcpy(to + n - sizeof(pair), &last, sizeof(pair));
}

static char *
put_text(char *p, struct nvtx_text *t)
{
	size_t n = t->len;

	p = put_u64(p, n);
	if (n > 0) {
		put_u64(p + padded(n) - 8, 0);
		if (t->wide == NULL)
			copy_name(p, t->bytes, n);
		else
			nvtx_record_copy_text(t, p, n);
	}
	return p + padded(n);
}

/* bytes of the first four optional parts, by their flags */
static const uint8_t fixed_size[] = {
    0, 8, 8, 16, 16, 24, 24, 32, 8, 16, 16, 24, 24, 32, 32, 40};

/* of a record without its blob */
static size_t
size_of(unsigned f, size_t text)
{
	size_t n = sizeof(struct record) + fixed_size[f & 15];

	n += (f & FLAG_TEXT) ? 8 + padded(text) : 0;
	return n + ((f & FLAG_RANGE) ? 8 : 0);
}

static bool
put_large(struct writer *w, struct nvtx_record *e)
{
	struct nvtx_text t = {0};
	struct blob_rest b = {0};
	unsigned f = e->flags;
	size_t bytes;
	char *p, *at;

	if (f & FLAG_TEXT)
		t = e->text;
	if (f & FLAG_BLOB)
		b = (struct blob_rest){.piece = e->pieces, .left = e->blob};
	if (t.len + b.left > PART_MOST) {
		if (!put_parts(w, e, &t, &b))
			return false;
		f |= FLAG_PARTS;
	}
	bytes = size_of(f, t.len) + ((f & FLAG_BLOB) ? 8 + b.left : 0);
	if ((p = writer_room(w, e->loss, bytes + e->aside)) == NULL)
		return false;
	at = put_fixed(p + sizeof(struct record), e);
	if (f & FLAG_TEXT)
		at = put_text(at, &t);
	if (f & FLAG_BLOB) {
		at = put_u64(at, b.left);
		at += take_blob(&b, at, b.left);
	}
	if (f & FLAG_RANGE)
		put_u64(at, e->range);
	put_head(p, e, e->type, f, bytes);
	writer_commit(w, bytes, e->aside);
	return true;
}

/* most records go straight through this one */
bool
nvtx_record_put(struct writer *w, struct nvtx_record *e)
{
	unsigned f = e->flags;
	size_t text = (f & FLAG_TEXT) ? e->text.len : 0, bytes;
	char *p, *at;

	if ((f & FLAG_BLOB) || text > PART_MOST)
		return put_large(w, e);
	bytes = size_of(f, text);
	if ((p = writer_room(w, e->loss, bytes + e->aside)) == NULL)
		return false;
	at = put_fixed(p + sizeof(struct record), e);
	if (f & FLAG_TEXT)
		at = put_text(at, &e->text);
	if (f & FLAG_RANGE)
		put_u64(at, e->range);
	put_head(p, e, e->type, f, bytes);
	writer_commit(w, bytes, e->aside);
	return true;
}
