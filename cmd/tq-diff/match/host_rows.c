/* host_rows.c - calls of the host by name, and ranges by path */

#include <stdlib.h>

#include "host_rows.h"
#include "tq/base/array.h"

/* The row of a kind and name, added if it is new. */
static struct host_row *
get_row(struct host_rows *h, enum kind kind, struct span name, struct text *key)
{
	uint32_t number;
	struct span text;

	key->len = 0;
	text_add_char(key, (char)kind);
	text_add_span(key, name);
	number = intern_get(&h->names, text_span(key));
	if (number < h->count)
		return &h->all[number];
	text = intern_text(&h->names, number);
	*array_add(&h->all, &h->count, &h->cap) =
	    (struct host_row){.kind = kind, .name = {text.p + 1, text.len - 1}};
	return &h->all[h->count - 1];
}

static void
add_account(
    struct host_rows *h, const struct account *a, int side, struct text *key)
{
	for (size_t i = 0; i < a->call_count; i++) {
		const struct account_call *c = &a->calls[i];
		struct host_sum *to =
		    &get_row(h, c->kind, c->name, key)->on[side];

		to->n = time_end(to->n, c->n);
		to->dur = time_end(to->dur, c->dur);
	}
	for (size_t i = 0; i < a->path_count; i++) {
		const struct account_path *p = &a->paths[i];
		struct host_sum *to;

		to = &get_row(h, KIND_range, p->path, key)->on[side];
		to->n = time_end(to->n, p->n);
		to->dur = time_end(to->dur, p->dur);
		to->exposed = time_end(to->exposed, p->work.exposed);
		to->idle = time_end(to->idle, p->idle);
	}
}

/* True if a side has any record of a kind, which may not start in a unit. */
static bool
has_kind(const struct accounts *side, const char *count)
{
	for (size_t r = 0; r < side->count; r++)
		if (account_fact_int(side->all[r], count, 0) > 0)
			return true;
	return false;
}

/* Kinds that one side did not record are not compared. */
static void
drop_missing(struct host_rows *h, const struct accounts *const *sides)
{
	static const struct {
		enum kind kind;
		const char *count;
	} kinds[] = {{KIND_api, "count.api"}, {KIND_osrt, "count.osrt"},
	    {KIND_range, "count.range"}};
	size_t n = 0;

	for (size_t i = 0; i < h->count; i++) {
		bool missing = false;

		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
			missing |=
			    h->all[i].kind == kinds[k].kind &&
			    (!has_kind(sides[SIDE_A], kinds[k].count) ||
				!has_kind(sides[SIDE_B], kinds[k].count));
		if (!missing)
			h->all[n++] = h->all[i];
	}
	h->count = n;
}

static int
by_kind_and_name(const void *x, const void *y)
{
	const struct host_row *a = x, *b = y;

	return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
				  : span_cmp(a->name, b->name);
}

void
host_rows_make(struct host_rows *h, const struct accounts *const *sides)
{
	struct text key = {0};

	*h = (struct host_rows){0};
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < sides[side]->count; r++)
			add_account(h, sides[side]->all[r], side, &key);
	drop_missing(h, sides);
	if (h->count > 0)
		qsort(h->all, h->count, sizeof(*h->all), by_kind_and_name);
	text_free(&key);
}

void
host_rows_free(struct host_rows *h)
{
	free(h->all);
	intern_free(&h->names);
}
