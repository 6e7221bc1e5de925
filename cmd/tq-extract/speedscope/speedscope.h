/* speedscope.h - a file for speedscope, while it becomes records */
#ifndef SPEEDSCOPE_H
#define SPEEDSCOPE_H

#include "read/decimal_time.h"
#include "read/json_members.h"
#include "read/value_reader.h"
#include "write/sorted_section.h"
#include "write/open_ranges.h"

/* a frame that opened; dur is NEVER_ENDED until it closes */
struct speedscope_range {
	int64_t ts, dur;
	uint32_t frame;
};

struct speedscope {
	struct sorted_section section; /* first: see sorted_section.h */
	struct value_reader reader;
	struct json_members profile, event;
	struct text key, producer, args, scratch;

	/* of the current profile, which is a thread */
	int64_t profiles; /* so far */
	int64_t pid, tid; /* NO_ID: none */
	enum decimal_unit unit;
	bool timed; /* its unit is a time; else ts counts units */
	int64_t start;

	struct open_ranges open;
	struct speedscope_range *all; /* of the profile */
	size_t range_count, range_cap;
	int64_t ranges; /* that have an id */

	/* frames may come behind the profiles, which have their numbers */
	struct intern stacks; /* arrays of numbers, the outermost first */
	struct region texts;
	struct span *frames;
	size_t frame_count, frame_cap;
};

#endif
