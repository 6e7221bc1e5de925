/*
 * sequence.c - interned data and defaults that packets of a sequence refer to
 */

#include <stdlib.h>

#include "read/proto_reader.h"
#include "sequence.h"

/* clocks: 64 to 127 belong to a sequence */
enum { REALTIME = 1, BOOTTIME = 6, OWN_FIRST = 64, OWN_LAST = 127 };

struct sequence *
sequence_get(struct sequences *s, uint64_t id)
{
	bool fresh;
	struct sequence *q = keyed_get(&s->all, id, 0, &fresh);

	if (fresh)
		*q = (struct sequence){.id = id};
	return q;
}

void
sequence_clear(struct sequence *q)
{
	keyed_free(&q->interned);
	region_free(&q->texts);
	q->track = q->clock = 0;
}

void
sequence_intern(struct sequence *q, struct span interned)
{
	struct proto_reader r = proto_reader(interned);
	struct proto_field f, iid;
	bool fresh;

	while (proto_reader_next(&r, &f))
		if (f.bytes.p != NULL && proto_reader_find(f.bytes, 1, &iid))
			keyed_get(&q->interned, f.number, iid.v, &fresh)
			    ->message = region_copy(&q->texts, f.bytes);
}

void
sequence_defaults(struct sequence *q, struct span defaults)
{
	enum { EVENT = 11, EVENT_TRACK = 11, CLOCK = 58 };
	struct proto_field f;

	if (proto_reader_find(defaults, CLOCK, &f))
		q->clock = f.v;
	if (proto_reader_find(
		proto_reader_bytes(defaults, EVENT), EVENT_TRACK, &f))
		q->track = f.v;
}

struct span
sequence_entry(const struct sequence *q, unsigned field, uint64_t iid)
{
	const struct sequence_entry *e = keyed_find(&q->interned, field, iid);

	return e != NULL ? e->message : SPAN("");
}

struct span
sequence_text(const struct sequence *q, unsigned field, uint64_t iid)
{
	return proto_reader_bytes(sequence_entry(q, field, iid), 2);
}

/* ---- clocks ---- */

static uint64_t
owner_of(const struct sequence *q, uint64_t clock)
{
	return clock >= OWN_FIRST && clock <= OWN_LAST ? q->id + 1 : 0;
}

static int64_t
wrapping_difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* a clock of a snapshot, its time still in now */
static struct sequence_clock
read_clock(struct span message)
{
	struct proto_reader r = proto_reader(message);
	struct sequence_clock c = {.unit = 1};
	struct proto_field f;

	while (proto_reader_next(&r, &f))
		switch (f.number) {
		case 1:
			c.id = f.v;
			break;
		case 2:
			c.now = (int64_t)f.v;
			break;
		case 3:
			c.distances = f.v != 0;
			break;
		case 4:
			c.unit = f.v > 0 && f.v < INT32_MAX ? (int64_t)f.v : 1;
			break;
		}
	c.now = (int64_t)((uint64_t)c.now * (uint64_t)c.unit);
	return c;
}

/* the time of the trace at the snapshot: by its clock, or by a known one */
static int64_t
snapshot_time(
    const struct sequences *s, const struct sequence *q, struct span snapshot)
{
	struct proto_reader r = proto_reader(snapshot);
	struct proto_field f;
	int64_t at = 0;
	bool known = false;

	while (proto_reader_next(&r, &f)) {
		struct sequence_clock c = read_clock(f.bytes);
		const struct sequence_clock *old =
		    keyed_find(&s->clocks, owner_of(q, c.id), c.id);

		if (f.number != 1 || f.bytes.p == NULL)
			continue;
		if (c.id == BOOTTIME)
			return c.now;
		if (!known && old != NULL && !old->distances) {
			known = true;
			at = (int64_t)((uint64_t)c.now + (uint64_t)old->offset);
		}
	}
	return at;
}

void
sequence_clocks(
    struct sequences *s, const struct sequence *q, struct span snapshot)
{
	int64_t at = snapshot_time(s, q, snapshot);
	struct proto_reader r = proto_reader(snapshot);
	struct proto_field f;
	bool fresh;

	while (proto_reader_next(&r, &f)) {
		struct sequence_clock c;

		if (f.number != 1 || f.bytes.p == NULL)
			continue;
		c = read_clock(f.bytes);
		c.offset = wrapping_difference(at, c.now);
		if (c.id == REALTIME && !s->has_utc) {
			s->has_utc = true;
			s->utc = wrapping_difference(0, c.offset);
		}
		*keyed_get(&s->clocks, owner_of(q, c.id), c.id, &fresh) = c;
	}
}

bool
sequence_time(struct sequences *s, const struct sequence *q, uint64_t timestamp,
    uint64_t clock, int64_t *ts)
{
	struct sequence_clock *c;
	int64_t v;

	if (clock == 0)
		clock = q->clock;
	if (clock == 0)
		clock = BOOTTIME;
	c = keyed_find(&s->clocks, owner_of(q, clock), clock);
	if (c == NULL || clock == BOOTTIME) {
		s->unknown += clock != BOOTTIME;
		*ts = (int64_t)timestamp;
		return timestamp <= INT64_MAX;
	}
	if (__builtin_mul_overflow((int64_t)timestamp, c->unit, &v))
		return false;
	if (c->distances) {
		if (__builtin_add_overflow(c->now, v, &v))
			return false;
		c->now = v;
	}
	return !__builtin_add_overflow(v, c->offset, ts);
}

void
sequence_free_all(struct sequences *s)
{
	for (size_t i = 0; i < s->all.count; i++)
		sequence_clear(&s->all.all[i]);
	keyed_free(&s->all);
	keyed_free(&s->clocks);
}
