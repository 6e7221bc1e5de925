/*
 * window.c - windows of time
 *
 *	window = [ time ] ( ":" | "/" ) [ time ]
 */

#include <errno.h>
#include <stdlib.h>

#include "tq/ask/window.h"
#include "tq/base/mem.h"
#include "tq/base/span.h"
#include "tq/base/units.h"

static const char *
parse_end(struct span s, enum window_end *end, int64_t *ns)
{
	const char *bad;
	char *text;

	*end = WINDOW_OPEN;
	*ns = 0;
	if (s.len == 0)
		return NULL;
	text = mem_copy(s.p, s.len);
	bad = units_option_time(text, ns);
	free(text);
	*end = *s.p == '-' ? WINDOW_FROM_END : WINDOW_FROM_START;
	if (*ns < 0)
		*ns = -*ns;
	return bad;
}

const char *
window_parse(struct window *w, const char *text)
{
	const char *colon = strpbrk(text, ":/");
	struct span from = {text, colon != NULL ? (size_t)(colon - text) : 0};
	const char *bad;

	if (colon == NULL)
		return "expected A:B, two times of which one may be left out";
	w->text = text;
	if (from.len == 0 && colon[1] == '\0')
		return "expected a time before or after the ':'";
	if ((bad = parse_end(from, &w->from, &w->from_ns)) != NULL ||
	    (bad = parse_end(span_of(colon + 1), &w->to, &w->to_ns)) != NULL)
		return bad;
	/* the other sorts depend on where the trace ends */
	if ((w->from == WINDOW_FROM_START && w->to == WINDOW_FROM_START &&
		w->from_ns >= w->to_ns) ||
	    (w->from == WINDOW_FROM_END && w->to == WINDOW_FROM_END &&
		w->from_ns <= w->to_ns))
		return "the window ends before it starts";
	return NULL;
}

const char *
window_option(void *window, const char *text)
{
	return window_parse(window, text);
}

static int64_t
place(enum window_end sort, int64_t ns, int64_t end, int64_t open)
{
	int64_t t;

	if (sort == WINDOW_OPEN)
		return open;
	if (sort == WINDOW_FROM_START)
		return ns;
	return __builtin_sub_overflow(end, ns, &t) ? INT64_MIN : t;
}

void
window_place(const struct window *w, int64_t end, int64_t *from, int64_t *to)
{
	*from = place(w->from, w->from_ns, end, INT64_MIN);
	*to = place(w->to, w->to_ns, end, INT64_MAX);
}
