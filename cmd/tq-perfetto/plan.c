/* plan.c - what becomes of the keys of a record */

#include "plan.h"

/* returns how many there are */
static size_t
add_fields(struct plan *plan, struct field *to, enum type type)
{
	size_t n = 0;

	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keyset_has(&plan->keys, (enum key)i) &&
		    keyset_has(&fields_keys, (enum key)i) &&
		    fields[i].type == type) {
			keyset_remove(&plan->notes, (enum key)i);
			to[n++] = fields[i];
		}
	return n;
}

static void
make(struct plan *plan, uint64_t low, uint64_t high)
{
	plan->keys = plan->notes = (struct keyset){{low, high}};
	keyset_remove(&plan->notes, KEY_sym);
	plan->ints = add_fields(plan, plan->fields, TYPE_INT);
	plan->lists = add_fields(plan, plan->fields + plan->ints, TYPE_INTS);
	plan->strings =
	    add_fields(plan, plan->fields + plan->ints + plan->lists, TYPE_STR);
}

const struct plan *
plans_look_on(struct plans *all, size_t at, uint64_t low, uint64_t high)
{
	struct plan *plan;

	for (size_t i = 0; i < PLANS_WAYS; i++) {
		plan = &all->plan[(at + i) % PLANS];
		if (plan_is_for(plan, low, high))
			return plan;
		if (plan_is_for(plan, 0, 0)) /* free, or that of no keys */
			break;
	}
	if (!plan_is_for(plan, 0, 0))
		plan = &all->plan[at];
	make(plan, low, high);
	return plan;
}
