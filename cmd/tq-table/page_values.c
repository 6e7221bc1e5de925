/* page_values.c - levels and values as a page of a Parquet file has them */

#include "tq/base/wide.h"
#include "tq/draw/proto.h"

#include "page_values.h"

enum { BLOCK = 128, PARTS = 4, PART = BLOCK / PARTS };

static void
add_varint(struct text *t, uint64_t v)
{
	text_end(t, proto_put(text_reserve(t, PROTO_VARINT_MAX), v));
}

static void
add_zigzag(struct text *t, int64_t v)
{
	add_varint(t, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

void
page_values_mix(struct page_numbers *n)
{
	size_t count = n->count;

	n->mixed = true;
	n->count = 0;
	page_values_add(n, n->same, count);
}

void
page_values_clear(struct page_numbers *n)
{
	n->count = 0;
	n->mixed = false;
	n->each.len = 0;
}

/* ---- the hybrid of runs and packed groups ---- */

static size_t
run_length(const struct page_numbers *n, size_t at)
{
	size_t to = at + 1;

	if (!n->mixed)
		return n->count - at;
	while (to < n->count && page_values_at(n, to) == page_values_at(n, at))
		to++;
	return to - at;
}

static void
add_run(struct text *t, uint16_t v, size_t count, unsigned bits)
{
	add_varint(t, (uint64_t)count << 1);
	for (unsigned i = 0; i < bits; i += 8)
		text_add_char(t, (char)(v >> i));
}

static void
add_runs(struct text *t, const struct page_numbers *n, unsigned bits)
{
	for (size_t at = 0, len; at < n->count; at += len) {
		len = run_length(n, at);
		add_run(t, page_values_at(n, at), len, bits);
	}
}

/* bits is 1, 2, 8 or 16, so that no number is in two bytes unless it fills
   both; the last group is filled up with zeros */
static void
add_packed(struct text *t, const struct page_numbers *n, unsigned bits)
{
	size_t groups = (n->count + 7) / 8, bytes = groups * bits;
	char *p;

	add_varint(t, (uint64_t)groups << 1 | 1);
	p = text_reserve(t, bytes);
	memset(p, 0, bytes);
	for (size_t i = 0; i < n->count; i++) {
		size_t bit = i * bits;
		unsigned v = (unsigned)page_values_at(n, i) << bit % 8;

		p[bit / 8] = (char)((unsigned char)p[bit / 8] | v);
		if (bits == 16)
			p[bit / 8 + 1] = (char)(v >> 8);
	}
	t->len += bytes;
}

/* the shorter of the two; runs of one length take about three bytes each */
static void
add_hybrid(struct text *t, const struct page_numbers *n, unsigned bits)
{
	size_t runs = 0, most = n->count * bits / 8 / 3;

	for (size_t at = 0; at < n->count && runs <= most; runs++)
		at += run_length(n, at);
	if (runs <= most || !n->mixed)
		add_runs(t, n, bits);
	else
		add_packed(t, n, bits);
}

void
page_values_levels(
    struct text *page, const struct page_numbers *n, unsigned bits)
{
	size_t start = page->len;
	uint32_t len;

	text_add(page, "\0\0\0\0", sizeof(len));
	add_hybrid(page, n, bits);
	len = (uint32_t)(page->len - start - sizeof(len));
	memcpy(page->p + start, &len, sizeof(len)); /* little-endian */
}

/* whole bytes: in these zstd finds what repeats */
void
page_values_indexes(struct text *page, const struct page_numbers *n)
{
	unsigned most = 0;

	for (size_t i = 0; i < n->count; i++)
		most |= page_values_at(n, i);
	text_add_char(page, most < 256 ? 8 : 16);
	add_hybrid(page, n, most < 256 ? 8 : 16);
}

/* ---- deltas ---- */

static uint64_t
value_at(const char *p, size_t i)
{
	uint64_t v;

	memcpy(&v, p + i * sizeof(v), sizeof(v));
	return v;
}

/* PART numbers of so many bits */
static void
pack_part(struct text *t, const uint64_t *v, unsigned bits)
{
	char *p = text_reserve(t, (size_t)PART / 8 * bits + sizeof(uint64_t));
	uwide held = 0;
	unsigned count = 0; /* of bits held */

	for (size_t i = 0; i < PART; i++) {
		held |= (uwide)v[i] << count;
		for (count += bits; count >= 8; count -= 8) {
			*p++ = (char)held;
			held >>= 8;
		}
	}
	text_end(t, p);
}

static unsigned
bits_of(const uint64_t *v)
{
	uint64_t all = 0;

	for (size_t i = 0; i < PART; i++)
		all |= v[i];
	return all == 0 ? 0 : 64 - (unsigned)__builtin_clzll(all);
}

/* the n values, BLOCK at most, of which the first has another before it */
static void
add_block(struct text *t, const char *p, size_t n)
{
	uint64_t delta[BLOCK] = {0};
	unsigned char bits[PARTS] = {0};
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < n; i++) {
		delta[i] = value_at(p, i) - value_at(p - sizeof(*delta), i);
		if ((int64_t)delta[i] < least)
			least = (int64_t)delta[i];
	}
	for (size_t i = 0; i < n; i++)
		delta[i] -= (uint64_t)least;
	add_zigzag(t, least);
	for (size_t i = 0; i < PARTS; i++)
		bits[i] = (unsigned char)bits_of(delta + i * PART);
	text_add(t, (const char *)bits, sizeof(bits));
	for (size_t i = 0; i * PART < n; i++)
		pack_part(t, delta + i * PART, bits[i]);
}

void
page_values_deltas(struct text *page, const char *p, size_t n)
{
	add_varint(page, BLOCK);
	add_varint(page, PARTS);
	add_varint(page, n);
	add_zigzag(page, n > 0 ? (int64_t)value_at(p, 0) : 0);
	for (size_t at = 1; at < n; at += BLOCK)
		add_block(page, p + at * sizeof(uint64_t),
		    n - at < BLOCK ? n - at : BLOCK);
}

void
page_values_bits(struct text *page, const char *p, size_t n)
{
	size_t bytes = (n + 7) / 8;
	char *bits = text_reserve(page, bytes);

	memset(bits, 0, bytes);
	for (size_t i = 0; i < n; i++)
		bits[i / 8] = (char)(bits[i / 8] | p[i] << i % 8);
	page->len += bytes;
}
