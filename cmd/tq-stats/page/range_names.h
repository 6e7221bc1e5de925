/*
 * range_names.h - numbers for the names of ranges, as they are or folded, see
 * tq/names/fold_name.h.
 */
#ifndef RANGE_NAMES_H
#define RANGE_NAMES_H

#include "tq/base/intern.h"
#include "tq/line/event.h"

enum { RANGE_NAMES_RECENT = 256 };

/* {0} is empty */
struct range_names {
	struct intern names;
	struct text scratch;
	struct range_name { /* a name that was folded not long ago */
		struct text text;
		uint32_t number; /* 1 + its number; 0: none */
	} recent[RANGE_NAMES_RECENT];
};

/* The number of the name of a record, from 0. */
uint32_t range_names_number(
    struct range_names *s, const struct event *ev, bool folded);

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
