/* trace_args.h - the values of the current event: members, args, its name */
#ifndef TRACE_ARGS_H
#define TRACE_ARGS_H

#include "chrome.h"

/* A member as it stands in the file; .p is NULL where it is absent. */
static inline struct span
trace_args_member(const struct chrome *c, enum trace_member m)
{
	return c->event->member[m];
}

/* The same without its quotes; empty where it is absent. */
static inline struct span
trace_args_inner(const struct chrome *c, enum trace_member m)
{
	struct span s = trace_args_member(c, m);

	return s.p != NULL ? lenient_inner(s) : SPAN("");
}

/* The numbers of its process and thread; NO_ID where they are absent. */
static inline int64_t
trace_args_pid(struct chrome *c)
{
	return chrome_ids_number(&c->ids, trace_args_member(c, TRACE_PID));
}

static inline int64_t
trace_args_tid(struct chrome *c)
{
	return chrome_ids_number(&c->ids, trace_args_member(c, TRACE_TID));
}

/* The last arg of this name, or NULL. */
static inline struct json_member *
trace_args_find(const struct chrome *c, struct span name)
{
	return json_members_find(&c->event->args, name);
}

/* Take an integer, also of a string, out of the args; NO_ID: there is none. */
static inline int64_t
trace_args_int(const struct chrome *c, struct span name)
{
	return json_members_take_int(&c->event->args, name);
}

/*
 * The number of a kernel's name, which stands between quotes, and its base
 * name as JSON.
 */
int64_t trace_args_symbol(
    struct chrome *c, struct span name, struct span *base);

#endif
