/* notes.c - debug annotations of a track event */

#include <errno.h>
#include <stdlib.h>

#include "notes.h"
#include "tq/line/json.h"
#include "tq/base/mem.h"

enum { INTERNED_MAX = 16 << 10 }; /* bytes of a string that is interned */

/* ---- values ---- */

/* the bytes of a string; in the line, if nothing is escaped */
static struct span
bytes_of(struct text *t, struct span json)
{
	struct span s = {json.p + 1, json.len - 2};

	if (memchr(s.p, '\\', s.len) == NULL)
		return s;
	json_decode(t, json);
	return text_span(t);
}

static void
add_string(struct packets *p, struct span s)
{
	struct text *b = &p->out->buf;

	if (s.len > INTERNED_MAX)
		proto_string(b, NOTE_STRING, s);
	else
		proto_uint(b, NOTE_INTERNED, packets_intern(p, LIST_STRING, s));
}

static void
add_number(struct text *b, struct span json)
{
	char small[64], *copy = small, *end;
	int64_t v;
	uint64_t u;
	size_t n = json.len;

	if (json_int(json, &v)) {
		proto_uint(b, NOTE_INT, (uint64_t)v);
		return;
	}
	if (n >= sizeof(small))
		copy = mem_copy(json.p, n);
	else {
		memcpy(small, json.p, n);
		small[n] = '\0';
	}
	errno = 0;
	u = strtoull(copy, &end, 10);
	if (errno == 0 && *copy != '-' && *end == '\0')
		proto_uint(b, NOTE_UINT, u);
	else
		proto_double(b, NOTE_DOUBLE, strtod(copy, NULL));
	if (copy != small)
		free(copy);
}

static void add_members(struct packets *p, struct span object);

/* the parser has limited the depth of recursion */
void
notes_value(struct packets *p, struct span json)
{
	struct text *b = &p->out->buf, decoded = {0};
	struct json j;
	struct span v;
	size_t element;

	if (span_eq(json, SPAN("[]")) || span_eq(json, SPAN("{}"))) {
		proto_string(b, NOTE_JSON, json);
		return;
	}
	switch (*json.p) {
	case '"':
		add_string(p, bytes_of(&decoded, json));
		text_free(&decoded);
		break;
	case '{':
		add_members(p, json);
		break;
	case '[':
		json_open_array(&j, json);
		while (json_next_element(&j, &v)) {
			element = proto_open(b, NOTE_ELEMENT);
			notes_value(p, v);
			proto_close(b, element);
		}
		break;
	case 't':
	case 'f':
		proto_uint(b, NOTE_BOOL, *json.p == 't');
		break;
	case 'n':
		add_string(p, SPAN("null"));
		break;
	default:
		add_number(b, json);
	}
}

/* ---- objects ---- */

void
notes_members(struct packets *p, unsigned field, const struct args *m)
{
	struct text *b = &p->out->buf;

	for (size_t i = 0; i < m->count; i++) {
		const struct arg *x = &m->all[i];
		size_t note = proto_open(b, field);

		/* an empty name cannot be queried */
		proto_uint(b, NOTE_KEY,
		    packets_intern(p, LIST_KEY,
			x->key.len > 0 ? x->key : SPAN("(no name)")));
		notes_value(p, x->value);
		proto_close(b, note);
	}
}

static void
add_members(struct packets *p, struct span object)
{
	struct args m = {0};

	args_of(&m, object);
	notes_members(p, NOTE_MEMBER, &m);
	args_free(&m);
}
