/*
 * work_units.h - the units of a section: which are open, the sums of each, and
 * the pieces of time cut into them.
 *
 * Units belong to a group: all devices of a process, or one device.  Units of a
 * process are steps or ranges, which have what they launched, see
 * tq/account/account.h; those of a device are times.  Processes, devices and
 * threads are the numbers of names/model.h.
 */
#ifndef TQ_ACCOUNT_WORK_UNITS_H
#define TQ_ACCOUNT_WORK_UNITS_H

#include "tq/account/device_pieces.h"

#include "account_draft.h"

#define UNIT_OPEN INT64_MAX /* an end that is not known yet */

struct work_unit {
	int64_t ts, end, number;
	bool closed, left_out; /* closed: no call of the host comes any more */
	uint32_t sequence;
	struct unit_sums *sums; /* until it is part of the recording */
};

struct unit_group {
	uint32_t process;
	struct work_unit *all; /* in order of ts */
	size_t count, cap;
	size_t *open; /* units that may go on */
	size_t open_count, open_cap;
	int64_t starts; /* steps so far, or kernels that may begin a unit */
	size_t first;   /* index + 1 of a first step that waits for others */
	size_t merged; /* units of a process that are part of the recording: the
			* first so many */
};

/* a device of pieces */
struct unit_device {
	uint32_t device;             /* in the recording */
	size_t group;                /* index + 1, or 0 */
	struct account_unit *slices; /* its part of each unit of the group */
	size_t slice_count;
	size_t *active; /* units that pieces may still be of */
	size_t active_count, active_cap;
	size_t next; /* the first unit that was not active yet */
};

/* {0} is empty; set all of the first part */
struct work_units {
	bool by_process;
	struct device_pieces *pieces;
	struct account_draft *ledger;

	NUMBERED(struct unit_group) groups; /* by device, or by process */
	struct unit_device *devices;        /* by index in pieces */
	size_t device_count, device_cap;
	struct map ends; /* of units that are ranges: range_spec_is_part() */
	struct unit_sums **spare;
	size_t spare_count, spare_cap;
	int64_t next_end; /* of all units that are open */
};

/*
 * The tag of an operation in pieces: its launch, and the unit of its process
 * that launched it, index + 1, or 0.
 */
static inline struct part_tag
work_units_tag(const struct summed_launch *l, size_t unit)
{
	return (struct part_tag){
	    (uint64_t)unit << 32 | l->on, (uint64_t)l->path << 32 | l->detail};
}

/* The group of a device, or of its process, added if new. */
struct unit_group *work_units_group(
    struct work_units *s, uint32_t process, uint32_t device);

/* A new device of pieces has this number in the recording. */
void work_units_device(struct work_units *s, size_t index, uint32_t device);

/* A unit begins; end: UNIT_OPEN if it is not known. */
struct work_unit *work_units_open(struct work_units *s, struct unit_group *g,
    int64_t ts, int64_t end, int64_t number);

/*
 * The open unit of a device ends, and a new one may begin: operations that run
 * are cut, but for the one that was added last.
 */
void work_units_cut(struct work_units *s, struct unit_group *g, size_t device,
    int64_t ts, bool begin);

/*
 * The section ends at last: operations that were never closed, and still are in
 * pieces, last to then in the units that are open.
 */
void work_units_end_open(struct work_units *s, int64_t last);

/* Units that end before or at ts are over. */
void work_units_close(struct work_units *s, int64_t ts);

/* an operation that starts */
struct unit_launch {
	int64_t ts, end, bytes;
	uint32_t thread;
	struct summed_launch of;
	size_t unit; /* of its process, index + 1, or 0 */
};

/* Add it to the unit of its process, or to those of its device that are open.
 */
void work_units_launch(
    struct work_units *s, size_t device, const struct unit_launch *l);

/*
 * The sums of each unit of a process that is open at ts, where several devices
 * have units of their own those of one device: *next is 0 at first.  NULL if
 * there are no more.
 */
struct unit_sums *work_units_of(
    struct work_units *s, uint32_t process, int64_t ts, size_t *next);

/* A piece of time. */
void work_units_piece(struct work_units *s, const struct piece *p);

/* The section is over: all units are closed, without an end dropped. */
void work_units_end_groups(struct work_units *s);

/* After the last pieces: they become part of the recording. */
void work_units_section_end(struct work_units *s);

/* Forget all units: they are of another kind from now on. */
void work_units_restart(struct work_units *s, bool by_process);

void work_units_free(struct work_units *s);

#endif
