/* payload.c - what a program attached to a range or mark, as JSON */

#include <inttypes.h>

#include "decode.h"
#include "payload.h"

/* nvtxPayloadType_t (nvToolsExt.h) */
enum {
	PAYLOAD_UINT64 = 1,
	PAYLOAD_INT64,
	PAYLOAD_DOUBLE,
	PAYLOAD_UINT32,
	PAYLOAD_INT32,
	PAYLOAD_FLOAT
};

static const int64_t EXACT = INT64_C(1) << 53;

void
payload_add_unsigned(struct text *t, uint64_t v)
{
	if (v <= (uint64_t)EXACT)
		text_add_int(t, (int64_t)v);
	else
		text_printf(t, "\"%" PRIu64 "\"", v);
}

void
payload_add_signed(struct text *t, int64_t v)
{
	if (v <= EXACT && v >= -EXACT)
		text_add_int(t, v);
	else
		text_printf(t, "\"%" PRId64 "\"", v);
}

bool
payload_add_value(struct text *t, uint64_t type, uint64_t value)
{
	double d;
	float f;

	switch (type) {
	case PAYLOAD_UINT64:
		text_add_str(t, "\"uint64Value\":");
		payload_add_unsigned(t, value);
		return true;
	case PAYLOAD_INT64:
		text_add_str(t, "\"int64Value\":");
		payload_add_signed(t, (int64_t)value);
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
		decode_add(&all, names, domain, schema, data);
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
