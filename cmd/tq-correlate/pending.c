/* pending.c - output that waits */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "pending.h"

void
pending_free(struct pending *p)
{
	free(p->ops);
	text_free(&p->lines.buf);
	*p = (struct pending){0};
}

/* drop the part that is written, if it is most of it */
static void
compact(struct pending *p)
{
	struct text *t = &p->lines.buf;

	if (p->first > p->count) {
		memmove(p->ops, p->ops + p->first, p->count * sizeof(*p->ops));
		p->first = 0;
	}
	if (p->written <= t->len / 2)
		return;
	memmove(t->p, t->p + p->written, t->len - p->written);
	t->len -= p->written;
	for (size_t i = 0; i < p->count; i++)
		p->ops[p->first + i].at -= p->written;
	p->written = 0;
}

void
pending_add(struct pending *p, const struct device_operation *op, int64_t since)
{
	struct pending_operation *added;

	compact(p);
	p->ops =
	    mem_more(p->ops, p->first + p->count, &p->cap, sizeof(*p->ops));
	added = &p->ops[p->first + p->count++];
	added->op = *op;
	added->since = since;
	added->at = p->lines.buf.len;
	added->lines = p->lines.lines;
	output_line(&p->lines, op->line);
	/* readers of the line read so many bytes behind it */
	text_reserve(&p->lines.buf, EVENT_PADDING);
}

const struct device_operation *
pending_first(struct pending *p)
{
	struct pending_operation *x = &p->ops[p->first];

	x->op.line.p = p->lines.buf.p + x->at;
	return &x->op;
}

/* write the bytes up to at, which are so many lines */
static void
write_to(struct pending *p, struct output *o, size_t at, int64_t lines)
{
	text_add(&o->buf, p->lines.buf.p + p->written, at - p->written);
	o->lines += lines - p->written_lines;
	output_check(o);
	p->written = at;
	p->written_lines = lines;
}

void
pending_take(struct pending *p, struct output *o)
{
	const struct pending_operation *x = &p->ops[p->first];

	write_to(p, o, x->at, x->lines);
	p->written += x->op.line.len + 1;
	p->written_lines++;
	p->first++;
	p->count--;
}

void
pending_finish(struct pending *p, struct output *o)
{
	write_to(p, o, p->lines.buf.len, p->lines.lines);
	p->lines.buf.len = p->written = p->first = 0;
	p->lines.lines = p->written_lines = 0;
}
