/* window.c - windows of time, and names of ranges with their instances */

#include <inttypes.h>

#include "check.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { MS = 1000000, END = 2000 * MS };

/* ---- windows ---- */

static const struct window_row {
	const char *text;
	int64_t from, to; /* in a trace that ends at END */
} windows[] = {
    {"1ms:2ms", MS, 2 * MS},
    {"17ns:20ns", 17, 20},
    {"17ns/20ns", 17, 20},
    {"-1ms/", END - MS, INT64_MAX},
    {":2ms", INT64_MIN, 2 * MS},
    {"1ms:", MS, INT64_MAX},
    {"-1ms:", END - MS, INT64_MAX},
    {":-500ms", INT64_MIN, END - 500 * MS},
    {"-2ms:-1ms", END - 2 * MS, END - MS},
    {"-2ms:-0", END - 2 * MS, END},
    {"1ms:-1ms", MS, END - MS},
    {"-1ms:1ms", END - MS, MS},
    {"1ms500us:2ms", MS + MS / 2, 2 * MS},
    {"0:9223372036854775807ns", 0, INT64_MAX},
};

static const char *const no_windows[][2] = {
    {"2ms:1ms", "the window ends before it starts"},
    {"1ms:1ms", "the window ends before it starts"},
    {"1ms:1000us", "the window ends before it starts"},
    {"-1ms:-2ms", "the window ends before it starts"},
    {"-1ms:-1ms", "the window ends before it starts"},
    {":", "expected a time before or after the ':'"},
    {"", "expected A:B, two times of which one may be left out"},
    {"1ms", "expected A:B, two times of which one may be left out"},
    {"1ms: 2ms", "expected a time, as in 1.5s or 200ms"},
    {"1ms :2ms", "expected a time, as in 1.5s or 200ms"},
    {"1s/2:3", "expected a time, as in 1.5s or 200ms"},
    {"1s:2:3", "expected a time, as in 1.5s or 200ms"},
    {"1:2s", "a time has no unit: s, ms, us or ns?"},
    {":-12", "a time has no unit: s, ms, us or ns?"},
    {"60.4:60.5", "a time has no unit: s, ms, us or ns?"},
    {":9223372036854775807", "a time has no unit: s, ms, us or ns?"},
    {"1ms:x", "expected a time, as in 1.5s or 200ms"},
    {"--1ms:", "expected a time, as in 1.5s or 200ms"},
    {":9223372036854775808ns", "expected a time, as in 1.5s or 200ms"},
};

static void
test_windows(void)
{
	for (size_t i = 0; i < COUNT(windows); i++) {
		const struct window_row *x = &windows[i];
		struct window w;
		const char *error = window_parse(&w, x->text);
		int64_t from = 0, to = 0;

		CHECK(error == NULL, "'%s': %s", x->text, shown(error));
		if (error != NULL)
			continue;
		window_place(&w, END, &from, &to);
		CHECK(from == x->from && to == x->to,
		    "'%s': %" PRId64 " %" PRId64, x->text, from, to);
	}
}

static void
test_no_windows(void)
{
	for (size_t i = 0; i < COUNT(no_windows); i++) {
		const char *const *x = no_windows[i];
		struct window w;
		const char *error = window_parse(&w, x[0]);

		CHECK(error != NULL && strcmp(error, x[1]) == 0, "'%s': %s",
		    x[0], shown(error));
	}
}

static void
test_place_without_overflow(void)
{
	struct window w;
	int64_t from, to;

	CHECK(
	    window_parse(&w, "-9223372036854775807ns:-1ns") == NULL, "refused");
	window_place(&w, -5, &from, &to);
	CHECK(from == INT64_MIN && to == -6, "%" PRId64 " %" PRId64, from, to);
}

/* ---- specs ---- */

static bool
parse(struct range_spec *r, bool step, const char *text)
{
	size_t at = 0;
	const char *error =
	    (step ? range_spec_parse_step : range_spec_parse)(r, text, &at);

	CHECK(error == NULL, "'%s': %zu: %s", text, at, shown(error));
	return error == NULL;
}

static bool
matches(const struct range_spec *r, const char *name, const char *domain)
{
	return range_spec_match(r, span_of(name), span_of(domain)) ==
	       PATTERN_YES;
}

static const struct index_row {
	const char *text;
	int64_t first, last;
	bool step;
} indices[] = {
    {"step", 0, RANGE_SPEC_LAST, false},
    {"step/3", 3, 3, false},
    {"step/0", 0, 0, false},
    {"step/3..5", 3, 5, false},
    {"step/3..3", 3, 3, false},
    {"step/3..", 3, RANGE_SPEC_LAST, false},
    {"step/007", 7, 7, false},
    {"x@y/2", 2, 2, false},
    {"step/x/9223372036854775807", INT64_MAX, INT64_MAX, false},
    {"3", 3, 3, true},
    {"3..5", 3, 5, true},
    {"0..", 0, RANGE_SPEC_LAST, true},
    {"fit/3", 3, 3, true},
    {"~fit@*/3..", 3, RANGE_SPEC_LAST, true},
};

static void
test_indices(void)
{
	for (size_t i = 0; i < COUNT(indices); i++) {
		const struct index_row *x = &indices[i];
		struct range_spec r;

		if (!parse(&r, x->step, x->text))
			continue;
		CHECK(r.first == x->first && r.last == x->last,
		    "'%s': %" PRId64 " %" PRId64, x->text, r.first, r.last);
		CHECK(!r.median && r.seen == 0, "'%s': median", x->text);
		range_spec_free(&r);
	}
}

/* the default domain is that of ranges without one */
static const struct match_row {
	const char *text, *name, *domain;
	bool yes;
} names[] = {
    {"step", "step", "", true},
    {"step", "step", "x", false},
    {"step", "Step", "", false},
    {"step", "step 1", "", false},
    {"9", "9", "", true},
    {"a/b/c", "a/b/c", "", true},
    {"a/1/2", "a/1", "", true},
    {"step/3", "step", "", true},
    {"step/3", "step/3", "", false},
    {"step/", "step/", "", true},
    {"step/..3", "step/..3", "", true},
    {"step/3.", "step/3.", "", true},
    {"step/-1", "step/-1", "", true},
    {"step/3x", "step/3x", "", true},
    {"step/median", "step/median", "", true},
    {"step\\/3", "step/3", "", true},
    {"x@y/2", "x", "y", true},
    {"x@y", "x", "y", true},
    {"x@y", "x", "", false},
    {"x@y", "x", "z", false},
    {"x@y", "x@y", "", false},
    {"x/2@y", "x/2", "y", true},
    {"x@a/b", "x", "a/b", true},
    {"x@*", "x", "", true},
    {"x@*", "x", "y", true},
    {"x@*", "y", "y", false},
    {"x@\\*", "x", "*", true},
    {"x@\\*", "x", "y", false},
    {"x@~^y", "x", "yz", true},
    {"x@~^y", "x", "zy", false},
    {"x@~^y", "x", "", false},
    {"~^iter [0-9]+$@~cu.*\\/x/1", "iter 12", "cuda/x", true},
    {"~^iter [0-9]+$@~cu.*\\/x/1", "iter 12", "cuda", false},
    {"~^iter [0-9]+$@~cu.*\\/x/1", "iter", "cuda/x", false},
    {"~a\\@b|c\\d", "xc5", "", true},
    {"~a\\@b|c\\d", "a@b", "", true},
    {"~a\\@b|c\\d", "cd", "", false},
    {"~a\\\\\\@b", "a\\@b", "", true},
    {"a\\@b", "a@b", "", true},
    {"a\\@b", "a", "b", false},
    {"\\~literal", "~literal", "", true},
    {"a~b*", "a~b*", "", true},
    {"a~b*", "a~bc", "", false},
    {"a\\\\", "a\\", "", true},
};

static void
test_names(void)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		const struct match_row *x = &names[i];
		struct range_spec r;

		if (!parse(&r, false, x->text))
			continue;
		CHECK(matches(&r, x->name, x->domain) == x->yes,
		    "'%s': '%s' '%s'", x->text, x->name, x->domain);
		range_spec_free(&r);
	}
}

static void
test_median(void)
{
	struct range_spec r;

	if (parse(&r, true, "median")) {
		CHECK(r.median && r.first == 0 && r.last == RANGE_SPEC_LAST &&
			  matches(&r, "step 4", "x"),
		    "median");
		range_spec_free(&r);
	}
	if (parse(&r, true, "fit/median")) {
		CHECK(r.median && matches(&r, "fit", "") &&
			  !matches(&r, "step 4", ""),
		    "fit/median");
		range_spec_free(&r);
	}
}

static const struct bad_row {
	const char *text, *error; /* NULL: whatever the pattern says */
	size_t at;
	bool step;
} bad_specs[] = {
    {"", "expected the name of a range", 0, false},
    {"~", "expected the name of a range", 1, false},
    {"/3", "expected the name of a range", 0, false},
    {"@x", "expected the name of a range", 0, false},
    {"~@x", "expected the name of a range", 1, false},
    {"x@", "expected a domain behind the '@'", 2, false},
    {"x@~/1", "expected a domain behind the '@'", 3, false},
    {"a@b@c", "a second '@': in a name it is \\@", 3, false},
    {"ab\\", "nothing stands behind the \\", 2, false},
    {"~ab\\", "nothing stands behind the \\", 3, false},
    {"x@ab\\", "nothing stands behind the \\", 4, false},
    {"a\\b", "expected one of @ / ~ * \\ behind a \\", 1, false},
    {"x/5..3", "the last index is before the first", 2, false},
    {"x/9223372036854775808", "an index is too large", 2, false},
    {"x/1..99999999999999999999", "an index is too large", 2, false},
    {"~a(b", NULL, 4, false},
    {"~\\@\\/(", NULL, 6, false},
    {"~\\\\\\@a**\\)", NULL, 7, false},
    {"x@~\\@(/1", NULL, 6, false},
    {"", "expected an index, as 3, 0..4, NAME/3 or median", 0, true},
    {"step", "expected an index, as 3, 0..4, NAME/3 or median", 4, true},
    {"/3", "expected the name of a range", 0, true},
    {"/median", "expected the name of a range", 0, true},
    {"5..3", "the last index is before the first", 0, true},
    {"9223372036854775808", "an index is too large", 0, true},
};

static void
test_bad_specs(void)
{
	for (size_t i = 0; i < COUNT(bad_specs); i++) {
		const struct bad_row *x = &bad_specs[i];
		struct range_spec r;
		size_t at = 99;
		const char *error =
		    (x->step ? range_spec_parse_step : range_spec_parse)(
			&r, x->text, &at);

		CHECK(error != NULL &&
			  (x->error == NULL ||
			      span_eq(span_of(error), span_of(x->error))),
		    "'%s': %s", x->text, shown(error));
		CHECK(at == x->at, "'%s': at %zu", x->text, at);
		CHECK(r.name == NULL && r.domain == NULL, "'%s'", x->text);
	}
}

/* ---- what training loops call their steps ---- */

static const char *const steps[] = {"ProfilerStep#12", "ProfilerStep*", "step",
    "Step 12", "step_12", "step12", "step:12", "step: 12", "step=12",
    "step #12", "Step [12]", "step 12/100", "step 3 of 9", "STEP",
    "Step 0 to 1", "train_step", "train-step", "TrainStep", "training step 5",
    "train step", "training_step", "iteration 12", "Iteration", "iter",
    "iter_5", "iter-5", "train_iteration", "batch 7", "train_batch",
    "batch_idx_3", "batch_idx: 3", "mini_batch 3", "minibatch",
    "[pl][profile]run_training_batch", "global_step 4", "global_step_4",
    "Global Step: 4"};

static const char *const no_steps[] = {"", "epoch", "epoch 3", "12",
    "optimizer_step", "optimizer.step", "Optimizer.step#Adam.step",
    "Optimizer.step", "step()", "step 5 forward", "steps", "substep 3",
    "my_step", "val_step", "validation_step", "eval batch 3", "stepper",
    "iterator", "batch_norm", "batched", "batch_size", "next step",
    "[pl][profile]run_training_epoch",
    "[pl][profile][Strategy]SingleDeviceStrategy.training_step", "forward",
    "lr_scheduler_step", "step 1 2", "step to 4", "global", "train"};

static void
test_steps(void)
{
	struct range_spec r;

	if (!parse(&r, true, "0.."))
		return;
	for (size_t i = 0; i < COUNT(steps); i++)
		CHECK(matches(&r, steps[i], ""), "'%s': no step", steps[i]);
	for (size_t i = 0; i < COUNT(no_steps); i++)
		CHECK(!matches(&r, no_steps[i], "x"), "'%s': a step",
		    no_steps[i]);
	range_spec_free(&r);
}

int
main(void)
{
	test_windows();
	test_no_windows();
	test_place_without_overflow();
	test_indices();
	test_names();
	test_median();
	test_bad_specs();
	test_steps();
	return check_status();
}
