/*
 * range.h - name, style and end of a range, as reports print them.
 */
#ifndef RANGE_H
#define RANGE_H

#include "tq/base/time.h"

#include "report.h"

enum range_style { RANGE_PUSH, RANGE_START, RANGE_NONE };

/* PushPop, StartEnd, nothing */
struct span range_style_text(enum range_style style);

/* The style of a range record. */
enum range_style range_style(const struct event *ev);

/*
 * The name of a range or gpu-range record, as the reports print it, replaces
 * *t.  False if the name is NULL in nsys.
 */
bool range_name(struct text *t, const struct report_settings *settings,
    const struct event *ev);

/* how far a section reaches; {0} is an empty section, which ends at 0 */
struct range_time {
	int64_t ranges; /* the last start or end of a range */
	int64_t all;    /* of any record, the trace record included */
	bool any, any_range;
};

/* The section reaches the end of this record. */
void range_time_add(struct range_time *t, const struct event *ev);

/* The end of a range that was never closed. */
int64_t range_time_end(
    const struct range_time *t, const struct report_settings *settings);

/* a RangeStack: ids from the innermost to the outermost; {0} is empty */
struct range_stack {
	int64_t *ids;
	size_t count, cap;
	struct text text;
};

void range_stack_add(struct range_stack *s, int64_t id);

/* :1:2:3, the outermost first; good until the next.  *s is empty then. */
struct span range_stack_text(struct range_stack *s);

void range_stack_free(struct range_stack *s);

/* -1, 0 or 1: a is less than, equal to or more than b */
static inline int
range_order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

#endif
