/*
 * packets.h - a sequence of packets, with the interned strings and the
 * descriptions of tracks that its packets refer to.
 *
 *	trace  = { 0x0a length packet }
 *
 * A time is the distance from the latest packet before; a time before that is
 * absolute, and its packet names the other clock.
 *
 * The end of a slice stands right behind the slice, so that ends are in no
 * order of time.  They are a sequence of their own, with a clock for each
 * state, which begins together with the first slice of the state that ends:
 *
 *	end = head event PACKET_TIMESTAMP time [PACKET_CLOCK clock]
 *
 * Every 8 MB, or when there are too many strings, the sequence is renewed: its
 * state is forgotten and written anew, so that a file can be read from there
 * on, and memory is bounded.
 */
#ifndef PACKETS_H
#define PACKETS_H

#include "recent.h"
#include "tq/base/intern.h"
#include "tq/io/output.h"
#include "tq/draw/proto.h"
#include "tq/line/schema.h"

/* fields of TracePacket */
enum {
	PACKET_PROCESS_TREE = 2,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_RENDER_STAGE = 53,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_PERF_SAMPLE = 66,
	PACKET_EXTENSION = 72,
	PACKET_FIRST = 87,
	PACKET_GPU_INFO = 128
};

/* fields of InternedData */
enum {
	INTERNED_CATEGORIES = 1,
	INTERNED_NAMES = 2,
	INTERNED_KEYS = 3,
	INTERNED_FUNCTIONS = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_CONTEXTS = 23,
	INTERNED_STAGES = 24,
	INTERNED_STRINGS = 29,
	INTERNED_CORRELATIONS = 43,
	INTERNED_KERNELS = 1000,
	INTERNED_ARGS = 1001
};

/*
 * Numbers of sequences.  Descriptions are one of their own: Perfetto takes
 * the last thread that a sequence describes for the source of all its other
 * events.  Ends take another sequence when its clocks are used up.
 */
enum { PACKETS_SEQUENCE = 1, PACKETS_DESCRIPTIONS, PACKETS_ENDS };

/*
 * Clocks: Perfetto's, and our own, of which a sequence has PACKETS_CLOCKS: one
 * that goes from packet to packet, and one per state for ends.
 */
enum {
	PACKETS_UTC = 1,
	PACKETS_ABSOLUTE = 6,
	PACKETS_RELATIVE = 64,
	PACKETS_CLOCKS = 64
};

/* lists of interned strings, each with numbers of its own; names are apart */
enum packets_list {
	LIST_CATEGORY,
	LIST_KEY, /* of annotations */
	LIST_STRING,
	LIST_FUNCTION,
	LIST_COLOR,   /* correlation ids */
	LIST_CONTEXT, /* digits of a pid */
	LIST_STAGE,
	LIST_KERNEL, /* name, NUL, full name */
	LIST_ARG,
	LISTS
};

enum { PACKETS_NAMES = 4096, PACKETS_VALUES = 256 }; /* remembered */

struct packets {
	struct recent_slot names[PACKETS_NAMES];
	struct recent_slot recent_values[PACKETS_VALUES]; /* never renewed */
	struct output *out;
	struct intern lists[LISTS];
	size_t
	    string_bytes; /* of texts in lists and long_names, and a NUL each */

	/* a short name has a new number when it is not remembered any more */
	uint32_t last_name;
	struct intern long_names;
	uint32_t *long_numbers; /* of each */
	size_t long_count, long_cap;

	struct text fresh;     /* new InternedData of this packet */
	struct text fixed;     /* fields that a renewal begins with */
	struct text described; /* packets that describe tracks */
	struct intern values;  /* of the enumeration of fields.h: all so far */
	uint32_t value_count;
	struct text value_list;
	size_t values_described; /* bytes of value_list */
	int64_t renewed;         /* bytes up to the last renewal */
	unsigned epoch;          /* counts renewals, from 1 */
	int64_t clock;           /* time of the latest packet */
	int64_t end_clock;       /* when the clock of ends began */
	char end_head[8];        /* the beginning of packets of ends */
	size_t end_head_len;     /* 0: their clock has still to begin */
};

void packets_init(struct packets *p, struct output *out);
void packets_free(struct packets *p);

/* Write the first packet; utc is the time at 0, or SINK_NO_UTC. */
void packets_begin(struct packets *p, int64_t utc);

enum { PACKETS_HEAD = 24, PACKETS_LENGTH = 1 }; /* bytes; a place in them */

/* For packets_put_time only: a time before the clock, or far from it. */
char *packets_put_far(char *q, int64_t ts, int64_t clock);

/* Put a time, while its clock is at another one; returns the end. */
static inline char *
packets_put_time(char *q, int64_t ts, int64_t clock)
{
	uint64_t distance = (uint64_t)ts - (uint64_t)clock;

	q = proto_put_tag(q, PACKET_TIMESTAMP, PROTO_VARINT);
	return distance < PROTO_SMALL ? proto_put_small(q, distance)
				      : packets_put_far(q, ts, clock);
}

/*
 * Put the beginning of a packet with a time to q, where there is room for
 * PACKETS_HEAD bytes; returns the end.  Its length is still to be written.
 *
 * It has no flag that it needs the state of the sequence: in a file that state
 * is never lost.
 */
static inline char *
packets_put_head(struct packets *p, char *q, int64_t ts)
{
	q = proto_put_open(q, 1);
	q = proto_put_tag(q, PACKET_SEQUENCE, PROTO_VARINT);
	*q++ = PACKETS_SEQUENCE;
	q = packets_put_time(q, ts, p->clock);
	if (ts > p->clock)
		p->clock = ts;
	return q;
}

enum {
	PACKETS_END = 16, /* bytes of the event of an end */
	PACKETS_ROOM = 48 /* bytes of its packet */
};

/* For packets_end only: the first end of a state is to come. */
void packets_begin_ends(struct packets *p);

/* Write the packet of the end of a slice; event is its track event. */
static inline void
packets_end(
    struct packets *p, const char event[PACKETS_END], size_t len, int64_t ts)
{
	struct text *b = &p->out->buf;
	char *start, *q;

	if (p->end_head_len == 0)
		packets_begin_ends(p);
	start = text_reserve(b, PACKETS_ROOM);
	memcpy(start, p->end_head, sizeof(p->end_head));
	q = start + p->end_head_len;
	memcpy(q, event, PACKETS_END);
	q = packets_put_time(q + len, ts, p->end_clock);
	start[PACKETS_LENGTH] = (char)(q - start - PACKETS_LENGTH - 1);
	text_end(b, q);
}

/* The same of an event of any length. */
void packets_long_end(struct packets *p, struct span event, int64_t ts);

/*
 * A packet, whose fields are appended to out->buf between the two calls;
 * packets_close gets the result of packets_open, and adds new interned data.
 */
static inline size_t
packets_open(struct packets *p, int64_t ts)
{
	struct text *b = &p->out->buf;
	char *q = text_reserve(b, PACKETS_HEAD);
	size_t start = b->len + PACKETS_LENGTH + 1;

	text_end(b, packets_put_head(p, q, ts));
	return start;
}

/* For packets_close only: a packet with new strings. */
void packets_close_fresh(struct packets *p, size_t start);

static inline void
packets_close(struct packets *p, size_t start)
{
	if (p->fresh.len > 0 || p->value_list.len > p->values_described)
		packets_close_fresh(p, start);
	else
		proto_close(&p->out->buf, start);
}

/* For packets_check only: write, and perhaps renew. */
void packets_write(struct packets *p);

enum { PACKETS_STRINGS = 4 << 20 }; /* string_bytes, at most */

/* Between two packets: write the buffer, and renew, when due. */
static inline void
packets_check(struct packets *p)
{
	if (p->out->buf.len >= OUTPUT_BUFFER ||
	    p->string_bytes >= PACKETS_STRINGS)
		packets_write(p);
}

/*
 * A packet that describes a track is appended to the result between the two
 * calls; it is written at once, and again at each renewal.
 */
struct text *packets_describe(struct packets *p, size_t *start);
void packets_described(struct packets *p, size_t start);

/*
 * A new section: forget the descriptions, and renew the sequence; time may
 * begin anew.
 */
void packets_section(struct packets *p);

/* The number of a string of a list, for use in the open packet. */
uint32_t packets_intern(
    struct packets *p, enum packets_list list, struct span s);

/* For packets_name only: the number of a name that is not remembered. */
uint32_t packets_new_name(
    struct packets *p, struct recent_slot *home, struct span name);

/*
 * The same of the name of a slice, which may have several numbers.  In two
 * steps, because it takes time to fetch the home of a name from memory.
 */
static inline struct recent_slot *
packets_name_home(struct packets *p, struct span name)
{
	struct recent_slot *home = recent_home(p->names, PACKETS_NAMES, name);

	__builtin_prefetch(home);
	__builtin_prefetch(home + 1);
	return home;
}

static inline uint32_t
packets_name(struct packets *p, struct recent_slot *home, struct span name)
{
	uint32_t number = recent_find(home, name);

	return number != 0 ? number : packets_new_name(p, home, name);
}

/*
 * The number of a string in the enumeration of fields.h; 0 if it is new, and
 * the enumeration is full.
 */
uint32_t packets_value(struct packets *p, struct span s);

/* For packets_json_value only: the number of one that is not remembered. */
uint32_t packets_new_json_value(
    struct packets *p, struct recent_slot *home, struct span s);

/* The same of a string of JSON without its quotes; 0 if it has escapes. */
static inline uint32_t
packets_json_value(struct packets *p, struct span s)
{
	struct recent_slot *home =
	    recent_home(p->recent_values, PACKETS_VALUES, s);
	uint32_t number = recent_find(home, s);

	return number != 0 ? number : packets_new_json_value(p, home, s);
}

#endif
