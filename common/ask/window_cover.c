/* window_cover.c - the time that the sections of a stream cover */

#include <err.h>
#include <inttypes.h>

#include "tq/ask/window_cover.h"

/* a time as people read it */
static void
add_time(struct text *t, int64_t ns)
{
	static const struct {
		const char *unit;
		int64_t ns;
		int decimals;
	} units[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3},
	    {"ns", 1, 0}};
	size_t i = 0;
	int64_t rest;

	while (units[i].ns > 1 && (ns < 0 ? -(ns + 1) : ns) < units[i].ns)
		i++;
	rest = ns % units[i].ns;
	text_printf(t, "%s%" PRId64, ns < 0 && ns / units[i].ns == 0 ? "-" : "",
	    ns / units[i].ns);
	if (rest != 0) {
		text_printf(t, ".%0*" PRId64, units[i].decimals,
		    rest < 0 ? -rest : rest);
		while (t->p[t->len - 1] == '0')
			t->len--;
	}
	text_printf(t, "%s", units[i].unit);
}

void
window_cover_add(
    struct window_cover *c, const struct window *w, int64_t first, int64_t last)
{
	int64_t from, to;

	window_place(w, last, &from, &to);
	c->reached |= from <= last && to > first;
	if (c->any)
		text_add_str(&c->text, ", ");
	c->any = true;
	add_time(&c->text, first);
	text_add_str(&c->text, " to ");
	add_time(&c->text, last);
}

bool
window_cover_reached(struct window_cover *c)
{
	bool reached = c->reached;

	if (!c->any)
		warnx("no window: there is no event in the trace");
	else if (!reached)
		warnx("the window is outside of the trace, which covers %.*s",
		    (int)c->text.len, c->text.p);
	text_free(&c->text);
	*c = (struct window_cover){0};
	return reached;
}
