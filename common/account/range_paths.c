/* range_paths.c - paths of ranges as a tree of names */

#include <stdlib.h>

#include "tq/account/range_paths.h"
#include "tq/base/array.h"
#include "tq/line/json.h"

enum { FIRST_SLOTS = 64 };

/* ---- finding ---- */

/* the slot of a path, or the free one where it would be */
static uint32_t *
probe(const struct range_paths *p, struct range_path_node of)
{
	uint64_t hash = ((uint64_t)of.parent << 32 | of.name) + 1;

	hash *= 0xd6e8feb86659fd93u;
	hash ^= hash >> 32;
	hash *= 0x9e3779b97f4a7c15u;
	for (size_t i = (size_t)(hash >> 24);; i++) {
		uint32_t *slot = &p->slots[i & (p->size - 1)];
		const struct range_path_node *n = &p->all[*slot];

		if (*slot == 0 ||
		    (n->parent == of.parent && n->name == of.name))
			return slot;
	}
}

static void
grow(struct range_paths *p)
{
	free(p->slots);
	p->size = p->size > 0 ? p->size * 2 : FIRST_SLOTS;
	p->slots = mem_alloc(p->size * sizeof(*p->slots));
	for (size_t i = 1; i < p->count; i++)
		*probe(p, p->all[i]) = (uint32_t)i;
}

uint32_t
range_paths_root(struct range_paths *p)
{
	if (p->count == 0)
		*array_add(&p->all, &p->count, &p->cap) =
		    (struct range_path_node){0};
	return 0;
}

uint32_t
range_paths_get(struct range_paths *p, uint32_t parent, struct span name)
{
	struct range_path_node of = {parent, intern_get(&p->names, name)};
	uint32_t *slot;

	if (p->count >= p->size / 4 * 3)
		grow(p);
	slot = probe(p, of);
	if (*slot == 0) {
		*slot = (uint32_t)p->count;
		*array_add(&p->all, &p->count, &p->cap) = of;
	}
	return *slot;
}

bool
range_paths_read(struct range_paths *p, struct span array, uint32_t *path)
{
	struct json j;
	struct span name;

	*path = range_paths_root(p);
	json_open_array(&j, array);
	while (json_next_element(&j, &name))
		*path = range_paths_get(p, *path, name);
	return j.error == NULL;
}

/* ---- texts ---- */

size_t
range_paths_length(const struct range_paths *p, uint32_t path)
{
	size_t length = path == 0 ? 2 : 1; /* a bracket, and one of each name */

	for (; path != 0; path = p->all[path].parent)
		length += intern_text(&p->names, p->all[path].name).len + 1;
	return length;
}

void
range_paths_add(struct text *t, const struct range_paths *p, uint32_t path)
{
	size_t length = range_paths_length(p, path);
	char *begin = text_reserve(t, length), *to = begin + length - 1;

	*begin = '[';
	*to = ']';
	while (path != 0) {
		struct span name = intern_text(&p->names, p->all[path].name);

		to -= name.len;
		memcpy(to, name.p, name.len);
		path = p->all[path].parent;
		if (path != 0)
			*--to = ',';
	}
	t->len += length;
}

/* ---- their order ---- */

/* The place of each name in the order of their texts. */
static uint32_t *
rank_names(const struct range_paths *p)
{
	size_t count = p->names.count;
	uint32_t *order = intern_order(&p->names);
	uint32_t *ranks = mem_alloc((count + 1) * sizeof(*ranks));

	for (uint32_t i = 0; i < count; i++)
		ranks[order[i]] = i;
	free(order);
	return ranks;
}

/* The paths but 0 in the order of their innermost names. */
static uint32_t *
sort_by_name(const struct range_paths *p)
{
	uint32_t *ranks = rank_names(p);
	size_t *begin = mem_alloc((p->names.count + 1) * sizeof(*begin));
	uint32_t *sorted = mem_alloc((p->count + 1) * sizeof(*sorted));

	for (size_t i = 1; i < p->count; i++)
		begin[ranks[p->all[i].name] + 1]++;
	for (size_t i = 1; i <= p->names.count; i++)
		begin[i] += begin[i - 1];
	for (uint32_t i = 1; i < p->count; i++)
		sorted[begin[ranks[p->all[i].name]]++] = i;
	free(ranks);
	free(begin);
	return sorted;
}

/*
 * A name ends with its quote, so that none is the beginning of another, and
 * paths with a common parent are in the order of their names; a parent has its
 * bracket where they have a comma, which is less: it is behind them.
 */
uint32_t *
range_paths_order(const struct range_paths *p)
{
	size_t count = p->count, n = 0;
	uint32_t *order = sort_by_name(p), at = 0;
	uint32_t *child = mem_alloc((count + 1) * sizeof(*child));
	uint32_t *sibling = mem_alloc((count + 1) * sizeof(*sibling));

	for (size_t i = count; i-- > 1;) {
		uint32_t path = order[i - 1], parent = p->all[path].parent;

		sibling[path] = child[parent];
		child[parent] = path;
	}
	while (n < count)
		if (child[at] != 0) { /* which is entered once */
			uint32_t first = child[at];

			child[at] = 0;
			at = first;
		} else {
			order[n++] = at;
			at = sibling[at] != 0 ? sibling[at] : p->all[at].parent;
		}
	free(child);
	free(sibling);
	return order;
}

void
range_paths_close(struct range_paths *p)
{
	free(p->slots);
	p->slots = NULL;
	p->size = 0;
}

void
range_paths_free(struct range_paths *p)
{
	range_paths_close(p);
	free(p->all);
	intern_free(&p->names);
	*p = (struct range_paths){0};
}
