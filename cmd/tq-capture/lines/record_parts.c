/* record_parts.c - a record of an arena taken apart */

#include "record_parts.h"

size_t
record_parts_length(const char *p, size_t n)
{
	struct record r;
	size_t length;

	if (n < sizeof(r))
		return 0;
	memcpy(&r, p, sizeof(r));
	length = (size_t)r.words * 8;
	return length < sizeof(r) || length > n ? 0 : length;
}

bool
record_parts_parse(struct record_parts *x, const struct record *r, size_t fixed)
{
	struct record_cursor c = {(const char *)r + fixed,
	    (size_t)r->words * 8 - fixed, (size_t)r->words * 8 >= fixed};
	uint64_t v;

	memset(x, 0, sizeof(*x));
	if (!c.ok)
		return false;
	if (r->flags & FLAG_ID)
		x->id = cursor_number(&c);
	if (r->flags & FLAG_STYLE) {
		v = cursor_number(&c);
		x->argb = (uint32_t)v;
		x->category = (uint32_t)(v >> 32);
	}
	if (r->flags & FLAG_PAYLOAD) {
		x->payload_type = cursor_number(&c);
		x->payload = cursor_number(&c);
	}
	if (r->flags & FLAG_STRING)
		x->string = cursor_number(&c);
	if (r->flags & FLAG_TEXT)
		x->text = cursor_text(&c);
	if (r->flags & FLAG_BLOB)
		x->blob = cursor_text(&c);
	if (r->flags & FLAG_RANGE)
		x->range = cursor_number(&c);
	return c.ok;
}

enum { GATHER_MAX = 1 << 28 };

void
record_parts_gather(struct gathered_parts *g, const struct record *r)
{
	struct record_parts x;

	if (!(r->flags & FLAG_PARTS)) {
		g->text.len = 0; /* the first of its record */
		g->blob.len = 0;
	}
	if (!record_parts_parse(&x, r, sizeof(*r)) ||
	    g->text.len + g->blob.len > GATHER_MAX)
		return;
	text_add_span(&g->text, x.text);
	text_add_span(&g->blob, x.blob);
}

/* the gathered bytes, then those of the record itself */
static struct span
join(struct text *gathered, struct span rest)
{
	if (gathered->len == 0)
		return rest;
	text_add_span(gathered, rest);
	return text_span(gathered);
}

bool
record_parts_parse_gathered(
    struct gathered_parts *g, struct record_parts *x, const struct record *r)
{
	if (!record_parts_parse(x, r, sizeof(*r)))
		return false;
	if (!(r->flags & FLAG_PARTS))
		return true;
	x->text = join(&g->text, x->text);
	x->blob = join(&g->blob, x->blob);
	return true;
}

void
record_parts_free(struct gathered_parts *g)
{
	text_free(&g->text);
	text_free(&g->blob);
}
