/*
 * device_time.h - the time of a device by class.
 *
 * Each moment counts for one thing: compute if a kernel runs that does not
 * communicate, else communication if one does, else copy if a memcpy or memset
 * runs, else idle.  So the four add up to the time.  HTA calls the
 * communication that a computation hides overlap.
 */
#ifndef TQ_ACCOUNT_DEVICE_TIME_H
#define TQ_ACCOUNT_DEVICE_TIME_H

#include "tq/line/event.h"

#include "tq/base/squares.h"

enum device_class { DEVICE_COMPUTE, DEVICE_COMMUNICATION, DEVICE_COPY };

enum { DEVICE_CLASSES = 3, DEVICE_NO_CLASS = 255 };

struct device_time {
	int64_t exposed[DEVICE_CLASSES]; /* time that counts for it */
	int64_t total[DEVICE_CLASSES];   /* time in which one ran at all */
	int64_t ops;

	int64_t now;                   /* the time that is counted */
	int64_t until[DEVICE_CLASSES]; /* one runs */

	/* Called for all time that counts for a class, or NULL. */
	void (*watch)(
	    void *watcher, enum device_class c, int64_t from, int64_t to);
	void *watcher;
};

/* part of the next: look it up */
void device_time_find_class(const struct event *ev);

/* The class of an operation; false for other records. */
static inline bool
device_time_class(const struct event *ev, enum device_class *c)
{
	if (ev->memo.work == 0)
		device_time_find_class(ev);
	if (ev->memo.work == DEVICE_NO_CLASS)
		return false;
	*c = (enum device_class)(ev->memo.work - 1);
	return true;
}

/* Nothing runs before from. */
void device_time_begin(struct device_time *d, int64_t from);

/*
 * An operation [ts, end]; they come in order of ts.  end: INT64_MAX if it was
 * never closed.
 */
void device_time_add(
    struct device_time *d, enum device_class c, int64_t ts, int64_t end);

/* Count up to ts; all that starts before ts was added. */
void device_time_advance(struct device_time *d, int64_t ts);

/*
 * Count to the end of all operations: operations that were never closed end at
 * last, where the recording ends.
 */
void device_time_end(struct device_time *d, int64_t last);

/* The device is busy without a gap up to this time; INT64_MAX if it has an
   operation that was never closed. */
int64_t device_time_busy(const struct device_time *d);

/* the communication that a computation hides */
static inline wide
device_time_overlap(const struct device_time *d)
{
	return (wide)d->total[DEVICE_COMMUNICATION] -
	       d->exposed[DEVICE_COMMUNICATION];
}

#endif
