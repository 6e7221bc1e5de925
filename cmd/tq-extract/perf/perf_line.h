/*
 * perf_line.h - the lines that perf script prints, taken apart.
 *
 *	event = comm pid [ "/" tid ] [ "[" cpu "]" ] [ flags ] [ time ":" ]
 *	        [ period ] [ name ":" ] [ text ]
 *	time  = digits "." digits
 *	frame = address symbol [ "+0x" offset ] [ "(" module ")" ]
 *
 * An event has a time or a name.  comm may have blanks in it, and before it.
 */
#ifndef PERF_LINE_H
#define PERF_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/span.h"

/* numbers are NO_ID where they are absent, spans empty */
struct perf_event {
	struct span comm;
	int64_t pid, tid; /* a number alone is the tid */
	int64_t cpu, ts, period;
	struct span name, text;
};

/* True if the line is an event.  Spans are of the line. */
bool perf_line_event(struct span line, struct perf_event *e);

/* A frame of a stack; module is empty where it is unknown. */
struct perf_frame {
	struct span symbol, module;
};

bool perf_line_frame(struct span line, struct perf_frame *f);

/* a thread that a switch names */
struct perf_task {
	struct span comm;
	int64_t tid;
};

struct perf_switch {
	struct perf_task from, to;
	struct span state; /* letters of from's state */
};

/* The text of an event sched_switch, in both of its spellings. */
bool perf_line_switch(struct span text, struct perf_switch *s);

/* True if a file that begins with head is what perf script prints. */
bool perf_line_detect(struct span head);

#endif
