/*
 * step_waits.h - when a thread waited.
 */
#ifndef STEP_WAITS_H
#define STEP_WAITS_H

#include <stddef.h>
#include <stdint.h>

struct step_wait {
	int64_t from, to;
	uint64_t before; /* the time of all waits before it */
};

/* in order, and apart from each other; {0} has none */
struct step_waits {
	struct step_wait *all;
	size_t count, cap;
};

/*
 * The thread waits in [from, to]; in order of from.  What ended before now is
 * forgotten where it began after needed.
 */
void step_waits_add(
    struct step_waits *w, int64_t from, int64_t to, int64_t needed);

/* How long it waited in [from, to), which is shorter than 64 bits. */
int64_t step_waits_time(const struct step_waits *w, int64_t from, int64_t to);

void step_waits_free(struct step_waits *w);

#endif
