/*
 * device_time.h - what the time of a device went into.
 *
 * Each moment counts for one thing: compute if a kernel runs that does not
 * communicate, else communication if one does, else copy if a copy or fill
 * runs, else idle.  So the four add up to the time that was looked at.  The
 * communication that a computation hides is what HTA calls overlap.
 */
#ifndef DEVICE_TIME_H
#define DEVICE_TIME_H

#include "tq/line/event.h"

enum device_class { DEVICE_COMPUTE, DEVICE_COMMUNICATION, DEVICE_COPY };

enum { DEVICE_CLASSES = 3 };

struct device_time {
	int64_t exposed[DEVICE_CLASSES]; /* time that counts for it */
	int64_t total[DEVICE_CLASSES];   /* time in which one ran at all */
	int64_t ops;

	int64_t now;                   /* to which it is counted */
	int64_t until[DEVICE_CLASSES]; /* one runs */
};

/* What kind of work it is; false if it is none. */
bool device_time_class(const struct event *ev, enum device_class *c);

/* Nothing has run before from. */
void device_time_begin(struct device_time *d, int64_t from);

/* An operation [ts, end]; they come in order of ts. */
void device_time_add(
    struct device_time *d, enum device_class c, int64_t ts, int64_t end);

/* Count up to ts; nothing that started is left out then. */
void device_time_advance(struct device_time *d, int64_t ts);

/* Count all that runs. */
void device_time_finish(struct device_time *d);

#endif
