/*
 * perfetto.c - a trace of whatever came: each packet and each message in it
 * is read back, with lengths, varints, times and strings as they should be
 */

#include <string.h>

#include "../../cmd/tq-perfetto/fields.h"
#include "../../cmd/tq-perfetto/notes.h"
#include "../../cmd/tq-perfetto/perfetto_trace.h"
#include "fuzz.h"
#include "tq/draw/layout.h"
#include "tq/line/json.h"

/* a message: where it ends, and how deep it lies */
struct reading {
	const char *p, *end;
	unsigned depth;
};

/* field numbers of messages in messages, by the message: 0 ends */
enum message { TRACE, PACKET, INTERNED, EVENT, ARGS, NOTE, TRACK, OTHER };

static uint64_t
read_varint(struct reading *r)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char c;

	do {
		REQUIRE(r->p < r->end && shift < 70);
		c = (unsigned char)*r->p++;
		v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	REQUIRE(shift == 7 || c != 0); /* no longer than it need be */
	return v;
}

static enum message
kind_of(enum message in, uint64_t field)
{
	switch (in) {
	case TRACE:
		REQUIRE(field == 1);
		return PACKET;
	case PACKET:
		return field == PACKET_TRACK_EVENT ? EVENT
		       : field == PACKET_INTERNED  ? INTERNED
		       : field == PACKET_TRACK     ? TRACK
						   : OTHER;
	case EVENT:
		return field == NOTES_FIELD    ? NOTE
		       : field == FIELDS_EVENT ? ARGS
					       : OTHER;
	case NOTE:
		return field == 11 || field == 12 ? NOTE : OTHER;
	default:
		return OTHER;
	}
}

static void
check_utf8(struct span s)
{
	struct text t = {0};

	REQUIRE(text_add_json(&t, s.p, s.len) == 0);
	text_free(&t);
}

static void read_message(struct reading r, enum message kind);

static void
read_bytes(struct reading *r, enum message in, uint64_t field)
{
	uint64_t len = read_varint(r);
	enum message kind = kind_of(in, field);
	struct reading inner = {r->p, r->p + len, r->depth + 1};

	REQUIRE(len <= (uint64_t)(r->end - r->p));
	if (kind != OTHER)
		read_message(inner, kind);
	else if (in == INTERNED) {
		/* a number, and a text or numbers */
		REQUIRE(read_varint(&inner) == 8);
		REQUIRE(read_varint(&inner) > 0);
		if (field != INTERNED_CALLSTACKS && field != INTERNED_FRAMES &&
		    field != INTERNED_CONTEXTS && field != INTERNED_STAGES &&
		    field != INTERNED_KERNELS) {
			REQUIRE(read_varint(&inner) == (2 << 3 | 2));
			REQUIRE(read_varint(&inner) ==
				(uint64_t)(inner.end - inner.p));
			check_utf8((struct span){
			    inner.p, (size_t)(inner.end - inner.p)});
		}
	} else if ((in == EVENT && field == 23) || (in == NOTE && field == 6) ||
		   (in == TRACK && field == 2))
		check_utf8((struct span){r->p, (size_t)len});
	r->p += len;
}

static void
read_message(struct reading r, enum message kind)
{
	REQUIRE(r.depth < 2 * JSON_DEPTH + 8);
	while (r.p < r.end) {
		uint64_t tag = read_varint(&r), v;

		REQUIRE(tag >> 3 >= 1 && tag >> 3 <= FIELDS_EVENT);
		REQUIRE(kind != ARGS || (tag & 7) == PROTO_VARINT);
		switch (tag & 7) {
		case PROTO_VARINT:
			v = read_varint(&r);
			if (kind == PACKET && tag >> 3 == PACKET_TIMESTAMP)
				REQUIRE(v <= INT64_MAX);
			break;
		case PROTO_FIXED64:
			REQUIRE(r.end - r.p >= 8);
			r.p += 8;
			break;
		case PROTO_BYTES:
			read_bytes(&r, kind, tag >> 3);
			break;
		default:
			abort();
		}
	}
}

static void
draw(const struct text *input, bool stages)
{
	struct output out = {.fd = -1};
	struct layout *layout;
	struct perfetto_trace trace = {.with_stages = stages};
	struct event ev = {0};

	layout = layout_new(
	    &perfetto_trace_sink, &trace, LAYOUT_FLOWS | LAYOUT_APART);
	perfetto_trace_init(&trace, &out, layout_names(layout));
	for (size_t at = 0; at < input->len;) {
		const char *p = input->p + at;
		const char *end = memchr(p, '\n', input->len - at);
		struct span line = {p, (size_t)(end - p)};

		if (event_parse(&ev, line, NULL))
			layout_record(layout, &ev);
		at += line.len + 1;
	}
	layout_end(layout);
	perfetto_trace_sink.finish(&trace, false);
	read_message(
	    (struct reading){out.buf.p, out.buf.p + out.buf.len, 0}, TRACE);
	perfetto_trace_free(&trace);
	layout_free(layout);
	event_free(&ev);
	text_free(&out.buf);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text input = {0};

	text_add(&input, (const char *)data, size);
	text_add(&input, "\n", 1);
	memset(text_reserve(&input, EVENT_PADDING), 0, EVENT_PADDING);
	draw(&input, false);
	draw(&input, true);
	text_free(&input);
	return 0;
}
