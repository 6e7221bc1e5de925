/* stream_waits.c - which operation an operation waited for */

#include "stream_waits.h"

/* a wait, from its record to the next operation of its stream */
struct stream_wait {
	struct waiting_stream *other;
	int64_t corr, recorded;
};

struct waiting_stream {
	struct stream_operation *recent; /* NULL: no operation came */
	uint64_t came;
	int64_t recorded; /* the call of the last wait for it */
	unsigned same;    /* waits for that call */
	unsigned fan;
	struct stream_wait *waits; /* NULL: it never waited */
	uint64_t first, last;      /* of the waits, counted on */
};

void
stream_waits_reset(struct stream_waits *w)
{
	map_free(&w->map);
	map_free(&w->contexts);
	region_free(&w->region);
}

struct waiting_stream *
stream_waits_stream(
    struct stream_waits *w, int64_t pid, int64_t context, int64_t stream)
{
	uint64_t number =
	    map_number(&w->contexts, (uint64_t)pid, (uint64_t)context);
	uint64_t *slot = map_get(&w->map, number, (uint64_t)stream);

	if (*slot == 0)
		*slot = (uintptr_t)region_get(
		    &w->region, sizeof(struct waiting_stream));
	return (struct waiting_stream *)(uintptr_t)*slot;
}

void
stream_waits_operation(struct stream_waits *w, struct waiting_stream *s,
    const struct stream_operation *o)
{
	if (s->recent == NULL)
		s->recent = region_get(
		    &w->region, STREAM_WAITS_RECENT * sizeof(*s->recent));
	s->recent[s->came++ % STREAM_WAITS_RECENT] = *o;
}

unsigned
stream_waits_fan(const struct waiting_stream *s)
{
	return s->fan;
}

/* so many flows were of use from one operation */
static void
widen(struct waiting_stream *s, unsigned flows)
{
	if (flows > s->fan && flows <= STREAM_WAITS_FAN)
		s->fan = flows;
}

void
stream_waits_add(struct stream_waits *w, struct waiting_stream *s,
    struct waiting_stream *other, int64_t corr, int64_t recorded)
{
	if (s->waits == NULL)
		s->waits = region_get(
		    &w->region, STREAM_WAITS_PENDING * sizeof(*s->waits));
	other->same = other->recorded == recorded ? other->same + 1 : 1;
	other->recorded = recorded;
	widen(other, other->same);
	if (s->last - s->first == STREAM_WAITS_PENDING)
		s->first++;
	s->waits[s->last++ % STREAM_WAITS_PENDING] =
	    (struct stream_wait){other, corr, recorded};
}

bool
stream_waits_pending(const struct waiting_stream *s)
{
	return s->first != s->last;
}

/* the last operation that the stream got before the call corr, or NULL */
static struct stream_operation *
last_before(const struct waiting_stream *s, int64_t corr)
{
	for (uint64_t i = 0; i < s->came && i < STREAM_WAITS_RECENT; i++) {
		struct stream_operation *o =
		    &s->recent[(s->came - 1 - i) % STREAM_WAITS_RECENT];

		if (o->corr < corr)
			return o;
	}
	return NULL;
}

/* True if a later wait, which ends with this one, is for the same stream. */
static bool
is_implied(const struct waiting_stream *s, const struct stream_wait *wait,
    int64_t corr)
{
	for (uint64_t i = s->first; i < s->last; i++) {
		const struct stream_wait *later =
		    &s->waits[i % STREAM_WAITS_PENDING];

		if (later->corr >= corr)
			break;
		if (later->other == wait->other &&
		    later->recorded >= wait->recorded)
			return true;
	}
	return false;
}

struct stream_operation *
stream_waits_next(struct waiting_stream *s, int64_t corr, int64_t start)
{
	while (s->first != s->last) {
		struct stream_wait wait =
		    s->waits[s->first % STREAM_WAITS_PENDING];
		struct stream_operation *o;

		if (wait.corr >= corr)
			break;
		s->first++;
		if (is_implied(s, &wait, corr))
			continue;
		o = last_before(wait.other, wait.recorded);
		if (o == NULL || o->end > start)
			continue;
		if (o->flows > 0)
			return o;
		widen(wait.other, wait.other->fan + 1);
	}
	return NULL;
}
