/*
 * range_hint.h - what --range may have meant where no range matches it.
 */
#ifndef RANGE_HINT_H
#define RANGE_HINT_H

#include "tq/ask/range_spec.h"
#include "tq/base/suggestion.h"
#include "tq/base/region.h"

struct range_hint {
	struct suggestion names; /* of ranges; the texts live in memory */
	const char *domain; /* a range of this one has the name; NULL: none */
	int64_t tried;
	struct region memory;
};

/* A range that the spec does not match, "" is the default domain. */
void range_hint_consider(struct range_hint *h, const struct range_spec *spec,
    struct span name, struct span domain);

/* Warn that no range matches, with the hint if there is one. */
void range_hint_warn(const struct range_hint *h, const struct range_spec *spec);

void range_hint_free(struct range_hint *h);

#endif
