/* annotations.c - debug annotations as JSON */

#include "annotations.h"
#include "read/proto_reader.h"
#include "tq/line/json.h"

/* fields of DebugAnnotation; those of the old nested value are apart */
enum {
	NOTE_NAME_IID = 1,
	NOTE_BOOL = 2,
	NOTE_UINT = 3,
	NOTE_INT = 4,
	NOTE_DOUBLE = 5,
	NOTE_STRING = 6,
	NOTE_POINTER = 7,
	NOTE_JSON = 9,
	NOTE_NAME = 10,
	NOTE_MEMBER = 11,
	NOTE_ELEMENT = 12,
	NOTE_STRING_IID = 17
};

#define EXACT ((int64_t)1 << 53)

void
annotations_int(struct text *t, int64_t v)
{
	if (v >= -EXACT && v <= EXACT)
		text_add_int(t, v);
	else
		text_printf(t, "\"%lld\"", (long long)v);
}

static void
add_unsigned(struct text *t, uint64_t v)
{
	if (v <= (uint64_t)EXACT)
		text_add_int(t, (int64_t)v);
	else
		text_printf(t, "\"%llu\"", (unsigned long long)v);
}

static void
add_text(struct text *t, struct span s)
{
	text_add_json(t, s.p, s.len);
}

struct span
annotations_name(const struct sequence *q, struct span annotation)
{
	struct proto_field f;

	if (proto_reader_find(annotation, NOTE_NAME, &f) && f.bytes.p != NULL)
		return f.bytes;
	if (!proto_reader_find(annotation, NOTE_NAME_IID, &f))
		return SPAN("");
	return sequence_text(q, SEQUENCE_NOTES, f.v);
}

/* the most objects and lists of a validated value that are in each other */
static int
nesting(struct span json)
{
	const char *p = json.p, *end = p + json.len, *error;
	int open = 0, most = 0;

	while (p < end) {
		open += *p == '{' || *p == '[';
		open -= *p == '}' || *p == ']';
		most = open > most ? open : most;
		p = *p == '"' ? json_string(p, end, &error) : p + 1;
	}
	return most;
}

/* JSON is a value, unless it is too deep, or none */
static void
add_json(struct text *t, struct span s, int depth)
{
	if (json_valid(s) && nesting(s) <= ANNOTATIONS_DEPTH - depth)
		json_respell(t, s);
	else
		add_text(t, s);
}

/* false where the field is no value */
static bool
add_single(struct text *t, const struct sequence *q,
    const struct proto_field *f, int depth)
{
	double d;

	switch (f->number) {
	case NOTE_BOOL:
		text_add_str(t, f->v != 0 ? "true" : "false");
		break;
	case NOTE_UINT:
		add_unsigned(t, f->v);
		break;
	case NOTE_INT:
		annotations_int(t, (int64_t)f->v);
		break;
	case NOTE_DOUBLE:
		memcpy(&d, &f->v, sizeof(d));
		text_add_double(t, d);
		break;
	case NOTE_POINTER:
		text_add_char(t, '"');
		text_add_hex(t, f->v);
		text_add_char(t, '"');
		break;
	case NOTE_STRING:
		add_text(t, f->bytes);
		break;
	case NOTE_JSON:
		add_json(t, f->bytes, depth);
		break;
	case NOTE_STRING_IID:
		add_text(t, sequence_text(q, SEQUENCE_STRINGS, f->v));
		break;
	default:
		return false;
	}
	return true;
}

static void add_value(
    struct text *t, const struct sequence *q, struct span note, int depth);

/* all fields of that number, as members or elements */
static void
add_nested(struct text *t, const struct sequence *q, struct span note,
    uint32_t number, int depth)
{
	struct proto_reader r = proto_reader(note);
	struct proto_field f;
	bool members = number == NOTE_MEMBER, any = false;

	text_add_char(t, members ? '{' : '[');
	while (proto_reader_next(&r, &f)) {
		if (f.number != number || f.bytes.p == NULL)
			continue;
		if (any)
			text_add_char(t, ',');
		any = true;
		if (members) {
			add_text(t, annotations_name(q, f.bytes));
			text_add_char(t, ':');
		}
		add_value(t, q, f.bytes, depth + 1);
	}
	text_add_char(t, members ? '}' : ']');
}

static void
add_value(struct text *t, const struct sequence *q, struct span note, int depth)
{
	struct proto_reader r = proto_reader(note);
	struct proto_field f;

	while (depth < ANNOTATIONS_DEPTH && proto_reader_next(&r, &f)) {
		if (f.number == NOTE_MEMBER || f.number == NOTE_ELEMENT) {
			add_nested(t, q, note, f.number, depth);
			return;
		}
		/* a number that should be bytes, or the other way round */
		if ((f.bytes.p != NULL) !=
		    (f.number == NOTE_STRING || f.number == NOTE_JSON))
			continue;
		if (add_single(t, q, &f, depth))
			return;
	}
	text_add_str(t, "null");
}

void
annotations_value(
    struct text *t, const struct sequence *q, struct span annotation)
{
	add_value(t, q, annotation, 0);
}
