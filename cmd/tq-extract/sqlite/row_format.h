/*
 * row_format.h - where the values of a row are in its bytes.
 *
 * Most rows of a table look alike: the same columns are NULL, and integers
 * have the same lengths.  Such rows share a format, which has the offset of
 * each value, so that a value is read without a look at the ones before it.
 */
#ifndef ROW_FORMAT_H
#define ROW_FORMAT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sql_value.h"

enum { ROW_COLUMNS = 128, FORMAT_COLUMNS = 64, HEAD_WORDS = 6 };

/* which columns of a table are read, and which value of a row each becomes */
struct row_layout {
	short slots[ROW_COLUMNS]; /* column -> value, or -1 */
	int width;                /* columns up to the last that is read */
	int count;                /* values */
	int alias, rowid;         /* values that are the rowid, or -1 */
};

/* where the offset of a value_ref counts from */
enum {
	BASE_ROW,   /* the first value */
	BASE_REST,  /* the end of the text */
	BASE_FIXED, /* row_format_fixed: 0, 1 and -1, which a row need not have
		     */
	BASE_ROWID, /* the rowid */
	BASE_FLAT,  /* the values of a flat row, or the slots of a slot_row.h; a
		       text is a struct span there */
	BASE_CONSTANT, /* the constants of the format, as in a flat row */
	BASES
};

enum { FIXED_ZERO = 0, FIXED_ONE = 8, FIXED_MINUS_ONE = 16 };

/* where a value is; one of a text is the only text of the row, unless flat */
struct value_ref {
	unsigned char
	    type; /* of enum sql_type; of a flat row, see typed_row.h */
	unsigned char base;
	unsigned char shift; /* of the eight bytes there, to the right */
	unsigned short offset;
};

/* 0, 1 and -1 at the offsets FIXED_... */
extern const unsigned char row_format_fixed[24];

/* no value; -1 where it is read as an integer */
extern const struct value_ref row_format_null;

struct row_format {
	void *program; /* for whoever writes such rows; free(3) ends it */
	bool tried;    /* to make a program */
	bool integers; /* see row_format_open */
	bool flat;     /* of slots: see slot_row.h */
	bool settled;  /* the program is made for its constants, or cannot be */
	unsigned char uses;             /* up to when that is done */
	const unsigned char *constants; /* values of all its rows, or NULL */
	uint32_t need;                  /* bytes of values, without the text */
	uint32_t text_offset;           /* from BASE_ROW */
	const uint64_t *key;
	struct value_ref values[]; /* and behind them the key */
};

enum { FORMAT_BITS = 11, HEAD_BITS = 10 }; /* of a hash that are used */

/* a cache: the beginning of a row, with all types that matter, and its format
 */
struct known_head {
	uint64_t head[HEAD_WORDS];
	struct row_format *format;
	uint64_t text, size; /* bytes of its text; of the row, at least */
	uint64_t more;       /* that the row may have, at most */
};

/*
 * The formats of the rows of a table.  A row without columns behind the last
 * that is read ends where that ends: SQLite calls it malformed otherwise.
 */
struct row_formats {
	const struct row_layout *layout;
	uint64_t integers;
	unsigned width;      /* columns in a key; 0: too many for any */
	unsigned words;      /* of a key */
	unsigned short_head; /* with a longer one, a row has a word as key */
	uint64_t mask;       /* of the last word */
	struct row_format **slots; /* a hash table */
	int count;
	struct known_head *known; /* by hash, one each; NULL: none yet */
	unsigned head_words;      /* 0: heads are too long for that */
};

/* a row as bytes; BTREE_SLACK bytes behind its end may be read */
struct row_bytes {
	const unsigned char *p;
	uint64_t size;
	int64_t rowid;
	struct row_format *format; /* NULL where it has none */
	uint64_t text;             /* bytes of its text */
	int64_t ts, dur;           /* of an event */
	unsigned number;           /* of its table, see row_merge.h */
};

/* the same with the bases of its values */
struct row {
	const struct row_bytes *bytes;
	const unsigned char *base[BASES];
	unsigned char rowid[8]; /* as the bytes of a file */
};

/*
 * layout is borrowed.  integers is a bit for each value that must be an
 * integer, and not behind a text, for a format to have "integers".
 */
void row_format_open(
    struct row_formats *s, const struct row_layout *layout, uint64_t integers);
void row_format_close(struct row_formats *s);

/*
 * Find the format of a row: NULL where the row is too long, has more than one
 * text, or would be one format too many.  False where the row is corrupt.
 */
bool row_format_find_any(struct row_formats *s, struct row_bytes *r);

static inline uint64_t
row_format_hash(uint64_t hash, uint64_t word)
{
	return (hash ^ hash >> 29 ^ word) * 0x9e3779b97f4a7c15u;
}

/*
 * The head of a row, as far as its types matter, and the hash of that.  Bytes
 * behind the head count as zeros.
 */
static inline uint64_t
row_format_head(const struct row_formats *all, const unsigned char *p,
    uint64_t head[HEAD_WORDS])
{
	unsigned last = all->head_words - 1, end = p[0] - 1u;
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

/* The format of a row whose head is in the cache; false where it is not. */
static inline bool
row_format_find_known(const struct row_formats *all, struct row_bytes *r)
{
	uint64_t head[HEAD_WORDS], other;
	unsigned words = (r->p[0] + 7u) / 8;
	const struct known_head *m;

	if (all->known == NULL || words == 0)
		return false;
	m = &all->known[row_format_head(all, r->p, head) >> (64 - HEAD_BITS)];
	/* the length of the head is in its first word */
	other = m->head[0] ^ head[0];
	if (words > all->head_words)
		words = all->head_words;
	for (unsigned i = 1; i < words; i++)
		other |= m->head[i] ^ head[i];
	if (other != 0 || r->size - m->size > m->more)
		return false;
	r->format = m->format;
	r->text = m->text;
	return true;
}

/* The same for a row whose columns make one word, and none is a text. */
static inline bool
row_format_find_short(const struct row_formats *all, struct row_bytes *r)
{
	unsigned head = r->p[0];
	struct row_format *s;
	uint64_t key;

	if (head <= all->short_head || head >= 0x80)
		return false;
	memcpy(&key, r->p + 1, sizeof(key));
	key &= all->mask;
	s = all->slots[row_format_hash(0, key) >> (64 - FORMAT_BITS)];
	if (s == NULL || s->key[0] != key ||
	    (head + s->need != r->size &&
		(head == all->short_head + 1 || head + s->need > r->size)))
		return false;
	r->format = s;
	r->text = 0;
	return true;
}

static inline bool
row_format_find(struct row_formats *all, struct row_bytes *r)
{
	return row_format_find_short(all, r) || row_format_find_known(all, r) ||
	       row_format_find_any(all, r);
}

/* r does not move after that. */
static inline void
row_init(struct row *r)
{
	*r = (struct row){0};
	r->base[BASE_FIXED] = row_format_fixed;
	r->base[BASE_ROWID] = r->rowid;
}

static inline void
row_set(struct row *r, const struct row_bytes *bytes)
{
	uint64_t rowid = __builtin_bswap64((uint64_t)bytes->rowid);
	const unsigned char *p = bytes->p;

	r->bytes = bytes;
	if (bytes->format == NULL)
		return;
	r->base[BASE_ROW] = p + p[0];
	if (bytes->format->flat) {
		r->base[BASE_FLAT] = p + p[0];
		r->base[BASE_CONSTANT] = bytes->format->constants;
	}
	r->base[BASE_REST] =
	    p + p[0] + bytes->format->text_offset + bytes->text;
	memcpy(r->rowid, &rowid, sizeof(rowid));
}

/* The text or blob at a value_ref of such a type. */
static inline struct span
row_text(const struct row *r, const struct value_ref *at)
{
	struct span s;

	if (at->base == BASE_FLAT || at->base == BASE_CONSTANT) {
		if (r->base[at->base] == NULL)
			abort(); /* a row of the database has no such value */
		memcpy(&s, r->base[at->base] + at->offset, sizeof(s));
		return s;
	}
	return (struct span){
	    (const char *)r->base[BASE_REST] - r->bytes->text, r->bytes->text};
}

/*
 * Decode the columns of a row; missing ones are NULL.  False
 * where it is corrupt.
 */
bool row_format_decode(const struct row_bytes *r,
    const struct row_layout *layout, struct sql_value *values);

/* The only byte of an integer that has one. */
static inline unsigned char
row_byte(const struct row *r, const struct value_ref *at)
{
	return r->base[at->base][at->offset];
}

static inline int64_t
row_get(const unsigned char *p, const struct value_ref *at)
{
	uint64_t v;

	memcpy(&v, p + at->offset, sizeof(v));
	return (int64_t)__builtin_bswap64(v) >> at->shift;
}

/* The integer at a value_ref of type SQL_INT. */
static inline int64_t
row_int(const struct row *r, const struct value_ref *at)
{
	return row_get(r->base[at->base], at);
}

/* The same for one of the "integers" of a format. */
static inline int64_t
row_early_int(const struct row_bytes *r, const struct value_ref *at)
{
	return row_get(
	    at->base == BASE_ROW ? r->p + r->p[0] : row_format_fixed, at);
}

#endif
