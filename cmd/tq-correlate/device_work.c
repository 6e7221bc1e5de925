/* device_work.c - the work of devices for a range */

#include "tq/base/array.h"

#include "device_work.h"

struct device_work *
device_work_new(struct range *r, int64_t device)
{
	struct device_work *w;
	size_t others;

	if (r->device_count++ == 0)
		w = &r->work;
	else {
		others = r->device_count - 2;
		w = array_add(&r->others, &others, &r->others_cap);
	}
	w->device = device;
	w->first = INT64_MAX;
	w->last = INT64_MIN;
	w->busy = 0;
	w->ops = w->launches = 0;
	w->place = 0;
	w->ts_len = w->times_len = 0;
	return w;
}

void
device_work_begin(struct device_work *w, const struct device_operation *op)
{
	struct span times = {op->line.p + op->times_at, op->times_len};

	w->first = op->ts;
	if (times.len > 0) {
		w->ts_len = (unsigned char)op->ts_len;
		w->times_len = (unsigned char)times.len;
		plain_put(w->times, times);
	}
}

void
device_work_merge(struct device_work *w, const struct device_work *other)
{
	if (w->ops == 0 || other->first < w->first) {
		w->first = other->first;
		w->ts_len = other->ts_len;
		w->times_len = other->times_len;
		if (w->ts_len > 0)
			memcpy(w->times, other->times, sizeof(w->times));
	}
	w->ops += other->ops;
	w->launches += other->launches;
	w->busy += other->busy;
}
