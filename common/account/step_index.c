/* step_index.c - the step that an operation is of */

#include "tq/base/lower_bound.h"
#include "tq/names/model.h"

#include "tq/account/step_index.h"

static struct indexed_thread *
get_thread(struct indexed_process *p, uint32_t thread)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->threads[i].thread == thread)
			return &p->threads[i];
	*array_add(&p->threads, &p->count, &p->cap) =
	    (struct indexed_thread){.thread = thread};
	return &p->threads[p->count - 1];
}

void
step_index_add(struct step_index *x, const struct event *range, int64_t ts,
    int64_t end, size_t step)
{
	struct indexed_step s = {ts, end, end, step};
	struct indexed_thread *t;
	struct indexed_process *p;
	bool fresh;

	p = numbered_get(&x->processes, model_process(range), &fresh);
	if (fresh)
		*p = (struct indexed_process){0};
	t = get_thread(p, model_thread(range));
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

size_t
step_index_find(const struct step_index *x, const struct event *ev)
{
	const struct indexed_process *p =
	    numbered_find(&x->processes, model_process(ev));
	const struct indexed_step *last = NULL;
	int64_t ts = event_int(ev, KEY_api_ts, event_int(ev, KEY_ts, 0));

	for (size_t i = 0; p != NULL && i < p->count; i++) {
		const struct indexed_thread *t = &p->threads[i];
		const struct indexed_step *s = find_open(t, ts);

		if (s != NULL && t->thread == model_thread(ev))
			return s->step;
		if (s != NULL &&
		    (last == NULL || s->ts > last->ts ||
			(s->ts == last->ts && s->step < last->step)))
			last = s;
	}
	return last != NULL ? last->step : STEP_NONE;
}

static void
free_threads(struct step_index *x)
{
	for (size_t i = 0; i < x->processes.count; i++) {
		struct indexed_process *p = &x->processes.all[i];

		for (size_t n = 0; n < p->count; n++)
			free(p->threads[n].all);
		free(p->threads);
	}
}

void
step_index_clear(struct step_index *x)
{
	free_threads(x);
	numbered_clear(&x->processes);
}

void
step_index_free(struct step_index *x)
{
	free_threads(x);
	numbered_free(&x->processes);
}
