/*
 * nsys_filter.h - the part of a stream that the reports are of, as nsys stats
 * takes it by --filter-time and --filter-nvtx.
 *
 * A record counts whole if it starts or ends in the window, or covers it.
 */
#ifndef NSYS_FILTER_H
#define NSYS_FILTER_H

#include "tq/base/map.h"
#include "tq/io/reader.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

/* the window of a section, from <= t < to */
struct nsys_filter_window {
	int64_t from, to;
	int64_t pid, tid; /* of the range */
	bool any;         /* there is one */
	bool thread;      /* the range is of one thread */
};

struct nsys_filter {
	bool by_time, by_range; /* by_range overrides */
	bool compat;
	int64_t from, to;
	struct range_spec spec;

	struct nsys_filter_window *windows; /* of the sections, with by_range */
	size_t count, cap;
	size_t section;  /* at hand, from 1 */
	struct map kept; /* (pid, corr) of calls in the range */
	struct text scratch;
};

/*
 * "[START]/[END]" in ns, or with units; "NAME[@DOMAIN][/INDEX]".  NULL, or a
 * constant text that says what is wrong.
 */
const char *nsys_filter_time(struct nsys_filter *f, const char *text);
const char *nsys_filter_nvtx(struct nsys_filter *f, const char *text);

static inline bool
nsys_filter_given(const struct nsys_filter *f)
{
	return f->by_time || f->by_range;
}

/* Add the keys that it looks at to want, a set for each kind. */
void nsys_filter_keys(const struct nsys_filter *f, struct keyset *want);

/*
 * Look for the ranges in all of the input, and go back to its start.  False if
 * no section has one.
 */
bool nsys_filter_survey(struct nsys_filter *f, struct reader *in);

/* Does the record at hand count?  They come in the order of the stream. */
bool nsys_filter_keeps(struct nsys_filter *f, const struct event *ev);

void nsys_filter_free(struct nsys_filter *f);

#endif
