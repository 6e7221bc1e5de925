/* device_time.c - the time of a device by class */

#include "tq/account/device_time.h"
#include "tq/names/model.h"

/*
 * True for communication: by the category, which tq-filter --tag sets, or by
 * the name of the library.
 */
static bool
communicates(const struct event *ev)
{
	if (event_has(ev, KEY_category))
		return event_is(ev, KEY_category, SPAN("communication"));
	return model_communicates(ev);
}

static unsigned char
work_of(const struct event *ev)
{
	switch (ev->kind) {
	case KIND_kernel:
		return 1 + (communicates(ev) ? DEVICE_COMMUNICATION
					     : DEVICE_COMPUTE);
	case KIND_graph:
		return 1 + DEVICE_COMPUTE;
	case KIND_memcpy:
	case KIND_memset:
		return 1 + DEVICE_COPY;
	default:
		return DEVICE_NO_CLASS;
	}
}

void
device_time_find_class(const struct event *ev)
{
	event_memo(ev)->memo.work = work_of(ev);
}

void
device_time_begin(struct device_time *d, int64_t from)
{
	d->now = from;
	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		d->until[i] = from;
}

/* modulo 2^64, for times that no clock ever shows */
static void
add_time(int64_t *sum, int64_t from, int64_t to)
{
	*sum = (int64_t)((uint64_t)*sum + (uint64_t)to - (uint64_t)from);
}

/*
 * All that runs has started before now: each class runs without a gap from now
 * to its until.
 */
void
device_time_advance(struct device_time *d, int64_t ts)
{
	int64_t covered = d->now; /* by a class of higher rank */

	if (ts <= d->now)
		return;
	for (size_t i = 0; i < DEVICE_CLASSES; i++) {
		int64_t until = d->until[i] < ts ? d->until[i] : ts;

		if (until > d->now)
			add_time(&d->total[i], d->now, until);
		if (until > covered) {
			add_time(&d->exposed[i], covered, until);
			if (d->watch != NULL)
				d->watch(d->watcher, (enum device_class)i,
				    covered, until);
			covered = until;
		}
	}
	d->now = ts;
}

void
device_time_add(
    struct device_time *d, enum device_class c, int64_t ts, int64_t end)
{
	device_time_advance(d, ts);
	d->ops++;
	if (d->until[c] < end)
		d->until[c] = end;
}

int64_t
device_time_busy(const struct device_time *d)
{
	int64_t until = d->until[0];

	for (size_t i = 1; i < DEVICE_CLASSES; i++)
		if (until < d->until[i])
			until = d->until[i];
	return until;
}

void
device_time_end(struct device_time *d, int64_t last)
{
	if (last < d->now)
		last = d->now;
	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		if (d->until[i] == INT64_MAX)
			d->until[i] = last;
	device_time_advance(d, device_time_busy(d));
}
