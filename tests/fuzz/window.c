/*
 * window - a window, ranges or steps: what is accepted can be used, and any
 * name can be written so that it is found
 */

#include <string.h>

#include "fuzz.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

static void
check_window(const char *text)
{
	static const int64_t ends[] = {INT64_MIN, -1, 0, 1000000, INT64_MAX};
	struct window w;
	int64_t from, to;

	if (window_parse(&w, text) != NULL)
		return;
	REQUIRE(w.from != WINDOW_OPEN || w.to != WINDOW_OPEN);
	REQUIRE(w.from_ns >= 0 && w.to_ns >= 0);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		window_place(&w, ends[i], &from, &to);
		/* before a trace that ends at INT64_MIN there is nothing */
		if (w.from == w.to && ends[i] > INT64_MIN / 2)
			REQUIRE(from < to);
		REQUIRE((w.from == WINDOW_OPEN) <= (from == INT64_MIN));
		REQUIRE((w.to == WINDOW_OPEN) <= (to == INT64_MAX));
	}
}

static void
check_spec(const char *(*parse)(struct range_spec *, const char *, size_t *),
    const char *text)
{
	static const char *const names[] = {
	    "", "step 12", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "\xff\xc3"};
	struct range_spec r;
	size_t at = SIZE_MAX;

	if (parse(&r, text, &at) != NULL) {
		REQUIRE(at <= strlen(text));
		REQUIRE(r.name == NULL && r.domain == NULL);
		return;
	}
	REQUIRE(r.name != NULL && r.seen == 0);
	REQUIRE(r.first >= 0 && r.first <= r.last);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (size_t j = 0; j < 2; j++)
			range_spec_match(
			    &r, span_of(names[i]), span_of(names[j]));
	range_spec_match(&r, span_of(text), SPAN(""));
	range_spec_free(&r);
}

static void
add_escaped(struct text *t, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("@/~*\\", *text) != NULL)
			text_add_char(t, '\\');
		text_add_char(t, *text);
	}
}

/* text as a name, and as a domain */
static void
check_escapes(const char *text)
{
	struct range_spec r;
	struct text t = {0};
	size_t at;

	if (*text == '\0')
		return;
	add_escaped(&t, text);
	text_add_char(&t, '@');
	add_escaped(&t, text);
	text_add_str(&t, "/5..");
	text_add_char(&t, '\0');
	REQUIRE(range_spec_parse(&r, t.p, &at) == NULL);
	REQUIRE(r.first == 5 && r.last == RANGE_SPEC_LAST);
	REQUIRE(
	    range_spec_match(&r, span_of(text), span_of(text)) == PATTERN_YES);
	REQUIRE(range_spec_match(&r, span_of(text), SPAN("")) == PATTERN_NO);
	range_spec_free(&r);
	text_free(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	check_window(text);
	check_spec(range_spec_parse, text);
	check_spec(range_spec_parse_step, text);
	check_escapes(text);
	free(text);
	return 0;
}
