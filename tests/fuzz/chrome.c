/*
 * chrome.c - lines, drawn: the trace is JSON, and the same where the lines
 * are spelt so that they take the complete path.
 */

#include "../../cmd/tq-chrome/chrome_trace.h"
#include "fuzz.h"
#include "tq/line/json.h"

/* a copy of each line, with room behind it as a line of a file has it */
static void
draw_lines(struct layout *l, struct span text, bool spaced)
{
	static struct event ev;
	struct text line = {0};

	while (text.len > 0) {
		const char *newline = memchr(text.p, '\n', text.len);
		size_t n =
		    newline != NULL ? (size_t)(newline - text.p) : text.len;

		line.len = 0;
		if (spaced && n > 0 && *text.p == '{') {
			text_add_str(&line, "{ ");
			text_add(&line, text.p + 1, n - 1);
		} else
			text_add(&line, text.p, n);
		memset(text_reserve(&line, EVENT_PADDING), 0, EVENT_PADDING);
		if (event_parse(&ev, text_span(&line), NULL))
			layout_record(l, &ev);
		n += newline != NULL;
		text = (struct span){text.p + n, text.len - n};
	}
	text_free(&line);
}

/* what was drawn; an output that was never opened keeps it all */
static struct text
draw(struct span text, bool spaced)
{
	struct output out = {0};
	struct layout *l;
	struct chrome_trace t = {.out = &out, .colors = colors_new()};

	l = layout_new(&chrome_trace_sink, &t, LAYOUT_FLOWS);
	t.layout = l;
	draw_lines(l, text, spaced);
	layout_end(l);
	chrome_trace_sink.finish(&t, false);
	layout_free(l);
	colors_free(t.colors);
	chrome_trace_free(&t);
	return out.buf;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct text once = draw(text, false), again = draw(text, true);

	REQUIRE(json_valid(text_span(&once)));
	REQUIRE(span_eq(text_span(&once), text_span(&again)));
	text_free(&once);
	text_free(&again);
	return 0;
}
