/*
 * nsys_filter.h - the records of a window of time or of a range, by the rules
 * of nsys stats --filter-time and --filter-nvtx.
 *
 * A record that starts or ends in the window, or covers it, is in it as a
 * whole.
 */
#ifndef NSYS_FILTER_H
#define NSYS_FILTER_H

#include "tq/base/map.h"
#include "tq/io/reader.h"
#include "tq/ask/range_spec.h"
#include "tq/account/wall.h"
#include "tq/ask/window_cover.h"

/* the window of a section, from <= t < to */
struct nsys_filter_window {
	int64_t from, to; /* by_time: to is the end of the section */
	int64_t pid, tid; /* of the range */
	bool any;         /* the section has a window */
	bool thread;      /* the range is of one thread */
};

struct nsys_filter {
	bool by_range; /* overrides the window */
	bool compat;
	struct window time;
	int64_t from, to;          /* the window of time, in this section */
	struct wall_span covers;   /* the section, so far; any: a record */
	struct window_cover cover; /* sections that are over */
	struct range_spec spec;

	struct nsys_filter_window *windows; /* of the sections, by the survey */
	size_t count, cap;
	size_t section;  /* from 1 */
	struct map kept; /* (pid, corr) of calls in the range */
	struct text scratch;
};

/*
 * Set the range, "NAME[@DOMAIN][/INDEX]".  NULL, or an error as a constant
 * text.
 */
const char *nsys_filter_nvtx(struct nsys_filter *f, const char *text);

static inline bool
nsys_filter_given(const struct nsys_filter *f)
{
	return window_given(&f->time) || f->by_range;
}

/* True if the input is to be read by nsys_filter_survey first. */
static inline bool
nsys_filter_needs_survey(const struct nsys_filter *f)
{
	return f->by_range || window_needs_end(&f->time);
}

/* Add to want the keys that it reads, a set for each kind. */
void nsys_filter_keys(const struct nsys_filter *f, struct keyset *want);

/* Add the keys that only nsys_filter_survey reads; the kinds for the filter. */
uint64_t nsys_filter_needs(const struct nsys_filter *f, struct keyset *want);

/*
 * Find the range or the end of each section, and go back to the start of the
 * input.  False if no section has one.
 */
bool nsys_filter_survey(struct nsys_filter *f, struct reader *in);

/* The stream is read again. */
void nsys_filter_restart(struct nsys_filter *f);

/* True if the record passes.  Records come in the order of the stream. */
bool nsys_filter_keeps(struct nsys_filter *f, const struct event *ev);

/*
 * After the last record: false, with a message, if the window of time is
 * outside of all sections.
 */
bool nsys_filter_reached(struct nsys_filter *f);

void nsys_filter_free(struct nsys_filter *f);

#endif
