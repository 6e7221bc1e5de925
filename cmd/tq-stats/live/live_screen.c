/* live_screen.c - sums of a stream that goes on, on a terminal */

#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tq/io/signals.h"
#include "tq/io/zio.h"

#include "live_screen.h"
#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "page/text/bar.h"
#include "tq/show/display.h"

enum {
	GPUS = 8,    /* that are shown */
	LABEL = 14,  /* columns of the name of a sum */
	NUMBER = 13, /* columns of a sum */
	SHARES = 26, /* behind the bar of a GPU */
	BAR_LEAST = 10,
	SECOND = 1000000000
};

#define HIDE_CURSOR "\033[?25l"
#define SHOW_CURSOR "\033[?25h"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

struct live_screen {
	struct terminal on;
	enum terminal_color color;
	size_t rows;
	struct text page, line, scratch;
	bool is_begun, is_drawn;
};

/* signal handlers read it */
static struct live_screen screen;
static volatile sig_atomic_t has_new_size;

/* ---- the terminal ---- */

static void
send(const char *p, size_t n)
{
	/* who reads nothing has no cursor either */
	(void)!zio_write_plain(STDOUT_FILENO, p, n);
}

static void
restore(void)
{
	if (screen.is_begun)
		send(SHOW_CURSOR, sizeof(SHOW_CURSOR) - 1);
	screen.is_begun = false;
}

static void
note_size(int signal_number)
{
	(void)signal_number;
	has_new_size = true;
}

static void
measure(void)
{
	size_t columns = terminal_columns();
	struct winsize w;

	has_new_size = false;
	terminal_find(&screen.on, true, screen.color);
	if (columns > 0 && columns < screen.on.width)
		screen.on.width = columns;
	screen.rows = 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0)
		screen.rows = w.ws_row;
}

void
live_screen_begin(enum terminal_color color)
{
	struct sigaction resize = {.sa_handler = note_size};

	display_begin();
	screen.color = color;
	measure();
	signals_before_death(restore);
	sigaction(SIGWINCH, &resize, NULL);
	screen.is_begun = true;
	send(HIDE_CURSOR, sizeof(HIDE_CURSOR) - 1);
}

/* ---- lines ---- */

/* the bytes of the escape sequence at the start of s, a colour; or 0 */
static size_t
escape_length(struct span s)
{
	const char *end =
	    s.len > 0 && *s.p == '\033' ? memchr(s.p, 'm', s.len) : NULL;

	return end != NULL ? (size_t)(end + 1 - s.p) : 0;
}

/* screen.line becomes a line of the page, cut to the width; colours stay */
static void
end_line(void)
{
	struct span left = text_span(&screen.line);
	size_t width = screen.on.width;

	while (left.len > 0) {
		size_t n = escape_length(left);
		struct span plain = left;
		const char *next;

		if (n == 0) {
			next = memchr(left.p, '\033', left.len);
			if (next != NULL)
				plain.len = (size_t)(next - left.p);
			n = plain.len;
			plain.len = display_head(plain, width);
			width -= display_width(plain);
		} else {
			plain.len = n;
		}
		text_add_span(&screen.page, plain);
		left.p += n;
		left.len -= n;
	}
	text_add_str(&screen.page, CLEAR_LINE "\n");
	screen.line.len = 0;
}

static void
add_ink(enum ink ink, const char *s)
{
	ink_add(&screen.line, &screen.on, ink, span_of(s));
}

/* the text in screen.scratch, right-aligned */
static void
add_number(size_t width)
{
	display_add_right(&screen.line, text_span(&screen.scratch), width);
	screen.scratch.len = 0;
}

static void
add_head(const struct live_sums *s, const struct live_interval *at)
{
	struct text *t = &screen.scratch;
	int64_t lag = live_sums_lag(s, at->now_utc);

	amount_time(t, at->elapsed);
	text_printf(t, "  %s  ", ink_dot(&screen.on));
	amount_of(t, s->counts[LIVE_RECORDS].total, "record", "records");
	if (lag != NO_ID && lag >= 0) {
		text_printf(t, "  %s  newest ", ink_dot(&screen.on));
		amount_time(t, lag);
		text_add_str(t, " ago");
	}
	ink_add(&screen.line, &screen.on, INK_BOLD, text_span(t));
	t->len = 0;
	end_line();
	end_line();
}

/* ---- GPUs ---- */

static void
add_share(int64_t part, int64_t whole, const char *what)
{
	amount_share(&screen.scratch, part, whole);
	add_number(5);
	text_printf(&screen.line, "%% %s", what);
}

static void
add_gpu(const struct live_gpu *g, int64_t whole)
{
	int64_t times[PAGE_CLASSES] = {0};
	size_t behind = LABEL + SHARES, width = screen.on.width;
	struct text *t = &screen.scratch;

	times[PAGE_COMPUTE] = g->busy[DEVICE_COMPUTE].last;
	times[PAGE_COMMUNICATION] = g->busy[DEVICE_COMMUNICATION].last;
	times[PAGE_COPY] = g->busy[DEVICE_COPY].last;
	times[PAGE_OTHER] = whole;
	for (unsigned c = PAGE_COMPUTE; c <= PAGE_COPY; c++)
		times[PAGE_OTHER] -= times[c];
	if (times[PAGE_OTHER] < 0)
		times[PAGE_OTHER] = 0;
	text_add_str(t, "GPU ");
	text_add_int(t, g->device);
	if (g->pid != NO_ID) {
		text_add_str(t, " of ");
		text_add_int(t, g->pid);
	}
	display_add_left(&screen.line, text_span(t), LABEL - 1, DISPLAY_CUT,
	    ink_ellipsis(&screen.on));
	t->len = 0;
	text_add_char(&screen.line, ' ');
	if (whole > 0) {
		bar_add_stack(&screen.line, &screen.on, times, whole,
		    width > behind + BAR_LEAST ? width - behind : BAR_LEAST);
		add_share(times[PAGE_COMPUTE], whole, "compute");
		add_share(times[PAGE_OTHER], whole, "idle");
	} else {
		add_ink(INK_GREY, "no news");
	}
	end_line();
}

static void
add_gpus(const struct live_sums *s)
{
	int64_t whole = s->counts[LIVE_STREAM_NS].last;
	size_t n = s->gpus.count < GPUS ? s->gpus.count : GPUS;

	for (size_t i = 0; i < n; i++)
		add_gpu(&s->gpus.all[i], whole);
	if (n < s->gpus.count) {
		text_printf(&screen.line, "%zu more GPUs", s->gpus.count - n);
		end_line();
	}
	if (n > 0)
		end_line();
}

/* ---- sums ---- */

typedef void amount_writer(struct text *t, int64_t v);

/* v in so many ns, per second; with a decimal below 10 */
static void
add_rate(amount_writer *write, int64_t v, int64_t ns)
{
	dist_wide tenths = (dist_wide)v * 10 * SECOND / (ns > 0 ? ns : 1);
	dist_wide whole = tenths / 10;

	if (write == amount_count && v > 0 && tenths < 100)
		text_printf(
		    &screen.scratch, "%d.%d", (int)whole, (int)(tenths % 10));
	else
		write(&screen.scratch,
		    whole < INT64_MAX ? (int64_t)whole : INT64_MAX);
	add_number(NUMBER);
}

static void
add_sum(struct span label, enum ink ink, amount_writer *write,
    const struct live_sum *s, int64_t ns)
{
	struct text clean = {0};

	escape_terminal(&clean, label);
	display_add_left(&screen.scratch, text_span(&clean), LABEL, DISPLAY_CUT,
	    ink_ellipsis(&screen.on));
	text_free(&clean);
	ink_add(&screen.line, &screen.on, ink, text_span(&screen.scratch));
	screen.scratch.len = 0;
	write(&screen.scratch, s->last);
	add_number(NUMBER);
	add_rate(write, s->last, ns);
	write(&screen.scratch, s->total);
	add_number(NUMBER);
	end_line();
}

static void
add_sums(const struct live_sums *s, const struct live_interval *at)
{
	static const struct {
		const char *label;
		enum live_count count;
		amount_writer *write;
	} rows[] = {
	    {"kernels", LIVE_KERNELS, amount_count},
	    {"kernel time", LIVE_KERNEL_NS, amount_time},
	    {"launches", LIVE_LAUNCHES, amount_count},
	    {"API calls", LIVE_CALLS, amount_count},
	    {"ranges", LIVE_RANGES, amount_count},
	    {"steps", LIVE_STEPS, amount_count},
	};
	struct text *t = &screen.scratch;

	text_add_str(t, "last ");
	amount_time(t, at->length);
	display_add_right(&screen.line, text_span(t), (size_t)LABEL + NUMBER);
	t->len = 0;
	display_add_right(&screen.line, SPAN("per second"), NUMBER);
	display_add_right(&screen.line, SPAN("in all"), NUMBER);
	text_add_span(t, text_span(&screen.line));
	screen.line.len = 0;
	ink_add(&screen.line, &screen.on, INK_GREY, text_span(t));
	t->len = 0;
	end_line();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		add_sum(span_of(rows[i].label), INK_PLAIN, rows[i].write,
		    &s->counts[rows[i].count], at->length);
	for (uint32_t i = 0; i < s->copies.count; i++)
		add_sum(intern_text(&s->copies.names, i), INK_PLAIN,
		    amount_size, &s->copies.all[i].bytes, at->length);
	if (s->counts[LIVE_LOST].total > 0)
		add_sum(SPAN("lost events"), INK_RED, amount_count,
		    &s->counts[LIVE_LOST], at->length);
}

/* ---- kernels ---- */

static void
add_kernels(const struct live_sums *s)
{
	uint32_t top[LIVE_TOP];
	size_t n = live_sums_top(&s->kernels, false, top);
	struct text *t = &screen.scratch;

	if (n == 0)
		return;
	end_line();
	add_ink(INK_GREY, "         Time        N  Kernel");
	end_line();
	for (size_t i = 0; i < n; i++) {
		const struct live_group *g = &s->kernels.all[top[i]];

		amount_time(t, g->ns.last);
		add_number(NUMBER);
		amount_count(t, g->operations.last);
		add_number(9);
		text_add_str(&screen.line, "  ");
		escape_terminal(
		    &screen.line, intern_text(&s->kernels.names, top[i]));
		end_line();
	}
}

/* ---- the page ---- */

/* rows that the terminal lacks go */
static void
cut_rows(struct text *t)
{
	const char *p = t->p;
	size_t left = t->len;

	for (size_t row = 1; screen.rows > 0 && row < screen.rows; row++) {
		const char *end = left > 0 ? memchr(p, '\n', left) : NULL;

		if (end == NULL)
			return;
		left -= (size_t)(end + 1 - p);
		p = end + 1;
	}
	if (screen.rows > 0)
		text_end(t, p);
}

void
live_screen_show(const struct live_sums *s, const struct live_interval *at)
{
	struct text *t = &screen.page;

	if (has_new_size)
		measure();
	t->len = 0;
	add_head(s, at);
	add_gpus(s);
	add_sums(s, at);
	add_kernels(s);
	cut_rows(t);
	text_add_str(t, CLEAR_BELOW);
	/* earlier lines scroll away, and are not drawn over */
	screen.line.len = 0;
	for (size_t i = 0; !screen.is_drawn && i < screen.rows; i++)
		text_add_char(&screen.line, '\n');
	text_add_str(&screen.line, HOME);
	text_add_span(&screen.line, text_span(t));
	send(screen.line.p, screen.line.len);
	screen.line.len = 0;
	screen.is_drawn = true;
}

void
live_screen_resize(const struct live_sums *s, const struct live_interval *at)
{
	if (has_new_size && screen.is_drawn)
		live_screen_show(s, at);
}

void
live_screen_erase(void)
{
	static const char erase[] = HOME CLEAR_BELOW;

	if (screen.is_drawn)
		send(erase, sizeof(erase) - 1);
	screen.is_drawn = false;
}

void
live_screen_end(void)
{
	restore();
	text_free(&screen.page);
	text_free(&screen.line);
	text_free(&screen.scratch);
}
