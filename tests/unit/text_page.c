/* text_page.c - the page on terminals: bars, lines that fit, columns that go */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "page/text/bar.h"
#include "page/text/prose.h"
#include "page/text/text_page.h"
#include "tq/show/display.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct terminal utf8 = {.is = true, .width = 80, .utf8 = true};
static const struct terminal ascii = {.is = true, .width = 80};
static const struct terminal colors = {
    .is = true, .width = 80, .utf8 = true, .color = true};

static void
check_text(struct text *t, const char *expect)
{
	CHECK(text_is(t, expect), "expected:\n%s\ngot:\n%.*s", expect,
	    (int)t->len, t->p);
	t->len = 0;
}

/* ---- bars ---- */

static const struct {
	int64_t v, whole;
	const char *utf8, *ascii;
} bars[] = {
    {509, 1000, "████▏   ", "####    "},
    {71, 1000, "▋       ", "#       "},
    {43, 1000, "▍       ", "#       "},
    {1, 64, "▏       ", "        "},
    {2, 64, "▎       ", "#       "},
    {1, 1000, "        ", "        "},
    {1, 1, "████████", "########"},
    {5, 1, "████████", "########"},
    {0, 0, "        ", "        "},
    {INT64_MAX, INT64_MAX, "████████", "########"},
};

/* of GPU 1 in mfu-80 */
static const int64_t some_times[PAGE_CLASSES] = {854, 27, 10, 87, 5, 17};

static void
test_bars(void)
{
	const int64_t levels[] = {0, 1, 100, 450, 799, 800, 900};
	const int64_t one[PAGE_CLASSES] = {[PAGE_OTHER] = 5};
	const int64_t tiny[PAGE_CLASSES] = {1000, 1, 1, 1, 1, 1};
	struct text t = {0};

	for (size_t i = 0; i < COUNT(bars); i++) {
		bar_add(&t, &utf8, INK_BLUE, bars[i].v, bars[i].whole, 8);
		check_text(&t, bars[i].utf8);
		bar_add(&t, &ascii, INK_BLUE, bars[i].v, bars[i].whole, 8);
		check_text(&t, bars[i].ascii);
	}
	bar_add_stack(&t, &utf8, some_times, 1000, 20);
	check_text(&t, "█████████████████▓░·");
	bar_add_stack(&t, &utf8, some_times, 1000, 46);
	check_text(&t, "███████████████████████████████████████▓▓▒░░░·");
	bar_add_stack(&t, &ascii, some_times, 1000, 46);
	check_text(&t, "#######################################==+!!!.");
	bar_add_stack(&t, &utf8, one, 5, 4);
	check_text(&t, "····");
	bar_add_stack(&t, &utf8, tiny, 1005, 4);
	check_text(&t, "████");
	bar_add_stack(&t, &colors, one, 5, 4);
	check_text(&t, "\033[90m····\033[m");
	bar_add_levels(&t, &utf8, INK_BLUE, levels, 7, 900);
	check_text(&t, "  ▁▄▇██");
	bar_add_levels(&t, &ascii, INK_BLUE, levels, 7, 900);
	check_text(&t, "   =###");
	bar_add_levels(&t, &utf8, INK_BLUE, levels, 7, 0);
	check_text(&t, "       ");
	bar_add_counts(&t, &utf8, INK_BLUE, levels, 7);
	check_text(&t, " ▁▁▄▇▇█");
	bar_add_counts(&t, &ascii, INK_BLUE, levels, 7);
	check_text(&t, " ..=**#");
	text_free(&t);
}

/* ---- lines ---- */

static void
test_prose(void)
{
	const struct terminal narrow = {.width = 20, .utf8 = true};
	const struct prose_item items[] = {{INK_BLUE, "█", SPAN("compute")},
	    {INK_CYAN, "▒", SPAN("copies")}, {INK_RED, "░", SPAN("idle")}};
	struct text t = {0};

	prose_add(&t, &narrow, INK_PLAIN,
	    SPAN("The GPUs wait for the host to launch."), 4, 2);
	check_text(&t, "The GPUs wait\n  for the host to\n  launch.\n");
	prose_add(&t, &narrow, INK_PLAIN,
	    SPAN("at::native::vectorized_elementwise_kernel x"), 0, 0);
	check_text(&t, "at::native::vectoriz\ned_elementwise_kerne\nl x\n");
	prose_add(
	    &t, &narrow, INK_PLAIN, SPAN("日本語日本語日本語日本語"), 1, 1);
	check_text(&t, "日本語日本語日本語\n 日本語\n");
	prose_add(
	    &t, &narrow, INK_PLAIN, SPAN("Copies took it 4.46\x1fs."), 0, 0);
	check_text(&t, "Copies took it\n4.46 s.\n");
	prose_add_list(&t, &narrow, items, 3, "   ", 1);
	check_text(&t, " █ compute\n ▒ copies   ░ idle\n");
	text_free(&t);
}

static void
test_commands(void)
{
	const struct terminal narrow = {.width = 40, .utf8 = true};
	struct text t = {0};

	prose_add_command(&t, &narrow, SPAN("tq-stats -r hist x.tq"), 2);
	check_text(&t, "  $ tq-stats -r hist x.tq\n");
	prose_add_command(&t, &narrow,
	    SPAN("tq-filter -k kernel 'name ~ /a|b/' x.tq | tq-stats"), 2);
	check_text(&t, "  $ tq-filter -k kernel 'name ~ /a|b/' \\\n"
		       "      x.tq | tq-stats\n");
	prose_add_command(&t, &narrow,
	    SPAN("tq-filter 'a b' x.tq | tq-stats -r kernels_deep"), 2);
	check_text(&t, "  $ tq-filter 'a b' x.tq |\n"
		       "      tq-stats -r kernels_deep\n");
	prose_add_command(&t, &narrow,
	    SPAN("tq-stats /a/path/that/has/to/stay/as/it/was/typed.tq"), 2);
	check_text(&t, "  $ tq-stats \\\n"
		       "      /a/path/that/has/to/stay/as/it/was/typed.tq\n");
	prose_add_more(&t, &narrow, SPAN(" 28.1  in 22 more: "),
	    SPAN("tq-stats -r cuda_gpu_kern_sum x.tq"));
	check_text(&t, " 28.1  in 22 more:\n"
		       "    $ tq-stats -r cuda_gpu_kern_sum x.tq\n");
	text_free(&t);
}

/* ---- what the page is for ---- */

static void
test_pipe(void)
{
	struct terminal on;

	memset(&on, 1, sizeof(on));
	terminal_find(&on, false, TERMINAL_AUTO);
	CHECK(!on.is && !on.color && !on.undrawn,
	    "a file gets a page without colours, with bars");
}

int
main(void)
{
	display_begin();
	test_pipe();
	if (!display_utf8()) {
		puts("the locale is not UTF-8");
		return 0;
	}
	test_bars();
	test_prose();
	test_commands();
	return check_status();
}
