/* report_blocks.c - the blocks of a report that are unpacked at present */

#include "read/proto_reader.h"
#include "report_blocks.h"

/* the block to be replaced: an empty one, or the one not used for longest */
static struct kept_block *
choose(struct report_blocks *b, size_t size)
{
	struct kept_block *oldest = NULL;

	if (b->count < b->limit && b->count < BLOCKS_MAX &&
	    (b->count == 0 || b->bytes + size <= BLOCKS_BYTES))
		return &b->all[b->count++];
	for (unsigned i = 0; i < b->count; i++)
		if (oldest == NULL || b->all[i].used < oldest->used)
			oldest = &b->all[i];
	return oldest;
}

bool
report_blocks_get(
    struct report_blocks *b, size_t i, struct span *message, const char **why)
{
	struct kept_block *k;

	for (k = b->all; k < b->all + b->count; k++)
		if (k->number == i + 1)
			break;
	if (k == b->all + b->count) {
		k = choose(b, b->report->blocks[i].size);
		b->bytes -= k->bytes.cap;
		k->number = 0;
		if (!nsysrep_unpack(
			b->report, i, &k->bytes, &k->message, why)) {
			b->bytes += k->bytes.cap;
			return false;
		}
		b->bytes += k->bytes.cap;
		k->number = i + 1;
	}
	k->used = ++b->clock;
	*message = k->message;
	return true;
}

void
report_blocks_free(struct report_blocks *b)
{
	for (unsigned i = 0; i < b->count; i++)
		text_free(&b->all[i].bytes);
}

enum block_part
report_blocks_next_field(
    struct block_events *e, const unsigned char **p, const unsigned char **end)
{
	struct proto_reader r = {e->p, e->end, false};
	struct proto_field f;

	while (proto_reader_next(&r, &f)) {
		if (f.number > BLOCK_GENERIC || f.bytes.p == NULL)
			continue;
		*p = (const unsigned char *)f.bytes.p;
		*end = *p + f.bytes.len;
		e->p = *end;
		return (enum block_part)f.number;
	}
	e->p = r.p;
	return r.broken ? BLOCK_BROKEN : BLOCK_END;
}
