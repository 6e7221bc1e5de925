/*
 * operators.h - the operators of PyTorch with the most time of their own, for
 * recordings in which no device works.
 *
 * The time of a range or call without those within it, on its thread, as
 * torch_ops of tq-stats has it.  Open ranges and calls of a section cost some
 * 30 bytes each.
 */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "tq/base/intern.h"
#include "tq/base/numbered.h"
#include "tq/line/event.h"

struct operators_open {
	int64_t end;
	int64_t own;   /* ns outside of the ranges and calls within it */
	int64_t cover; /* the last end of these */
	uint32_t name; /* or INTERN_NONE: it is no operator */
};

struct operators_thread {
	struct operators_open *open; /* the innermost last */
	size_t count, cap;
};

/* {0} has none */
struct operators {
	NUMBERED(struct operators_thread) threads; /* of the section */
	struct intern names;
	int64_t *own; /* by name */
	size_t count, cap;
	int64_t all; /* of operators, annotations and calls */
	struct text scratch;
};

void operators_keys(struct keyset *want);

/* A record, in order of time; the model of the event has numbered it. */
void operators_event(struct operators *o, const struct event *ev);
void operators_end(struct operators *o);

/* The nth by its own time, from 0, then by name; INTERN_NONE if there are not
   so many that have 1 % of all. */
uint32_t operators_nth(const struct operators *o, size_t nth);

void operators_free(struct operators *o);

#endif
