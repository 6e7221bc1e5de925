/* dumps.c - when the flight recorder writes its lines */

#include <inttypes.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tq/base/array.h"

#include "capture.h"
#include "dumps.h"

enum {
	NS_PER_MS = 1000000,
	ARRIVED_MS = 150,      /* records of programs are read by then */
	DELIVERED_MS = 600,    /* and records that CUPTI delivers */
	BETWEEN_ANSWERS_MS = 5 /* looks whether the writer is done */
};

/* ns before which the dump has no events */
static int64_t
start_of(const struct capture *c, int64_t ts)
{
	return ts > INT64_MIN + c->options.keep ? ts - c->options.keep
						: INT64_MIN;
}

void
dumps_ask(struct capture *c, int64_t ts, int caller)
{
	struct dumps *d = &c->dumps;
	int64_t wait =
	    (int64_t)(c->on & ARENA_CUDA ? DELIVERED_MS : ARRIVED_MS);

	if (caller >= 0)
		*array_add(&d->callers, &d->count, &d->cap) = caller;
	if (d->asked)
		return; /* one dump is for both */
	d->asked = true;
	d->from = start_of(c, ts);
	d->due = ts + wait * NS_PER_MS;
}

static void
answer(struct dumps *d, size_t until)
{
	struct text t = {0};

	if (until == 0)
		return;
	text_printf(&t, "dumped %" PRId64 " events\n", d->events);
	for (size_t i = 0; i < until; i++) {
		send(d->callers[i], t.p, t.len, MSG_NOSIGNAL);
		close(d->callers[i]);
	}
	d->count -= until;
	memmove(d->callers, d->callers + until, d->count * sizeof(*d->callers));
	d->told = 0;
	text_free(&t);
}

bool
dumps_due(struct capture *c)
{
	struct dumps *d = &c->dumps;
	const struct focus *f = &c->options.focus;

	if (d->ends < f->ends) {
		d->ends = f->ends;
		dumps_ask(c, f->ended, -1);
	}
	return d->asked && clock_now(&c->clock) >= d->due;
}

void
dumps_write(struct capture *c)
{
	struct dumps *d = &c->dumps;

	d->events = outputs_dump(&c->outputs, d->from);
	d->asked = false;
	d->told = d->count;
}

int
dumps_reply(struct capture *c, int most)
{
	struct dumps *d = &c->dumps;
	int64_t now = clock_now(&c->clock);

	if (d->told > 0 && outputs_behind(&c->outputs) == 0)
		answer(d, d->told);
	if (d->told > 0 && most > BETWEEN_ANSWERS_MS)
		return BETWEEN_ANSWERS_MS;
	if (d->asked && d->due - now < (int64_t)most * NS_PER_MS)
		return (int)((d->due - now) / NS_PER_MS) + 1;
	return most;
}

void
dumps_finish(struct capture *c)
{
	c->dumps.events = 0;
	for (size_t i = 0; i < c->outputs.count; i++)
		c->dumps.events += c->outputs.all[i]->lines;
	answer(&c->dumps, c->dumps.count);
	free(c->dumps.callers);
}
