/* excess.c - what operations last above a multiple of their group's median */

#include "tq/advice/excess.h"
#include "tq/base/time.h"
#include "tq/names/model.h"

static bool
has_excess(const struct rule *r)
{
	return (r->claims >> CLAIM_EXCESS & 1) != 0;
}

void
excess_keys(const struct excess *x, struct keyset *want)
{
	for (size_t i = 0; i < x->rules->matching; i++) {
		const struct rule *r = &x->rules->all[i];

		for (size_t k = 0; has_excess(r) && k < KIND_COUNT; k++)
			for (size_t b = 0; b < r->by_count; b++)
				if (schema_role((enum kind)k) == ROLE_WORK)
					keyset_add(&want[k], r->by[b]);
	}
}

static uint32_t
find_values(struct excess *x, size_t rule, const struct event *ev)
{
	const struct rule *r = &x->rules->all[rule];

	x->text.len = 0;
	text_add_int(&x->text, (int64_t)rule);
	for (size_t b = 0; b < r->by_count; b++) {
		text_add_char(&x->text, '\0');
		if (event_has(ev, r->by[b]))
			text_add_span(&x->text, ev->value[r->by[b]]);
	}
	return intern_get(&x->values, text_span(&x->text));
}

/* Operations of other names are of other groups. */
static bool
groups_names(const struct rule *r)
{
	for (size_t b = 0; b < r->by_count; b++)
		if (r->by[b] == KEY_name)
			return true;
	return false;
}

void
excess_open(struct excess *x)
{
	for (size_t i = 0; i < x->rules->matching; i++)
		if (has_excess(&x->rules->all[i]))
			x->with[x->with_count++] = i;
}

void
excess_count(
    struct excess *x, const struct event *ev, const struct rules_held *held)
{
	for (size_t n = 0; n < x->with_count; n++) {
		size_t i = x->with[n];
		const struct rule *r = &x->rules->all[i];
		struct excess_group *g;
		bool fresh;

		if (!event_has(ev, KEY_dur) ||
		    (groups_names(r)
			    ? ((held->always | held->maybe) >> i & 1) == 0
			    : expr_of_kind(r->when, ev->kind) == EXPR_FALSE))
			continue;
		g = keyed_get(&x->groups, model_device(ev),
		    find_values(x, i, ev), &fresh);
		if (fresh)
			*g = (struct excess_group){.median = -1};
		durations_add(&g->durations, event_int(ev, KEY_dur, 0), 1);
	}
}

int64_t
excess_from(struct excess *x, size_t rule, const struct event *ev)
{
	struct excess_group *g =
	    keyed_find(&x->groups, model_device(ev), find_values(x, rule, ev));
	int64_t allowed;

	if (g == NULL)
		return INT64_MAX;
	if (g->median < 0)
		g->median = durations_quantile(&g->durations, 500);
	if (__builtin_mul_overflow(
		g->median, x->rules->all[rule].times, &allowed))
		return INT64_MAX;
	return time_end(event_int(ev, KEY_ts, 0), allowed);
}

void
excess_free(struct excess *x)
{
	for (size_t i = 0; i < x->groups.count; i++)
		durations_free(&x->groups.all[i].durations);
	keyed_free(&x->groups);
	intern_free(&x->values);
	text_free(&x->text);
}
