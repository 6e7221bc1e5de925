/*
 * window.h - windows of time: "A:B".
 */
#ifndef TQ_ASK_WINDOW_H
#define TQ_ASK_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum window_end {
	WINDOW_OPEN,       /* not given */
	WINDOW_FROM_START, /* ns, as the records count */
	WINDOW_FROM_END    /* ns before the end of the trace */
};

struct window {
	enum window_end from, to;
	int64_t from_ns, to_ns;
	const char *text; /* as it was given; NULL: it was not */
};

/*
 * Parse "A:B", or "A/B", which is borrowed: times as units_option_time takes
 * them, where "-1s" is a second before the end of the trace; either may be left
 * out, not both.  The window is A <= t < B.  NULL, or a constant text with the
 * error; an empty window is an error where it is known to be empty without the
 * end of the trace.
 */
const char *window_parse(struct window *w, const char *text);

/* The same for the type of an option, see tq/io/opts.h. */
const char *window_option(void *window, const char *text);

/* clang-format off */
#define OPT_WINDOW(member) \
	OPT_MEMBER(member, struct window: OPT_PARSER), .parse = window_option
/* clang-format on */

/* False of a window {0}, which is all of the trace. */
static inline bool
window_given(const struct window *w)
{
	return w->from != WINDOW_OPEN || w->to != WINDOW_OPEN;
}

/* True if its place depends on where the trace ends. */
static inline bool
window_needs_end(const struct window *w)
{
	return w->from == WINDOW_FROM_END || w->to == WINDOW_FROM_END;
}

/*
 * The window in ns in a trace that ends at end (ns): *from inclusive, *to
 * exclusive; INT64_MIN and INT64_MAX where it is open.  A window like "-1s:1s"
 * may turn out empty: then *from >= *to.
 */
void window_place(
    const struct window *w, int64_t end, int64_t *from, int64_t *to);

#endif
