/* pile.c - lines in memory, in piles that are each in order */

#include <stdlib.h>

#include "pile.h"
#include "tq/base/mem.h"

enum {
	BLOCK = 1 << 17,
	LONG_LINE = BLOCK / 8, /* has a block of its own */
	SPARE_BLOCKS = 64,
	ENTRIES = 16, /* of a new pile */
	SPARE_ENTRIES = 1024
};

/* texts that were added after one another */
struct sort_block {
	struct sort_block *next, *previous;
	size_t lines;      /* that are still needed */
	size_t used, size; /* bytes */
	char text[];
};

enum { OWNER = sizeof(struct sort_block *) }; /* stands before a text */

/* ---- blocks ---- */

static struct sort_block *
new_block(struct piles *p, size_t size)
{
	struct sort_block *b = p->spare;

	if (size == BLOCK && b != NULL) {
		p->spare = b->next;
		p->spares--;
	} else {
		b = mem_resize(NULL, sizeof(*b) + size, 1);
		b->size = size;
	}
	b->lines = b->used = 0;
	b->previous = NULL;
	b->next = p->blocks;
	if (b->next != NULL)
		b->next->previous = b;
	p->blocks = b;
	p->memory += size;
	return b;
}

static void
free_block(struct piles *p, struct sort_block *b)
{
	if (b->next != NULL)
		b->next->previous = b->previous;
	if (b->previous != NULL)
		b->previous->next = b->next;
	else
		p->blocks = b->next;
	p->memory -= b->size;
	if (b->size != BLOCK || p->spares == SPARE_BLOCKS) {
		free(b);
		return;
	}
	b->next = p->spare;
	p->spare = b;
	p->spares++;
}

static bool
has_room(const struct sort_block *b, size_t len)
{
	return b != NULL && b->size - b->used >= OWNER + len;
}

static const char *
add_text(struct piles *p, struct span line)
{
	struct sort_block *b = p->block;
	char *text;

	if (line.len > LONG_LINE)
		b = new_block(p, OWNER + line.len);
	else if (!has_room(b, line.len))
		b = p->block = new_block(p, BLOCK);
	text = b->text + b->used;
	memcpy(text, &b, OWNER);
	if (line.len > 0)
		memcpy(text + OWNER, line.p, line.len);
	b->used += OWNER + line.len;
	b->lines++;
	return text + OWNER;
}

void
pile_drop(struct piles *p, const struct sort_entry *e)
{
	struct sort_block *b;

	p->lines--;
	p->bytes -= e->len;
	memcpy(&b, e->text - OWNER, OWNER);
	if (--b->lines > 0)
		return;
	if (b == p->block)
		b->used = 0;
	else
		free_block(p, b);
}

/* ---- piles ---- */

size_t
pile_find(const struct piles *p, struct sort_key key)
{
	size_t low = 1, high = p->count;

	/* most lines come in order */
	if (high == 0 || !sort_key_before(key, p->last[0]))
		return 0;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sort_key_before(key, p->last[middle]))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* of a full pile: is the room of entries that are gone enough? */
static bool
can_shift(const struct pile *q)
{
	return q->from > q->count / 2;
}

static size_t
new_cap(const struct pile *q)
{
	return q->cap > 0 ? q->cap * 2 : ENTRIES;
}

static void
set_cap(struct piles *p, struct pile *q, size_t cap)
{
	if (cap > 0) {
		q->entry = mem_resize(q->entry, cap, sizeof(*q->entry));
	} else {
		free(q->entry);
		q->entry = NULL;
	}
	p->memory += cap * sizeof(*q->entry);
	p->memory -= q->cap * sizeof(*q->entry);
	q->cap = cap;
}

static void
make_room(struct piles *p, struct pile *q)
{
	if (!can_shift(q)) {
		set_cap(p, q, new_cap(q));
		return;
	}
	q->count -= q->from;
	memmove(q->entry, q->entry + q->from, q->count * sizeof(*q->entry));
	q->from = 0;
}

size_t
pile_needs(const struct piles *p, size_t i, size_t len)
{
	const struct pile *q = &p->pile[i];
	size_t n = 0;

	if (len > LONG_LINE)
		n = OWNER + len;
	else if (!has_room(p->block, len))
		n = BLOCK;
	if (q->count == q->cap && !can_shift(q))
		n += (new_cap(q) - q->cap) * sizeof(*q->entry);
	return n;
}

void
pile_add(struct piles *p, size_t i, struct sort_key key, struct span line,
    uint32_t tag)
{
	struct pile *q = &p->pile[i];

	if (i == p->count)
		p->count++;
	if (q->count == q->cap)
		make_room(p, q);
	q->entry[q->count++] = (struct sort_entry){
	    key, add_text(p, line), (uint32_t)line.len, tag};
	p->last[i] = key;
	p->lines++;
	p->bytes += line.len;
}

void
pile_trim(struct piles *p)
{
	while (p->count > 0) {
		struct pile *q = &p->pile[p->count - 1];

		if (q->from < q->count)
			return;
		q->from = q->count = 0;
		if (q->cap > SPARE_ENTRIES)
			set_cap(p, q, 0);
		p->count--;
	}
}

void
pile_join(
    struct piles *p, size_t i, size_t n, struct sort_entry *entry, size_t count)
{
	struct sort_key last = p->last[i];

	for (size_t k = i; k < i + n; k++)
		set_cap(p, &p->pile[k], 0);
	p->pile[i] = (struct pile){.entry = entry, .count = count};
	p->pile[i].cap = count;
	p->memory += count * sizeof(*entry);
	p->last[i] = last;
	p->count -= n - 1;
	for (size_t k = i + 1; k < p->count; k++) {
		p->pile[k] = p->pile[k + n - 1];
		p->last[k] = p->last[k + n - 1];
	}
	for (size_t k = p->count; k < p->count + n - 1; k++)
		p->pile[k] = (struct pile){0};
}

void
pile_clear(struct piles *p)
{
	for (size_t i = 0; i < PILES; i++) {
		p->pile[i].from = p->pile[i].count = 0;
		set_cap(p, &p->pile[i], 0);
	}
	p->count = 0;
	p->lines = p->bytes = 0;
	while (p->blocks != NULL)
		free_block(p, p->blocks);
	p->block = NULL;
}

void
pile_free(struct piles *p)
{
	struct sort_block *next;

	pile_clear(p);
	for (struct sort_block *b = p->spare; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
}
