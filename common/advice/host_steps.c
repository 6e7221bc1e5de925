/* host_steps.c - the steps of threads, as they begin and end */

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
	if (h->open++ == 0 || h->first_end > s->end)
		h->first_end = s->end;
}

/* The end of the open step that ends first. */
static void
find_first_end(struct host_steps *h)
{
	h->first_end = INT64_MAX;
	for (size_t i = 0; i < h->threads.count; i++) {
		const struct host_step *s = &h->threads.all[i];

		if (s->open && h->first_end > s->end)
			h->first_end = s->end;
	}
}

const struct host_step *
host_steps_ended(struct host_steps *h, int64_t now)
{
	if (h->open == 0 || h->first_end > now)
		return NULL;
	for (size_t i = 0; i < h->threads.count; i++) {
		struct host_step *s = &h->threads.all[i];

		if (!s->open || s->end != h->first_end)
			continue;
		s->open = false;
		h->open--;
		find_first_end(h);
		return s;
	}
	return NULL;
}

int64_t
host_steps_oldest(const struct host_steps *h, int64_t pid, int64_t now)
{
	for (size_t i = 0; h->open > 0 && i < h->threads.count; i++) {
		const struct host_step *s = &h->threads.all[i];

		if (s->open && s->pid == pid && s->ts < now)
			now = s->ts;
	}
	return now;
}

void
host_steps_reset(struct host_steps *h)
{
	keyed_clear(&h->threads);
	h->open = 0;
}

void
host_steps_free(struct host_steps *h)
{
	keyed_free(&h->threads);
	h->open = 0;
}
