/*
 * device_pieces.h - the time of each device of a section, in pieces, as it goes
 *by.
 *
 * A piece belongs to the operation that runs in it (enum device_class: compute,
 * communication, copy; of equal ones that which started first, then the first
 * of the stream), or it is idle and has a cause, see gap.h.  The pieces of a
 * device come in order of time and leave nothing out, from the start of the
 * first record of the section to its last end; the caller cuts them into units.
 * The time before the first operation of a device is divided as a gap is; the
 * time after its last one is sync or host by the thread that launched that.
 *
 *	struct device_pieces p = {.piece = add_piece, .arg = state};
 *
 *	device_pieces_open(&p);
 *	... device_pieces_event(&p, ev) for each record of the section
 *	device_pieces_section_end(&p);
 *	device_pieces_free(&p);
 */
#ifndef TQ_ACCOUNT_DEVICE_PIECES_H
#define TQ_ACCOUNT_DEVICE_PIECES_H

#include "tq/account/account.h"
#include "tq/account/device_lanes.h"
#include "tq/account/device_time.h"
#include "tq/account/first_uses.h"
#include "tq/account/idle_cuts.h"

/* what the caller knows of an operation; {0}: nothing */
struct part_tag {
	uint64_t number, more;
};

/* an operation that runs, or ran */
struct part_operation {
	int64_t ts, end; /* end: INT64_MAX while it is open */
	struct part_tag tag;
	int64_t order; /* from 0, of all on its device */
	enum device_class group;
};

/* ns of a device: [ts, end), which is not empty */
struct piece {
	size_t device; /* its number: device_pieces_lane() */
	int64_t ts, end;
	enum account_part part;

	/* if an operation has it */
	const struct part_operation *operation;

	/* if it is idle: the record that ended it, NULL after the last one */
	const struct event *ev;
	enum idle_cause cause; /* finer than the part, with causes; a part of
				* it, see idle_cause.h */
	struct part_tag tag;   /* of that operation */
	bool first_use; /* of PART_LAUNCH: its call loads the kernel, as the
			 * first one of its symbol in the process, which takes
			 * long */
};

/* what runs on a device */
struct part_device {
	int64_t now;                    /* pieces were handed out up to here */
	struct part_operation *running; /* [first, count), by class; the one
					 * that counts is the first.  Others may
					 * be over. */
	size_t first, count, cap;
	struct part_operation latest[2]; /* the kernels so far that end last;
					  * end INT64_MIN: there is none */
};

/* set piece, arg, calls and causes; all else is 0 at first */
struct device_pieces {
	void (*piece)(void *arg, const struct piece *piece);
	void *arg;
	bool calls;  /* hold all calls of the host, for gaps_host_most() and
		      * gaps_host_at() of a gap: see gaps_host.h */
	bool causes; /* cut idle time by what the host did: see idle_cuts.h */

	struct device_lanes lanes;   /* the devices of the section */
	struct part_device *devices; /* by number of the lane */
	size_t device_count, device_cap;
	bool any;            /* a record of the section came: the first at
			      * lanes.begin */
	int64_t last;        /* its last end so far */
	struct part_tag tag; /* of the operation that is added, */
	bool first_use;      /* and whether its call loads it */
	struct first_uses uses;
	struct idle_cuts cuts;
	const struct lane_gap *gap; /* that is cut */
};

/* The device with this number, which is its lane's. */
static inline const struct device_lane *
device_pieces_lane(const struct device_pieces *p, size_t device)
{
	return &p->lanes.all.all[device];
}

void device_pieces_open(struct device_pieces *p);

/*
 * A record of the section, in order of ts; others than operations and calls
 * change nothing, but ranges, gil, sched and sync with causes.  The pieces of
 * its device up to its ts are handed out before it is added.  tag: of an
 * operation.
 */
void device_pieces_event(
    struct device_pieces *p, const struct event *ev, struct part_tag tag);

/* The number of the device of an operation, which is added if it is new. */
size_t device_pieces_device(struct device_pieces *p, const struct event *ev);

/*
 * Hand out the pieces of operations of a device up to ts; all that starts
 * before ts was added.  Idle time waits for the operation that ends it.
 */
void device_pieces_advance(struct device_pieces *p, size_t device, int64_t ts);

/*
 * The section has no more records: operations that were never closed end with
 * the last of them.  device_pieces_section_end() does it, too.
 */
void device_pieces_end_open(struct device_pieces *p);

/* The end of the kernel that runs longest but for an operation; INT64_MIN:
   there is none. */
static inline int64_t
device_pieces_others_end(
    const struct part_device *d, const struct part_operation *but)
{
	return d->latest[d->latest[0].order == but->order].end;
}

/* Hand out the rest, and forget the devices and calls. */
void device_pieces_section_end(struct device_pieces *p);

void device_pieces_free(struct device_pieces *p);

#endif
