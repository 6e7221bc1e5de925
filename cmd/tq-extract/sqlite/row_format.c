/* row_format.c - the values of a row: decoded one by one, or by its format */

#include <math.h>
#include <stdlib.h>

#include "big_endian.h"
#include "row_format.h"
#include "tq/base/mem.h"
#include "tq/base/words.h"

enum {
	FORMATS = 1024, /* of a table; rows of further ones are decoded */
	SLOTS = 1 << FORMAT_BITS,
	RESERVED = 10, /* and 11: types that SQLite does not use */
	FIRST_TEXT = 12,
	WORDS = FORMAT_COLUMNS / 8,
	HEAD_WIDE = 1, /* bytes that the type of a text in a cached head may
			  have beyond the first */
};

/* bytes of a value, by its serial type, if it is no text */
static const unsigned char lengths[FIRST_TEXT] = {
    0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};

/* 0, 1 and -1 */
const unsigned char row_format_fixed[24] = {
    [15] = 1, 255, 255, 255, 255, 255, 255, 255, 255};

const struct value_ref row_format_null = {
    SQL_NULL, BASE_FIXED, 0, FIXED_MINUS_ONE};

/* ---- decoding ---- */

static int64_t
get_int(const unsigned char *p, unsigned bytes)
{
	switch (bytes) {
	case 1:
		return (signed char)p[0];
	case 2:
		return (int16_t)get2(p);
	case 3:
		return (int64_t)(signed char)p[0] * 65536 + get2(p + 1);
	case 4:
		return (int32_t)get4(p);
	case 6:
		return (int64_t)(int16_t)get2(p) * 4294967296 + get4(p + 2);
	default:
		return (int64_t)((uint64_t)get4(p) << 32 | get4(p + 4));
	}
}

/* a value by its serial type; the bytes are known to be there */
static void
set_value(
    struct sql_value *c, uint64_t type, const unsigned char *p, uint64_t n)
{
	uint64_t bits;

	switch (type) {
	case 0:
	case RESERVED: /* as SQLite reads it */
	case RESERVED + 1:
		c->type = SQL_NULL;
		break;
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
		c->type = SQL_INT;
		c->i = get_int(p, (unsigned)n);
		break;
	case 7:
		bits = (uint64_t)get_int(p, 8);
		memcpy(&c->d, &bits, sizeof(c->d));
		/* SQLite reads a value that is no number as NULL */
		c->type = isnan(c->d) ? SQL_NULL : SQL_REAL;
		break;
	case 8:
	case 9:
		c->type = SQL_INT;
		c->i = (int64_t)type - 8;
		break;
	default:
		c->type = type % 2 == 0 ? SQL_BLOB : SQL_TEXT;
		c->s = (struct span){(const char *)p, n};
	}
}

static void
set_rowid(struct sql_value *values, int i, int64_t rowid)
{
	if (i >= 0)
		values[i] = (struct sql_value){SQL_INT, .i = rowid};
}

bool
row_format_decode(const struct row_bytes *r, const struct row_layout *layout,
    struct sql_value *values)
{
	const unsigned char *p, *body, *end = r->p + r->size, *head_end;
	uint64_t head, type, n;
	int col = 0;

	if ((p = varint(r->p, end, &head)) == NULL || head > r->size)
		return false;
	head_end = body = r->p + head;
	/* SQLite reads a head of no bytes as NULLs, and one type at least */
	if (head > 0 && p >= head_end && layout->width > 0)
		return false;
	for (; col < layout->width && p < head_end; col++) {
		if ((p = varint(p, head_end, &type)) == NULL)
			return false;
		n = type < FIRST_TEXT ? lengths[type] : (type - FIRST_TEXT) / 2;
		if ((uint64_t)(end - body) < n)
			return false;
		if (layout->slots[col] >= 0)
			set_value(&values[layout->slots[col]], type, body, n);
		body += n;
	}
	if (p == head_end && body != end)
		return false;
	for (; col < layout->width; col++)
		if (layout->slots[col] >= 0)
			values[layout->slots[col]].type = SQL_NULL;
	set_rowid(values, layout->alias, r->rowid);
	set_rowid(values, layout->rowid, r->rowid);
	return true;
}

/* ---- formats ---- */

/*
 * The types of the columns, a byte each, are the key of a format; the type of
 * a text stands for texts of any length.  Columns that the row does not have
 * are NULL: their bytes in the key are 0.
 */
struct types {
	uint64_t key[WORDS];
	uint64_t hash; /* of the key */
	uint64_t text; /* bytes of the text */
	unsigned wide; /* bytes of its type beyond the first */
};

static uint64_t
load(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* bytes of v that are types of text; only the lowest is exact */
static inline uint64_t
texts(uint64_t v)
{
	return (v | (v + WORDS_ONES * (128 - FIRST_TEXT))) & WORDS_HIGHS;
}

/* the lowest n bytes of a word, n < 8 */
static inline uint64_t
low_bytes(unsigned n)
{
	return ((uint64_t)1 << n * 8) - 1;
}

/* the first n bytes at p */
static void
load_types(uint64_t *key, const unsigned char *p, unsigned n)
{
	memset(key, 0, FORMAT_COLUMNS);
	for (; n >= 8; n -= 8, p += 8)
		*key++ = load(p);
	if (n > 0)
		*key = load(p) & low_bytes(n);
}

/*
 * Fold the type of the text, of one or more bytes, into a byte without its
 * length.  False where there is a second text.
 */
static bool
fold_text(struct types *t, const unsigned char *p, const unsigned char *end,
    const struct row_formats *all)
{
	unsigned at, word = 0, bit, n;
	uint64_t any, low, type;
	const unsigned char *next;

	while ((any = texts(t->key[word])) == 0)
		word++;
	bit = (unsigned)__builtin_ctzll(any) & ~7u;
	at = word * 8 + bit / 8;
	next = varint(p + at, end, &type);
	if (next == NULL || type < FIRST_TEXT)
		return false;
	t->wide = (unsigned)(next - p) - at - 1;
	if (t->wide > 0) {
		/* the types behind it move to where they would be */
		low = t->key[word] & low_bytes(bit / 8);
		n = (unsigned)(end - next) + at + 1;
		load_types(
		    t->key, next - at - 1, n < all->width ? n : all->width);
		for (unsigned i = 0; i < word; i++)
			t->key[i] = load(p + (size_t)i * 8);
		t->key[word] = (t->key[word] & ~low_bytes(bit / 8)) | low;
	}
	t->key[word] &= ~((uint64_t)255 << bit);
	any = 0;
	for (unsigned i = word; i < all->words; i++)
		any |= texts(t->key[i]);
	t->key[word] |= (FIRST_TEXT + type % 2) << bit;
	t->text = (type - FIRST_TEXT) / 2;
	return any == 0;
}

static void
set_refs(struct row_format *s, const struct row_layout *layout)
{
	const unsigned char *types = (const unsigned char *)s->key;
	unsigned char base = BASE_ROW;
	uint32_t offset = 0;

	for (int col = 0; col < layout->width; col++) {
		unsigned type = types[col];
		struct value_ref p = {SQL_INT, base, 0, (unsigned short)offset};
		int i = layout->slots[col];

		if (type >= FIRST_TEXT) {
			p.type = type % 2 == 0 ? SQL_BLOB : SQL_TEXT;
			s->text_offset = offset;
			base = BASE_REST;
			offset = 0;
		} else if (type == 0) {
			p = row_format_null;
		} else if (type == 7) {
			p.type = SQL_REAL;
		} else if (type >= 8) {
			p.base = BASE_FIXED;
			p.offset = type == 8 ? FIXED_ZERO : FIXED_ONE;
		} else
			p.shift = (unsigned char)(64 - lengths[type] * 8);
		if (type < FIRST_TEXT) {
			offset += lengths[type];
			s->need += lengths[type];
		}
		if (i >= 0)
			s->values[i] = p;
	}
}

static void
set_rowid_ref(struct row_format *s, int i)
{
	if (i >= 0)
		s->values[i] = (struct value_ref){SQL_INT, BASE_ROWID, 0, 0};
}

/* true if row_early_int can read it */
static bool
is_early_int(struct value_ref p)
{
	return p.type == SQL_INT &&
	       (p.base == BASE_ROW || p.base == BASE_FIXED);
}

static struct row_format *
make_format(const struct row_formats *all, const uint64_t *key)
{
	const struct row_layout *layout = all->layout;
	int count = layout->count;
	/* of all but the key, which has to be aligned */
	size_t size = (sizeof(struct row_format) +
			  (size_t)count * sizeof(struct value_ref) + 7) &
		      ~(size_t)7;
	struct row_format *s = mem_alloc(size + WORDS * sizeof(*key));
	uint64_t *copy = (uint64_t *)((char *)s + size);

	memcpy(copy, key, all->words * sizeof(*key));
	s->key = copy;
	for (int i = 0; i < count; i++)
		s->values[i] = row_format_null;
	set_refs(s, layout);
	set_rowid_ref(s, layout->alias);
	set_rowid_ref(s, layout->rowid);
	s->integers = true;
	for (int i = 0; i < 64; i++)
		if (all->integers >> i & 1)
			s->integers &= i < count && is_early_int(s->values[i]);
	return s;
}

/* true if SQLite uses the types of all columns */
static bool
are_used_types(const uint64_t *key, int width)
{
	const unsigned char *types = (const unsigned char *)key;

	for (int i = 0; i < width; i++)
		if (types[i] >= RESERVED && types[i] < FIRST_TEXT)
			return false;
	return true;
}

static inline bool
is_format(const struct row_format *s, const uint64_t *key, unsigned words)
{
	uint64_t other = 0;

	for (unsigned w = 0; w < words; w++)
		other |= key[w] ^ s->key[w];
	return other == 0;
}

/* the format with this key; NULL where there are too many */
static struct row_format *
look_up(struct row_formats *all, const struct types *t)
{
	size_t i = t->hash >> (64 - FORMAT_BITS);

	for (; all->slots[i] != NULL; i = (i + 1) % SLOTS)
		if (is_format(all->slots[i], t->key, all->words))
			return all->slots[i];
	if (all->count == FORMATS ||
	    !are_used_types(t->key, all->layout->width))
		return NULL;
	all->count++;
	all->slots[i] = make_format(all, t->key);
	return all->slots[i];
}

void
row_format_open(
    struct row_formats *s, const struct row_layout *layout, uint64_t integers)
{
	unsigned width = (unsigned)layout->width;

	*s = (struct row_formats){.layout = layout,
	    .integers = integers,
	    .short_head = 255,
	    .slots = mem_alloc(SLOTS * sizeof(struct row_format *))};
	if (width > FORMAT_COLUMNS)
		return;
	s->width = width;
	s->words = (width + 7) / 8;
	s->short_head = s->words == 1 ? width : 255;
	s->mask = width % 8 > 0 ? low_bytes(width % 8) : UINT64_MAX;
	s->head_words = (1 + width + HEAD_WIDE + 7) / 8;
	if (s->head_words > HEAD_WORDS || s->words <= 1)
		s->head_words = 0;
}

void
row_format_close(struct row_formats *s)
{
	for (int i = 0; s->slots != NULL && i < SLOTS; i++)
		if (s->slots[i] != NULL) {
			free(s->slots[i]->program);
			free(s->slots[i]);
		}
	free(s->slots);
	free(s->known);
	*s = (struct row_formats){0};
}

/* the types of the first columns; false where they make no key */
static inline bool
read_types(
    struct types *t, const struct row_bytes *r, const struct row_formats *all)
{
	const unsigned char *p = r->p + 1, *end = r->p + r->p[0];
	unsigned words = all->words, last = words - 1;
	uint64_t any = 0, hash = 0;

	t->text = t->wide = 0;
	if (end - p >= all->width) {
		for (unsigned i = 0; i < last; i++) {
			t->key[i] = load(p + (size_t)i * 8);
			any |= texts(t->key[i]);
		}
		t->key[last] = load(p + (size_t)last * 8) & all->mask;
		any |= texts(t->key[last]);
	} else {
		load_types(t->key, p, (unsigned)(end - p));
		for (unsigned i = 0; i < words; i++)
			any |= texts(t->key[i]);
	}
	if (any != 0 && !fold_text(t, p, end, all))
		return false;
	for (unsigned i = 0; i < words; i++)
		hash = row_format_hash(hash, t->key[i]);
	t->hash = hash;
	return true;
}

/* rows with the same head are found sooner */
static void
cache_head(struct row_formats *all, const struct row_bytes *r, bool whole)
{
	uint64_t head[HEAD_WORDS] = {0};
	struct known_head *m;

	if (all->known == NULL)
		all->known = mem_alloc(sizeof(*m) << HEAD_BITS);
	m = &all->known[row_format_head(all, r->p, head) >> (64 - HEAD_BITS)];
	memcpy(m->head, head, sizeof(head));
	m->format = r->format;
	m->text = r->text;
	m->size = r->p[0] + r->format->need + r->text;
	m->more = whole ? 0 : INT64_MAX;
}

bool
row_format_find_any(struct row_formats *all, struct row_bytes *r)
{
	unsigned head = r->p[0];
	struct row_format *s;
	struct types t;
	uint64_t size;
	bool whole; /* only columns that are read */

	r->format = NULL;
	if (r->size == 0)
		return false;
	if (head <= 1 || head >= 0x80 || head > r->size || all->words == 0 ||
	    !read_types(&t, r, all))
		return true;
	s = all->slots[t.hash >> (64 - FORMAT_BITS)];
	if ((s == NULL || !is_format(s, t.key, all->words)) &&
	    (s = look_up(all, &t)) == NULL)
		return true;
	size = head + s->need + t.text;
	whole = head <= 1 + all->width + t.wide;
	if (whole ? r->size != size : r->size < size)
		return false;
	r->format = s;
	r->text = t.text;
	if (all->head_words > 0 && t.wide <= HEAD_WIDE)
		cache_head(all, r, whole);
	return true;
}
