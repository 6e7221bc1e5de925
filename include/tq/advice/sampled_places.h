/*
 * sampled_places.h - in which functions CPU samples found threads, for gaps to
 * come.
 *
 * A sample has the time to the middle between it and its neighbours, 5 ms on
 * either side at most.  Where a thread has samples of Python, these count, and
 * native ones do not.
 */
#ifndef TQ_ADVICE_SAMPLED_PLACES_H
#define TQ_ADVICE_SAMPLED_PLACES_H

#include <stdbool.h>

#include "tq/base/numbered.h"

enum { SAMPLED_PLACES_MOST = 65536, SAMPLED_PLACES_NEAR = 5000000 };

struct sampled_place {
	int64_t ts;
	uint32_t place; /* of the caller */
};

struct sampled_thread_places {
	struct sampled_place *all; /* in order of ts */
	size_t count, cap;
	bool python;
};

/* {0} is empty */
struct sampled_places {
	NUMBERED(struct sampled_thread_places) threads; /* names/model.h */
};

/* True if a sample of the thread counts; samples come in order of time. */
bool sampled_places_counts(
    struct sampled_places *s, uint32_t thread, bool python);

/*
 * Add a sample that counts.  Those before oldest are not looked up again; of
 * more than SAMPLED_PLACES_MOST of a thread the first half is forgotten.
 */
void sampled_places_add(struct sampled_places *s, uint32_t thread,
    struct sampled_place sample, int64_t oldest);

/*
 * The first part of [from, to) of the thread: true if a sample has it, whose
 * place is *place.  *end becomes its end.  from < to.
 */
bool sampled_places_next(const struct sampled_places *s, uint32_t thread,
    int64_t from, int64_t to, int64_t *end, uint32_t *place);

/* A new section. */
void sampled_places_reset(struct sampled_places *s);

void sampled_places_free(struct sampled_places *s);

#endif
