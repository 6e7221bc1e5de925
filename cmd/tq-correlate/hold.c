/* hold.c - output that waits */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "hold.h"

void
hold_free(struct hold *h)
{
	free(h->ops);
	text_free(&h->lines.buf);
	*h = (struct hold){0};
}

/* drop what is written, when that is most of it */
static void
compact(struct hold *h)
{
	struct text *t = &h->lines.buf;

	if (h->first > h->count) {
		memmove(h->ops, h->ops + h->first, h->count * sizeof(*h->ops));
		h->first = 0;
	}
	if (h->written <= t->len / 2)
		return;
	memmove(t->p, t->p + h->written, t->len - h->written);
	t->len -= h->written;
	for (size_t i = 0; i < h->count; i++)
		h->ops[h->first + i].at -= h->written;
	h->written = 0;
}

void
hold_add(struct hold *h, const struct op *op)
{
	struct held *added;

	compact(h);
	if (h->first + h->count == h->cap) {
		h->cap = h->cap * 2 + 64;
		h->ops = mem_resize(h->ops, h->cap, sizeof(*h->ops));
	}
	added = &h->ops[h->first + h->count++];
	added->op = *op;
	added->at = h->lines.buf.len;
	added->lines = h->lines.lines;
	output_line(&h->lines, op->line);
	/* behind a line so much is readable */
	text_reserve(&h->lines.buf, EVENT_PADDING);
}

const struct op *
hold_first(struct hold *h)
{
	struct held *x = &h->ops[h->first];

	x->op.line.p = h->lines.buf.p + x->at;
	return &x->op;
}

/* write the lines up to that byte, which stands behind so many lines */
static void
write_to(struct hold *h, struct output *o, size_t at, int64_t lines)
{
	text_add(&o->buf, h->lines.buf.p + h->written, at - h->written);
	o->lines += lines - h->written_lines;
	output_check(o);
	h->written = at;
	h->written_lines = lines;
}

void
hold_take(struct hold *h, struct output *o)
{
	const struct held *x = &h->ops[h->first];

	write_to(h, o, x->at, x->lines);
	h->written += x->op.line.len + 1;
	h->written_lines++;
	h->first++;
	h->count--;
}

void
hold_finish(struct hold *h, struct output *o)
{
	write_to(h, o, h->lines.buf.len, h->lines.lines);
	h->lines.buf.len = h->written = h->first = 0;
	h->lines.lines = h->written_lines = 0;
}
