/*
 * window.h - which part of a trace is meant: windows of time, and instances
 * of ranges by their names.
 */
#ifndef TQ_ASK_WINDOW_H
#define TQ_ASK_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/ask/pattern.h"

/* ---- "A:B" ---- */

enum window_end {
	WINDOW_OPEN,       /* not given */
	WINDOW_FROM_START, /* ns, as the records count */
	WINDOW_FROM_END    /* ns before the end of the trace */
};

struct window {
	enum window_end from, to;
	int64_t from_ns, to_ns;
};

/*
 * Parse "A:B": times as units_time takes them, where "-1s" is a second before
 * the end of the trace; either may be left out, not both.  The window is
 * A <= t < B.  NULL, or a constant text that says what is wrong; an empty
 * window is wrong where that is known without the end of the trace.
 */
const char *window_parse(struct window *w, const char *text);

/*
 * The window in ns in a trace that ends at end (ns): *from inclusive, *to
 * exclusive; INT64_MIN and INT64_MAX where it is open.  Of "-1s:1s" and the
 * like nothing may be left: then *from >= *to.
 */
void window_place(
    const struct window *w, int64_t end, int64_t *from, int64_t *to);

/* ---- "NAME[@DOMAIN][/INDEX]" ---- */

#define WINDOW_LAST INT64_MAX

struct range_spec {
	struct pattern *name;
	struct pattern *domain; /* NULL: any */
	int64_t first, last;    /* instances, from 0; 0 and WINDOW_LAST: all */
	bool median;            /* the one of median duration (steps only) */
	int64_t seen, most;     /* for the caller; 0 after parsing */
};

/*
 * Parse the name of ranges:
 *
 *	spec   = name [ "@" domain ] [ "/" index ]
 *	name   = TEXT | "~" REGEX
 *	domain = TEXT | "~" REGEX | "*"
 *	index  = NUMBER [ ".." [ NUMBER ] ]
 *
 * Without a domain it is the default one (records without the key domain).
 * What follows the last "/" is an index only if it looks like one, else part
 * of the name.  "\@", "\/", "\~", "\*" and "\\" stand for the character itself,
 * and a "@" of a name has to be written so (in a REGEX only "\@" and "\/" do,
 * all else is left to it).  NULL, or a constant text that says what is
 * wrong; *at is then its place in text, and r holds nothing.
 */
const char *range_spec_parse(
    struct range_spec *r, const char *text, size_t *at);

/*
 * The same for steps: INDEX alone, "median" alone, or a spec with one of these
 * as its index, which may not be left out.  Alone it is of WINDOW_STEPS, in
 * any domain.
 */
const char *range_spec_parse_step(
    struct range_spec *r, const char *text, size_t *at);

/* The names that training loops give to their steps, as a regex. */
extern const char WINDOW_STEPS[];

/* Has a range of this name and domain ("" is the default one) that name? */
enum pattern_result range_spec_match(
    const struct range_spec *r, struct span name, struct span domain);

void range_spec_free(struct range_spec *r);

#endif
