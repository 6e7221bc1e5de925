/* typed_row.c - rows whose values are sorted out one by one */

#include <stdlib.h>

#include "typed_row.h"
#include "tq/base/array.h"

enum { ZERO = 255, MAX_FORMATS = 1024 };

struct typed_value {
	union {
		uint64_t bits; /* as the bytes of a file */
		struct span text;
	};
	char digits[TEXT_INT_MAX]; /* of a text that was an integer */
};

static void
free_formats(struct typed_row *f)
{
	for (size_t i = 0; i < f->format_count; i++) {
		free(f->formats[i]->program);
		free(f->formats[i]);
	}
	f->format_count = 0;
	intern_clear(&f->formats_by_types);
}

void
typed_row_free(struct typed_row *f)
{
	free_formats(f);
	intern_free(&f->formats_by_types);
	free(f->formats);
	free(f->types);
	free(f->values);
}

static unsigned char
set_int(struct typed_value *to, int64_t v)
{
	to->bits = __builtin_bswap64((uint64_t)v);
	if (v == 0)
		return ZERO;
	if (v == UINT32_MAX)
		return TYPED_ONES;
	return v > TYPED_EXACT || v < -TYPED_EXACT ? TYPED_BIG : SQL_INT;
}

static unsigned char
set_integer(struct typed_value *to, const struct sql_value *value)
{
	int64_t v;

	if (value->type == SQL_NULL)
		return SQL_NULL;
	return sql_value_int(value, &v) ? set_int(to, v) : TYPED_ODD;
}

static unsigned char
set_number(struct typed_value *to, const struct sql_value *value)
{
	uint64_t bits;

	if (value->type == SQL_INT)
		return set_int(to, value->i);
	if (value->type != SQL_REAL)
		return SQL_NULL;
	memcpy(&bits, &value->d, sizeof(bits));
	to->bits = __builtin_bswap64(bits);
	return SQL_REAL;
}

static unsigned char
set_text(struct typed_value *to, const struct sql_value *value)
{
	const char *end;

	switch (value->type) {
	case SQL_TEXT:
	case SQL_BLOB:
		to->text = value->s;
		return SQL_TEXT;
	case SQL_INT:
		end = text_digits_int(to->digits, value->i);
		to->text =
		    (struct span){to->digits, (size_t)(end - to->digits)};
		return SQL_TEXT;
	default:
		return SQL_NULL;
	}
}

static void
make_room(struct typed_row *f)
{
	f->types = mem_alloc(f->count);
	f->values = mem_alloc(f->count * sizeof(*f->values));
	row_init(&f->row);
	f->row.base[BASE_FLAT] = (const unsigned char *)f->values;
}

void
typed_row_clear(struct typed_row *f)
{
	if (f->values == NULL)
		make_room(f);
	memset(f->types, SQL_NULL, f->count);
}

void
typed_row_set(struct typed_row *f, int i, enum value_use use,
    const struct sql_value *value)
{
	if (f->values == NULL)
		make_room(f);
	f->types[i] = use == USE_INTEGER  ? set_integer(&f->values[i], value)
		      : use == USE_NUMBER ? set_number(&f->values[i], value)
		      : use == USE_TEXT   ? set_text(&f->values[i], value)
					  : SQL_NULL;
}

static struct row_format *
make_format(const struct typed_row *f)
{
	struct row_format *format =
	    mem_alloc(sizeof(*format) + f->count * sizeof(*format->values));

	for (unsigned i = 0; i < f->count; i++) {
		struct value_ref *at = &format->values[i];

		if (f->types[i] == ZERO)
			*at = (struct value_ref){
			    SQL_INT, BASE_FIXED, 0, FIXED_ZERO};
		else
			*at = (struct value_ref){f->types[i], BASE_FLAT, 0,
			    (unsigned short)(i * sizeof(*f->values))};
		if (at->type == SQL_NULL || at->type == TYPED_ODD) {
			at->base = BASE_FIXED;
			at->offset = FIXED_MINUS_ONE;
		}
	}
	return format;
}

const struct row *
typed_row_finish(struct typed_row *f, int64_t ts, int64_t dur)
{
	const struct span types = {(const char *)f->types, f->count};
	uint32_t i = intern_get(&f->formats_by_types, types);

	if (i == MAX_FORMATS) {
		free_formats(f);
		i = intern_get(&f->formats_by_types, types);
	}
	if (i == f->format_count)
		*array_add(&f->formats, &f->format_count, &f->cap) =
		    make_format(f);
	f->bytes.format = f->formats[i];
	f->bytes.ts = ts;
	f->bytes.dur = dur;
	f->row.bytes = &f->bytes;
	return &f->row;
}
