/*
 * trace_reader.h - a file in the Chrome trace event format, of any size, taken
 * apart: its events one by one, and the other members of the object around
 * them.
 *
 * Events stand in the member traceEvents, or in an array without an object
 * around it, whose end may be missing.
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "read/json_members.h"
#include "read/value_reader.h"

enum trace_member {
	TRACE_PH,
	TRACE_NAME,
	TRACE_CAT,
	TRACE_PID,
	TRACE_TID,
	TRACE_TS,
	TRACE_DUR,
	TRACE_ARGS,
	TRACE_ID,
	TRACE_ID2,
	TRACE_BP,
	TRACE_S,
	TRACE_SCOPE,
	TRACE_SF,
	TRACE_STACK,
	TRACE_MEMBER_COUNT
};

/* Spans are text of the file, good until the next item. */
struct trace_event {
	struct span member[TRACE_MEMBER_COUNT]; /* p is NULL if absent */
	struct json_members args;
};

enum trace_item {
	TRACE_EVENT,   /* in event */
	TRACE_NOTHING, /* an element that is no object */
	TRACE_BROKEN,  /* an event that is no JSON, left out */
	TRACE_TOP,     /* a member of the outermost object: key, value */
	TRACE_END,
	TRACE_CUT /* the file ends too early, or is no JSON: see error */
};

struct trace_reader {
	struct trace_event event;
	struct span key, value;
	const char *error; /* constant text */
	int64_t offset;    /* of the item in the file, decompressed */

	struct value_reader in;
	struct text name; /* of the member */
	bool bare, in_events, begun, ended;
	bool found; /* an event, or the member traceEvents */
};

void trace_reader_open(struct trace_reader *r, struct operand *from);
enum trace_item trace_reader_next(struct trace_reader *r);
void trace_reader_close(struct trace_reader *r);

/* True if a file that begins with this text looks like such a trace. */
bool trace_reader_detect(struct span head);

#endif
