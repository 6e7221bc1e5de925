/* event_line.h - an event that waits in a sorter, as bytes */
#ifndef EVENT_LINE_H
#define EVENT_LINE_H

#include "pftrace.h"

/* fields of TracePacket */
enum {
	PACKET_TRACK_EVENT = 11,
	PACKET_THREAD = 44,
	PACKET_STAGE = 53,
	PACKET_TRACK = 60,
	PACKET_EXTENSION = 72
};

/*
 * Behind it stand the name, the category, the arguments, each a struct
 * event_line_arg with a key and a JSON value, and the ids of flows.
 */
struct event_line {
	uint64_t track;
	int64_t stack; /* or NO_ID */
	int64_t dur;   /* of a render stage; else NO_ID */
	int64_t pid;   /* the same */
	int64_t integer;
	double real;
	bool is_real;
	enum pftrace_type type;
	uint32_t name, category, args; /* bytes */
	uint32_t flows;                /* bytes; struct event_line_flow */
};

struct event_line_arg {
	uint32_t key, value; /* bytes */
	uint32_t typed;      /* not an annotation but a field of a type */
};

struct event_line_flow {
	uint64_t id;
	uint64_t ends;
};

/* Take a TrackEvent or a GpuRenderStageEvent: hold it in p->events. */
void event_line_take(struct pftrace *p, const struct sequence *q,
    uint32_t field, struct span message, int64_t ts);

/* The parts of a line. */
static inline struct event_line
event_line_head(struct span line)
{
	struct event_line head;

	memcpy(&head, line.p, sizeof(head));
	return head;
}

static inline struct span
event_line_name(struct span line)
{
	return (struct span){
	    line.p + sizeof(struct event_line), event_line_head(line).name};
}

static inline struct span
event_line_category(struct span line)
{
	struct span name = event_line_name(line);

	return (struct span){name.p + name.len, event_line_head(line).category};
}

static inline struct span
event_line_args(struct span line)
{
	struct span category = event_line_category(line);

	return (struct span){
	    category.p + category.len, event_line_head(line).args};
}

static inline struct span
event_line_flows(struct span line)
{
	struct span args = event_line_args(line);

	return (struct span){args.p + args.len, event_line_head(line).flows};
}

/* Take the next argument off; false where there is none. */
static inline bool
event_line_arg(
    struct span *args, struct span *key, struct span *value, bool *typed)
{
	struct event_line_arg a;

	if (args->len == 0)
		return false;
	memcpy(&a, args->p, sizeof(a));
	*typed = a.typed != 0;
	*key = (struct span){args->p + sizeof(a), a.key};
	*value = (struct span){key->p + a.key, a.value};
	args->len -= sizeof(a) + a.key + a.value;
	args->p = value->p + a.value;
	return true;
}

#endif
