/*
 * between_launches.h - how long threads were in records of a rule from one
 * launch to the next.
 *
 * Without these records a launch would come so much earlier, also where the
 * device still worked during a part of them.  A wait for a device ends that:
 * what is before it only makes the wait shorter.
 *
 * Of a thread and rule the last LAUNCHES_HELD launches are held: a device with
 * more in its queue does not wait for them.
 */
#ifndef TQ_ADVICE_BETWEEN_LAUNCHES_H
#define TQ_ADVICE_BETWEEN_LAUNCHES_H

#include <stdint.h>

#include "tq/base/keyed.h"

enum { LAUNCHES_FIRST = 8, LAUNCHES_HELD = 1024 };

/* a launch, and the time in records since the one before, or since a wait */
struct launch_after {
	int64_t ts, ns;
};

/* of a thread and rule */
struct launch_line {
	int64_t since, until; /* the last launch or wait ended; records do */
	int64_t ns;           /* in records since then, which overlap once */
	struct launch_after *all; /* the last ones; a ring of LAUNCHES_HELD */
	size_t next, cap;
};

/* {0} is empty */
struct between_launches {
	KEYED(struct launch_line) lines; /* by thread and rule */
};

/* Records are added in order of ts.  A record of the rule: */
void between_launches_add(struct between_launches *b, uint32_t thread,
    size_t rule, int64_t ts, int64_t end);

/* A call of the thread that launches, or one that waits; of rules, a bit each.
 */
void between_launches_launch(struct between_launches *b, uint32_t thread,
    uint64_t rules, int64_t ts, int64_t end);
void between_launches_wait(
    struct between_launches *b, uint32_t thread, uint64_t rules, int64_t end);

/* The ns of the rule before a launch, which the caller may use up; NULL if
   there are none. */
int64_t *between_launches_find(const struct between_launches *b,
    uint32_t thread, size_t rule, int64_t launch);

/* A new section. */
void between_launches_reset(struct between_launches *b);

void between_launches_free(struct between_launches *b);

#endif
