/* packets.c - the time of an end is what it was, whichever clock tells it */

#include <inttypes.h>

#include "../../cmd/tq-perfetto/packets.h"
#include "check.h"

/* more states than sequences with a number of one byte have clocks */
enum { STATES = 130 * PACKETS_CLOCKS, ENDS = 8 };

static struct packets packets;

/* the clock of ends as the packets before told it */
static struct {
	uint64_t sequence, id;
	int64_t at_zero; /* its value at 0 */
} clock_of_ends;

static uint64_t
read_varint(const char **p)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char c;

	do {
		c = (unsigned char)*(*p)++;
		v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return v;
}

/* the fields of a message that matter here, by their numbers */
struct message {
	uint64_t number[PACKET_DEFAULTS + 1];
	struct span bytes[PACKET_DEFAULTS + 1];
};

static struct message
read_message(struct span s)
{
	const char *p = s.p, *end = p + s.len;
	struct message m = {{0}};

	while (p < end) {
		uint64_t tag = read_varint(&p), v = read_varint(&p);

		if ((tag & 7) == PROTO_BYTES)
			p += v;
		if (tag >> 3 > PACKET_DEFAULTS)
			continue;
		m.number[tag >> 3] = v;
		if ((tag & 7) == PROTO_BYTES) /* the last of several */
			m.bytes[tag >> 3] = (struct span){p - v, v};
	}
	CHECK(p == end, "a message has %td bytes too many", p - end);
	return m;
}

static void
begin_clock(const struct message *packet)
{
	struct message clock = read_message(
	    read_message(packet->bytes[PACKET_CLOCK_SNAPSHOT]).bytes[1]);
	uint64_t sequence = packet->number[PACKET_SEQUENCE], id;

	id = clock.number[1];
	CHECK(sequence > clock_of_ends.sequence ||
		  (sequence == clock_of_ends.sequence && id > clock_of_ends.id),
	    "clock %" PRIu64 " of %" PRIu64 " began before", id, sequence);
	CHECK(id >= 64 && id < 128, "clock %" PRIu64, id);
	CHECK(
	    read_message(packet->bytes[PACKET_DEFAULTS]).number[PACKET_CLOCK] ==
		id,
	    "the default is not clock %" PRIu64, id);
	clock_of_ends.sequence = sequence;
	clock_of_ends.id = id;
	clock_of_ends.at_zero = (int64_t)clock.number[2];
}

/* when the end was that is the last packet; the others begin its clock */
static int64_t
read_end(struct span s)
{
	const char *p = s.p, *end = p + s.len;
	struct message packet = {{0}};
	int64_t ts;

	while (p < end) {
		uint64_t len;

		CHECK(*p++ == (1 << 3 | PROTO_BYTES), "no packet");
		len = read_varint(&p);
		packet = read_message((struct span){p, len});
		p += len;
		if (packet.number[PACKET_CLOCK_SNAPSHOT] != 0)
			begin_clock(&packet);
	}
	CHECK(packet.number[PACKET_SEQUENCE] == clock_of_ends.sequence,
	    "an end in sequence %" PRIu64, packet.number[PACKET_SEQUENCE]);
	ts = (int64_t)packet.number[PACKET_TIMESTAMP];
	if (packet.number[PACKET_CLOCK] == PACKETS_ABSOLUTE)
		return ts;
	CHECK(packet.number[PACKET_CLOCK] == 0, "clock %" PRIu64,
	    packet.number[PACKET_CLOCK]);
	return ts - clock_of_ends.at_zero;
}

/* ends before and behind a slice that begins at ts, near and far */
static void
test_ends(int64_t ts)
{
	static const char event[PACKETS_END] = {0x5a, 0x02, 0x48, 0x02};
	static const int64_t dur[ENDS] = {0, 127, 1 << 20, PROTO_SMALL - 1,
	    PROTO_SMALL, (int64_t)1 << 40, -1, -((int64_t)1 << 33)};
	struct text *b = &packets.out->buf;
	size_t first = (size_t)check_random() % ENDS, at, packet;
	int64_t end, got;

	packet = packets_open(&packets, ts);
	packets_close(&packets, packet);
	for (size_t i = 0; i < ENDS; i++) {
		end = ts + dur[(first + i) % ENDS];
		at = b->len;
		packets_end(&packets, event, 4, end < 0 ? 0 : end);
		got = read_end((struct span){b->p + at, b->len - at});
		CHECK(got == (end < 0 ? 0 : end),
		    "an end at %" PRId64 " of a slice at %" PRId64
		    " is at %" PRId64,
		    end, ts, got);
	}
}

int
main(void)
{
	struct output out = {.fd = -1};

	packets_init(&packets, &out);
	packets_begin(&packets, 0);
	for (int i = 0; i < STATES; i++) {
		int64_t ts = (int64_t)(check_random() >> (4 + i % 60));

		test_ends(ts);
		test_ends(ts + i);
		out.buf.len = 0;
		packets_section(&packets);
	}
	CHECK(clock_of_ends.sequence > 128, "sequence %" PRIu64,
	    clock_of_ends.sequence);
	packets_free(&packets);
	text_free(&out.buf);
	return check_status();
}
