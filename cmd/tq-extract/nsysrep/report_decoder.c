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
static struct decoder_field *
sub_fields(struct report_decoder *d, unsigned char number)
{
	unsigned char i = 0;

	while (i < d->sub_count && d->sub_numbers[i] != number)
		i++;
	if (i == d->sub_count) {
		d->sub_numbers[d->sub_count++] = number;
		d->body[number] = (struct decoder_field){FIELD_SUB, i};
	}
	return d->subs[i];
}

void
report_decoder_make(struct report_decoder *d, enum report_table table,
    const char *const *columns, int count, int release)
{
	static const enum field_use uses[] = {[REPORT_INT] = FIELD_INT,
	    [REPORT_REAL] = FIELD_REAL,
	    [REPORT_FLOAT] = FIELD_FLOAT,
	    [REPORT_TEXT] = FIELD_TEXT,
	    [REPORT_CHAIN] = FIELD_CHAIN};
	bool texts = false;

	*d = (struct report_decoder){.absent = -1};
	for (unsigned i = 0; i < report_tables_field_count; i++) {
		const struct report_field *f = &report_tables_fields[i];
		struct decoder_field *to = d->body;
		int value;

		if (f->table != table || release < f->since ||
		    (f->before != 0 && release >= f->before) ||
		    (value = index_of(columns, count, f->column)) < 0)
			continue;
		if (f->sub != 0)
			to = sub_fields(d, f->sub);
		to[f->number] = (struct decoder_field){
		    (unsigned char)uses[f->as], (unsigned char)value};
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

struct fields {
	const unsigned char *p, *end;
};

static inline enum slot_type
type_of(uint64_t v)
{
	if (v < 128)
		return (enum slot_type)((v < 2 ? v : 2) + SLOT_ZERO);
	return v <= INT32_MAX ? SLOT_SHORT : SLOT_LONG;
}

/* a number of 8 or 4 bytes */
static void
set_fixed(unsigned char *row, struct decoder_field to, const unsigned char *p)
{
	uint64_t bits;
	double number;
	float single;

	memcpy(&bits, p, sizeof(bits));
	if (to.use == FIELD_FLOAT) {
		memcpy(&single, p, sizeof(single));
		number = (double)single;
		memcpy(&bits, &number, sizeof(bits));
	} else if (to.use != FIELD_REAL)
		return;
	slot_row_set(row, to.value, SLOT_REAL, (int64_t)bits);
}

static bool decode_fields(const struct report_decoder *d,
    const struct decoder_field *fields, struct fields f, unsigned char *row,
    int64_t chain);

/* a field with a length, but for one that is skipped */
static bool
decode_bytes(const struct report_decoder *d, struct decoder_field to,
    struct fields bytes, unsigned char *row, int64_t chain)
{
	struct span text = {
	    (const char *)bytes.p, (size_t)(bytes.end - bytes.p)};

	if (to.use == FIELD_SUB)
		return decode_fields(d, d->subs[to.value], bytes, row, chain);
	if (to.use == FIELD_TEXT)
		slot_row_set_text(row, to.value, text);
	else if (to.use == FIELD_CHAIN)
		slot_row_set_int(row, to.value, chain);
	return true;
}

/* a tag of one or two bytes, as all are that are read, or a longer one */
static inline const unsigned char *
take_tag(const unsigned char *p, uint64_t *tag)
{
	uint32_t v;
	const unsigned char *end = report_varint_short(p, &v);

	*tag = v;
	return end != NULL ? end : report_varint(p, tag);
}

/*
 * The hot loop; the last of several fields counts.  A message in a message is
 * no body: its fields have values alone.
 */
static bool
decode_fields(const struct report_decoder *d,
    const struct decoder_field *fields, struct fields f, unsigned char *row,
    int64_t chain)
{
	unsigned char *slots = slot_row_slots(row);
	unsigned char *types = slot_row_types(row);
	const unsigned char *p = f.p, *end = f.end;
	unsigned shift = d->shape.shift;

	while (p < end) {
		struct decoder_field to = {FIELD_SKIP, 0};
		uint64_t tag, v;

		if ((p = take_tag(p, &tag)) == NULL || tag >> 3 == 0)
			return false;
		if (tag >> 3 < DECODER_FIELDS)
			to = fields[tag >> 3];
		switch (tag & 7) {
		case 0:
			if ((p = report_varint(p, &v)) == NULL)
				return false;
			if (to.use != FIELD_INT)
				break;
			types[to.value] = (unsigned char)type_of(v);
			v = __builtin_bswap64(v);
			memcpy(
			    slots + ((size_t)to.value << shift), &v, sizeof(v));
			break;
		case 2:
			if ((p = report_varint(p, &v)) == NULL || p > end ||
			    v > (uint64_t)(end - p))
				return false;
			if (to.use > FIELD_FLOAT &&
			    !decode_bytes(
				d, to, (struct fields){p, p + v}, row, chain))
				return false;
			p += v;
			break;
		case 1:
		case 5:
			v = (tag & 7) == 1 ? 8 : 4;
			if (p > end || v > (uint64_t)(end - p))
				return false;
			set_fixed(row, to, p);
			p += v;
			break;
		default:
			return false;
		}
	}
	return p == end;
}

bool
report_decoder_run(const struct report_decoder *d, const struct report_event *e,
    unsigned char *row, int64_t chain)
{
	slot_row_begin(row, d->shape);
	if (!decode_fields(
		d, d->body, (struct fields){e->p, e->end}, row, chain))
		return false;
	if (d->absent >= 0 && slot_row_types(row)[d->absent] == SLOT_NULL)
		slot_row_set_int(row, (unsigned)d->absent, d->absent_value);
	return true;
}
