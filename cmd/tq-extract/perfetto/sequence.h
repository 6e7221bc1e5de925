/*
 * sequence.h - interned data and defaults that packets of a sequence refer to,
 * and the clocks of all sequences.
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include "tq/base/keyed.h"
#include "tq/base/region.h"
#include "tq/base/span.h"
#include "tq/base/time.h"

/* fields of InternedData */
enum {
	SEQUENCE_CATEGORIES = 1,
	SEQUENCE_NAMES = 2,
	SEQUENCE_NOTES = 3,
	SEQUENCE_FUNCTIONS = 5,
	SEQUENCE_FRAMES = 6,
	SEQUENCE_CALLSTACKS = 7,
	SEQUENCE_CONTEXTS = 23,
	SEQUENCE_STAGES = 24,
	SEQUENCE_STRINGS = 29,
	SEQUENCE_KERNELS = 1000,
	SEQUENCE_LAUNCH_ARGS = 1001
};

struct sequence_entry {
	struct span message;
};

struct sequence {
	uint64_t id;
	KEYED(struct sequence_entry) interned; /* by field and iid */
	struct region texts;
	uint64_t track; /* of events that name none */
	uint64_t clock; /* of packets that name none; 0: the trace's */
};

struct sequence_clock {
	uint64_t id;
	int64_t offset; /* add it to a time, and it is one of the trace */
	int64_t unit;   /* ns */
	int64_t now;    /* the time so far, where times are distances */
	bool distances;
};

/* {0} is empty */
struct sequences {
	KEYED(struct sequence) all;
	KEYED(struct sequence_clock) clocks; /* by sequence and id */
	int64_t utc;                         /* at time 0 of the trace */
	bool has_utc;
	int64_t unknown; /* times of clocks that are not known */
};

/* The sequence of an id, a new one if there is none; good until the next. */
struct sequence *sequence_get(struct sequences *s, uint64_t id);

/* Forget the interned data, and the defaults. */
void sequence_clear(struct sequence *q);

/* Take InternedData, TracePacketDefaults and ClockSnapshot. */
void sequence_intern(struct sequence *q, struct span interned);
void sequence_defaults(struct sequence *q, struct span defaults);
void sequence_clocks(
    struct sequences *s, const struct sequence *q, struct span snapshot);

/* The entry of a field of InternedData; empty if there is none. */
struct span sequence_entry(
    const struct sequence *q, unsigned field, uint64_t iid);

/* Its text. */
struct span sequence_text(
    const struct sequence *q, unsigned field, uint64_t iid);

/*
 * A timestamp as ns of the clock of the trace; clock 0 is the default.  False
 * where it does not fit.
 */
bool sequence_time(struct sequences *s, const struct sequence *q,
    uint64_t timestamp, uint64_t clock, int64_t *ts);

void sequence_free_all(struct sequences *s);

#endif
