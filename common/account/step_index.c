/* step_index.c - the step that an operation is of */

#include "tq/base/lower_bound.h"
#include "tq/names/model.h"

#include "tq/account/step_index.h"

static struct indexed_thread *
get_thread(struct step_index *x, const struct event *range)
{
	bool fresh;
	struct indexed_thread *t =
	    numbered_get(&x->threads, model_thread(range), &fresh);
	size_t thread = (size_t)(t - x->threads.all);
	struct indexed_process *p;

	if (!fresh)
		return t;
	*t = (struct indexed_thread){0};
	p = numbered_get(&x->processes, model_process(range), &fresh);
	if (fresh)
		*p = (struct indexed_process){0};
	*array_add(&p->threads, &p->count, &p->cap) = thread;
	return t;
}

void
step_index_add(struct step_index *x, const struct event *range, int64_t ts,
    int64_t end, size_t step)
{
	struct indexed_step s = {ts, end, end, step};
	struct indexed_thread *t = get_thread(x, range);

	if (t->count > 0 && t->all[t->count - 1].latest > end)
		s.latest = t->all[t->count - 1].latest;
	*array_add(&t->all, &t->count, &t->cap) = s;
}

/* The step of a thread that began last of those that are open; or NULL. */
static const struct indexed_step *
find_open(const struct indexed_thread *t, int64_t ts)
{
	size_t i;

	LOWER_BOUND(i, 0, t->count, t->all[i].ts <= ts);
	for (; i > 0 && t->all[i - 1].latest > ts; i--)
		if (t->all[i - 1].end > ts)
			return &t->all[i - 1];
	return NULL;
}

/* The same of all threads of the process. */
static const struct indexed_step *
find_any(const struct step_index *x, const struct event *ev, int64_t ts)
{
	const struct indexed_process *p =
	    numbered_find(&x->processes, model_process(ev));
	const struct indexed_step *last = NULL;

	for (size_t i = 0; p != NULL && i < p->count; i++) {
		const struct indexed_step *s =
		    find_open(&x->threads.all[p->threads[i]], ts);

		if (s != NULL &&
		    (last == NULL || s->ts > last->ts ||
			(s->ts == last->ts && s->step < last->step)))
			last = s;
	}
	return last;
}

size_t
step_index_find(const struct step_index *x, const struct event *ev)
{
	const struct indexed_step *s = NULL;
	const struct indexed_thread *t;
	int64_t ts;

	if (x->threads.count == 0) /* most recordings have no steps */
		return STEP_NONE;
	ts = event_int(ev, KEY_api_ts, event_int(ev, KEY_ts, 0));
	t = numbered_find(&x->threads, model_thread(ev));
	if (t != NULL)
		s = find_open(t, ts);
	if (s == NULL)
		s = find_any(x, ev, ts);
	return s != NULL ? s->step : STEP_NONE;
}

static void
free_steps(struct step_index *x)
{
	for (size_t i = 0; i < x->threads.count; i++)
		free(x->threads.all[i].all);
	for (size_t i = 0; i < x->processes.count; i++)
		free(x->processes.all[i].threads);
}

void
step_index_clear(struct step_index *x)
{
	free_steps(x);
	numbered_clear(&x->threads);
	numbered_clear(&x->processes);
}

void
step_index_free(struct step_index *x)
{
	free_steps(x);
	numbered_free(&x->threads);
	numbered_free(&x->processes);
}
