/* event_losses.c - why events of a recording are lost, and how many */

#include "event_losses.h"
#include "tq/io/status.h"

static const char *const reasons[EVENT_LOSS_COUNT] = {
#define X(id, text) text,
    EVENT_LOSSES(X)
#undef X
};

int64_t
event_losses_sum(const struct event_losses *l)
{
	int64_t n = 0;

	for (int i = 0; i < EVENT_LOSS_COUNT; i++)
		n += l->of[i];
	return n;
}

int
event_losses_status(const struct event_losses *l)
{
	int64_t profiler = l->of[EVENT_LOST_ZERO_TIME] +
			   l->of[EVENT_LOST_BACKWARD] +
			   l->of[EVENT_LOST_DROPPED];

	return event_losses_sum(l) > profiler ? TQ_FAIL : TQ_OK;
}

void
event_losses_write(const struct event_losses *l, struct output *o, int64_t ts,
    const char *what)
{
	for (int i = 0; i < EVENT_LOSS_COUNT; i++)
		source_write_lost(o, ts, reasons[i], what, l->of[i]);
}

void
event_losses_count(const struct event_losses *l, int64_t counts[KIND_COUNT])
{
	for (int i = 0; i < EVENT_LOSS_COUNT; i++)
		counts[KIND_lost] += l->of[i] > 0;
}

void
event_losses_check(const struct event_losses *l, struct check_sheet *s)
{
	for (int i = 0; i < EVENT_LOSS_COUNT; i++)
		if (l->of[i] > 0)
			check_sheet_lost(s, l->of[i], NULL, reasons[i]);
}
