/* report_decoder.c - the body of an event becomes a row of slots */

#include <string.h>

#include "report_decoder.h"
#include "report_varint.h"

/* ---- which fields are read ---- */

static int
index_of(const char *const *columns, int count, const char *column)
{
	for (int i = 0; i < count; i++)
		if (columns[i] != NULL && strcmp(columns[i], column) == 0)
			return i;
	return -1;
}

/* the fields of the message in a field of the body */
static signed char *
sub_fields(struct report_decoder *d, unsigned char number)
{
	unsigned i = 0;

	while (i < d->sub_count && d->sub_numbers[i] != number)
		i++;
	if (i == d->sub_count) {
		d->sub_numbers[d->sub_count++] = number;
		d->body[number] = (signed char)(DECODER_SUB - (int)i);
	}
	return d->subs[i];
}

void
report_decoder_make(struct report_decoder *d, enum report_table table,
    const char *const *columns, int count, int release)
{
	bool texts = false;

	*d = (struct report_decoder){.absent = -1};
	memset(d->body, DECODER_SKIP, sizeof(d->body));
	memset(d->subs, DECODER_SKIP, sizeof(d->subs));
	for (unsigned i = 0; i < report_tables_field_count; i++) {
		const struct report_field *f = &report_tables_fields[i];
		int value;

		if (f->table != table || release < f->since ||
		    (f->before != 0 && release >= f->before) ||
		    (value = index_of(columns, count, f->column)) < 0)
			continue;
		(f->sub != 0 ? sub_fields(d, f->sub) : d->body)[f->number] =
		    (signed char)value;
		d->as[value] = (unsigned char)f->as;
		d->all |= (uint64_t)1 << value;
		texts |= f->as == REPORT_TEXT;
	}
	for (unsigned i = 0; i < report_tables_absent_count; i++) {
		const struct report_absent *a = &report_tables_absent[i];

		if (a->table != table || release < a->since)
			continue;
		d->absent = (signed char)index_of(columns, count, a->column);
		d->absent_value = a->value;
	}
	d->shape = slot_row_shape((unsigned)count, texts);
}

/* ---- fields ---- */

static inline void
set(unsigned char *row, unsigned char *slots, unsigned shift, int value,
    enum slot_type type, uint64_t bits)
{
	bits = __builtin_bswap64(bits);
	slot_row_types(row)[value] = (unsigned char)type;
	memcpy(slots + ((size_t)value << shift), &bits, sizeof(bits));
}

static inline enum slot_type
type_of(uint64_t v)
{
	if (v < 128)
		return (enum slot_type)((v < 2 ? v : 2) + SLOT_ZERO);
	return v <= INT32_MAX ? SLOT_SHORT : SLOT_LONG;
}

/* a number of 8 or 4 bytes */
static void
set_fixed(const struct report_decoder *d, unsigned char *row, int value,
    const unsigned char *p)
{
	uint64_t bits;
	double number;
	float single;

	memcpy(&bits, p, sizeof(bits));
	if (d->as[value] == REPORT_FLOAT) {
		memcpy(&single, p, sizeof(single));
		number = (double)single;
		memcpy(&bits, &number, sizeof(bits));
	} else if (d->as[value] != REPORT_REAL)
		return;
	slot_row_set(row, (unsigned)value, SLOT_REAL, (int64_t)bits);
}

struct fields {
	const unsigned char *p, *end;
};

static bool decode_fields(const struct report_decoder *d,
    const signed char *values, struct fields f, unsigned char *row,
    int64_t chain, uint64_t *missing);

/* a field with a length; value: or a message in the body */
static bool
decode_bytes(const struct report_decoder *d, int value, struct fields bytes,
    unsigned char *row, int64_t chain, uint64_t *missing)
{
	struct span text = {
	    (const char *)bytes.p, (size_t)(bytes.end - bytes.p)};

	if (value <= DECODER_SUB)
		return decode_fields(d, d->subs[DECODER_SUB - value], bytes,
		    row, chain, missing);
	if (value < 0)
		return true;
	if (d->as[value] == REPORT_TEXT)
		slot_row_set_text(row, (unsigned)value, text);
	else if (d->as[value] == REPORT_CHAIN)
		slot_row_set_int(row, (unsigned)value, chain);
	else
		return true;
	*missing &= ~((uint64_t)1 << value);
	return true;
}

/*
 * The hot loop.  A message in a message is no body: its fields have values
 * alone.
 */
static bool
decode_fields(const struct report_decoder *d, const signed char *values,
    struct fields f, unsigned char *row, int64_t chain, uint64_t *missing)
{
	const unsigned char *p = f.p, *end = f.end;
	unsigned char *slots = slot_row_slots(row);
	unsigned shift = d->shape.shift;

	while (p < end && *missing != 0) {
		uint64_t tag = *p++, v;
		int value;

		if (tag >= 0x80 &&
		    (tag = (tag & 0x7f) | (uint64_t)*p++ << 7, tag >= 0x4000) &&
		    (p = report_varint(p - 2, &tag)) == NULL)
			return false;
		value =
		    tag >> 3 < DECODER_FIELDS ? values[tag >> 3] : DECODER_SKIP;
		switch (tag & 7) {
		case 0:
			if ((p = report_varint(p, &v)) == NULL)
				return false;
			if (value >= 0 && d->as[value] == REPORT_INT) {
				set(row, slots, shift, value, type_of(v), v);
				*missing &= ~((uint64_t)1 << value);
			}
			break;
		case 2:
			if ((p = report_varint(p, &v)) == NULL)
				return false;
			if (p > end || v > (uint64_t)(end - p) ||
			    !decode_bytes(d, value, (struct fields){p, p + v},
				row, chain, missing))
				return false;
			p += v;
			break;
		case 1:
		case 5:
			v = (tag & 7) == 1 ? 8 : 4;
			if (v > (uint64_t)(end - p))
				return false;
			if (value >= 0)
				set_fixed(d, row, value, p);
			p += v;
			break;
		default:
			return false;
		}
		if (tag >> 3 == 0)
			return false;
	}
	return p == end || *missing == 0;
}

bool
report_decoder_run(const struct report_decoder *d, const struct report_event *e,
    unsigned char *row, int64_t chain, bool some)
{
	/* the bit of no value stays: then all fields are read */
	uint64_t missing = some ? d->all : UINT64_MAX;

	slot_row_begin(row, d->shape);
	if (!decode_fields(d, d->body, (struct fields){e->p, e->end}, row,
		chain, &missing))
		return false;
	if (d->absent >= 0 && slot_row_types(row)[d->absent] == SLOT_NULL)
		slot_row_set_int(row, (unsigned)d->absent, d->absent_value);
	return true;
}
