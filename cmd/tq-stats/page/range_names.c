/* range_names.c - numbers for the names of ranges */

#include "tq/base/hash.h"
#include "tq/names/fold_name.h"

#include "range_names.h"

/* The number of the name without what differs from call to call.  Names repeat,
   and to fold a number costs more than to find the name again. */
static uint32_t
fold(struct range_names *s, struct text *t)
{
	struct range_name *r;

	t->len = fold_name_always(t->p, t->len);
	r = &s->recent[hash_text(text_span(t)) % RANGE_NAMES_RECENT];
	if (r->number > 0 && span_eq(text_span(&r->text), text_span(t)))
		return r->number - 1;
	r->text.len = 0;
	text_add_span(&r->text, text_span(t));
	t->len = fold_name_numbers(t->p, t->len);
	r->number = 1 + intern_get(&s->names, text_span(t));
	return r->number - 1;
}

uint32_t
range_names_number(struct range_names *s, const struct event *ev, bool folded)
{
	struct text *t = &s->scratch;
	struct span name;

	t->len = 0;
	name = event_str(ev, KEY_name, t);
	if (t->len == 0)
		text_add_span(t, name);
	return folded ? fold(s, t) : intern_get(&s->names, text_span(t));
}

void
range_names_free(struct range_names *s)
{
	for (size_t i = 0; i < RANGE_NAMES_RECENT; i++)
		text_free(&s->recent[i].text);
	intern_free(&s->names);
	text_free(&s->scratch);
}
