/* plan.c - what becomes of the keys of a record */

#include "plan.h"

void
plan_make(struct plan *plan, uint64_t low, uint64_t high)
{
	plan->keys = plan->notes = (struct keyset){
	    {low, high}
        };
	plan->count = 0;
	keyset_remove(&plan->notes, KEY_sym);
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keyset_has(&plan->keys, (enum key)i) &&
		    keyset_has(&fields_keys, (enum key)i)) {
			keyset_remove(&plan->notes, (enum key)i);
			plan->fields[plan->count++] = fields[i];
		}
}
