/* numbered_texts.c - texts and their numbers, split where they end with a
 * number */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/hash.h"

#include "tq/base/numbered_texts.h"

enum { DIGITS = 18 }; /* of a number at most, so that ten times it fits */
enum { TAG_BITS = 2, TAG_MASK = (1 << TAG_BITS) - 1 };

#define NO_NUMBER UINT64_MAX

static const uint64_t powers[DIGITS + 1] = {1, 10, 100, 1000, 10000, 100000,
    1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
    1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    10000000000000000, 100000000000000000, 1000000000000000000};

/* ---- slots: a hash table, linear probing ---- */

struct numbered_text_slot {
	uint32_t hash, number; /* number: + 1; 0: the slot is free */
};

static size_t
home_slot(const struct numbered_texts *t, uint64_t hash)
{
	return (hash >> 32) & (t->size - 1);
}

/* Room for one more text. */
static void
grow_slots(struct numbered_texts *t)
{
	struct numbered_text_slot *old = t->slots;
	size_t size = t->size;

	if (t->count < size / 4 * 3)
		return;
	t->size = size > 0 ? size * 2 : 64;
	t->slots = mem_alloc(t->size * sizeof(*t->slots));
	for (size_t n = 0; n < size; n++) {
		size_t i = old[n].hash & (t->size - 1);

		if (old[n].number == 0)
			continue;
		while (t->slots[i].number != 0)
			i = (i + 1) & (t->size - 1);
		t->slots[i] = old[n];
	}
	free(old);
}

/* ---- texts ---- */

/* The stem of a text; *number becomes the number it ends with. */
static struct span
split_text(struct span s, uint64_t *number)
{
	size_t i = s.len, end = s.len > DIGITS ? s.len - DIGITS : 0;

	while (i > end && s.p[i - 1] >= '0' && s.p[i - 1] <= '9')
		i--;
	while (i + 1 < s.len && s.p[i] == '0')
		i++; /* no number begins with it */
	*number = i < s.len ? 0 : NO_NUMBER;
	for (size_t n = i; n < s.len; n++)
		*number = *number * 10 + (uint64_t)(s.p[n] - '0');
	return (struct span){s.p, i};
}

struct numbered_text_key
numbered_texts_key(struct numbered_texts *t, struct span s, unsigned tag)
{
	struct numbered_text_key key;
	uint64_t number;

	if (t->scratch == NULL)
		t->scratch = mem_alloc(sizeof(*t->scratch));
	grow_slots(t);
	key.text.stem =
	    intern_get(&t->stems, split_text(s, &number)) << TAG_BITS | tag;
	key.text.low = (uint32_t)number;
	key.text.high = (uint32_t)(number >> 32);
	key.hash = hash_mix(
	    key.text.stem ^ 0x9e3779b97f4a7c15u, number ^ 0xd6e8feb86659fd93u);
	__builtin_prefetch(&t->slots[home_slot(t, key.hash)]);
	return key;
}

uint32_t
numbered_texts_get_key(
    struct numbered_texts *t, const struct numbered_text_key *key)
{
	uint32_t hash = (uint32_t)(key->hash >> 32);
	size_t i = home_slot(t, key->hash);

	for (; t->slots[i].number != 0; i = (i + 1) & (t->size - 1))
		if (t->slots[i].hash == hash &&
		    memcmp(&t->all[t->slots[i].number - 1], &key->text,
			sizeof(key->text)) == 0)
			return t->slots[i].number - 1;
	*array_add(&t->all, &t->count, &t->cap) = key->text;
	t->slots[i] = (struct numbered_text_slot){hash, (uint32_t)t->count};
	return (uint32_t)t->count - 1;
}

uint32_t
numbered_texts_get(struct numbered_texts *t, struct span s)
{
	struct numbered_text_key key = numbered_texts_key(t, s, 0);

	return numbered_texts_get_key(t, &key);
}

static struct span
stem_of(const struct numbered_texts *t, const struct numbered_text *text)
{
	return intern_text(&t->stems, text->stem >> TAG_BITS);
}

static uint64_t
number_of(const struct numbered_text *text)
{
	return (uint64_t)text->high << 32 | text->low;
}

/* The whole text: its stem alone, or made in *scratch. */
static struct span
make_text(const struct numbered_texts *t, uint32_t n, struct text *scratch)
{
	const struct numbered_text *text = &t->all[n];
	struct span stem = stem_of(t, text);

	if (number_of(text) == NO_NUMBER)
		return stem;
	scratch->len = 0;
	text_add_span(scratch, stem);
	text_add_int(scratch, (int64_t)number_of(text));
	return text_span(scratch);
}

struct span
numbered_texts_text(const struct numbered_texts *t, uint32_t n)
{
	return make_text(t, n, t->scratch);
}

unsigned
numbered_texts_tag(const struct numbered_texts *t, uint32_t n)
{
	return t->all[n].stem & TAG_MASK;
}

/* ---- order ---- */

static unsigned
count_digits(uint64_t v)
{
	unsigned n = 1;

	while (n <= DIGITS && v >= powers[n])
		n++;
	return n;
}

/* The order of the digits as texts: "10" comes before "9". */
static int
compare_numbers(uint64_t a, uint64_t b)
{
	unsigned na, nb;

	if (a == NO_NUMBER || b == NO_NUMBER)
		return (a != NO_NUMBER) - (b != NO_NUMBER);
	na = count_digits(a);
	nb = count_digits(b);
	if (na < nb)
		a *= powers[nb - na];
	else
		b *= powers[na - nb];
	if (a != b)
		return a < b ? -1 : 1;
	return (na > nb) - (na < nb);
}

int
numbered_texts_cmp(const struct numbered_texts *t, uint32_t a, uint32_t b)
{
	const struct numbered_text *ta = &t->all[a], *tb = &t->all[b];
	struct text whole_a = {0}, whole_b = {0};
	struct span sa = stem_of(t, ta), sb = stem_of(t, tb);
	int c;

	if (ta->stem == tb->stem)
		return compare_numbers(number_of(ta), number_of(tb));
	c = memcmp(sa.p, sb.p, sa.len < sb.len ? sa.len : sb.len);
	if (c != 0)
		return c;
	c = span_cmp(make_text(t, a, &whole_a), make_text(t, b, &whole_b));
	text_free(&whole_a);
	text_free(&whole_b);
	return c != 0 ? c
		      : (int)numbered_texts_tag(t, a) -
			    (int)numbered_texts_tag(t, b);
}

void
numbered_texts_free(struct numbered_texts *t)
{
	intern_free(&t->stems);
	free(t->slots);
	free(t->all);
	if (t->scratch != NULL)
		text_free(t->scratch);
	free(t->scratch);
	*t = (struct numbered_texts){0};
}
