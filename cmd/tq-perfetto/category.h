/*
 * category.h - the category of a slice: its kind, or the interface of a call.
 */
#ifndef CATEGORY_H
#define CATEGORY_H

#include "packets.h"
#include "tq/line/event.h"

/* Not to be called directly: it is called as the record calls it. */
static inline uint32_t
category_other(struct packets *p, const struct event *ev)
{
	struct text decoded = {0};
	struct span name = ev->kind_name;
	uint32_t number;

	if (ev->kind != KIND_UNKNOWN)
		name = event_str(ev, KEY_api, &decoded);
	else if (name.len == 0)
		name = SPAN("unknown");
	number = packets_intern(p, LIST_CATEGORY, name);
	text_free(&decoded);
	return number;
}

/* The number of the category, in the open packet. */
static inline uint32_t
category_of(struct packets *p, const struct event *ev)
{
	struct span api = ev->value[KEY_api];

	if (ev->kind == KIND_UNKNOWN)
		return category_other(p, ev);
	if (ev->kind != KIND_api || !event_has(ev, KEY_api) || api.len == 2)
		return ev->kind + 1;
	if (span_eq(api, SPAN("\"cuda-runtime\"")))
		return PACKETS_CUDA_RUNTIME;
	if (span_eq(api, SPAN("\"cuda-driver\"")))
		return PACKETS_CUDA_DRIVER;
	return category_other(p, ev);
}

#endif
