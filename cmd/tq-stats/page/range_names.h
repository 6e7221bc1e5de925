/*
 * range_names.h - numbers for the names of ranges, as they are or folded, see
 * tq/names/fold_name.h.
 */
#ifndef RANGE_NAMES_H
#define RANGE_NAMES_H

#include "tq/base/intern.h"
#include "tq/line/event.h"

/* {0} is empty */
struct range_names {
	struct intern names;
	struct text scratch;
};

/* The number of the name of a record, from 0. */
uint32_t range_names_number(
    struct range_names *s, const struct event *ev, bool fold);

/* The name, which lives as long as *s. */
static inline struct span
range_names_text(const struct range_names *s, uint32_t name)
{
	return intern_text(&s->names, name);
}

/* The number of names. */
static inline size_t
range_names_count(const struct range_names *s)
{
	return s->names.count;
}

void range_names_free(struct range_names *s);

#endif
