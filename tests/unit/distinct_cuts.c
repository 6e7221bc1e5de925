/* distinct_cuts.c - texts that are cut to a width, and stay different */

#include <stdlib.h>

#include "check.h"
#include "tq/show/display.h"
#include "tq/show/distinct_cuts.h"

enum { MOST = 6 };

struct row {
	size_t width;
	const char *texts[MOST], *want[MOST];
};

static const struct row rows[] = {
    /* they fit */
    {5, {"abcde", "", "abc"}, {"abcde", "", "abc"}},
    /* a cut in the middle is enough */
    {9, {"abcdefghijkl", "xbcdefghijkl"}, {"abc...jkl", "xbc...jkl"}},
    /* equal texts stay equal */
    {9, {"abcdefghijkl", "abcdefghijkl"}, {"abc...jkl", "abc...jkl"}},
    /* where they differ */
    {30,
	{"/encoder/layer.11/attention/output/dense/MatMul",
	    "/encoder/layer.12/attention/output/dense/MatMul",
	    "/decoder/layer.12/attention/output/dense/MatMul"},
	{"/encoder/....11/attention/o...", "/encoder/....12/attention/o...",
	    "/decoder/layer.../dense/MatMul"}},
    {20,
	{"range a > b > c > d > something > e",
	    "range a > b > c > d > another > e"},
	{"range a >...hing > e", "range a >...ther > e"}},
    /* nothing fits that tells them apart */
    {3, {"abcdefgh", "abcdXfgh"}, {"~2", "~1"}},
};

static void
check_texts(const struct row *r)
{
	struct span texts[MOST], cuts[MOST];
	struct region life = {0};
	size_t n = 0;

	for (; n < MOST && r->texts[n] != NULL; n++)
		texts[n] = span_of(r->texts[n]);
	distinct_cuts(texts, n, r->width, 50, "...", cuts, &life);
	for (size_t i = 0; i < n; i++)
		CHECK(span_eq(cuts[i], span_of(r->want[i])), "%s: %.*s",
		    r->want[i], (int)cuts[i].len, cuts[i].p);
	region_free(&life);
}

/* Random texts of few letters, that have much in common. */
static void
check_random_texts(size_t width, const char *ellipsis)
{
	enum { COUNT = 40, LONG = 60 };
	static const char *const letters[] = {
	    "a", "b", "\xc3\xa4", "\xe6\x97\xa5"};
	struct region life = {0};
	struct span texts[COUNT], cuts[COUNT];

	for (size_t i = 0; i < COUNT; i++) {
		struct text t = {0};
		size_t odd = check_random() % LONG;

		for (size_t k = 0; k < LONG; k++)
			text_add_str(
			    &t, letters[k == odd ? check_random() % 4 : k % 3]);
		texts[i] = region_copy(&life, text_span(&t));
		text_free(&t);
	}
	distinct_cuts(texts, COUNT, width, 60, ellipsis, cuts, &life);
	for (size_t i = 0; i < COUNT; i++) {
		CHECK(display_width(cuts[i]) <= width, "%.*s", (int)cuts[i].len,
		    cuts[i].p);
		for (size_t k = 0; k < i; k++)
			CHECK(span_eq(texts[i], texts[k]) ==
				  span_eq(cuts[i], cuts[k]),
			    "%zu: %.*s", width, (int)cuts[i].len, cuts[i].p);
	}
	region_free(&life);
}

int
main(void)
{
	display_begin();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_texts(&rows[i]);
	for (size_t i = 0; i < 100; i++)
		for (size_t width = 10; width < 30; width++)
			check_random_texts(
			    width, i % 2 == 0 ? "..." : "\xe2\x80\xa6");
	return check_status();
}
