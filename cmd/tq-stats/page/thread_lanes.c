/* thread_lanes.c - the steps and ranges of each thread as lanes */

#include "tq/names/model.h"

#include "thread_lanes.h"

/* NULL if there are too many threads. */
static struct laned_thread *
find_thread(struct thread_lanes *s, const struct event *ev)
{
	struct laned_thread *t;
	bool fresh;

	if (s->threads.count == THREAD_LANES_MOST)
		return numbered_find(&s->threads, model_thread(ev));
	t = numbered_get(&s->threads, model_thread(ev), &fresh);
	if (fresh)
		*t =
		    (struct laned_thread){.pid = event_int(ev, KEY_pid, NO_ID)};
	return t;
}

void
thread_lanes_add_range(struct thread_lanes *s, const struct event *ev,
    int64_t ts, int64_t end, uint32_t name)
{
	struct laned_thread *t = find_thread(s, ev);

	if (t == NULL)
		return;
	while (t->depth > 0 && t->ends[t->depth - 1] <= ts)
		t->depth--;
	if (t->depth == THREAD_LANES_DEPTH)
		return;
	thread_intervals_add(&t->ranges[t->depth], ts, end, name);
	t->ends[t->depth++] = end;
}

void
thread_lanes_add_step(struct thread_lanes *s, const struct event *ev,
    int64_t ts, int64_t end, uint32_t name)
{
	struct laned_thread *t = find_thread(s, ev);

	if (t != NULL)
		thread_intervals_add(&t->steps, ts, end, name);
}

void
thread_lanes_add_launch(
    struct thread_lanes *s, const struct event *ev, size_t gpu)
{
	uint32_t thread = model_thread(ev);
	struct thread_launches *n;
	bool fresh;

	if (!event_has(ev, KEY_tid))
		return;
	if (s->launches.count > 0) {
		n = &s->launches.all[s->latest];
		if (n->gpu == gpu && n->thread == thread) {
			n->count++;
			return;
		}
	}
	n = keyed_get(&s->launches, thread, gpu, &fresh);
	if (fresh)
		*n = (struct thread_launches){
		    gpu, event_int(ev, KEY_pid, NO_ID), thread, 0};
	n->count++;
	s->latest = (size_t)(n - s->launches.all);
}

/* ---- the lane of a GPU ---- */

static const struct thread_launches *
most_launches(const struct thread_lanes *s, size_t gpu)
{
	const struct thread_launches *most = NULL;

	for (size_t i = 0; i < s->launches.count; i++) {
		const struct thread_launches *n = &s->launches.all[i];

		if (n->gpu == gpu && (most == NULL || most->count < n->count))
			most = n;
	}
	return most;
}

/*
 * The thread of a process that spends most time in steps, NULL if none has any:
 * PyTorch launches the backward half of each step from a thread of its own.
 */
static const struct laned_thread *
stepping_thread(const struct thread_lanes *s, int64_t pid)
{
	const struct laned_thread *most = NULL;

	for (size_t i = 0; i < s->threads.count; i++) {
		const struct laned_thread *t = &s->threads.all[i];

		if (t->pid == pid && t->steps.count > 0 &&
		    (most == NULL || most->steps.time < t->steps.time))
			most = t;
	}
	return most;
}

static struct thread_intervals *
copy_lane(const struct thread_intervals *l)
{
	struct thread_intervals *copy = mem_alloc(sizeof(*copy));

	*copy = *l;
	copy->all = mem_resize(NULL, l->count, sizeof(*l->all));
	memcpy(copy->all, l->all, l->count * sizeof(*l->all));
	return copy;
}

struct thread_intervals *
thread_lanes_get(
    const struct thread_lanes *s, size_t gpu, int64_t active, bool *steps)
{
	const struct thread_launches *most = most_launches(s, gpu);
	const struct laned_thread *t, *stepping;

	if (most == NULL)
		return NULL;
	t = numbered_find(&s->threads, most->thread);
	stepping =
	    t != NULL && t->steps.count > 0 ? t : stepping_thread(s, most->pid);
	*steps = stepping != NULL;
	if (*steps)
		return copy_lane(&stepping->steps);
	if (t == NULL)
		return NULL;
	for (size_t i = 0; i < THREAD_LANES_DEPTH; i++)
		if (t->ranges[i].added >= 3 &&
		    t->ranges[i].time >= (uint64_t)active / 5 * 2)
			return copy_lane(&t->ranges[i]);
	return NULL;
}

/* ---- the end ---- */

void
thread_lanes_reset(struct thread_lanes *s)
{
	for (size_t i = 0; i < s->threads.count; i++) {
		thread_intervals_free(&s->threads.all[i].steps);
		for (size_t d = 0; d < THREAD_LANES_DEPTH; d++)
			thread_intervals_free(&s->threads.all[i].ranges[d]);
	}
	numbered_clear(&s->threads);
	keyed_clear(&s->launches);
}

void
thread_lanes_free(struct thread_lanes *s)
{
	thread_lanes_reset(s);
	numbered_free(&s->threads);
	keyed_free(&s->launches);
}
