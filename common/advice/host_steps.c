/* host_steps.c - the steps of threads, as they begin and end */

#include "tq/base/time.h"

#include "tq/advice/host_steps.h"

void
host_steps_begin(struct host_steps *h, const struct host_step *s)
{
	bool fresh;
	struct host_step *t =
	    keyed_get(&h->threads, (uint64_t)s->pid, (uint64_t)s->tid, &fresh);

	if (!fresh && t->open)
		return;
	*t = *s;
	t->open = true;
	h->count++;
	/* its number, as threads move */
	expiry_add(&h->open, t->end < INT64_MAX ? t->end : INT64_MAX - 1,
	    (void *)(uintptr_t)(t - h->threads.all));
}

const struct host_step *
host_steps_ended(struct host_steps *h, int64_t now)
{
	struct host_step *s;

	if (!expiry_due(&h->open, time_end(now, 1)))
		return NULL;
	s = &h->threads.all[(uintptr_t)expiry_take(&h->open)];
	s->open = false;
	return s;
}

int64_t
host_steps_oldest(
    const struct host_steps *h, int64_t pid, int64_t tid, int64_t now)
{
	const struct host_step *s;

	if (tid != NO_ID) {
		s = keyed_find(&h->threads, (uint64_t)pid, (uint64_t)tid);
		return s != NULL && s->open ? s->ts : now;
	}
	for (size_t i = 0; i < h->threads.count; i++) {
		s = &h->threads.all[i];
		if (s->open && s->pid == pid && s->ts < now)
			now = s->ts;
	}
	return now;
}

void
host_steps_reset(struct host_steps *h)
{
	keyed_clear(&h->threads);
	expiry_free(&h->open);
}

void
host_steps_free(struct host_steps *h)
{
	keyed_free(&h->threads);
	expiry_free(&h->open);
}
