/* slot_row.c - rows that a source decodes itself */

#include <math.h>

#include "slot_row.h"
#include "tq/base/mem.h"

enum { FORMATS = 1024, SLOTS = 1 << FORMAT_BITS };

struct sql_value
slot_row_value(const unsigned char *p, unsigned i)
{
	const unsigned char *slot = p + p[0] + ((size_t)i << p[2]);
	struct sql_value v = {SQL_NULL};
	uint64_t bits;

	memcpy(&bits, slot, sizeof(bits));
	bits = __builtin_bswap64(bits);
	switch ((enum slot_type)p[SLOT_ROW_TYPES + i]) {
	case SLOT_NULL:
		break;
	case SLOT_REAL:
		memcpy(&v.d, &bits, sizeof(v.d));
		v.type = isnan(v.d) ? SQL_NULL : SQL_REAL;
		break;
	case SLOT_TEXT:
		v.type = SQL_TEXT;
		memcpy(&v.s, slot, sizeof(v.s));
		break;
	default:
		v.type = SQL_INT;
		v.i = (int64_t)bits;
	}
	return v;
}

/* by the format, which has all that the row lacks */
static struct sql_value
value_at(const struct row *r, const struct value_ref *at)
{
	struct sql_value v = {at->type};
	int64_t bits;

	switch (at->type) {
	case SQL_INT:
		v.i = row_int(r, at);
		break;
	case SQL_REAL:
		bits = row_int(r, at);
		memcpy(&v.d, &bits, sizeof(v.d));
		break;
	case SQL_TEXT:
		v.s = row_text(r, at);
		break;
	default:
		break;
	}
	return v;
}

void
slot_row_values(const struct row *r, struct sql_value *values)
{
	const struct row_format *f = r->bytes->format;
	const unsigned char *p = r->bytes->p;

	for (unsigned i = 0; i < p[1]; i++)
		values[i] = f != NULL && f->constants != NULL
				? value_at(r, &f->values[i])
				: slot_row_value(p, i);
}

struct value_ref
slot_row_ref(enum slot_type type, unsigned offset)
{
	struct value_ref r = {SQL_INT, BASE_ROW, 0, (unsigned short)offset};

	switch (type) {
	case SLOT_NULL:
		return row_format_null;
	case SLOT_ZERO:
		return (struct value_ref){SQL_INT, BASE_FIXED, 0, FIXED_ZERO};
	case SLOT_ONE:
		return (struct value_ref){SQL_INT, BASE_FIXED, 0, FIXED_ONE};
	case SLOT_SMALL: /* the last of the bytes */
		r.offset += 7;
		r.shift = 56;
		break;
	case SLOT_SHORT: /* the last four of them */
		r.offset += 4;
		r.shift = 32;
		break;
	case SLOT_LONG:
		break;
	case SLOT_REAL:
		r.type = SQL_REAL;
		break;
	case SLOT_TEXT:
		r.type = SQL_TEXT;
		r.base = BASE_FLAT;
	}
	return r;
}

static struct row_format *
make_format(const unsigned char *p, size_t key_size)
{
	unsigned count = p[1];
	/* of all but the key, which has to be aligned */
	size_t size =
	    (sizeof(struct row_format) + count * sizeof(struct value_ref) + 7) &
	    ~(size_t)7;
	struct row_format *f = mem_alloc(size + key_size);
	uint64_t *key = (uint64_t *)((char *)f + size);

	memcpy(key, p + SLOT_ROW_TYPES, key_size);
	f->key = key;
	f->flat = true;
	for (unsigned i = 0; i < count; i++)
		f->values[i] = slot_row_ref(p[SLOT_ROW_TYPES + i], i << p[2]);
	return f;
}

struct row_format *
slot_row_format(struct row_formats *all, const unsigned char *p)
{
	size_t size = p[0] - SLOT_ROW_TYPES, i;
	const unsigned char *types = p + SLOT_ROW_TYPES;
	uint64_t hash = 0, word;

	for (i = 0; i < size; i += sizeof(word)) {
		memcpy(&word, types + i, sizeof(word));
		hash = row_format_hash(hash, word);
	}
	for (i = hash >> (64 - FORMAT_BITS); all->slots[i] != NULL;
	     i = (i + 1) % SLOTS)
		if (memcmp(all->slots[i]->key, types, size) == 0)
			return all->slots[i];
	if (all->count == FORMATS)
		return NULL;
	all->count++;
	return all->slots[i] = make_format(p, size);
}
