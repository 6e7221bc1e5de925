/* text.c - numbers to digits, JSON escaping, UTF-8 repair */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "tq/line/json.h"

/* ---- digits ---- */

static void
check_digits(uint64_t v)
{
	char expect[32], got[TEXT_INT_MAX];
	struct text t = {0};
	int64_t i = (int64_t)v;
	int n;

	n = snprintf(expect, sizeof(expect), "%" PRIu64, v);
	CHECK(text_digits(got, v) == got + n && memcmp(got, expect, n) == 0,
	    "digits of %s: %.*s", expect, n, got);
	snprintf(expect, sizeof(expect), "%" PRId64, i);
	text_add_int(&t, i);
	CHECK(text_is(&t, expect), "integer %s", expect);
	t.len = 0;
	snprintf(expect, sizeof(expect), "0x%" PRIx64, v);
	text_add_hex(&t, v);
	CHECK(text_is(&t, expect), "hexadecimal %s", expect);
	text_free(&t);
}

static void
test_digits(void)
{
	uint64_t power = 1;

	for (int i = 0; i < 20; i++, power *= 10)
		for (uint64_t d = 0; d < 3; d++) {
			check_digits(power - 1 + d);
			check_digits(0 - (power - 1 + d));
		}
	for (int i = 0; i < 64; i++) {
		check_digits(((uint64_t)1 << i) - 1);
		check_digits((uint64_t)1 << i);
	}
	for (uint64_t v = 0; v < 20000; v++)
		check_digits(v);
}

/* ---- doubles ---- */

static const struct {
	double v;
	const char *text;
} doubles[] = {
    {0, "0"},
    {-0.0, "-0"},
    {1, "1"},
    {-17, "-17"},
    {0.5, "0.5"},
    {0.1, "0.1"},
    {-3.25, "-3.25"},
    {1.0 / 3, "0.3333333333333333"},
    {1e-5, "1e-05"},
    {123456.789, "123456.789"},
    {9007199254740991.0, "9007199254740991"},
    {-9007199254740991.0, "-9007199254740991"},
    {9007199254740992.0, "9007199254740992"},
    {1e17, "1e+17"},
    {1e300, "1e+300"},
    {5e-324, "4.94065645841247e-324"},
    {2.2250738585072014e-308, "2.2250738585072014e-308"},
    {INFINITY, "1.7976931348623157e+308"},
    {-INFINITY, "-1.7976931348623157e+308"},
    {NAN, "null"},
};

static void
test_doubles(void)
{
	struct text t = {0};
	uint64_t bits = 1;
	double v;

	for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
		t.len = 0;
		text_add_double(&t, doubles[i].v);
		CHECK(text_is(&t, doubles[i].text), "%s: %.*s", doubles[i].text,
		    (int)t.len, t.p);
	}
	/* all that is finite reads back, and is JSON */
	for (int i = 0; i < 100000; i++) {
		bits = bits * 6364136223846793005u + 1442695040888963407u;
		memcpy(&v, &bits, sizeof(v));
		if (!isfinite(v))
			continue;
		t.len = 0;
		text_add_double(&t, v);
		CHECK(json_valid(text_span(&t)), "%a is not JSON", v);
		text_add_char(&t, '\0');
		CHECK(strtod(t.p, NULL) == v, "%a became %s", v, t.p);
	}
	text_free(&t);
}

/* ---- JSON strings ---- */

#define BYTES(literal) literal, sizeof(literal) - 1
#define BAD "\xef\xbf\xbd"

static const struct {
	const char *bytes;
	size_t len;
	const char *json;
	size_t bad;
} strings[] = {
    {BYTES(""), "\"\"", 0},
    {BYTES("plain"), "\"plain\"", 0},
    {BYTES("a \"b\" \\ c/d"), "\"a \\\"b\\\" \\\\ c/d\"", 0},
    {BYTES("\b\t\n\f\r"), "\"\\b\\t\\n\\f\\r\"", 0},
    {BYTES("\0\1\x1f\x7f"), "\"\\u0000\\u0001\\u001f\\u007f\"", 0},
    {BYTES("\xc2\x80"), "\"\xc2\x80\"", 0},
    {BYTES("\xc3\xa9t\xc3\xa9"), "\"\xc3\xa9t\xc3\xa9\"", 0},
    {BYTES("\xef\xbf\xbf"), "\"\xef\xbf\xbf\"", 0},
    {BYTES("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"", 0},
    {BYTES("\xf4\x8f\xbf\xbf"), "\"\xf4\x8f\xbf\xbf\"", 0},
    /* alone, cut, overlong, surrogate, too large */
    {BYTES("\x80"), "\"" BAD "\"", 1},
    {BYTES("a\xff\xfe z"), "\"a" BAD BAD " z\"", 2},
    {BYTES("\xc3"), "\"" BAD "\"", 1},
    {BYTES("\xc3("), "\"" BAD "(\"", 1},
    {BYTES("\xe2\x82"), "\"" BAD BAD "\"", 2},
    {BYTES("\xf0\x9f\x98\""), "\"" BAD BAD BAD "\\\"\"", 3},
    {BYTES("\xc0\x80"), "\"" BAD BAD "\"", 2},
    {BYTES("\xc1\xbf"), "\"" BAD BAD "\"", 2},
    {BYTES("\xe0\x9f\xbf"), "\"" BAD BAD BAD "\"", 3},
    {BYTES("\xed\xa0\x80"), "\"" BAD BAD BAD "\"", 3},
    {BYTES("\xf0\x8f\xbf\xbf"), "\"" BAD BAD BAD BAD "\"", 4},
    {BYTES("\xf4\x90\x80\x80"), "\"" BAD BAD BAD BAD "\"", 4},
    {BYTES("\xf5\x80\x80\x80"), "\"" BAD BAD BAD BAD "\"", 4},
};

static void
test_strings(void)
{
	struct text t = {0}, back = {0};

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		size_t bad;

		t.len = back.len = 0;
		bad = text_add_json(&t, strings[i].bytes, strings[i].len);
		CHECK(text_is(&t, strings[i].json), "string %zu: %.*s", i,
		    (int)t.len, t.p);
		CHECK(bad == strings[i].bad, "string %zu: %zu bad", i, bad);
		if (strings[i].bad > 0)
			continue;
		json_decode(&back, text_span(&t));
		CHECK(span_eq(text_span(&back),
			  (struct span){strings[i].bytes, strings[i].len}),
		    "string %zu does not read back", i);
	}
	text_free(&t);
	text_free(&back);
}

/* a decoder that shares nothing with text.c: is p one code point? */
static bool
is_code_point(const unsigned char *p, size_t n)
{
	static const struct {
		unsigned mask, lead;
		uint32_t least;
	} shapes[] = {
	    [1] = {0x80, 0x00, 0},
	    [2] = {0xe0, 0xc0, 0x80},
	    [3] = {0xf0, 0xe0, 0x800},
	    [4] = {0xf8, 0xf0, 0x10000},
	};
	uint32_t c = p[0] & ~shapes[n].mask;

	if ((p[0] & shapes[n].mask) != shapes[n].lead)
		return false;
	for (size_t i = 1; i < n; i++) {
		if (p[i] >> 6 != 2)
			return false;
		c = c << 6 | (p[i] & 63);
	}
	return c >= shapes[n].least && c <= 0x10ffff &&
	       (c < 0xd800 || c > 0xdfff);
}

/* every sequence of up to four of these bytes is repaired as it should be */
static void
test_sequences(void)
{
	static const unsigned char bytes[] = {0x00, 0x7f, 0x80, 0x8f, 0x90,
	    0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
	    0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff};
	const size_t base = sizeof(bytes);
	struct text t = {0}, expect = {0};

	for (size_t v = 0; v < base * base * base * base; v++) {
		unsigned char s[4] = {bytes[v % base], bytes[v / base % base],
		    bytes[v / base / base % base],
		    bytes[v / base / base / base]};
		size_t bad = 0, i = 0, n, got;

		t.len = expect.len = 0;
		text_add_char(&expect, '"');
		while (i < sizeof(s)) {
			for (n = 1; n <= 4 && i + n <= sizeof(s); n++)
				if (is_code_point(s + i, n))
					break;
			if (n > 4 || i + n > sizeof(s)) {
				text_add_str(&expect, BAD);
				bad++;
				n = 1;
			} else if (s[i] < 0x20 || s[i] == 0x7f)
				text_printf(&expect, "\\u%04x", s[i]);
			else
				text_add(&expect, (char *)s + i, n);
			i += n;
		}
		text_add_char(&expect, '"');
		got = text_add_json(&t, (char *)s, sizeof(s));
		CHECK(span_eq(text_span(&t), text_span(&expect)) && got == bad,
		    "%02x %02x %02x %02x: %zu bad", s[0], s[1], s[2], s[3],
		    got);
	}
	text_free(&t);
	text_free(&expect);
}

/* ---- spans and text ---- */

static void
test_spans(void)
{
	static const char *const sorted[] = {
	    "", "a", "a\x01", "ab", "b", "\xc3\xa9"};
	const size_t n = sizeof(sorted) / sizeof(sorted[0]);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			int order =
			    span_cmp(span_of(sorted[i]), span_of(sorted[j]));

			CHECK((order > 0) - (order < 0) == (i > j) - (i < j),
			    "order of %zu and %zu", i, j);
			CHECK(span_eq(span_of(sorted[i]), span_of(sorted[j])) ==
				  (i == j),
			    "equality of %zu and %zu", i, j);
		}
	CHECK(span_eq((struct span){NULL, 0}, SPAN("")), "empty spans");
}

/* Each byte at each place behind plain ones. */
static void
test_plain(void)
{
	char s[24];

	for (unsigned c = 0; c < 256; c++)
		for (size_t at = 0; at < sizeof(s); at++) {
			size_t expect = c >= 0x20 && c < 0x7f ? sizeof(s) : at;

			memset(s, '~', sizeof(s));
			s[at] = (char)c;
			CHECK(span_plain((struct span){s, sizeof(s)}) == expect,
			    "plain before byte %u at %zu", c, at);
		}
	CHECK(span_plain((struct span){0}) == 0, "nothing is plain");
}

static void
test_growth(void)
{
	struct text t = {0}, expect = {0};

	for (int i = 0; i < 1000; i++) {
		text_printf(&t, "%d:%s,", i, "x");
		text_add_int(&expect, i);
		text_add_str(&expect, ":x,");
	}
	text_add(&t, NULL, 0);
	CHECK(span_eq(text_span(&t), text_span(&expect)), "printf");
	text_free(&t);
	text_free(&expect);
	CHECK(t.p == NULL && t.len == 0 && t.cap == 0, "freed is empty");
}

int
main(void)
{
	test_digits();
	test_doubles();
	test_strings();
	test_sequences();
	test_spans();
	test_plain();
	test_growth();
	return check_status();
}
