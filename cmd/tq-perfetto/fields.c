/* fields.c - arguments that are integers and strings */

#include "fields.h"
#include "packets.h"
#include "tq/draw/args.h"

struct keyset fields_keys;
struct field fields[KEY_COUNT];

/* fields with numbers below this have a tag of one byte */
enum { SHORT = 16 };

/* keys with such tags, since they are in many records */
static const enum key frequent[SHORT] = {KEY_NONE, KEY_corr, KEY_ret, KEY_api,
    KEY_raw, KEY_grid, KEY_block, KEY_pid, KEY_tid, KEY_device, KEY_context,
    KEY_stream, KEY_id, KEY_mode, KEY_depth, KEY_parent};

static unsigned
field_number(enum key key)
{
	for (unsigned i = 1; i < SHORT; i++)
		if (frequent[i] == key)
			return i;
	return SHORT + (unsigned)key;
}

_Static_assert(SHORT + KEY_COUNT < 1 << 11, "a tag has two bytes at most");

static bool
is_field(enum key key)
{
	switch (key) {
	case KEY_sym:
	case KEY_stack:
	case KEY_name:
	case KEY_text:
	case KEY_address:
		return false;
	default:
		return schema_keys[key].type == TYPE_INT ||
		       schema_keys[key].type == TYPE_INTS ||
		       schema_keys[key].type == TYPE_STR;
	}
}

__attribute__((constructor)) static void
fill_fields(void)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		struct field *f = &fields[i];
		char *end;

		if (is_field((enum key)i))
			keyset_add(&fields_keys, (enum key)i);
		end = proto_put_tag(
		    f->tag, field_number((enum key)i), PROTO_VARINT);
		f->tag_len = (unsigned char)(end - f->tag);
		f->type = (unsigned char)schema_keys[i].type;
		f->key = (unsigned char)i;
	}
}

/* the number of digits at p, up to 8 */
static size_t
count_digits(const char *p)
{
	uint64_t v, hit;

	memcpy(&v, p, 8);
	v ^= WORDS_ONES * '0';
	/* bytes above 9; only the lowest hit is exact */
	hit = ((v + WORDS_ONES * (0x80 - 10)) | v) & WORDS_HIGHS;
	return hit != 0 ? (size_t)__builtin_ctzll(hit) / 8 : 8;
}

/* read an integer at p into *v; returns its end, or NULL if there is none */
static const char *
read_int(const char *p, uint64_t *v)
{
	const char *start;
	uint64_t sign = *p == '-';

	p += sign;
	*v = 0;
	for (start = p; (unsigned char)(*p - '0') <= 9; p++)
		*v = *v * 10 + (unsigned char)(*p - '0');
	*v = (*v ^ (0 - sign)) + sign;
	return p > start && p - start <= 18 ? p : NULL;
}

char *
fields_put_ints(char *p, const struct field *f, struct span json)
{
	const char *at = json.p + 1, *end = json.p + json.len - 1;
	uint64_t v;
	size_t n;

	for (; at < end; at++) {
		p = fields_put_tag(p, f);
		n = count_digits(at);
		if (n == 1)
			*p++ = (char)(*at - '0');
		else if (n - 1 < 7)
			p = proto_put_small(p, words_number(at, n));
		if (n - 1 < 7)
			at += n;
		else if ((at = read_int(at, &v)) != NULL)
			p = proto_put(p, v);
		if (at == NULL || (at < end && *at != ','))
			return NULL;
	}
	return p;
}

/* ---- the descriptor ---- */

/* fields of FileDescriptorProto and of its messages */
enum {
	FILE_NAME = 1,
	FILE_PACKAGE = 2,
	FILE_MESSAGE = 4,
	FILE_ENUM = 5,
	MESSAGE_NAME = 1,
	MESSAGE_FIELD = 2,
	MESSAGE_EXTENSION = 6,
	FIELD_NAME = 1,
	FIELD_EXTENDS = 2,
	FIELD_NUMBER = 3,
	FIELD_LABEL = 4,
	FIELD_TYPE = 5,
	FIELD_TYPE_NAME = 6,
	ENUM_NAME = 1,
	ENUM_VALUE = 2,
	VALUE_NAME = 1,
	VALUE_NUMBER = 2
};

enum { OPTIONAL = 1, REPEATED = 3, INT64 = 3, MESSAGE = 11, ENUM = 14 };

static void
describe_field(struct text *t, enum key key)
{
	enum type type = schema_keys[key].type;
	size_t field = proto_open(t, MESSAGE_FIELD);

	proto_bytes(t, FIELD_NAME, args_name(key));
	proto_uint(t, FIELD_NUMBER, field_number(key));
	proto_uint(t, FIELD_LABEL, type == TYPE_INTS ? REPEATED : OPTIONAL);
	proto_uint(t, FIELD_TYPE, type == TYPE_STR ? ENUM : INT64);
	if (type == TYPE_STR)
		proto_bytes(t, FIELD_TYPE_NAME, SPAN(".tq.Value"));
	proto_close(t, field);
}

static void
describe_args(struct text *t)
{
	size_t message = proto_open(t, FILE_MESSAGE);

	proto_bytes(t, MESSAGE_NAME, SPAN("Args"));
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keyset_has(&fields_keys, (enum key)i))
			describe_field(t, (enum key)i);
	proto_close(t, message);
}

static void
describe_slice(struct text *t)
{
	size_t message = proto_open(t, FILE_MESSAGE), field;

	proto_bytes(t, MESSAGE_NAME, SPAN("Slice"));
	field = proto_open(t, MESSAGE_EXTENSION);
	proto_bytes(t, FIELD_NAME, SPAN("debug"));
	proto_bytes(t, FIELD_EXTENDS, SPAN(".perfetto.protos.TrackEvent"));
	proto_uint(t, FIELD_NUMBER, FIELDS_EVENT);
	proto_uint(t, FIELD_LABEL, OPTIONAL);
	proto_uint(t, FIELD_TYPE, MESSAGE);
	proto_bytes(t, FIELD_TYPE_NAME, SPAN(".tq.Args"));
	proto_close(t, field);
	proto_close(t, message);
}

void
fields_add_value(struct text *values, struct span s, uint32_t number_of)
{
	size_t value = proto_open(values, ENUM_VALUE);

	proto_string(values, VALUE_NAME, s);
	proto_uint(values, VALUE_NUMBER, number_of);
	proto_close(values, value);
}

void
fields_describe(struct text *t, struct span values, bool only_values)
{
	size_t descriptor = proto_open(t, PACKET_EXTENSION);
	size_t set = proto_open(t, 1), file = proto_open(t, 1), values_at;

	proto_bytes(t, FILE_NAME, SPAN("tq.proto"));
	proto_bytes(t, FILE_PACKAGE, SPAN("tq"));
	values_at = proto_open(t, FILE_ENUM);
	proto_bytes(t, ENUM_NAME, SPAN("Value"));
	text_add_span(t, values);
	proto_close(t, values_at);
	if (!only_values) {
		describe_args(t);
		describe_slice(t);
	}
	proto_close(t, file);
	proto_close(t, set);
	proto_close(t, descriptor);
}
