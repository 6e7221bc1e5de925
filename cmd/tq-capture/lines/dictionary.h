/*
 * dictionary.h - the names behind ids in the records of one process
 */
#ifndef TQ_CAPTURE_DICTIONARY_H
#define TQ_CAPTURE_DICTIONARY_H

#include "tq/base/map.h"
#include "tq/base/region.h"

#include "record_parts.h"

struct named_id {
	struct span text; /* as the program gave it, and a NUL */
	struct span json; /* the same as a string of JSON, with its quotes */
	struct span blob; /* of schemas, enums and counters: see record.h */
	/* for users of symbols, empty and 0 at first */
	struct span base;
	int64_t number;
};

/* {0} is empty */
struct dictionary {
	struct map map; /* (type and domain, id) -> index + 1 in all */
	struct named_id *all;
	size_t count, cap;
	struct region region; /* of the texts */
};

/*
 * Define the name of a record of a chunk of names.  The last definition of an
 * id counts.  With an address (FLAG_RANGE), that finds it too.
 */
void dictionary_define(
    struct dictionary *d, const struct record *r, const struct record_parts *x);

/*
 * The name of (type, domain, id), NULL if there is none; good until the next
 * definition.  domain is 0 for types that have none.
 */
struct named_id *dictionary_find(const struct dictionary *d,
    enum record_type type, uint32_t domain, uint64_t id);

/* The same by its address in the process. */
struct named_id *dictionary_find_address(
    const struct dictionary *d, enum record_type type, uint64_t address);

void dictionary_free(struct dictionary *d);

#endif
