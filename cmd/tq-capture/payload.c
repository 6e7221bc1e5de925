/* payload.c - what a program attached to a range or mark, as JSON */

#include <inttypes.h>

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

/* integers that JSON does not carry exactly are strings */
static void
add_int(struct text *t, int64_t v)
{
	bool exact = v <= EXACT && v >= -EXACT;

	if (!exact)
		text_add_char(t, '"');
	text_add_int(t, v);
	if (!exact)
		text_add_char(t, '"');
}

bool
payload_add_value(struct text *t, uint64_t type, uint64_t value)
{
	double d;
	float f;

	switch (type) {
	case PAYLOAD_UINT64:
		if (value <= (uint64_t)EXACT)
			text_printf(t, "\"uint64Value\":%" PRIu64, value);
		else
			text_printf(
			    t, "\"uint64Value\":\"%" PRIu64 "\"", value);
		return true;
	case PAYLOAD_INT64:
		text_add_str(t, "\"int64Value\":");
		add_int(t, (int64_t)value);
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
payload_add_blobs(struct text *t, const struct names *names, uint32_t domain,
    struct span blobs)
{
	(void)t;
	(void)names;
	(void)domain;
	(void)blobs;
	return false;
}
