/*
 * range_set.h - the work of a device for a set of ranges that comes and goes,
 * at a cost that does not grow with their number.
 *
 * An operation is work for each range of the set.  Operations and launches are
 * counted once for the set, and a range gets the difference between the counts
 * as it leaves and as it came.
 *
 * The time that an operation adds to the busy time depends on the last end of
 * the earlier operations of each range.  Ranges with the same last end are a
 * group, and the time is added to the group.  An operation makes one group of
 * all groups that end before it; the fewer ranges move to the other group.
 */
#ifndef RANGE_SET_H
#define RANGE_SET_H

#include "device_work.h"

/* a range in a set */
struct range_member {
	struct range *range;
	struct range_set *set;
	struct range_group *group;
	struct range_member *prev, *next; /* of the group */
	struct range_member *other;       /* of the range, in another set */
	int64_t ops, launches;            /* of the set when it came */
	uint64_t busy;                    /* of the group when it came to it */
};

struct range_group {
	int64_t last;  /* end of the last operation; INT64_MIN: there is none */
	uint64_t busy; /* ns, since the group is one */
	struct range_member *first;
	size_t count;
};

struct range_set {
	int64_t device;
	int64_t ops, launches;
	int64_t latest;              /* start of the latest operation */
	struct range_group **groups; /* the one that ends first is the last */
	size_t group_count, group_cap;
	struct range_member *free_members;
	struct range_epoch *at; /* see range_epochs.h */
	struct range_set *next; /* of another device */
};

struct range_set *range_set_new(int64_t device);

/* The set of a device that the range is in, or NULL. */
struct range_set *range_set_find(const struct range *r, int64_t device);

void range_set_enter(struct range_set *s, struct range *r);

/* The range gets its work; nothing, if it is not in the set. */
void range_set_leave(struct range_set *s, struct range *r);

/* Add an operation to the work of each range.  launch: it is the first of its
   call on the device. */
void range_set_add(
    struct range_set *s, const struct device_operation *op, bool launch);

/* The same, but for ranges that end before the call has returned. */
void range_set_add_in_call(struct range_set *s,
    const struct device_operation *op, bool launch, int64_t call_end);

/* All ranges leave. */
void range_set_clear(struct range_set *s);

void range_set_free(struct range_set *s);

#endif
