/* display.c - text as a terminal shows it */

#include <langinfo.h>
#include <locale.h>
#include <wchar.h>

#include "tq/base/utf8.h"

#include "tq/show/display.h"

void
display_begin(void)
{
	setlocale(LC_CTYPE, ""); /* for wcwidth */
}

bool
display_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static size_t
columns_of(unsigned c)
{
	int n;

	if (c < 0x80 || c >= UTF8_NONE || !display_utf8())
		return 1;
	n = wcwidth((wchar_t)c);
	return n < 0 ? 1 : (size_t)n;
}

size_t
display_width(struct span s)
{
	size_t width = span_plain(s);

	if (width == s.len)
		return width;
	s = (struct span){s.p + width, s.len - width};
	while (s.len > 0)
		width += columns_of(utf8_take(&s));
	return width;
}

size_t
display_head(struct span s, size_t width)
{
	struct span rest = s;
	size_t fits = 0;

	while (rest.len > 0) {
		size_t columns = columns_of(utf8_take(&rest));

		if (columns > width)
			break;
		width -= columns;
		fits = s.len - rest.len;
	}
	return fits;
}

struct span
display_tail(struct span s, size_t width)
{
	size_t all = display_width(s);

	while (all > width)
		all -= columns_of(utf8_take(&s));
	return s;
}

void
display_add_cut(struct text *t, struct span s, size_t width, unsigned percent,
    const char *ellipsis)
{
	size_t dots = display_width(span_of(ellipsis));
	size_t keep, head;

	if (display_width(s) <= width) {
		text_add_span(t, s);
		return;
	}
	if (width < dots)
		return;
	keep = width - dots;
	head = (keep * percent + 50) / 100;
	text_add(t, s.p, display_head(s, head));
	text_add_str(t, ellipsis);
	text_add_span(t, display_tail(s, keep - head));
}

void
display_fill(struct text *t, size_t times, char c)
{
	if (times > 0)
		memset(text_reserve(t, times), c, times);
	t->len += times;
}

void
display_add_left(struct text *t, struct span s, size_t width, unsigned percent,
    const char *ellipsis)
{
	size_t start = t->len, shown = display_width(s);

	if (shown <= width) {
		text_add_span(t, s);
	} else {
		text_reserve(t, width);
		display_add_cut(t, s, width, percent, ellipsis);
		shown =
		    display_width((struct span){t->p + start, t->len - start});
	}
	display_fill(t, width - shown, ' ');
}

void
display_add_right(struct text *t, struct span s, size_t width)
{
	size_t shown = display_width(s);

	display_fill(t, shown < width ? width - shown : 0, ' ');
	text_add_span(t, s);
}
