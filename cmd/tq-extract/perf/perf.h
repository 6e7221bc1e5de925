/* perf.h - the text of perf script, while it becomes records */
#ifndef PERF_H
#define PERF_H

#include "perf_line.h"
#include "read/text_lines.h"
#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "write/held_records.h"
#include "write/stack_list.h"

/* events of a name: events + split = records */
struct perf_count {
	int64_t events, records, split;
};

struct perf_thread {
	int64_t pid, tid;
	uint32_t first, now; /* numbers of names */
};

struct perf {
	const struct source_settings *settings;
	struct output *out, *frames;
	const char *name;
	struct text_lines lines;
	struct held_records held;
	struct stack_list stacks;
	struct intern comms, events;
	struct perf_count *counts; /* by number of an event */
	size_t count, cap;
	KEYED(struct perf_thread) threads;
	struct map pids; /* tid -> pid + 1 */
	struct text host, args;

	/* the event whose stack is read, and its line */
	bool open, has_stack;
	struct perf_event event;
	struct text line;
	int64_t ts; /* of the event before, for one that has none */
	int64_t no_event, first_bad; /* lines that are neither; the first one */
};

#endif
