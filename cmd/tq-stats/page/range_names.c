/* range_names.c - numbers for the names of ranges */

#include "tq/names/fold_name.h"

#include "range_names.h"

uint32_t
range_names_number(struct range_names *s, const struct event *ev, bool fold)
{
	struct text *t = &s->scratch;
	struct span name;

	t->len = 0;
	name = event_str(ev, KEY_name, t);
	if (t->len == 0)
		text_add_span(t, name);
	if (fold) {
		t->len = fold_name_always(t->p, t->len);
		t->len = fold_name_numbers(t->p, t->len);
	}
	return intern_get(&s->names, text_span(t));
}

void
range_names_free(struct range_names *s)
{
	intern_free(&s->names);
	text_free(&s->scratch);
}
