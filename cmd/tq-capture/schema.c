/*
 * schema.c - extended payloads of NVTX: bytes, and what they mean
 *
 * Numbers of types and flags are those of nvToolsExtPayload.h (NVTX 3):
 * NVTX_PAYLOAD_ENTRY_TYPE_*, NVTX_PAYLOAD_ENTRY_FLAG_*.
 */

#include <inttypes.h>

#include "payload.h"
#include "schema.h"

enum {
	FLAG_POINTER = 1 << 1,
	FLAG_FROM_BASE = 1 << 2,
	FLAG_FROM_HERE = 1 << 3,
	FLAG_ARRAY = 7 << 4,
	ARRAY_FIXED = 1 << 4,
	ARRAY_TERMINATED = 2 << 4,
	ARRAY_LENGTH_INDEX = 3 << 4,
	FLAG_HIDE = 1 << 9,
	DEPTH_MAX = 16,
	LENGTHS_MAX = 64, /* entries that may be lengths of others */
	ELEMENTS_MAX = 4096,
	BYTES_MAX = 65536 /* of hexadecimal digits */
};

/* how a type is written */
enum form {
	FORM_NONE,
	FORM_CHAR,
	FORM_INT,
	FORM_UINT,
	FORM_FLOAT,
	FORM_ADDRESS,
	FORM_HEX,
	FORM_COLOR,
	FORM_CATEGORY,
	FORM_STRING
};

static const struct type {
	unsigned char size, form;
} types[] = {
    [1] = {1,  FORM_CHAR    }, /* CHAR */
    [2] = {1,  FORM_UINT    }, /* UCHAR */
    [3] = {2,  FORM_INT     }, /* SHORT */
    [4] = {2,  FORM_UINT    }, /* USHORT */
    [5] = {4,  FORM_INT     }, /* INT */
    [6] = {4,  FORM_UINT    }, /* UINT */
    [7] = {8,  FORM_INT     }, /* LONG */
    [8] = {8,  FORM_UINT    }, /* ULONG */
    [9] = {8,  FORM_INT     }, /* LONGLONG */
    [10] = {8,  FORM_UINT    }, /* ULONGLONG */
    [11] = {1,  FORM_INT     }, /* INT8 */
    [12] = {1,  FORM_UINT    }, /* UINT8 */
    [13] = {2,  FORM_INT     }, /* INT16 */
    [14] = {2,  FORM_UINT    }, /* UINT16 */
    [15] = {4,  FORM_INT     }, /* INT32 */
    [16] = {4,  FORM_UINT    }, /* UINT32 */
    [17] = {8,  FORM_INT     }, /* INT64 */
    [18] = {8,  FORM_UINT    }, /* UINT64 */
    [19] = {4,  FORM_FLOAT   }, /* FLOAT */
    [20] = {8,  FORM_FLOAT   }, /* DOUBLE */
    [21] = {16, FORM_HEX     }, /* LONGDOUBLE */
    [22] = {8,  FORM_UINT    }, /* SIZE */
    [23] = {8,  FORM_ADDRESS }, /* ADDRESS */
    [24] = {4,  FORM_UINT    }, /* WCHAR */
    [25] = {1,  FORM_CHAR    }, /* CHAR8 */
    [26] = {2,  FORM_UINT    }, /* CHAR16 */
    [27] = {4,  FORM_UINT    }, /* CHAR32 */
    [32] = {1,  FORM_HEX     }, /* BYTE */
    [33] = {16, FORM_HEX     }, /* INT128 */
    [34] = {16, FORM_HEX     }, /* UINT128 */
    [42] = {2,  FORM_HEX     }, /* FLOAT16 */
    [43] = {4,  FORM_FLOAT   }, /* FLOAT32 */
    [44] = {8,  FORM_FLOAT   }, /* FLOAT64 */
    [45] = {16, FORM_HEX     }, /* FLOAT128 */
    [50] = {2,  FORM_HEX     }, /* BF16 */
    [52] = {4,  FORM_FLOAT   }, /* TF32 */
    [68] = {4,  FORM_CATEGORY},
    [69] = {4,  FORM_COLOR   }, /* COLOR_ARGB */
    [70] = {8,  FORM_UINT    }, /* SCOPE_ID */
    [71] = {4,  FORM_UINT    }, /* PID_UINT32 */
    [72] = {8,  FORM_UINT    },
    [73] = {4,  FORM_UINT    }, /* TID_UINT32 */
    [74] = {8,  FORM_UINT    },
    [75] = {8,  FORM_ADDRESS }, /* CSTRING: a pointer of the program */
    [76] = {8,  FORM_ADDRESS },
    [77] = {8,  FORM_ADDRESS },
    [78] = {8,  FORM_ADDRESS },
    [80] = {8,  FORM_STRING  }, /* NVTX_REGISTERED_STRING_HANDLE */
};

enum { CSTRING = 75, CSTRING_UTF8 = 76 };

static const struct type *
type_of(uint64_t type)
{
	static const struct type none = {0, FORM_NONE};

	return type < sizeof(types) / sizeof(types[0]) ? &types[type] : &none;
}

/* ---- schemas ---- */

bool
schema_begin(struct schema_walk *w, const struct names *names, uint32_t domain,
    uint64_t schema)
{
	const struct name *n = names_find(names, RECORD_SCHEMA, domain, schema);

	if (n == NULL)
		return false;
	*w = (struct schema_walk){.names = names, .domain = domain};
	w->at = (struct cursor){n->blob.p, n->blob.len, true};
	w->head.type = cursor_number(&w->at);
	w->head.flags = cursor_number(&w->at);
	w->head.bytes = cursor_number(&w->at);
	w->head.pack = cursor_number(&w->at);
	w->head.entries = w->left = cursor_number(&w->at);
	return w->at.ok;
}

static bool
is_pointer(const struct schema_entry *e)
{
	return (e->flags & (FLAG_POINTER | FLAG_FROM_BASE | FLAG_FROM_HERE)) !=
	       0;
}

/* the enum of NVTX has the size of its definition */
static uint64_t
size_of_enum(const struct names *names, uint32_t domain, uint64_t type)
{
	const struct name *n = names_find(names, RECORD_ENUM, domain, type);
	struct cursor c;
	uint64_t size;

	if (n == NULL)
		return 0;
	c = (struct cursor){n->blob.p, n->blob.len, true};
	size = cursor_number(&c);
	return size <= 8 ? size : 0;
}

uint64_t
schema_size(const struct names *names, uint32_t domain, uint64_t type)
{
	struct schema_walk w;
	uint64_t size = type_of(type)->size;

	if (size != 0)
		return size;
	if (schema_begin(&w, names, domain, type))
		return w.head.bytes;
	return size_of_enum(names, domain, type);
}

/* the bytes of an entry, as far as its definition tells them */
static uint64_t
bytes_of(const struct schema_walk *w, const struct schema_entry *e)
{
	uint64_t size =
	    is_pointer(e) ? 8 : schema_size(w->names, w->domain, e->type);

	if (!is_pointer(e) && (e->flags & FLAG_ARRAY) == ARRAY_FIXED)
		return e->detail < UINT32_MAX ? size * e->detail : 0;
	return size;
}

bool
schema_next(struct schema_walk *w, struct schema_entry *e)
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
	/* one that is not told follows the one before, as in C */
	e->place = e->offset;
	if (e->offset == 0 && w->end > 0) {
		align = is_pointer(e)
			    ? 8
			    : schema_size(w->names, w->domain, e->type);
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

/* size bytes, the lowest first, as on all machines of CUDA */
static uint64_t
load(struct span data, size_t size, bool is_signed)
{
	uint64_t v = 0;

	memcpy(&v, data.p, size);
	if (is_signed && size < 8 && v >> (size * 8 - 1) != 0)
		v |= UINT64_MAX << (size * 8);
	return v;
}

bool
schema_number(uint64_t type, struct span data, double *v, int64_t *exact)
{
	const struct type *x = type_of(type);
	float f;

	*exact = 0;
	if (x->size == 0 || data.len < x->size)
		return false;
	switch (x->form) {
	case FORM_INT:
		*exact = (int64_t)load(data, x->size, true);
		*v = (double)*exact;
		return true;
	case FORM_UINT:
		*exact = (int64_t)load(data, x->size, false);
		*v = (double)(uint64_t)*exact;
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

static void
add_hex(struct text *t, struct span data)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = data.len < BYTES_MAX ? data.len : BYTES_MAX;

	text_add_char(t, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)data.p[i];

		text_add_char(t, digits[c >> 4]);
		text_add_char(t, digits[c & 15]);
	}
	text_add_char(t, '"');
}

static void
add_address(struct text *t, uint64_t v)
{
	text_add_char(t, '"');
	text_add_hex(t, v);
	text_add_char(t, '"');
}

static void
add_name(struct text *t, const struct name *n, uint64_t number)
{
	if (n != NULL)
		text_add_span(t, n->json);
	else
		payload_add_unsigned(t, number);
}

struct decoder {
	struct text *t;
	const struct names *names;
	uint32_t domain;
	int depth;
};

/* a value of a type of NVTX itself; data has its bytes */
static void
add_basic(const struct decoder *d, const struct type *x, uint64_t type,
    struct span data)
{
	struct text *t = d->t;
	int64_t exact;
	double v;
	uint64_t u;

	switch (x->form) {
	case FORM_CHAR:
		text_add_json(t, data.p, 1);
		break;
	case FORM_INT:
		payload_add_signed(t, (int64_t)load(data, x->size, true));
		break;
	case FORM_UINT:
		payload_add_unsigned(t, load(data, x->size, false));
		break;
	case FORM_FLOAT:
		if (schema_number(type, data, &v, &exact))
			text_add_double(t, v);
		break;
	case FORM_ADDRESS:
		add_address(t, load(data, 8, false));
		break;
	case FORM_COLOR:
		text_printf(t, "\"#%06x\"",
		    (unsigned)(load(data, 4, false) & 0xffffff));
		break;
	case FORM_CATEGORY:
		u = load(data, 4, false);
		add_name(
		    t, names_find(d->names, RECORD_CATEGORY, d->domain, u), u);
		break;
	case FORM_STRING:
		u = load(data, 8, false);
		add_name(t, names_at(d->names, RECORD_STRING, u), u);
		break;
	default:
		add_hex(t, (struct span){data.p, x->size});
	}
}

/* the name that an enum of the program gives to a value, or the value */
static void
add_enum(const struct decoder *d, const struct name *n, struct span data)
{
	struct cursor c = {n->blob.p, n->blob.len, true};
	uint64_t size = cursor_number(&c), left = cursor_number(&c), v;

	if (size > 8 || size == 0 || size > data.len) {
		add_hex(d->t, data);
		return;
	}
	v = load(data, size, false);
	while (c.ok && left-- > 0) {
		uint64_t value = cursor_number(&c);
		struct span name;

		cursor_number(&c); /* is it a flag? */
		name = cursor_text(&c);
		if (c.ok && value == v) {
			text_add_json(d->t, name.p, name.len);
			return;
		}
	}
	payload_add_unsigned(d->t, v);
}

static void add_schema(
    struct decoder *d, struct schema_walk *w, struct span data);

/* one value of any type, from the beginning of data */
static void
add_one(struct decoder *d, uint64_t type, struct span data)
{
	const struct type *x = type_of(type);
	struct schema_walk w;
	const struct name *n;

	if (x->form != FORM_NONE && data.len >= x->size) {
		add_basic(d, x, type, data);
	} else if (d->depth < DEPTH_MAX &&
		   schema_begin(&w, d->names, d->domain, type)) {
		d->depth++;
		add_schema(d, &w, data);
		d->depth--;
	} else if ((n = names_find(d->names, RECORD_ENUM, d->domain, type)) !=
		   NULL) {
		add_enum(d, n, data);
	} else {
		add_hex(d->t, data);
	}
}

/* count values one behind the other */
static void
add_array(struct decoder *d, uint64_t type, struct span data, uint64_t count)
{
	uint64_t size = schema_size(d->names, d->domain, type);

	if (type_of(type)->form == FORM_CHAR) {
		size_t n = strnlen(
		    data.p, count < data.len ? (size_t)count : data.len);

		text_add_json(d->t, data.p, n);
		return;
	}
	text_add_char(d->t, '[');
	for (uint64_t i = 0;
	     size > 0 && i < count && i < ELEMENTS_MAX && data.len >= size;
	     i++) {
		if (i > 0)
			text_add_char(d->t, ',');
		add_one(d, type, (struct span){data.p, size});
		data.p += size;
		data.len -= size;
	}
	text_add_char(d->t, ']');
}

/* how many values there are before one that is all zeros */
static uint64_t
count_terminated(uint64_t size, struct span data)
{
	uint64_t n = 0;

	for (; size > 0 && size <= 8 && data.len >= size; n++) {
		if (load(data, size, false) == 0)
			break;
		data.p += size;
		data.len -= size;
	}
	return n;
}

static void
add_entry(struct decoder *d, const struct schema_entry *e, struct span data,
    const uint64_t *lengths, size_t n_lengths)
{
	uint64_t size = schema_size(d->names, d->domain, e->type);

	if (is_pointer(e)) {
		if (data.len >= 8)
			add_address(d->t, load(data, 8, false));
		else
			text_add_str(d->t, "null");
		return;
	}
	switch (e->flags & FLAG_ARRAY) {
	case ARRAY_FIXED:
		add_array(d, e->type, data, e->detail);
		break;
	case ARRAY_TERMINATED:
		add_array(d, e->type, data, count_terminated(size, data));
		break;
	case ARRAY_LENGTH_INDEX:
		add_array(d, e->type, data,
		    e->detail < n_lengths ? lengths[e->detail] : 0);
		break;
	default:
		if (size > 0 && data.len > size)
			data.len = size;
		add_one(d, e->type, data);
	}
}

static void
add_schema(struct decoder *d, struct schema_walk *w, struct span data)
{
	uint64_t lengths[LENGTHS_MAX];
	size_t n = 0;
	struct schema_entry e;
	bool first = true;
	double v;

	text_add_char(d->t, '{');
	for (; schema_next(w, &e); n++) {
		struct span rest = {NULL, 0};
		int64_t exact = 0;

		if (e.place <= data.len)
			rest =
			    (struct span){data.p + e.place, data.len - e.place};
		if (n < LENGTHS_MAX)
			lengths[n] = schema_number(e.type, rest, &v, &exact)
					 ? (uint64_t)exact
					 : 0;
		if (e.flags & FLAG_HIDE)
			continue;
		if (!first)
			text_add_char(d->t, ',');
		first = false;
		if (e.name.len > 0)
			text_add_json(d->t, e.name.p, e.name.len);
		else
			text_printf(d->t, "\"entry %zu\"", n);
		text_add_char(d->t, ':');
		add_entry(
		    d, &e, rest, lengths, n < LENGTHS_MAX ? n : LENGTHS_MAX);
	}
	text_add_char(d->t, '}');
}

void
schema_add(struct text *t, const struct names *names, uint32_t domain,
    uint64_t schema, struct span data)
{
	struct decoder d = {.t = t, .names = names, .domain = domain};

	/* a text alone is one, not the pointer to it */
	if (schema == CSTRING || schema == CSTRING_UTF8)
		text_add_json(t, data.p, strnlen(data.p, data.len));
	else
		add_one(&d, schema, data);
}
