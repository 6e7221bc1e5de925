/* perf.h - the text of perf script, while it becomes records */
#ifndef PERF_H
#define PERF_H

#include "perf_line.h"
#include "read/text_lines.h"
#include "write/sorted_section.h"
#include "write/stack_list.h"

/* a thread, and the number of its name */
struct perf_thread {
	uint32_t comm;
};

struct perf {
	struct sorted_section section; /* first: see sorted_section.h */
	struct text_lines lines;
	struct stack_list stacks;
	struct intern comms;
	KEYED(struct perf_thread) threads; /* by pid and tid */
	struct map pids;                   /* tid -> pid + 1 */
	struct text host, args;

	/* the event whose stack is read, and its line */
	bool open, has_stack;
	struct perf_event event;
	struct text line;
	int64_t ts;        /* of the event before, for one that has none */
	int64_t first_bad; /* line that is neither an event nor a frame */
};

#endif
