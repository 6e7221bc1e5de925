/*
 * filter.h - the part of a stream that the reports are of, as nsys stats takes
 * it by --filter-time and --filter-nvtx.
 *
 * A record counts whole if it starts or ends in the window, or covers it.
 */
#ifndef FILTER_H
#define FILTER_H

#include "tq/base/map.h"
#include "tq/io/reader.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

/* the window of a section, from <= t < to */
struct filter_window {
	int64_t from, to;
	int64_t pid, tid; /* of the range */
	bool any;         /* there is one */
	bool thread;      /* the range is of one thread */
};

struct filter {
	bool by_time, by_range; /* by_range overrides */
	bool compat;
	int64_t from, to;
	struct range_spec spec;

	struct filter_window *windows; /* of the sections, with by_range */
	size_t count, cap;
	size_t section;  /* at hand, from 1 */
	struct map kept; /* (pid, corr) of calls in the range */
	struct text scratch;
};

/*
 * "[START]/[END]" in ns, or with units; "NAME[@DOMAIN][/INDEX]".  NULL, or a
 * constant text that says what is wrong.
 */
const char *filter_time(struct filter *f, const char *text);
const char *filter_nvtx(struct filter *f, const char *text);

static inline bool
filter_given(const struct filter *f)
{
	return f->by_time || f->by_range;
}

/* Add the keys that it looks at to want, a set for each kind. */
void filter_keys(const struct filter *f, struct keyset *want);

/*
 * Look for the ranges in all of the input, and go back to its start.  False if
 * no section has one.
 */
bool filter_survey(struct filter *f, struct reader *in);

/* Does the record at hand count?  They come in the order of the stream. */
bool filter_keeps(struct filter *f, const struct event *ev);

void filter_free(struct filter *f);

#endif
