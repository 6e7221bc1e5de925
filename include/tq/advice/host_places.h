/*
 * host_places.h - in which calls, files and lines of the program the time is
 * that rules claim of the host.
 *
 * A place is the name of a call or range, of a range without what differs from
 * one to the next (names/fold_name.h), the file that the call is about, and the
 * innermost frame of its stack.  Beyond PLACE_TEXTS texts, or PLACE_BYTES
 * of them, new ones are unknown; so are new places beyond PLACES_MOST.
 */
#ifndef TQ_ADVICE_HOST_PLACES_H
#define TQ_ADVICE_HOST_PLACES_H

#include "tq/base/keyed.h"
#include "tq/base/numbered.h"
#include "tq/names.h"

enum { PLACES_MOST = 1 << 17, PLACE_TEXTS = 1 << 16, PLACE_BYTES = 1 << 24 };

enum place_part { PLACE_NAME, PLACE_FILE, PLACE_LINE, PLACE_PARTS };

struct host_place {
	uint32_t text[PLACE_PARTS]; /* INTERN_NONE: unknown */
};

/* time of a row in a place */
struct place_time {
	size_t row;
	uint32_t place;
	int64_t ns;
};

/* {0} is empty */
struct host_places {
	struct names names; /* stacks of the section */
	struct intern texts;
	size_t bytes;                   /* of texts */
	KEYED(struct host_place) all;   /* by its texts; number - 1 */
	KEYED(struct place_time) times; /* by row and place */
	NUMBERED(uint32_t) of_symbol;   /* places that are a name alone */
	struct text scratch, folded;
};

/* Keep the stack that a record defines. */
void host_places_define(struct host_places *h, const struct event *ev);

/* The number of the place of a record of the host, from 1; 0: it has none. */
uint32_t host_places_number(struct host_places *h, const struct event *ev);

/* The same of a range with that name. */
uint32_t host_places_range(struct host_places *h, struct span name);

/* The same of a text alone: what an operation waits for. */
uint32_t host_places_named(struct host_places *h, struct span name);

/* "CALL after WHAT": the place of a call that waits, after an operation. */
uint32_t host_places_after(
    struct host_places *h, uint32_t call, struct span what);

/* That much time of the row is there. */
void host_places_add(
    struct host_places *h, size_t row, uint32_t place, int64_t ns);

/* The text of a part of a place; empty if it is unknown. */
struct span host_places_text(
    const struct host_places *h, uint32_t place, enum place_part part);

/* A new section. */
void host_places_reset(struct host_places *h);

void host_places_free(struct host_places *h);

#endif
