/* wprof_events.h - an event of wprof becomes a record */
#ifndef WPROF_EVENTS_H
#define WPROF_EVENTS_H

#include "read/json_members.h"
#include "read/value_reader.h"
#include "wprof_types.h"
#include "write/open_ranges.h"
#include "write/sorted_section.h"

struct wprof_stack {
	int64_t id;
	struct span frames; /* JSON */
};

struct wprof {
	struct sorted_section section; /* first: see sorted_section.h */
	struct value_reader reader;
	bool header; /* it was read */
	struct text schema, header_args;

	/* of the current event */
	struct json_members event,
	    stack; /* stack: frames and places in sources */
	const struct wprof_type *type;
	struct span type_name; /* inner text */
	int64_t pid, tid;      /* NO_ID: none */
	struct text name, args, task_args, scratch;

	struct open_ranges open;
	int64_t ranges; /* that have an id */
	struct intern symbols;
	struct span *bases; /* names, by number of a symbol */
	size_t base_count, base_cap;
	KEYED(struct wprof_stack) stacks;
	struct region texts;
};

/* The event whose members were read. */
void wprof_events_take(struct wprof *w);

/* All are read: ranges that have not ended are open. */
void wprof_events_finish(struct wprof *w);

#endif
