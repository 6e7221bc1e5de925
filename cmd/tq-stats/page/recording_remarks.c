/* recording_remarks.c - remarks of the page on itself */

#include "finding_draft.h"

static void
find_uncorrelated(struct finding_draft *x)
{
	const struct run_report_total *r = x->f->recorded;

	if (r->work == 0 || r->correlated || r->joined > 0)
		return;
	finding_draft_begin(
	    x, SPAN("not-correlated"), SPAN("Why GPUs wait is unknown"));
	finding_draft_add(x,
	    "Causes need tq-correlate: it finds the call that launched each "
	    "operation.");
	finding_draft_command(x, SPAN("tq-correlate FILE | tq-stats"));
}

/* one recording twice: all sums are doubled */
static void
find_repeated(struct finding_draft *x)
{
	size_t a, b;

	if (!run_report_repeats(x->f->recorded, &a, &b))
		return;
	finding_draft_begin(
	    x, SPAN("repeated"), SPAN("A recording is read twice"));
	x->now->evidence = true;
	finding_draft_add(x,
	    "Traces %c and %c have the same start, host and number of records "
	    "of each kind: sums count them twice. Give each recording once.",
	    (int64_t)a, (int64_t)b);
	finding_draft_command(x, SPAN("tq-stats -r run FILE"));
}

void
recording_remarks(struct finding_draft *x)
{
	find_repeated(x);
	if (x->p->gpu_count > 0)
		find_uncorrelated(x);
}
