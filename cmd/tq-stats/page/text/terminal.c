/* terminal.c - the target of the page */

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tq/io/pager.h"
#include "tq/line/json.h"

#include "tq/show/display.h"
#include "terminal.h"

enum { WIDTH = 80, PIPE_WIDTH = 120, MOST = 100000 };

size_t
terminal_columns(void)
{
	struct winsize w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		return w.ws_col;
	return 0;
}

static size_t
choose_width(bool is)
{
	const char *columns = getenv("COLUMNS");
	size_t width = 0;
	int64_t v;

	if (columns != NULL && json_int(span_of(columns), &v) && v > 0)
		width = v < MOST ? (size_t)v : MOST;
	if (width == 0 && is)
		width = terminal_columns();
	if (width == 0)
		width = is ? WIDTH : PIPE_WIDTH;
	return width > TERMINAL_LEAST ? width : TERMINAL_LEAST;
}

static bool
choose_color(bool is, enum terminal_color color)
{
	const char *none = getenv("NO_COLOR");

	if (color != TERMINAL_AUTO)
		return color == TERMINAL_ALWAYS;
	return is && !pager_terminal_is_dumb() &&
	       (none == NULL || *none == '\0');
}

void
terminal_find(struct terminal *t, bool to_stdout, enum terminal_color color)
{
	bool is = to_stdout && isatty(STDOUT_FILENO);

	*t = (struct terminal){.is = is,
	    .width = choose_width(is),
	    .utf8 = display_utf8(),
	    .color = choose_color(is, color)};
}
