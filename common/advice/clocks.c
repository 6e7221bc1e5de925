/* clocks.c - counters of the clocks of devices */

#include "tq/account/sm_clock.h"
#include "tq/advice/clocks.h"

enum { IDLE = 1, CHOSEN = 2 }; /* throttle reasons that are none */

void
clocks_keys(struct keyset *want)
{
	static const enum key keys[] = {
	    KEY_ts, KEY_pid, KEY_device, KEY_counter, KEY_value, KEY_NONE};

	keyset_add_all(&want[KIND_counter], keys);
	keyset_add(&want[KIND_counterdef], KEY_id);
	keyset_add(&want[KIND_counterdef], KEY_name);
}

void
clocks_define(struct clocks *c, size_t section, const struct event *ev)
{
	bool fresh, reasons;

	if (!event_has(ev, KEY_name) || !event_has(ev, KEY_id))
		return;
	reasons = event_is(ev, KEY_name, SPAN("throttle reasons"));
	if (reasons || sm_clock_is(ev))
		*keyed_get(&c->defined, section,
		    (uint64_t)event_int(ev, KEY_id, 0), &fresh) = reasons;
}

/* true of a counter of reasons, false of a clock; NULL: of neither */
static const bool *
defined_as(const struct clocks *c, size_t section, const struct event *ev)
{
	if (c->defined.count == 0 || !event_has(ev, KEY_value))
		return NULL;
	return keyed_find(
	    &c->defined, section, (uint64_t)event_int(ev, KEY_counter, NO_ID));
}

static double
value_of(const struct event *ev)
{
	return strtod(ev->value[KEY_value].p, NULL);
}

/* sections and counters are few */
static uint64_t
counter_of(size_t section, const struct event *ev)
{
	return (uint64_t)section << 32 ^
	       (uint64_t)event_int(ev, KEY_counter, NO_ID);
}

void
clocks_count(struct clocks *c, size_t section, const struct event *ev)
{
	const bool *reasons = defined_as(c, section, ev);
	double *most;
	bool fresh;

	if (reasons == NULL || *reasons)
		return;
	most = keyed_get(&c->most, counter_of(section, ev),
	    (uint64_t)event_int(ev, KEY_device, NO_ID), &fresh);
	if (fresh || *most < value_of(ev))
		*most = value_of(ev);
}

int64_t
clocks_share(const struct clocks *c, size_t section, const struct event *ev)
{
	const bool *reasons = defined_as(c, section, ev);
	const double *most;

	if (reasons == NULL || *reasons)
		return -1;
	most = keyed_find(&c->most, counter_of(section, ev),
	    (uint64_t)event_int(ev, KEY_device, NO_ID));
	return most != NULL && *most > 0 && value_of(ev) >= 0
		   ? (int64_t)(value_of(ev) * 100 / *most)
		   : -1;
}

bool
clocks_throttled(const struct clocks *c, size_t section, const struct event *ev)
{
	const bool *reasons = defined_as(c, section, ev);
	double bits = reasons != NULL && *reasons ? value_of(ev) : 0;

	return bits >= 1 && bits < 1e15 &&
	       ((uint64_t)bits & ~(uint64_t)(IDLE | CHOSEN)) != 0;
}

void
clocks_free(struct clocks *c)
{
	keyed_free(&c->most);
	keyed_free(&c->defined);
}
