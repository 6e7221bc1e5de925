/*
 * payload.c - payloads of NVTX as members of JSON
 */

#include <inttypes.h>

#include "payload.h"
#include "payload_fields.h"

/* nvtxPayloadType_t (nvToolsExt.h) */
enum {
	PAYLOAD_UINT64 = 1,
	PAYLOAD_INT64,
	PAYLOAD_DOUBLE,
	PAYLOAD_UINT32,
	PAYLOAD_INT32,
	PAYLOAD_FLOAT
};

enum {
	DEPTH_MAX = 16,
	LENGTHS_MAX = 64, /* entries that may be lengths of others */
	ELEMENTS_MAX = 4096,
	BYTES_MAX = 32768, /* of hexadecimal digits */
	TEXT_MAX = 1 << 18 /* schemas may contain themselves */
};

/* NVTX_PAYLOAD_ENTRY_TYPE_* (nvToolsExtPayload.h) */
enum { CSTRING = 75, CSTRING_UTF8 = 76 };

/* integers up to here are exact as numbers of JSON */
static const int64_t EXACT = INT64_C(1) << 53;

static void
add_unsigned(struct text *t, uint64_t v)
{
	if (v <= (uint64_t)EXACT)
		text_add_int(t, (int64_t)v);
	else
		text_printf(t, "\"%" PRIu64 "\"", v);
}

static void
add_signed(struct text *t, int64_t v)
{
	if (v <= EXACT && v >= -EXACT)
		text_add_int(t, v);
	else
		text_printf(t, "\"%" PRId64 "\"", v);
}

/* ---- the value of an attribute ---- */

bool
payload_add_value(struct text *t, uint64_t type, uint64_t value)
{
	double d;
	float f;

	switch (type) {
	case PAYLOAD_UINT64:
		text_add_str(t, "\"uint64Value\":");
		add_unsigned(t, value);
		return true;
	case PAYLOAD_INT64:
		text_add_str(t, "\"int64Value\":");
		add_signed(t, (int64_t)value);
		return true;
	case PAYLOAD_DOUBLE:
		memcpy(&d, &value, sizeof(d));
		text_add_str(t, "\"doubleValue\":");
		text_add_double(t, d);
		return true;
	case PAYLOAD_UINT32:
		text_printf(t, "\"uint32Value\":%" PRIu32, (uint32_t)value);
		return true;
	case PAYLOAD_INT32:
		text_printf(t, "\"int32Value\":%" PRId32, (int32_t)value);
		return true;
	case PAYLOAD_FLOAT:
		memcpy(&f, &value, sizeof(f));
		text_add_str(t, "\"floatValue\":");
		text_add_double(t, (double)f);
		return true;
	default:
		return false;
	}
}

/* ---- extended payloads ---- */

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
add_name(struct text *t, const struct named_id *n, uint64_t number)
{
	if (n != NULL)
		text_add_span(t, n->json);
	else
		add_unsigned(t, number);
}

struct decoder {
	struct text *t;
	const struct dictionary *names;
	uint32_t domain;
	int depth;
	size_t most; /* once t is longer, nothing more begins */
};

/* a value of a type of NVTX itself; data has all of it */
static void
add_basic(const struct decoder *d, const struct payload_type *x, uint64_t type,
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
		add_signed(
		    t, (int64_t)payload_fields_load(data, x->size, true));
		break;
	case FORM_UINT:
		add_unsigned(t, payload_fields_load(data, x->size, false));
		break;
	case FORM_FLOAT:
		if (payload_fields_number(type, data, &v, &exact))
			text_add_double(t, v);
		break;
	case FORM_ADDRESS:
		add_address(t, payload_fields_load(data, 8, false));
		break;
	case FORM_COLOR:
		text_printf(t, "\"#%06x\"",
		    (unsigned)(payload_fields_load(data, 4, false) & 0xffffff));
		break;
	case FORM_CATEGORY:
		u = payload_fields_load(data, 4, false);
		add_name(t,
		    dictionary_find(d->names, RECORD_CATEGORY, d->domain, u),
		    u);
		break;
	case FORM_STRING:
		u = payload_fields_load(data, 8, false);
		add_name(
		    t, dictionary_find_address(d->names, RECORD_STRING, u), u);
		break;
	default:
		add_hex(t, (struct span){data.p, x->size});
	}
}

/* the name of a value in an enum of the program, or the value */
static void
add_enum(const struct decoder *d, const struct named_id *n, struct span data)
{
	struct record_cursor c = {n->blob.p, n->blob.len, true};
	uint64_t size = cursor_number(&c), left = cursor_number(&c), v;

	if (size > 8 || size == 0 || size > data.len) {
		add_hex(d->t, data);
		return;
	}
	v = payload_fields_load(data, size, false);
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
	add_unsigned(d->t, v);
}

static void add_schema(
    struct decoder *d, struct schema_walk *w, struct span data);

/* a value of any type, from the beginning of data */
static void
add_one(struct decoder *d, uint64_t type, struct span data)
{
	const struct payload_type *x = payload_fields_type(type);
	struct schema_walk w;
	const struct named_id *n;

	if (x->form != FORM_NONE && data.len >= x->size) {
		add_basic(d, x, type, data);
	} else if (d->depth < DEPTH_MAX &&
		   payload_fields_begin(&w, d->names, d->domain, type)) {
		d->depth++;
		add_schema(d, &w, data);
		d->depth--;
	} else if ((n = dictionary_find(
			d->names, RECORD_ENUM, d->domain, type)) != NULL) {
		add_enum(d, n, data);
	} else {
		add_hex(d->t, data);
	}
}

/* an array of count values */
static void
add_array(struct decoder *d, uint64_t type, struct span data, uint64_t count)
{
	uint64_t size = payload_fields_size(d->names, d->domain, type);

	if (payload_fields_type(type)->form == FORM_CHAR) {
		size_t n = strnlen(
		    data.p, count < data.len ? (size_t)count : data.len);

		text_add_json(d->t, data.p, n);
		return;
	}
	text_add_char(d->t, '[');
	for (uint64_t i = 0; size > 0 && i < count && i < ELEMENTS_MAX &&
			     data.len >= size && d->t->len < d->most;
	     i++) {
		if (i > 0)
			text_add_char(d->t, ',');
		add_one(d, type, (struct span){data.p, size});
		data.p += size;
		data.len -= size;
	}
	text_add_char(d->t, ']');
}

/* how many values stand before one that is 0 */
static uint64_t
count_terminated(uint64_t size, struct span data)
{
	uint64_t n = 0;

	for (; size > 0 && size <= 8 && data.len >= size; n++) {
		if (payload_fields_load(data, size, false) == 0)
			break;
		data.p += size;
		data.len -= size;
	}
	return n;
}

static void
add_entry(struct decoder *d, const struct schema_field *e, struct span data,
    const uint64_t *lengths, size_t n_lengths)
{
	uint64_t size = payload_fields_size(d->names, d->domain, e->type);

	if (payload_fields_is_pointer(e)) {
		if (data.len >= 8)
			add_address(d->t, payload_fields_load(data, 8, false));
		else
			text_add_str(d->t, "null");
		return;
	}
	switch (e->flags & FIELD_ARRAY) {
	case FIELD_FIXED:
		add_array(d, e->type, data, e->detail);
		break;
	case FIELD_TERMINATED:
		add_array(d, e->type, data, count_terminated(size, data));
		break;
	case FIELD_LENGTH_INDEX:
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
	struct schema_field e;
	bool first = true;
	double v;

	text_add_char(d->t, '{');
	for (; d->t->len < d->most && payload_fields_next(w, &e); n++) {
		struct span rest = {"", 0};
		int64_t exact = 0;

		if (e.place <= data.len)
			rest =
			    (struct span){data.p + e.place, data.len - e.place};
		if (n < LENGTHS_MAX)
			lengths[n] =
			    payload_fields_number(e.type, rest, &v, &exact)
				? (uint64_t)exact
				: 0;
		if (e.flags & FIELD_HIDE)
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

/*
 * Append the values of the bytes by the schema or type, as objects and arrays
 * of JSON: bytes without a schema as a string of hexadecimal digits, and
 * nothing of values that are nested too deep, or too many to read.
 */
static void
add_blob(struct text *t, const struct dictionary *names, uint32_t domain,
    uint64_t schema, struct span data)
{
	struct decoder d = {.t = t,
	    .names = names,
	    .domain = domain,
	    .most = t->len + TEXT_MAX};

	/* a blob that is a text has its bytes, not a pointer */
	if (schema == CSTRING || schema == CSTRING_UTF8)
		text_add_json(t, data.p, strnlen(data.p, data.len));
	else
		add_one(&d, schema, data);
}

bool
payload_add_blobs(struct text *t, const char *key,
    const struct dictionary *names, uint32_t domain, struct span blobs)
{
	struct record_cursor c = {blobs.p, blobs.len, true};
	struct text all = {0};
	size_t n = 0;

	for (; c.left > 0; n++) {
		uint64_t schema = cursor_number(&c);
		struct span data = cursor_text(&c);

		if (!c.ok)
			break;
		if (n > 0)
			text_add_char(&all, ',');
		add_blob(&all, names, domain, schema, data);
	}
	if (n > 0)
		text_printf(t, n > 1 ? "\"%s\":[" : "\"%s\":", key);
	text_add_span(t, text_span(&all));
	if (n > 1)
		text_add_char(t, ']');
	text_free(&all);
	return n > 0;
}

struct span
payload_name(const struct dictionary *names, uint32_t domain, struct span blobs)
{
	struct record_cursor c = {blobs.p, blobs.len, true};
	const struct named_id *n =
	    dictionary_find(names, RECORD_SCHEMA, domain, cursor_number(&c));

	return n != NULL ? n->text : (struct span){NULL, 0};
}
