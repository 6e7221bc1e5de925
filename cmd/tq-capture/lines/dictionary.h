/*
 * names.h - what the numbers in the records of one process stand for
 */
#ifndef TQ_CAPTURE_DICTIONARY_H
#define TQ_CAPTURE_DICTIONARY_H

#include "tq/base/map.h"
#include "tq/base/text.h"

#include "record_parts.h"

struct named_id {
	struct span text; /* as the program gave it */
	struct span json; /* the same as a string of JSON, with its quotes */
	struct span blob; /* of schemas and the like: see record.h */
	struct span base; /* of the caller, who sets it to be freed */
	int64_t number;   /* of the caller, 0 at first */
};

/* {0} is an empty one */
struct dictionary {
	struct map map; /* (type and domain, id) to 1 + index in all */
	struct named_id *all;
	size_t count, cap;
};

/*
 * Keep what a record of a chunk of names defines.  The last definition of an
 * id holds.  One with an address (FLAG_RANGE) is found by that too.
 */
void dictionary_define(
    struct dictionary *n, const struct record *r, const struct record_parts *x);

/*
 * The name of (type, domain, id), NULL if there is none; good until the next
 * definition.  Domain is 0 for what is not of a domain.
 */
struct named_id *dictionary_find(const struct dictionary *n,
    enum record_type type, uint32_t domain, uint64_t id);

/* The name that the process itself knows by that address. */
struct named_id *dictionary_find_address(
    const struct dictionary *n, enum record_type type, uint64_t address);

void dictionary_free(struct dictionary *n);

#endif
