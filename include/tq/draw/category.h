/*
 * category.h - the category of a slice: what viewers call its kind, or the
 * interface of an API call.
 */
#ifndef TQ_DRAW_CATEGORY_H
#define TQ_DRAW_CATEGORY_H

#include "tq/line/event.h"

/* Numbers of categories: those of kinds, and these. */
enum { CATEGORY_RUNTIME = KIND_COUNT, CATEGORY_DRIVER, CATEGORIES };

static inline const char *
category_name(size_t category)
{
	switch (category) {
	case CATEGORY_RUNTIME:
		return "cuda_runtime";
	case CATEGORY_DRIVER:
		return "cuda_driver";
	default:
		return schema_kinds[category].category;
	}
}

/*
 * The category of a record; CATEGORIES if it has one of its own: the name of
 * an unknown kind, else KEY_api.
 */
static inline size_t
category_of(const struct event *ev)
{
	struct span api = ev->value[KEY_api];

	if (ev->kind != KIND_api)
		return ev->kind < KIND_UNKNOWN ? ev->kind : CATEGORIES;
	if (!event_has(ev, KEY_api) || api.len == 2)
		return KIND_api;
	if (span_eq(api, SPAN("\"cuda-runtime\"")))
		return CATEGORY_RUNTIME;
	return span_eq(api, SPAN("\"cuda-driver\"")) ? CATEGORY_DRIVER
						     : CATEGORIES;
}

#endif
