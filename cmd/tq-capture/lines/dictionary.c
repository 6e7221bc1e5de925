/* dictionary.c - the names behind ids in the records of one process */

#include <stdlib.h>

#include "tq/base/array.h"

#include "dictionary.h"

enum { ADDRESS = 256 }; /* added to a type: the key is an address */

static uint64_t
first_key(unsigned type, uint32_t domain)
{
	return (uint64_t)type << 32 | domain;
}

static struct named_id *
find_key(const struct dictionary *d, uint64_t first, uint64_t id)
{
	const uint64_t *at = map_find(&d->map, first, id);

	return at != NULL ? &d->all[*at - 1] : NULL;
}

/* its index + 1 */
static uint64_t
add_name(struct dictionary *d, struct span s, struct span blob)
{
	struct text json = {0};

	text_add_json(&json, s.p, s.len);
	*array_add(&d->all, &d->count, &d->cap) =
	    (struct named_id){.text = region_copy(&d->region, s),
		.json = region_copy(&d->region, text_span(&json)),
		.blob = region_copy(&d->region, blob)};
	text_free(&json);
	return d->count;
}

/* 0 for strings and symbols, which many domains may share */
static uint32_t
domain_of(const struct record *r)
{
	switch (r->type) {
	case RECORD_CATEGORY:
	case RECORD_SCHEMA:
	case RECORD_ENUM:
	case RECORD_COUNTERDEF:
		return r->domain;
	default:
		return 0;
	}
}

void
dictionary_define(
    struct dictionary *d, const struct record *r, const struct record_parts *x)
{
	uint64_t *at =
	    map_get(&d->map, first_key(r->type, domain_of(r)), x->id);

	/* the agent repeats definitions that it is not sure of */
	if (*at == 0 || !span_eq(d->all[*at - 1].text, x->text) ||
	    !span_eq(d->all[*at - 1].blob, x->blob))
		*at = add_name(d, x->text, x->blob);
	if (x->range != 0) {
		uint64_t index = *at;

		*map_get(&d->map, first_key(ADDRESS + r->type, 0), x->range) =
		    index;
	}
}

struct named_id *
dictionary_find(const struct dictionary *d, enum record_type type,
    uint32_t domain, uint64_t id)
{
	return find_key(d, first_key(type, domain), id);
}

struct named_id *
dictionary_find_address(
    const struct dictionary *d, enum record_type type, uint64_t address)
{
	return find_key(d, first_key(ADDRESS + type, 0), address);
}

void
dictionary_free(struct dictionary *d)
{
	free(d->all);
	map_free(&d->map);
	region_free(&d->region);
}
