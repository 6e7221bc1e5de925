/*
 * packets.h - a sequence of packets, and what its packets refer to: interned
 * strings, and the descriptions of tracks.
 *
 *	trace  = { 0x0a length packet }
 *
 * Every 8 MB, or when there are too many strings, the sequence is renewed:
 * what it referred to is forgotten and written anew, so that a file can be
 * read from there on, and memory is bounded.
 */
#ifndef PACKETS_H
#define PACKETS_H

#include "intern.h"
#include "tq/output.h"
#include "tq/proto.h"
#include "tq/schema.h"

/* fields of TracePacket */
enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_RENDER_STAGE = 53,
	PACKET_TRACK = 60,
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
	INTERNED_KERNELS = 1000,
	INTERNED_ARGS = 1001
};

enum {
	PACKETS_SEQUENCE = 1, /* its number */
	PACKETS_NEED_STATE = 2
};

/* categories with fixed numbers: those of kinds, from 1, and these */
enum {
	PACKETS_CUDA_RUNTIME = KIND_COUNT + 1,
	PACKETS_CUDA_DRIVER,
	PACKETS_CATEGORIES = PACKETS_CUDA_DRIVER
};

struct packets {
	struct output *out;
	struct intern intern;
	struct text fresh;     /* InternedData that is new in this packet */
	struct text fixed;     /* InternedData that all packets need */
	struct text described; /* packets that describe what is drawn on */
	int64_t renewed;       /* bytes that were written before */
	unsigned epoch;        /* counts renewals, from 1 */
};

void packets_init(struct packets *p, struct output *out);
void packets_free(struct packets *p);

/* The first packet. */
void packets_begin(struct packets *p);

/*
 * A packet, with what refers to interned data; packets_close gets what
 * packets_open returned.  Between them fields are appended to out->buf.
 */
size_t packets_open(struct packets *p, int64_t ts);
void packets_close(struct packets *p, size_t start);

/* Between two packets: write what is buffered, and renew, when due. */
void packets_check(struct packets *p);

/*
 * A packet that says what is drawn on is appended to *buffer between the two
 * calls; it is written at once, and again at each renewal.
 */
struct text *packets_describe(struct packets *p, size_t *start);
void packets_described(struct packets *p, size_t start);

/* Nothing more is drawn on what was described so far. */
void packets_forget(struct packets *p);

/* The number of a string of a list, in the open packet. */
uint32_t packets_intern(
    struct packets *p, enum intern_list list, struct span s);

#endif
