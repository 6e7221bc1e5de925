/*
 * row.h - the values of a row, as cells or where they stand in its bytes.
 *
 * Most rows of a table look alike: the same columns are NULL, and integers
 * have the same lengths.  What is known of such rows is kept, as a shape, so
 * that a value is found without a look at those before it.
 */
#ifndef ROW_H
#define ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tq/base/text.h"

enum cell_type { CELL_NULL, CELL_INT, CELL_REAL, CELL_TEXT, CELL_BLOB };

/* a value; text and blobs are good until the next row */
struct cell {
	enum cell_type type;
	union {
		int64_t i;
		double d;
		struct span s;
	};
};

/*
 * The integer that a cell holds, in a column that should hold one: a real is
 * cut, and text that spells an integer counts.  False for anything else.
 */
bool cell_int(const struct cell *c, int64_t *v);

enum { ROW_COLUMNS = 128, SHAPE_COLUMNS = 64, MET_WORDS = 6 };

/* what of a row is wanted */
struct row_layout {
	short slots[ROW_COLUMNS]; /* column -> cell, or -1 */
	int width;                /* columns up to the last wanted */
	int count;                /* cells */
	int alias, rowid;         /* cells that hold the rowid, or -1 */
};

/* what places count from */
enum {
	BASE_ROW,    /* the first value */
	BASE_REST,   /* what is behind the text */
	BASE_FIXED,  /* 0, 1 and -1, which a row need not spell */
	BASE_NUMBER, /* the rowid */
	BASES
};

enum { FIXED_ZERO = 0, FIXED_ONE = 8, FIXED_MINUS_ONE = 16 };

/* where a value is; a text is that of the row */
struct place {
	unsigned char type; /* of enum cell_type */
	unsigned char base;
	unsigned char shift; /* of the eight bytes there, to the right */
	unsigned short offset;
};

/* what FIXED_ZERO and so on stand in */
extern const unsigned char row_fixed[24];

/* no value; -1 where one is asked for */
extern const struct place row_null;

struct shape {
	void *plan; /* for whoever writes such rows */
	bool planned;
	bool integers;        /* see row_shapes_init */
	uint32_t need;        /* bytes of values, without the text */
	uint32_t text_offset; /* from BASE_ROW */
	const uint64_t *key;
	struct place places[]; /* of each cell, and behind them the key */
};

enum { SHAPES_BITS = 11, MET_BITS = 10 }; /* of a hash that are used */

/* the beginning of a row, with all types that matter, and what it tells */
struct met {
	uint64_t head[MET_WORDS];
	struct shape *shape;
	uint64_t text, size; /* bytes of its text; of the row, at least */
};

/* all shapes of a table that were met */
struct row_shapes {
	const struct row_layout *layout;
	uint64_t integers;
	unsigned width;       /* columns in a key; 0: too many for any */
	unsigned words;       /* of a key */
	unsigned short_head;  /* with a longer one, a row has a word as key */
	uint64_t mask;        /* of the last word */
	struct shape **slots; /* a hash table */
	int count;
	struct met *met;    /* a hash table without chains; NULL: none yet */
	unsigned met_words; /* 0: they are too long for it */
};

/* a row as bytes; those behind its end may be read (BTREE_SLACK) */
struct row_bytes {
	const unsigned char *p;
	uint64_t size;
	int64_t rowid;
	struct shape *shape; /* NULL where it has none */
	uint64_t text;       /* bytes of its text */
	int64_t ts, dur;     /* for whoever puts rows in order */
};

/* the same with all that is needed to find its values */
struct row {
	const struct row_bytes *bytes;
	const unsigned char *base[BASES];
	unsigned char number[8]; /* the rowid as bytes */
};

/*
 * layout is borrowed.  integers is a bit for each cell that must be one, and
 * not behind a text: then a shape has "integers".  free_plan is called for each
 * plan that was set.
 */
void row_shapes_init(
    struct row_shapes *s, const struct row_layout *layout, uint64_t integers);
void row_shapes_free(struct row_shapes *s, void (*free_plan)(void *));

/*
 * Find the shape of a row.  A row has none that is too long, has more than
 * one text, or is one too many.  False where the row is corrupt.
 */
bool row_shapes_find_any(struct row_shapes *s, struct row_bytes *r);

static inline uint64_t
row_shapes_hash(uint64_t hash, uint64_t word)
{
	return (hash ^ hash >> 29 ^ word) * 0x9e3779b97f4a7c15u;
}

/*
 * The head of a row, as far as its types matter, and the hash of that.  What
 * is behind the head counts as zeros.
 */
static inline uint64_t
row_shapes_head(const struct row_shapes *all, const unsigned char *p,
    uint64_t head[MET_WORDS])
{
	unsigned last = all->met_words - 1, end = p[0] - 1u;
	uint64_t hash = 0, mask = UINT64_MAX;

	if (end / 8 <= last) {
		last = end / 8;
		mask >>= 56 - end % 8 * 8;
	}
	for (unsigned i = 0; i < last; i++, p += 8) {
		memcpy(&head[i], p, 8);
		hash = (hash ^ head[i]) * 0x9e3779b97f4a7c15u;
	}
	memcpy(&head[last], p, 8);
	head[last] &= mask;
	return (hash ^ head[last]) * 0x9e3779b97f4a7c15u;
}

/* A row with a head that was met before; false where it is not known. */
static inline bool
row_shapes_find_met(const struct row_shapes *all, struct row_bytes *r)
{
	uint64_t head[MET_WORDS], other;
	unsigned words = (r->p[0] + 7u) / 8;
	const struct met *m;

	if (all->met == NULL || words == 0)
		return false;
	m = &all->met[row_shapes_head(all, r->p, head) >> (64 - MET_BITS)];
	/* the length of the head is in its first word */
	other = m->head[0] ^ head[0];
	if (words > all->met_words)
		words = all->met_words;
	for (unsigned i = 1; i < words; i++)
		other |= m->head[i] ^ head[i];
	if (other != 0 || r->size < m->size)
		return false;
	r->shape = m->shape;
	r->text = m->text;
	return true;
}

/* A row whose columns make one word, and none is a text; the same. */
static inline bool
row_shapes_find_short(const struct row_shapes *all, struct row_bytes *r)
{
	unsigned head = r->p[0];
	struct shape *s;
	uint64_t key;

	if (head <= all->short_head || head >= 0x80)
		return false;
	memcpy(&key, r->p + 1, sizeof(key));
	key &= all->mask;
	s = all->slots[row_shapes_hash(0, key) >> (64 - SHAPES_BITS)];
	if (s == NULL || s->key[0] != key || head + s->need > r->size)
		return false;
	r->shape = s;
	r->text = 0;
	return true;
}

static inline bool
row_shapes_find(struct row_shapes *all, struct row_bytes *r)
{
	return row_shapes_find_short(all, r) || row_shapes_find_met(all, r) ||
	       row_shapes_find_any(all, r);
}

/* For a row that stays where it is. */
void row_init(struct row *r);

static inline void
row_set(struct row *r, const struct row_bytes *bytes)
{
	uint64_t number = __builtin_bswap64((uint64_t)bytes->rowid);
	const unsigned char *p = bytes->p;

	r->bytes = bytes;
	if (bytes->shape == NULL)
		return;
	r->base[BASE_ROW] = p + p[0];
	r->base[BASE_REST] = p + p[0] + bytes->shape->text_offset + bytes->text;
	memcpy(r->number, &number, sizeof(number));
}

/* The text or blob of a row with a shape. */
static inline struct span
row_text(const struct row *r)
{
	const unsigned char *p = r->base[BASE_REST] - r->bytes->text;

	return (struct span){(const char *)p, r->bytes->text};
}

/*
 * Decode the columns of a row; those that it does not have are NULL.  False
 * where it is corrupt.
 */
bool row_decode(const struct row_bytes *r, const struct row_layout *layout,
    struct cell *cells);

/* The byte at a place of an integer that has one. */
static inline unsigned char
row_byte(const struct row *r, const struct place *at)
{
	return r->base[at->base][at->offset];
}

static inline int64_t
row_get(const unsigned char *p, const struct place *at)
{
	uint64_t v;

	memcpy(&v, p + at->offset, sizeof(v));
	return (int64_t)__builtin_bswap64(v) >> at->shift;
}

/* The integer at a place of type CELL_INT. */
static inline int64_t
row_int(const struct row *r, const struct place *at)
{
	return row_get(r->base[at->base], at);
}

/* The same for one of the "integers" of a shape, of a row as it is. */
static inline int64_t
row_early_int(const struct row_bytes *r, const struct place *at)
{
	return row_get(at->base == BASE_ROW ? r->p + r->p[0] : row_fixed, at);
}

#endif
