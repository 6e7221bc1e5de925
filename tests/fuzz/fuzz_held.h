/* fuzz_held.h - for sources with a sorted_section.h: no event is unaccounted
 * for
 */
#ifndef FUZZ_HELD_H
#define FUZZ_HELD_H

#include "fuzz.h"
#include "fuzz_exit.h"
#include "fuzz_source.h"
#include "write/sorted_section.h"

static void
fuzz_held(const void *recording)
{
	const struct sorted_section *s = recording;

	for (size_t i = 0; i < s->counts.count; i++) {
		const struct event_count *n = &s->counts.all[i];

		REQUIRE(n->events == n->records + n->paired + n->folded +
					 n->lost + n->unread);
	}
}

#endif
