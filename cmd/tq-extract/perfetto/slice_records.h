/* slice_records.h - the records that events of a trace become */
#ifndef SLICE_RECORDS_H
#define SLICE_RECORDS_H

#include "event_line.h"

/* an event, or the begin and the end of a slice */
struct drawn_slice {
	int64_t ts, dur;       /* dur: NO_ID of an instant, or NEVER_ENDED */
	struct span line, end; /* end: its line, whose arguments count, too */
};

/* Make the records of a slice, or of an instant; returns how many. */
int64_t slice_records_make(struct pftrace *p, const struct drawn_slice *s);

/*
 * Make the record of a counter; returns the number of records: 0 where the
 * value is folded.
 */
int64_t slice_records_value(struct pftrace *p, int64_t ts, struct span line);

#endif
