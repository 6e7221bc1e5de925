/* pattern.c - regular expressions, globs, exact texts; and hostile ones */

#include <stdlib.h>

#include "check.h"
#include "tq/ask/pattern.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { LONG = 300000 };

struct row {
	const char *pattern, *text;
	bool yes;
};

static const struct row regexes[] = {
    {"", "", true},
    {"", "abc", true},
    {"gemm", "sgemm_128", true},
    {"gemm", "sgem_m", false},
    {"gemm", "GEMM", false},
    {"gemm", "", false},
    {"^gemm$", "gemm", true},
    {"^gemm$", "gemm\n", true},
    {"^gemm\\z", "gemm\n", false},
    {"a.c", "abc", true},
    {"a.c",
	"a\xc3\xa9"
	"c",
	true},
    {"a.c",
	"a\xe2\x82\xac"
	"c",
	true},
    {"a..c",
	"a\xc3\xa9"
	"c",
	false},
    {"a.c", "a\nc", false},
    {"\xc3\xa9", "caf\xc3\xa9", true},
    {"\xc3\xa9", "caf\xc3", false},
    {"[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true},
    {"b",
	"a\xff\xfe"
	"b",
	true},
    {"a.b",
	"a\xff"
	"b",
	false},
    {"a.+b", "\xc3\xff a.b", true},
    {"(?:sm|cc)_?(?:80|90)", "cutlass_sm90_x", true},
    {"(?i)gemm", "GEMM", true},
    {"(\\w)\\1", "aabc", true},
    {"(\\w)\\1", "abc", false},
    {"a\\/b", "a/b", true},
    {"a#b", "a#b", true},
    {"a]b}", "a]b}", true},
    {"(?C1)a", "cba", true},
    {"a{,3}", "a{,3}", true},
};

static const struct row caseless[] = {
    {"gemm", "sGEMM", true},
    {"", "x", true},
    {"\xc3\xa9", "\xc3\x89", true},
    {"[a-c]+$", "xABC", true},
    {"gemm", "gem", false},
};

static const struct row globs[] = {
    {"", "", true},
    {"", "a", false},
    {"*", "", true},
    {"*", "abc", true},
    {"**", "abc", true},
    {"?", "a", true},
    {"?", "", false},
    {"?", "ab", false},
    {"?", "\xe2\x82\xac", true},
    {"??", "\xe2\x82\xac", false},
    {"?", "\xff", true},
    {"??", "\xe2\x82", true},
    {"gemm*", "gemm_128", true},
    {"gemm*", "sgemm", false},
    {"*gemm", "gemmgemm", true},
    {"*gemm", "gemmgem", false},
    {"a*b*c", "a1b2b3c", true},
    {"a*b*c", "a1b2b3", false},
    {"a*", "a", true},
    {"a**", "a", true},
    {"*a", "", false},
    {"*\xc3\xa9*", "caf\xc3\xa9s", true},
    {"*?b", "aab", true},
    {"*?", "", false},
    {"[abc]x", "bx", true},
    {"[abc]x", "dx", false},
    {"[a-c]", "b", true},
    {"[!a-c]", "b", false},
    {"[!a-c]", "d", true},
    {"[^a-c]", "b", false},
    {"[]]", "]", true},
    {"[]a]", "a", true},
    {"[!]]", "]", false},
    {"[a-]", "-", true},
    {"[-a]", "-", true},
    {"[\\]]", "]", true},
    {"[a\\-c]", "b", false},
    {"[a\\-c]", "-", true},
    {"[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true},
    {"[\xc3\xa0-\xc3\xbf]", "e", false},
    {"*[0-9]", "ab12", true},
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"\\a", "a", true},
    {"\\\\", "\\", true},
    {"a]", "a]", true},
    {"*[!a]*b", "aacb", true},
};

static const struct row exact[] = {
    {"", "", true},
    {"", "a", false},
    {"a*", "a*", true},
    {"a*", "aa", false},
    {"\xff", "\xff", true},
};

static const struct {
	const char *pattern, *error;
	size_t at;
} no_regexes[] =
    {
	{"a(b", "a ( is not closed", 3},
	{"a)b", "a ) closes nothing", 1},
	{"a[b", "a [ is not closed", 3},
	{"a\\", "nothing follows the last \\", 2},
	{"*a", "there is nothing to repeat", 0},
	{"a\xff", "the regular expression is not UTF-8", 1},
	{"(((a{1,500}){1,500}){1,500})", "the regular expression is too large",
	    28},
	{"(((((\\w{100}){100}){100}){100}){100})",
	    "the regular expression is too large", 37},
},
  no_globs[] = {
      {"[", "a [ is not closed", 0},
      {"ab[c", "a [ is not closed", 2},
      {"[]", "a [ is not closed", 0},
      {"[!", "a [ is not closed", 0},
      {"[!]", "a [ is not closed", 0},
      {"[a-", "a [ is not closed", 0},
      {"[a-\\", "a [ is not closed", 0},
      {"[\\", "a [ is not closed", 0},
      {"x[c-a]", "a range of the set is out of order", 1},
      {"a\\", "nothing follows the last \\", 1},
};

static const char *const results[] = {
    [PATTERN_NO] = "no", [PATTERN_YES] = "yes", [PATTERN_GAVE_UP] = "gave up"};

static void
test_row(struct pattern *p, const struct row *row, const char *error)
{
	enum pattern_result expect = row->yes ? PATTERN_YES : PATTERN_NO, is;

	CHECK(p != NULL, "'%s': %s", row->pattern, shown(error));
	if (p == NULL)
		return;
	is = pattern_match(p, span_of(row->text));
	CHECK(is == expect, "'%s' ~ '%s': %s", row->text, row->pattern,
	    results[is]);
	pattern_free(p);
}

static void
test_rows(void)
{
	const char *error = NULL;
	size_t at;

	for (size_t i = 0; i < COUNT(regexes); i++)
		test_row(pattern_regex(
			     span_of(regexes[i].pattern), false, &error, &at),
		    &regexes[i], error);
	for (size_t i = 0; i < COUNT(caseless); i++)
		test_row(pattern_regex(
			     span_of(caseless[i].pattern), true, &error, &at),
		    &caseless[i], error);
	for (size_t i = 0; i < COUNT(globs); i++)
		test_row(pattern_glob(span_of(globs[i].pattern), &error, &at),
		    &globs[i], error);
	for (size_t i = 0; i < COUNT(exact); i++)
		test_row(
		    pattern_exact(span_of(exact[i].pattern)), &exact[i], NULL);
}

static void
test_refused(void)
{
	const char *error = "";
	size_t at = 99;

	for (size_t i = 0; i < COUNT(no_regexes); i++) {
		CHECK(pattern_regex(span_of(no_regexes[i].pattern), false,
			  &error, &at) == NULL,
		    "'%s': accepted", no_regexes[i].pattern);
		CHECK(strcmp(error, no_regexes[i].error) == 0 &&
			  at == no_regexes[i].at,
		    "'%s': %s, at %zu", no_regexes[i].pattern, error, at);
	}
	for (size_t i = 0; i < COUNT(no_globs); i++) {
		CHECK(pattern_glob(span_of(no_globs[i].pattern), &error, &at) ==
			  NULL,
		    "'%s': accepted", no_globs[i].pattern);
		CHECK(strcmp(error, no_globs[i].error) == 0 &&
			  at == no_globs[i].at,
		    "'%s': %s, at %zu", no_globs[i].pattern, error, at);
	}
}

/* what PCRE2 says of rarer mistakes is its own, but is something */
static void
test_other_errors(void)
{
	static const char *const patterns[] = {
	    "(?<n", "\\p{Nothing}", "a{3,1}", "(?<=a*)b", "\\C", "[[:none:]]"};
	const char *error;
	size_t at;

	for (size_t i = 0; i < COUNT(patterns); i++) {
		error = NULL;
		CHECK(pattern_regex(span_of(patterns[i]), false, &error, &at) ==
			  NULL,
		    "'%s': accepted", patterns[i]);
		CHECK(error != NULL && *error != '\0' &&
			  at <= strlen(patterns[i]),
		    "'%s': %s, at %zu", patterns[i], shown(error), at);
	}
}

static void
test_large(void)
{
	struct text t = {0};
	const char *error = "";
	size_t at = 0;

	for (int i = 0; i < 250; i++)
		text_add_char(&t, '(');
	CHECK(pattern_regex(text_span(&t), false, &error, &at) == NULL &&
		  strcmp(error, "nested too deeply") == 0,
	    "%s", error);
	t.len = 0;
	while (t.len <= 1 << 16)
		text_add_str(&t, "a.");
	CHECK(pattern_regex(text_span(&t), false, &error, &at) == NULL &&
		  strcmp(error, "the regular expression is too large") == 0,
	    "%s", error);
	text_free(&t);
}

/* these would take from seconds to for ever; all come back, and soon */
static const char *const hostile[] = {"^(a+)+$", "(a+)+[b~]$", "(a|a)*[b~]",
    "(a|aa)+[~]", "(.*)*[~]", "a*a*a*a*\\d", "(.+)\\1[=~]", "(?i)(.+)\\1[=~]",
    "\\w+\\s+\\d+[=~]", "(\\w+\\s*)+[=~]", "(?:a?){100}a{100}[=~]",
    "((a{1,30}){1,30}){1,30}[=~]", "[ab]{60000}[cd]", "\\X+[=~]",
    "(?<=a{1000})[a-z][=~]", "(a(?1)?b?)[=~]", "(?R)?a[=~]", "(*sr:.+)[=~]",
    "(?:(a*)\\1*)*[=~]", "(*NO_JIT)(a+)+[b~]$", "(*NO_JIT)(.+)\\1[=~]",
    "(*NO_JIT)((?:a|b)*)[d~]", "(*LIMIT_MATCH=1)a[b~]"};

static void
test_hostile(void)
{
	static const size_t lengths[] = {30, 300, 3000, LONG};
	char *text = malloc(LONG);
	const char *error;
	size_t at;

	memset(text, 'a', LONG);
	text[29] = text[LONG - 1] = 'c';
	for (size_t i = 0; i < COUNT(hostile); i++) {
		struct pattern *p =
		    pattern_regex(span_of(hostile[i]), false, &error, &at);

		CHECK(p != NULL, "%s: %s", hostile[i], error);
		for (size_t j = 0; p != NULL && j < COUNT(lengths); j++) {
			struct span part = {text, lengths[j]};

			CHECK(pattern_match(p, part) != PATTERN_YES,
			    "%s: of %zu bytes", hostile[i], part.len);
		}
		pattern_free(p);
	}
	free(text);
}

/* ordinary patterns have an answer in long texts too */
static void
test_long(void)
{
	static const struct row rows[] = {
	    {"end$", NULL, true},
	    {"^a.*end", NULL, true},
	    {"a+end", NULL, true},
	    {"b.*end", NULL, false},
	    {"^[a-f]+nd", NULL, true},
	    {"x|y|z", NULL, false},
	};
	char *text = malloc(LONG);
	const char *error;
	size_t at;

	memset(text, 'a', LONG);
	memcpy(text + LONG - 3, "end", 3);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pattern *p =
		    pattern_regex(span_of(rows[i].pattern), false, &error, &at);
		enum pattern_result is =
		    pattern_match(p, (struct span){text, LONG});

		CHECK(is == (rows[i].yes ? PATTERN_YES : PATTERN_NO), "%s: %s",
		    rows[i].pattern, results[is]);
		pattern_free(p);
	}
	free(text);
}

int
main(void)
{
	test_rows();
	test_refused();
	test_other_errors();
	test_large();
	test_hostile();
	test_long();
	pattern_free(NULL);
	return check_status();
}
