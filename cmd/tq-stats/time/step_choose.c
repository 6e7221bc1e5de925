/* step_choose.c - which steps are meant */

#include <stdlib.h>

#include "tq/ask/expr.h"
#include "tq/base/mem.h"
#include "tq/io/status.h"

#include "step.h"

void
step_choose(struct ask *ask, const char *text)
{
	const char *bad;
	size_t at;

	range_spec_free(&ask->step);
	if (range_spec_parse_step(&ask->step, text, &at) == NULL)
		return;
	bad = range_spec_parse(&ask->step, text, &at); /* all of a name */
	if (bad != NULL) {
		expr_complain_at(span_of(text), at, bad);
		exit(TQ_USAGE);
	}
}

/* a step among those of its process */
struct length {
	int64_t dur, number;
	size_t step; /* index */
};

static int
compare(const void *pa, const void *pb)
{
	const struct length *a = pa, *b = pb;

	if (a->dur != b->dur)
		return a->dur < b->dur ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void
step_choose_median(struct steps *s, const struct step_process *p)
{
	struct length *all = NULL;
	size_t n = 0, cap = 0, median = p->last;

	for (size_t i = p->last; i > 0; i = s->steps[i - 1].before) {
		struct step *step = &s->steps[i - 1];

		step->left_out = true;
		if (step->number == 0)
			continue;
		if (n == cap) {
			cap = cap * 2 + 8;
			all = mem_resize(all, cap, sizeof(*all));
		}
		all[n++] =
		    (struct length){step->end - step->ts, step->number, i};
	}
	if (n > 0) {
		qsort(all, n, sizeof(*all), compare);
		median = all[(n - 1) / 2].step;
	}
	if (median > 0)
		s->steps[median - 1].left_out = false;
	free(all);
}
