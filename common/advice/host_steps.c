/* host_steps.c - the steps of threads, as they begin and end */

#include "tq/base/time.h"
#include "tq/names/model.h"

#include "tq/advice/host_steps.h"

struct host_step *
host_steps_thread(struct host_steps *h, const struct event *ev)
{
	bool fresh;
	struct host_step *s =
	    numbered_get(&h->threads, model_thread(ev), &fresh);

	if (fresh)
		*s = (struct host_step){.process = model_process(ev),
		    .thread = model_thread(ev),
		    .any = model_any_thread(ev),
		    .pid = event_int(ev, KEY_pid, NO_ID),
		    .tid = event_int(ev, KEY_tid, NO_ID),
		    .device = SIZE_MAX};
	return s;
}

struct host_step *
host_steps_open(const struct host_steps *h, uint32_t thread)
{
	struct host_step *s = numbered_find(&h->threads, thread);

	return s != NULL && s->open ? s : NULL;
}

void
host_steps_begin(
    struct host_steps *h, struct host_step *thread, int64_t ts, int64_t end)
{
	thread->ts = ts;
	thread->end = end;
	thread->open = true;
	thread->counted = false;
	/* its number, as threads move */
	expiry_add(&h->open, end < INT64_MAX ? end : INT64_MAX - 1,
	    (void *)(uintptr_t)(thread - h->threads.all));
}

struct host_step *
host_steps_ended(struct host_steps *h, int64_t now)
{
	while (expiry_due(&h->open, time_end(now, 1))) {
		struct host_step *s =
		    &h->threads.all[(uintptr_t)expiry_take(&h->open)];

		/* one that was never closed may have made way for another */
		if (!s->open || (s->end > now && now < INT64_MAX))
			continue;
		s->open = false;
		return s;
	}
	return NULL;
}

int64_t
host_steps_oldest(const struct host_steps *h, uint32_t process, int64_t now)
{
	for (size_t i = 0; i < h->threads.count; i++) {
		const struct host_step *s = &h->threads.all[i];

		if (s->open && s->process == process && s->ts < now)
			now = s->ts;
	}
	return now;
}

static void
free_names(struct host_steps *h)
{
	for (size_t i = 0; i < h->threads.count; i++)
		text_free(&h->threads.all[i].name);
}

void
host_steps_reset(struct host_steps *h)
{
	free_names(h);
	numbered_clear(&h->threads);
	expiry_free(&h->open);
}

void
host_steps_free(struct host_steps *h)
{
	free_names(h);
	numbered_free(&h->threads);
	expiry_free(&h->open);
}
