/* dry_waits.c - waits at which a device runs dry, and what they expose */

#include "tq/base/time.h"

#include "tq/advice/dry_waits.h"

/* ---- devices ---- */

/* What the last steps left over, but no more than the last one worked. */
static void
begin_step(struct dry_device *d)
{
	for (size_t i = 0; i < DRY_KINDS; i++)
		if (d->left[i] > d->step)
			d->left[i] = d->step;
	d->step = 0;
	d->next = false;
}

void
dry_waits_work(struct dry_device *d, int64_t ns)
{
	if (d->next)
		begin_step(d);
	d->step = time_end(d->step, ns);
	for (size_t i = 0; i < DRY_KINDS; i++)
		d->left[i] = time_end(d->left[i], ns);
}

void
dry_waits_launch(
    struct dry_device *d, const struct process_steps *steps, int64_t launch)
{
	const struct step *x = steps != NULL ? steps_at(steps, launch) : NULL;

	if (x == NULL) {
		d->until = steps != NULL ? d->until : INT64_MAX;
		return;
	}
	d->next = d->until != 0;
	d->until = x->end;
}

bool
dry_waits_end_step(struct dry_device *d, const struct process_steps *steps,
    int64_t at, int64_t launch)
{
	const struct step *x = steps_at(steps, at);

	if (x != NULL && at < x->launched)
		return false;
	if (x == NULL) /* between two steps */
		x = steps_at(steps, launch);
	if (x == NULL)
		return false;
	d->ends += d->ends == 0 || d->last != x->ts;
	d->last = x->ts;
	return true;
}

/* ---- rows ---- */

void
dry_waits_add(struct dry_waits *w, size_t row, struct dry_wait wait, int64_t ns)
{
	struct dry_time *t;
	bool fresh;

	t = keyed_get(
	    &w->times, row, (uint64_t)wait.call << 32 | wait.range, &fresh);
	if (fresh)
		*t = (struct dry_time){.row = row, .wait = wait};
	t->ns = time_end(t->ns, ns);
	if (wait.ends_step)
		t->step_ns = time_end(t->step_ns, ns);
}

void
dry_waits_free(struct dry_waits *w)
{
	keyed_free(&w->times);
}
