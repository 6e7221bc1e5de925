/* payloads.c - extended payloads of NVTX, by the schemas of the export */

#include <string.h>

#include "payloads.h"

enum {
	HEAD = 32,
	DOMAIN = 0,
	SCHEMA = 8,
	PAYLOAD_SIZE = 16,
	TOTAL_SIZE = 24,
	TYPES = 28,
	EXACT_BITS = 53,    /* larger integers are strings */
	OTHER_FLAGS = 0x7e, /* pointers, offsets and arrays */
};

enum number { NO_NUMBER, SIGNED, UNSIGNED, REAL };

/* NVTX_PAYLOAD_ENTRY_TYPE_*: the numbers among them */
static const struct {
	unsigned char size, number;
} types[TYPES] = {
    [2] = {1, UNSIGNED},
    [3] = {2, SIGNED},
    [4] = {2, UNSIGNED},
    [5] = {4, SIGNED},
    [6] = {4, UNSIGNED},
    [7] = {8, SIGNED},
    [8] = {8, UNSIGNED},
    [9] = {8, SIGNED},
    [10] = {8, UNSIGNED},
    [11] = {1, SIGNED},
    [12] = {1, UNSIGNED},
    [13] = {2, SIGNED},
    [14] = {2, UNSIGNED},
    [15] = {4, SIGNED},
    [16] = {4, UNSIGNED},
    [17] = {8, SIGNED},
    [18] = {8, UNSIGNED},
    [19] = {4, REAL},
    [20] = {8, REAL},
    [22] = {8, UNSIGNED},
};

void
payloads_free(struct nsys_payloads *p)
{
	for (size_t i = 0; i < p->schemas.count; i++) {
		struct payload_schema *s = &p->schemas.all[i];

		for (size_t k = 0; k < s->count; k++)
			text_free(&s->fields[k].name);
		free(s->fields);
	}
	keyed_free(&p->schemas);
}

/* ---- schemas ---- */

/* where a field is that has no offset: behind the last one, aligned */
static uint64_t
next_offset(const struct payload_schema *s, unsigned type)
{
	const struct payload_field *last;
	uint64_t end, size = types[type].size;

	if (s->count == 0)
		return 0;
	last = &s->fields[s->count - 1];
	end = last->offset + types[last->type].size;
	return (end + size - 1) / size * size;
}

static void
add_field(struct nsys_payloads *p, struct payload_schema *s, sqlite3_stmt *st)
{
	int64_t type = sqlite3_column_int64(st, 3);
	struct payload_field f = {{0}};

	s->odd |= type < 0 || type >= TYPES ||
		  types[type].number == NO_NUMBER ||
		  (sqlite3_column_int64(st, 6) & OTHER_FLAGS) != 0;
	if (s->odd)
		return;
	f.type = (unsigned char)type;
	f.offset = sqlite3_column_type(st, 5) == SQLITE_NULL
		       ? next_offset(s, f.type)
		       : (uint64_t)sqlite3_column_int64(st, 5);
	string_ids_add_json(p->strings, &f.name, database_text(st, 4));
	*array_add(&s->fields, &s->count, &s->cap) = f;
}

/* processes may register a schema each: the fields come once for all */
static void
read_schemas(struct nsys_payloads *p)
{
	sqlite3_stmt *st = database_prepare(p->db,
	    "SELECT DISTINCT domainId, schemaId, idx, type, "
	    "coalesce(nullif(name, ''), '#' || idx), offset, "
	    "coalesce(flags, 0) FROM NVTX_PAYLOAD_SCHEMA_ENTRIES "
	    "ORDER BY domainId, schemaId, idx");
	int64_t last = -1;

	p->read = true;
	while (st != NULL && database_step(p->db, st)) {
		int64_t idx = sqlite3_column_int64(st, 2);
		struct payload_schema *s;
		bool fresh;

		s = keyed_get(&p->schemas,
		    (uint64_t)sqlite3_column_int64(st, 0),
		    (uint64_t)sqlite3_column_int64(st, 1), &fresh);
		if (fresh)
			*s = (struct payload_schema){0};
		/* two processes that differ in a field */
		s->odd |= !fresh && idx == last;
		last = idx;
		add_field(p, s, st);
	}
	sqlite3_finalize(st);
}

/* ---- values ---- */

static uint64_t
load(struct span payload, uint64_t at, unsigned size)
{
	uint64_t v = 0;

	for (unsigned i = size; i-- > 0;)
		v = v << 8 | (unsigned char)payload.p[at + i];
	return v;
}

static void
add_real(struct text *t, uint64_t bits, unsigned size)
{
	uint32_t half = (uint32_t)bits;
	double d;
	float f;

	memcpy(&d, &bits, sizeof(d));
	memcpy(&f, &half, sizeof(f));
	text_add_double(t, size == sizeof(f) ? (double)f : d);
}

static void
add_number(struct text *t, uint64_t v, unsigned type)
{
	unsigned shift = 64 - types[type].size * 8u;
	int64_t number = (int64_t)(v << shift) >> shift;

	if (types[type].number == REAL)
		add_real(t, v, types[type].size);
	else if (types[type].number == UNSIGNED && v >> EXACT_BITS != 0)
		text_printf(t, "\"%llu\"", (unsigned long long)v);
	else if (types[type].number == UNSIGNED)
		text_add_int(t, (int64_t)v);
	else if (number >> EXACT_BITS != 0 && number >> EXACT_BITS != -1)
		text_printf(t, "\"%lld\"", (long long)number);
	else
		text_add_int(t, number);
}

/* the schema of a payload, if all its fields are in it; or NULL */
static const struct payload_schema *
schema_of(const struct nsys_payloads *p, struct span payload)
{
	const struct payload_schema *s;
	uint64_t size;

	if (payload.len < HEAD || load(payload, TOTAL_SIZE, 8) != payload.len)
		return NULL;
	size = load(payload, PAYLOAD_SIZE, 8);
	if (size != payload.len - HEAD)
		return NULL;
	s = keyed_find(
	    &p->schemas, load(payload, DOMAIN, 4), load(payload, SCHEMA, 4));
	if (s == NULL || s->odd)
		return NULL;
	for (size_t i = 0; i < s->count; i++)
		if (s->fields[i].offset > size ||
		    size - s->fields[i].offset < types[s->fields[i].type].size)
			return NULL;
	return s;
}

bool
payloads_add(struct nsys_payloads *p, struct text *t, struct span payload)
{
	const struct payload_schema *s;

	if (!p->read)
		read_schemas(p);
	s = schema_of(p, payload);
	if (s == NULL)
		return false;
	text_add_str(t, "\"payload\":{");
	for (size_t i = 0; i < s->count; i++) {
		const struct payload_field *f = &s->fields[i];

		if (i > 0)
			text_add_char(t, ',');
		text_add_span(t, text_span(&f->name));
		text_add_char(t, ':');
		add_number(t,
		    load(payload, HEAD + f->offset, types[f->type].size),
		    f->type);
	}
	text_add_char(t, '}');
	return true;
}
