/* made_of.c - the mark of what a trace was made of */

#include "tq/draw/made_of.h"
#include "tq/draw/proto.h"

static const char member[] = "{\"madeOf\":";

/* in perfetto/trace/trace_packet.proto: a TestEvent, which nobody reads */
enum { TRACE_PACKET = 1, PACKET_FOR_TESTING = 900, TEST_STR = 1 };

void
made_of_add_packet(struct text *t, const char *what)
{
	size_t packet = proto_open(t, TRACE_PACKET);
	size_t event = proto_open(t, PACKET_FOR_TESTING);

	proto_string(t, TEST_STR, span_of(what));
	proto_close(t, event);
	proto_close(t, packet);
}

void
made_of_add_member(struct text *t, const char *what)
{
	text_add_str(t, member);
	text_add_json(t, what, strlen(what));
	text_add_char(t, ',');
}

bool
made_of_any(struct span head)
{
	char tag[PROTO_VARINT_MAX];
	size_t n =
	    (size_t)(proto_put_tag(tag, PACKET_FOR_TESTING, PROTO_BYTES) - tag);
	size_t at = 1; /* behind the tag of the packet, and its length */

	if (span_begins(head, SPAN(member)))
		return true;
	if (head.len == 0 || *head.p != '\n')
		return false;
	while (at < head.len && (head.p[at] & 0x80) != 0)
		at++;
	at++;
	return head.len >= at + n && memcmp(head.p + at, tag, n) == 0;
}
