/* names.c - what the numbers in the records of one process stand for */

#include <stdlib.h>

#include "tq/base/array.h"

#include "dictionary.h"

enum { ADDRESS = 256 }; /* + a record type: by the address of it */

static uint64_t
first_key(unsigned type, uint32_t domain)
{
	return (uint64_t)type << 32 | domain;
}

static struct named_id *
find(const struct dictionary *n, unsigned type, uint32_t domain, uint64_t id)
{
	const uint64_t *at = map_find(&n->map, first_key(type, domain), id);

	return at != NULL ? &n->all[*at - 1] : NULL;
}

static uint64_t
add(struct dictionary *n, struct span s, struct span blob)
{
	struct text json = {0};

	text_add_json(&json, s.p, s.len);
	*array_add(&n->all, &n->count, &n->cap) =
	    (struct named_id){.text = {mem_copy(s.p, s.len), s.len},
		.json = text_span(&json),
		.blob = {mem_copy(blob.p, blob.len), blob.len}};
	return n->count;
}

/* strings and symbols are not of a domain, though it may be told */
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
    struct dictionary *n, const struct record *r, const struct record_parts *x)
{
	uint64_t *at =
	    map_get(&n->map, first_key(r->type, domain_of(r)), x->id);

	/* most are repeated as they were, by a retry */
	if (*at == 0 || !span_eq(n->all[*at - 1].text, x->text) ||
	    !span_eq(n->all[*at - 1].blob, x->blob))
		*at = add(n, x->text, x->blob);
	if (x->range != 0) {
		uint64_t index = *at;

		*map_get(&n->map, first_key(ADDRESS + r->type, 0), x->range) =
		    index;
	}
}

struct named_id *
dictionary_find(const struct dictionary *n, enum record_type type,
    uint32_t domain, uint64_t id)
{
	return find(n, type, domain, id);
}

struct named_id *
dictionary_find_address(
    const struct dictionary *n, enum record_type type, uint64_t address)
{
	return find(n, ADDRESS + type, 0, address);
}

void
dictionary_free(struct dictionary *n)
{
	for (size_t i = 0; i < n->count; i++) {
		free((char *)(uintptr_t)n->all[i].text.p);
		free((char *)(uintptr_t)n->all[i].json.p);
		free((char *)(uintptr_t)n->all[i].base.p);
		free((char *)(uintptr_t)n->all[i].blob.p);
	}
	free(n->all);
	map_free(&n->map);
}
