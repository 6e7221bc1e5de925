/*
 * parked_calls.h - calls of the driver, until it is known whether each is
 * within one of the runtime
 *
 * Both have one correlation id, and the outer call is over, and delivered,
 * last: where CUPTI's buffer is delivered between the two, a quarter of a
 * second later.  Where lines are sorted first, the outer call comes first
 * anyhow.
 */
#ifndef TQ_CAPTURE_PARKED_CALLS_H
#define TQ_CAPTURE_PARKED_CALLS_H

#include <stdbool.h>

#include "tq/base/map.h"
#include "tq/base/text.h"
#include "tq/io/sorter.h"

/* {0} is empty; up to 16 MiB of lines */
struct parked_calls {
	struct map calls; /* (process, corr) -> how many, and whether nested */
	struct text lines;
	size_t first; /* bytes that are gone */
};

/* A call of the driver; now: ns, of any clock that goes forward. */
void parked_calls_add(struct parked_calls *p, const struct sorter_line *l,
    uint32_t process, uint32_t corr, int64_t now);

/* There is a call of the runtime with that id. */
void parked_calls_found(
    struct parked_calls *p, uint32_t process, uint32_t corr);

/*
 * The next call that has been here for a second, or that has no room, good
 * until the next call of a function here; *nested: it is within a call of the
 * runtime.  False: there is none.
 */
bool parked_calls_next(
    struct parked_calls *p, int64_t now, struct sorter_line *l, bool *nested);

void parked_calls_free(struct parked_calls *p);

#endif
