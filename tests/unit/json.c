/* json.c - what is JSON and what is not, and why; decoding */

#include <inttypes.h>

#include "check.h"
#include "tq/line/json.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const accepted[] = {"0", "-0", "1", "-17", "1.5", "1e3",
    "1E+3", "1.25e-10", "\"\"", "\"a\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"", "\"\x7f\xff\"",
    "true", "false", "null", "[]", "[ ]", "{}", "{ }", "[1,[2,{\"a\":[]}]]",
    " [ 1 , 2 ] ", "\t{ \"a\" : null , \"a\" : {} }\r\n", "{\"\":0}"};

/* with the error of json_value; NULL: it is one value and more */
static const struct {
	const char *text, *error;
} refused[] = {
    {"", "expected a value"},
    {"x", "expected a value"},
    {"nul", "expected a value"},
    {"True", "expected a value"},
    {"'a'", "expected a value"},
    {"+1", "expected a value"},
    {".5", "expected a value"},
    {"-", "bad number"},
    {"-a", "bad number"},
    {"1.", "bad number"},
    {"1.e3", "bad number"},
    {"1e", "bad number"},
    {"1e+", "bad number"},
    {"01", NULL},
    {"1 2", NULL},
    {"0x10", NULL},
    {"nullx", NULL},
    {"{}}", NULL},
    {"\"", "string does not end"},
    {"\"a", "string does not end"},
    {"\"\\", "string does not end"},
    {"\"\\\"", "string does not end"},
    {"\"\n\"", "control character in a string"},
    {"\"\x1f\"", "control character in a string"},
    {"\"\\a\"", "bad escape in a string"},
    {"\"\\'\"", "bad escape in a string"},
    {"\"\\u12\"", "bad \\u escape"},
    {"\"\\u12g4\"", "bad \\u escape"},
    {"\"\\u", "bad \\u escape"},
    {"[", "expected a value"},
    {"[1", "expected ',' or ']'"},
    {"[1 2]", "expected ',' or ']'"},
    {"[1,]", "expected a value"},
    {"[,1]", "expected a value"},
    {"{", "expected a key"},
    {"{1:2}", "expected a key"},
    {"{\"a\"", "expected ':'"},
    {"{\"a\" 1}", "expected ':'"},
    {"{\"a\":}", "expected a value"},
    {"{\"a\":1", "expected ',' or '}'"},
    {"{\"a\":1 \"b\":2}", "expected ',' or '}'"},
    {"{\"a\":1,}", "expected a key"},
    {"[1}", "expected ',' or ']'"},
};

static void
test_values(void)
{
	for (size_t i = 0; i < COUNT(accepted); i++)
		CHECK(json_valid(span_of(accepted[i])), "%s: refused",
		    accepted[i]);
	for (size_t i = 0; i < COUNT(refused); i++) {
		const char *text = refused[i].text, *error = NULL;
		const char *end = json_value(text, text + strlen(text), &error);

		CHECK(!json_valid(span_of(text)), "%s: accepted", text);
		CHECK((end == NULL) == (refused[i].error != NULL),
		    "%s: ends after %td", text, end != NULL ? end - text : -1);
		if (end == NULL && refused[i].error != NULL)
			CHECK(strcmp(error, refused[i].error) == 0, "%s: %s",
			    text, error);
	}
}

static void
test_depth(void)
{
	for (size_t depth = JSON_DEPTH; depth <= JSON_DEPTH + 1; depth++) {
		struct text t = {0};
		const char *error = NULL;

		for (size_t i = 0; i < depth; i++)
			text_add_str(&t, i % 2 ? "[" : "{\"a\":");
		text_add_char(&t, '0');
		for (size_t i = depth; i-- > 0;)
			text_add_str(&t, i % 2 ? "]" : "}");
		CHECK(json_valid(text_span(&t)) == (depth <= JSON_DEPTH),
		    "%zu levels", depth);
		if (json_value(t.p, t.p + t.len, &error) == NULL)
			CHECK(
			    strcmp(error, "nested too deep") == 0, "%s", error);
		text_free(&t);
	}
}

/* ---- members ---- */

/* an object, its keys and values as "key=value;", and the error at its end */
static const struct {
	const char *text, *members, *error;
} objects[] = {
    {"{}", "", NULL},
    {" { } ", "", NULL},
    {"{\"a\":1}", "a=1;", NULL},
    {"{\"a\":1,\"a\":[ 2 ]}", "a=1;a=[ 2 ];", NULL},
    {" {\"a\" : \"x\" , \"\\u0062\":{} }", "a=\"x\";b={};", NULL},
    {"", "", "expected '{'"},
    {"[]", "", "expected '{'"},
    {"{\"a\":1", "a=1;", "expected ',' or '}'"},
    {"{\"a\":1,", "a=1;", "expected a key"},
    {"{\"a\":1,}", "a=1;", "expected a key"},
    {"{,", "", "expected a key"},
    {"{\"a\"}", "", "expected ':'"},
    {"{\"a\":}", "", "expected a value"},
    {"{\"a\":1} x", "a=1;", "text after the object"},
    {"{\"a\":1}{}", "a=1;", "text after the object"},
    {"{\"a\":01}", "a=0;", "expected ',' or '}'"},
};

static void
test_members(void)
{
	struct text got = {0}, key = {0};

	for (size_t i = 0; i < COUNT(objects); i++) {
		struct json j;
		struct span v;

		got.len = 0;
		json_open(&j, span_of(objects[i].text));
		while (json_next(&j, &key, &v)) {
			text_add_span(&got, text_span(&key));
			text_add_char(&got, '=');
			text_add_span(&got, v);
			text_add_char(&got, ';');
		}
		CHECK(text_is(&got, objects[i].members), "%s: %.*s",
		    objects[i].text, (int)got.len, got.p);
		CHECK((j.error == NULL) == (objects[i].error == NULL) &&
			  (j.error == NULL ||
			      strcmp(j.error, objects[i].error) == 0),
		    "%s: %s", objects[i].text, shown(j.error));
	}
	text_free(&got);
	text_free(&key);
}

static const struct {
	const char *text, *elements, *error;
} arrays[] = {
    {"[]", "", NULL},
    {" [ 1 , [2] ]", "1;[2];", NULL},
    {"[\"a,b\",{}]", "\"a,b\";{};", NULL},
    {"{}", "", "expected '['"},
    {"[1", "1;", "expected ',' or ']'"},
    {"[1,]", "1;", "expected a value"},
};

static void
test_elements(void)
{
	struct text got = {0};

	for (size_t i = 0; i < COUNT(arrays); i++) {
		struct json j;
		struct span v;

		got.len = 0;
		json_open_array(&j, span_of(arrays[i].text));
		while (json_next_element(&j, &v)) {
			text_add_span(&got, v);
			text_add_char(&got, ';');
		}
		CHECK(text_is(&got, arrays[i].elements), "%s: %.*s",
		    arrays[i].text, (int)got.len, got.p);
		CHECK((j.error == NULL) == (arrays[i].error == NULL) &&
			  (j.error == NULL ||
			      strcmp(j.error, arrays[i].error) == 0),
		    "%s: %s", arrays[i].text, shown(j.error));
	}
	text_free(&got);
}

/* ---- strings and integers ---- */

#define BYTES(literal) \
	{ \
		literal, sizeof(literal) - 1 \
	}

static const struct {
	const char *string;
	struct span bytes;
} decoded[] = {
    {"\"\"", BYTES("")},
    {"\"plain\"", BYTES("plain")},
    {"\"\\\"\\\\\\/\"", BYTES("\"\\/")},
    {"\"\\b\\f\\n\\r\\t\"", BYTES("\b\f\n\r\t")},
    {"\"a\\u0000b\"", BYTES("a\0b")},
    {"\"\\u0041\\u00e9\\u20AC\"", BYTES("A\xc3\xa9\xe2\x82\xac")},
    {"\"\\ud83d\\uDE00!\"", BYTES("\xf0\x9f\x98\x80!")},
    {"\"\\udbff\\udfff\"", BYTES("\xf4\x8f\xbf\xbf")},
    {"\"\\ud83d\"", BYTES("\xef\xbf\xbd")},
    {"\"\\ud83dx\"", BYTES("\xef\xbf\xbdx")},
    {"\"\\ude00\\ud83d\"", BYTES("\xef\xbf\xbd\xef\xbf\xbd")},
    {"\"\\ud83d\\n\"", BYTES("\xef\xbf\xbd\n")},
    {"\"\\ud83d\\u0041\"", BYTES("\xef\xbf\xbd"
				 "A")},
    {"\"\xc3\xa9\xff\"", BYTES("\xc3\xa9\xff")},
};

static void
test_decode(void)
{
	struct text t = {0};

	for (size_t i = 0; i < COUNT(decoded); i++) {
		const char *s = decoded[i].string, *error = "";

		CHECK(json_string(s, s + strlen(s), &error) == s + strlen(s),
		    "%s: %s", s, error);
		t.len = 0;
		text_add_char(&t, '<');
		json_decode(&t, span_of(s));
		CHECK(*t.p == '<' && span_eq(decoded[i].bytes,
					 (struct span){t.p + 1, t.len - 1}),
		    "%s: %.*s", s, (int)t.len - 1, t.p + 1);
	}
	text_free(&t);
}

static const struct {
	const char *text;
	int64_t v;
} integers[] = {
    {"0", 0},
    {"-0", 0},
    {"-0.0", 0},
    {"42", 42},
    {"1e3", 1000},
    {"1.5e1", 15},
    {"120e-1", 12},
    {"5.0", 5},
    {"9007199254740993.0", 9007199254740993},
    {"123456789012345678.0", 123456789012345678},
    {"9223372036854775807", INT64_MAX},
    {"-9223372036854775808", INT64_MIN},
};

static const char *const no_integers[] = {"0.5", "1e-1", "1e19", "-1e300",
    "1e4000", "9223372036854775808", "-9223372036854775809",
    "99999999999999999999999999"};

static void
test_integers(void)
{
	int64_t v;

	for (size_t i = 0; i < COUNT(integers); i++) {
		v = -1;
		CHECK(json_int(span_of(integers[i].text), &v) &&
			  v == integers[i].v,
		    "%s: %" PRId64, integers[i].text, v);
	}
	for (size_t i = 0; i < COUNT(no_integers); i++)
		CHECK(!json_int(span_of(no_integers[i]), &v),
		    "%s is an integer", no_integers[i]);
}

int
main(void)
{
	test_values();
	test_depth();
	test_members();
	test_elements();
	test_decode();
	test_integers();
	return check_status();
}
