/*
 * payload_fields.c - types and schemas of extended payloads of NVTX
 *
 * Numbers of types and flags are those of nvToolsExtPayload.h (NVTX 3):
 * NVTX_PAYLOAD_ENTRY_TYPE_*, NVTX_PAYLOAD_ENTRY_FLAG_*.
 */

#include "payload_fields.h"

enum { UNION = 3 }; /* NVTX_PAYLOAD_SCHEMA_TYPE_UNION */

static const struct payload_type types[] = {
    [1] = {1, FORM_CHAR},     /* CHAR */
    [2] = {1, FORM_UINT},     /* UCHAR */
    [3] = {2, FORM_INT},      /* SHORT */
    [4] = {2, FORM_UINT},     /* USHORT */
    [5] = {4, FORM_INT},      /* INT */
    [6] = {4, FORM_UINT},     /* UINT */
    [7] = {8, FORM_INT},      /* LONG */
    [8] = {8, FORM_UINT},     /* ULONG */
    [9] = {8, FORM_INT},      /* LONGLONG */
    [10] = {8, FORM_UINT},    /* ULONGLONG */
    [11] = {1, FORM_INT},     /* INT8 */
    [12] = {1, FORM_UINT},    /* UINT8 */
    [13] = {2, FORM_INT},     /* INT16 */
    [14] = {2, FORM_UINT},    /* UINT16 */
    [15] = {4, FORM_INT},     /* INT32 */
    [16] = {4, FORM_UINT},    /* UINT32 */
    [17] = {8, FORM_INT},     /* INT64 */
    [18] = {8, FORM_UINT},    /* UINT64 */
    [19] = {4, FORM_FLOAT},   /* FLOAT */
    [20] = {8, FORM_FLOAT},   /* DOUBLE */
    [21] = {16, FORM_HEX},    /* LONGDOUBLE */
    [22] = {8, FORM_UINT},    /* SIZE */
    [23] = {8, FORM_ADDRESS}, /* ADDRESS */
    [24] = {4, FORM_UINT},    /* WCHAR */
    [25] = {1, FORM_CHAR},    /* CHAR8 */
    [26] = {2, FORM_UINT},    /* CHAR16 */
    [27] = {4, FORM_UINT},    /* CHAR32 */
    [32] = {1, FORM_HEX},     /* BYTE */
    [33] = {16, FORM_HEX},    /* INT128 */
    [34] = {16, FORM_HEX},    /* UINT128 */
    [42] = {2, FORM_HEX},     /* FLOAT16 */
    [43] = {4, FORM_FLOAT},   /* FLOAT32 */
    [44] = {8, FORM_FLOAT},   /* FLOAT64 */
    [45] = {16, FORM_HEX},    /* FLOAT128 */
    [50] = {2, FORM_HEX},     /* BF16 */
    [52] = {4, FORM_FLOAT},   /* TF32 */
    [68] = {4, FORM_CATEGORY},
    [69] = {4, FORM_COLOR}, /* COLOR_ARGB */
    [70] = {8, FORM_UINT},  /* SCOPE_ID */
    [71] = {4, FORM_UINT},  /* PID_UINT32 */
    [72] = {8, FORM_UINT},
    [73] = {4, FORM_UINT}, /* TID_UINT32 */
    [74] = {8, FORM_UINT},
    [75] = {8, FORM_ADDRESS}, /* CSTRING: a pointer of the program */
    [76] = {8, FORM_ADDRESS},
    [77] = {8, FORM_ADDRESS},
    [78] = {8, FORM_ADDRESS},
    [80] = {8, FORM_STRING}, /* NVTX_REGISTERED_STRING_HANDLE */
};

const struct payload_type *
payload_fields_type(uint64_t type)
{
	static const struct payload_type none = {0, FORM_NONE};

	return type < sizeof(types) / sizeof(types[0]) ? &types[type] : &none;
}

/* ---- schemas ---- */

bool
payload_fields_begin(struct schema_walk *w, const struct dictionary *names,
    uint32_t domain, uint64_t schema)
{
	const struct named_id *n =
	    dictionary_find(names, RECORD_SCHEMA, domain, schema);

	if (n == NULL)
		return false;
	*w = (struct schema_walk){.names = names, .domain = domain};
	w->at = (struct record_cursor){n->blob.p, n->blob.len, true};
	w->head.type = cursor_number(&w->at);
	w->head.flags = cursor_number(&w->at);
	w->head.bytes = cursor_number(&w->at);
	w->head.pack = cursor_number(&w->at);
	w->head.entries = w->left = cursor_number(&w->at);
	return w->at.ok;
}

bool
payload_fields_is_pointer(const struct schema_field *e)
{
	return (e->flags &
		   (FIELD_POINTER | FIELD_FROM_BASE | FIELD_FROM_HERE)) != 0;
}

/* an enum has the size of its definition */
static uint64_t
size_of_enum(const struct dictionary *names, uint32_t domain, uint64_t type)
{
	const struct named_id *n =
	    dictionary_find(names, RECORD_ENUM, domain, type);
	struct record_cursor c;
	uint64_t size;

	if (n == NULL)
		return 0;
	c = (struct record_cursor){n->blob.p, n->blob.len, true};
	size = cursor_number(&c);
	return size <= 8 ? size : 0;
}

uint64_t
payload_fields_size(
    const struct dictionary *names, uint32_t domain, uint64_t type)
{
	struct schema_walk w;
	uint64_t size = payload_fields_type(type)->size;

	if (size != 0)
		return size;
	if (payload_fields_begin(&w, names, domain, type))
		return w.head.bytes;
	return size_of_enum(names, domain, type);
}

/* the bytes of an entry, as far as its definition has them */
static uint64_t
bytes_of(const struct schema_walk *w, const struct schema_field *e)
{
	uint64_t size = payload_fields_is_pointer(e)
			    ? 8
			    : payload_fields_size(w->names, w->domain, e->type);

	if (!payload_fields_is_pointer(e) &&
	    (e->flags & FIELD_ARRAY) == FIELD_FIXED)
		return e->detail < UINT32_MAX ? size * e->detail : 0;
	return size;
}

bool
payload_fields_next(struct schema_walk *w, struct schema_field *e)
{
	uint64_t align;

	if (w->left == 0)
		return false;
	w->left--;
	e->flags = cursor_number(&w->at);
	e->type = cursor_number(&w->at);
	e->detail = cursor_number(&w->at);
	e->offset = cursor_number(&w->at);
	e->name = cursor_text(&w->at);
	cursor_text(&w->at); /* its description */
	for (int i = 0; i < 3; i++)
		cursor_number(&w->at); /* flags, numerator, denominator */
	e->unit = cursor_text(&w->at);
	/* an entry without an offset follows the one before, as in C */
	e->place = e->offset;
	if (e->offset == 0 && w->end > 0 && w->head.type != UNION) {
		align = payload_fields_is_pointer(e)
			    ? 8
			    : payload_fields_size(w->names, w->domain, e->type);
		if (align > 8 || align == 0 || (align & (align - 1)) != 0)
			align = 8;
		if (w->head.pack != 0 && w->head.pack < align)
			align = w->head.pack;
		e->place = (w->end + align - 1) / align * align;
	}
	w->end = e->place + bytes_of(w, e);
	return w->at.ok;
}

/* ---- values ---- */

uint64_t
payload_fields_load(struct span data, size_t size, bool is_signed)
{
	uint64_t v = 0;

	memcpy(&v, data.p, size);
	if (is_signed && size < 8 && v >> (size * 8 - 1) != 0)
		v |= UINT64_MAX << (size * 8);
	return v;
}

bool
payload_fields_number(
    uint64_t type, struct span data, double *v, int64_t *exact)
{
	const struct payload_type *x = payload_fields_type(type);
	uint64_t u;
	float f;

	*exact = 0;
	if (x->size == 0 || data.len < x->size)
		return false;
	switch (x->form) {
	case FORM_INT:
		*exact = (int64_t)payload_fields_load(data, x->size, true);
		*v = (double)*exact;
		return true;
	case FORM_UINT:
		u = payload_fields_load(data, x->size, false);
		*v = (double)u;
		*exact = u <= INT64_MAX ? (int64_t)u : 0;
		return true;
	case FORM_FLOAT:
		if (x->size == 8) {
			memcpy(v, data.p, 8);
		} else {
			memcpy(&f, data.p, 4);
			*v = (double)f;
		}
		return true;
	default:
		return false;
	}
}
