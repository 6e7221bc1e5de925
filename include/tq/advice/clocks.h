/*
 * clocks.h - counters of the clocks of devices, and of the reasons why clocks
 * are lowered.
 *
 * A clock is the one of tq/account/sm_clock.h.  The counter "throttle reasons"
 * has the bits of NVML; the bits of an idle device and of clocks that an
 * application chose do not count.
 */
#ifndef TQ_ADVICE_CLOCKS_H
#define TQ_ADVICE_CLOCKS_H

#include "tq/base/keyed.h"
#include "tq/line/event.h"

/* {0} is empty */
struct clocks {
	KEYED(double)
	most;                /* MHz, of a clock while its device works:
			      * section and counter, device */
	KEYED(bool) defined; /* section, counter -> it is of throttle reasons */
};

void clocks_keys(struct keyset *want);

/* First pass: a definition of a counter; a value, while the device works. */
void clocks_define(struct clocks *c, size_t section, const struct event *ev);
void clocks_count(struct clocks *c, size_t section, const struct event *ev);

/*
 * Second pass, of a value while the device works: percent of the highest value
 * of the clock; -1 if it is no clock.  And true if the clock is lowered.
 */
int64_t clocks_share(
    const struct clocks *c, size_t section, const struct event *ev);
bool clocks_throttled(
    const struct clocks *c, size_t section, const struct event *ev);

void clocks_free(struct clocks *c);

#endif
