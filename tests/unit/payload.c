/* payload.c - extended payloads: each type, and definitions that make no sense
 */

#include "lines/payload_fields.h"
#include "lines/payload.h"
#include "check.h"

enum { DOMAIN = 3, SCHEMA = 1000, INNER = 1001, ENUM = 1002, UNION = 3 };

static struct dictionary names;
static struct text blob;

static void
number(uint64_t v)
{
	text_add(&blob, (const char *)&v, sizeof(v));
}

static void
text(const char *s)
{
	number(strlen(s));
	text_add_str(&blob, s);
	while (blob.len % 8 != 0)
		text_add_char(&blob, '\0');
}

/* what was put into blob defines it */
static void
define(enum record_type type, uint64_t id, const char *name)
{
	struct record r = {.type = (uint8_t)type, .domain = DOMAIN};
	struct record_parts x = {
	    .id = id, .text = span_of(name), .blob = text_span(&blob)};

	dictionary_define(&names, &r, &x);
	blob.len = 0;
}

static void
head(uint64_t type, uint64_t bytes, uint64_t pack, uint64_t entries)
{
	number(type);
	number(0);
	number(bytes);
	number(pack);
	number(entries);
}

static void
entry(uint64_t flags, uint64_t type, uint64_t detail, uint64_t offset,
    const char *name)
{
	number(flags);
	number(type);
	number(detail);
	number(offset);
	text(name);
	text("what it is");
	number(0);
	number(0);
	number(0);
	text("");
}

/* the n bytes by that schema or type */
static void
expect(const char *what, uint64_t schema, const void *data, size_t n,
    const char *json)
{
	struct text t = {0};

	blob.len = 0;
	number(schema);
	number(n);
	text_add(&blob, data, n);
	payload_add_blobs(&t, "p", &names, DOMAIN, text_span(&blob));
	CHECK(t.len >= 4 &&
		  span_eq((struct span){t.p + 4, t.len - 4}, span_of(json)),
	    "%s: %.*s, not %s", what, (int)t.len, t.p, json);
	blob.len = 0;
	text_free(&t);
}

static const struct {
	uint64_t type;
	const char *name;
	size_t n;
	unsigned char bytes[16];
	const char *json;
} basics[] = {
    {1, "char", 1, {'x'}, "\"x\""},
    {1, "a char that is none", 1, {0xff}, "\"\xef\xbf\xbd\""},
    {2, "unsigned char", 1, {200}, "200"},
    {3, "short", 2, {0xfe, 0xff}, "-2"},
    {4, "unsigned short", 2, {0xfe, 0xff}, "65534"},
    {5, "int", 4, {0, 0, 0, 0x80}, "-2147483648"},
    {6, "unsigned int", 4, {0, 0, 0, 0x80}, "2147483648"},
    {7, "long", 8, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "-1"},
    {8, "unsigned long", 8, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
	"\"18446744073709551615\""},
    {9, "long long", 8, {0, 0, 0, 0, 0, 0, 0, 0x80},
	"\"-9223372036854775808\""},
    {10, "unsigned long long", 8, {5}, "5"},
    {11, "int8", 1, {0x80}, "-128"},
    {12, "uint8", 1, {0x80}, "128"},
    {13, "int16", 2, {1}, "1"},
    {14, "uint16", 2, {1}, "1"},
    {15, "int32", 4, {1}, "1"},
    {16, "uint32", 4, {1}, "1"},
    {17, "int64, exact", 8, {0, 0, 0, 0, 0, 0, 0x20}, "9007199254740992"},
    {18, "uint64, too wide", 8, {1, 0, 0, 0, 0, 0, 0x20},
	"\"9007199254740993\""},
    {19, "float", 4, {0, 0, 0xc0, 0x3f}, "1.5"},
    {20, "double", 8, {0, 0, 0, 0, 0, 0, 0xf8, 0x3f}, "1.5"},
    {20, "no number", 8, {1, 0, 0, 0, 0, 0, 0xf8, 0x7f}, "null"},
    {21, "long double", 16, {1}, "\"01000000000000000000000000000000\""},
    {22, "size", 8, {9}, "9"},
    {23, "address", 8, {0x10, 0x20}, "\"0x2010\""},
    {25, "char8", 1, {'"'}, "\"\\\"\""},
    {32, "byte", 1, {0xab}, "\"ab\""},
    {42, "half", 2, {0, 0x3c}, "\"003c\""},
    {44, "float64", 8, {0}, "0"},
    {69, "color", 4, {0x33, 0x22, 0x11, 0xff}, "\"#112233\""},
    {71, "pid", 4, {7}, "7"},
    {75, "a text", 5, {'h', 'e', 'l', 'l', 'o'}, "\"hello\""},
    {75, "a text with its end", 5, {'h', 'i', 0, 'x', 'x'}, "\"hi\""},
    {77, "text of another kind", 8, {1}, "\"0x1\""},
    {5, "too short", 2, {1, 2}, "\"0102\""},
    {0, "no type", 2, {1, 2}, "\"0102\""},
    {63, "no such type", 1, {1}, "\"01\""},
    {UINT64_MAX, "no such schema", 1, {1}, "\"01\""},
    {5, "nothing", 0, {0}, "\"\""},
};

static void
test_struct(void)
{
	struct {
		char c;
		int i;
		double d;
		short s[3];
		char text[8];
		void *p;
		unsigned color;
	} v = {'c', -5, 2.5, {1, 2, 3}, "text", (void *)16, 0x112233};

	head(1, sizeof(v), 0, 7);
	entry(0, 1, 0, 0, "c");
	entry(0, 5, 0, 0, "i");
	entry(0, 20, 0, 0, "d");
	entry(FIELD_FIXED, 3, 3, 0, "s");
	entry(FIELD_FIXED, 1, 8, 0, "text");
	entry(FIELD_POINTER, 5, 0, 0, "p");
	entry(0, 69, 0, 0, "");
	define(RECORD_SCHEMA, SCHEMA, "a struct");
	expect("a struct", SCHEMA, &v, sizeof(v),
	    "{\"c\":\"c\",\"i\":-5,\"d\":2.5,\"s\":[1,2,3],\"text\":\"text\","
	    "\"p\":\"0x10\",\"entry 6\":\"#112233\"}");
	/* what is not there any more */
	expect("a short one", SCHEMA, &v, 10,
	    "{\"c\":\"c\",\"i\":-5,\"d\":\"0000\",\"s\":[],\"text\":\"\","
	    "\"p\":null,\"entry 6\":\"\"}");
}

static void
test_layout(void)
{
	static const unsigned char packed[] = {1, 2, 0, 0, 0, 3, 0};
	static const unsigned char placed[] = {0, 0, 0, 0, 9, 0, 0, 0, 7};
	int32_t either = -1;

	head(1, 7, 1, 3);
	entry(0, 12, 0, 0, "a");
	entry(0, 6, 0, 0, "b");
	entry(0, 4, 0, 0, "c");
	define(RECORD_SCHEMA, SCHEMA, "packed");
	expect("packed", SCHEMA, packed, sizeof(packed),
	    "{\"a\":1,\"b\":2,\"c\":3}");

	head(1, 9, 0, 2);
	entry(0, 12, 0, 8, "b");
	entry(0, 6, 0, 4, "a");
	define(RECORD_SCHEMA, SCHEMA, "placed");
	expect("placed", SCHEMA, placed, sizeof(placed), "{\"b\":7,\"a\":9}");

	head(UNION, 4, 0, 2);
	entry(0, 5, 0, 0, "signed");
	entry(0, 6, 0, 0, "unsigned");
	define(RECORD_SCHEMA, SCHEMA, "union");
	expect("a union", SCHEMA, &either, sizeof(either),
	    "{\"signed\":-1,\"unsigned\":4294967295}");
}

static void
test_arrays(void)
{
	static const unsigned char counted[] = {2, 0, 5, 0, 6, 0, 7, 0};
	static const unsigned char ended[] = {5, 0, 6, 0, 0, 0, 7, 0};

	head(1, 0, 0, 2);
	entry(FIELD_HIDE, 4, 0, 0, "n");
	entry(FIELD_LENGTH_INDEX, 4, 0, 0, "values");
	define(RECORD_SCHEMA, SCHEMA, "counted");
	expect(
	    "counted", SCHEMA, counted, sizeof(counted), "{\"values\":[5,6]}");
	expect("less than it says", SCHEMA, counted, 4, "{\"values\":[5]}");

	head(1, 0, 0, 1);
	entry(FIELD_LENGTH_INDEX, 4, 9, 0, "values");
	define(RECORD_SCHEMA, SCHEMA, "counted by nothing");
	expect("counted by nothing", SCHEMA, counted, sizeof(counted),
	    "{\"values\":[]}");

	head(1, 0, 0, 1);
	entry(FIELD_TERMINATED, 4, 0, 0, "values");
	define(RECORD_SCHEMA, SCHEMA, "terminated");
	expect(
	    "terminated", SCHEMA, ended, sizeof(ended), "{\"values\":[5,6]}");

	head(1, 0, 0, 1);
	entry(FIELD_FIXED, 5, UINT64_MAX, 0, "values");
	define(RECORD_SCHEMA, SCHEMA, "endless");
	expect("endless", SCHEMA, ended, sizeof(ended),
	    "{\"values\":[393221,458752]}");
}

static void
test_nested(void)
{
	int32_t v[] = {1, 2, 7};
	struct text t = {0};

	number(4);
	number(2);
	number(1);
	number(0);
	text("one");
	number(2);
	number(0);
	text("two");
	define(RECORD_ENUM, ENUM, "numbers");
	head(1, 4, 0, 1);
	entry(0, ENUM, 0, 0, "e");
	define(RECORD_SCHEMA, INNER, "inner");
	head(1, 12, 0, 3);
	entry(0, INNER, 0, 0, "a");
	entry(FIELD_FIXED, INNER, 2, 4, "b");
	entry(0, ENUM, 0, 8, "c");
	define(RECORD_SCHEMA, SCHEMA, "outer");
	expect("nested", SCHEMA, v, sizeof(v),
	    "{\"a\":{\"e\":\"one\"},\"b\":[{\"e\":\"two\"},{\"e\":7}],"
	    "\"c\":7}");

	/* each of itself twice, and so on */
	head(1, 4, 0, 2);
	entry(FIELD_FIXED, SCHEMA, 4, 0, "a");
	entry(FIELD_FIXED, SCHEMA, 4, 0, "b");
	define(RECORD_SCHEMA, SCHEMA, "of itself");
	number(SCHEMA);
	number(32);
	for (int i = 0; i < 4; i++)
		number(0);
	CHECK(payload_add_blobs(&t, "p", &names, DOMAIN, text_span(&blob)) &&
		  t.len < 1 << 20,
	    "of itself: %zu bytes", t.len);
	blob.len = 0;
	text_free(&t);
}

/* definitions that end anywhere */
static void
test_broken(void)
{
	char whole[512];
	uint64_t v[2] = {1, 2};
	size_t n;

	head(1, 16, 0, 2);
	entry(0, 8, 0, 0, "a");
	entry(0, 8, 0, 0, "b");
	n = blob.len;
	memcpy(whole, blob.p, n);
	for (size_t cut = 0; cut < n; cut += 8) {
		struct text t = {0};

		blob.len = 0;
		text_add(&blob, whole, cut);
		define(RECORD_SCHEMA, SCHEMA, "broken");
		number(SCHEMA);
		number(sizeof(v));
		text_add(&blob, (const char *)v, sizeof(v));
		CHECK(payload_add_blobs(
			  &t, "p", &names, DOMAIN, text_span(&blob)) &&
			  (t.p[t.len - 1] == '}' || t.p[t.len - 1] == '"'),
		    "cut at %zu: %.*s", cut, (int)t.len, t.p);
		blob.len = 0;
		text_free(&t);
	}
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(basics) / sizeof(basics[0]); i++)
		expect(basics[i].name, basics[i].type, basics[i].bytes,
		    basics[i].n, basics[i].json);
	test_struct();
	test_layout();
	test_arrays();
	test_nested();
	test_broken();
	dictionary_free(&names);
	text_free(&blob);
	return check_status();
}
