/* event.c - fast path and complete path see the same event */

#include <inttypes.h>

#include "check.h"
#include "respell.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define LONG "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* lines as tools write them, and what is allowed beside that */
static const char *const lines[] = {
    "{\"kind\":\"kernel\",\"ts\":12345678901,\"dur\":1700,\"pid\":4711,"
    "\"corr\":99,\"name\":\"gemm\",\"sym\":3,\"device\":0,\"context\":1,"
    "\"stream\":7,\"grid\":[128,1,1],\"block\":[256,1,1],\"regs\":32}",
    "{\"kind\":\"range\",\"ts\":-5,\"dur\":0,\"pid\":1,\"tid\":2,"
    "\"name\":\"say \\\"hi\\\"\\n\\u00e9\",\"id\":1,\"open\":true}",
    "{\"kind\":\"stack\",\"id\":1,\"frames\":[]}",
    "{\"kind\":\"stack\",\"id\":2,\"frames\":[\"main\",\"a \\\\ b\",\"\"]}",
    "{\"kind\":\"kernel\",\"path\":[\"step\",\"" LONG "\"],\"args\":{}}",
    "{\"kind\":\"counter\",\"ts\":0,\"counter\":1,\"value\":-1.5e-3}",
    "{\"kind\":\"counter\",\"ts\":0,\"counter\":1,\"value\":17}",
    "{\"kind\":\"sched\",\"ts\":1,\"cpu\":3,\"on\":false}",
    "{\"kind\":\"mark\",\"ts\":1,\"name\":\"\","
    "\"args\":{\"a\":[1,{\"b\":null}],\"c\":\"}\"}}",
    "{\"kind\":\"mark\",\"name\":\"" LONG "\\\\\"}",
    "{\"kind\":\"mark\",\"name\":\"" LONG LONG "\",\"ts\":1}",
    "{\"kind\":\"mark\",\"name\":\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}",
    "{\"kind\":\"mark\",\"name\":\"\x7f\xff\"}",
    "{\"kind\":\"mark\",\"ts\":999999999999999999}",
    "{\"kind\":\"mark\",\"ts\":1000000000000000000}",
    "{\"kind\":\"mark\",\"ts\":9223372036854775807}",
    "{\"kind\":\"mark\",\"ts\":-9223372036854775808}",
    "{\"kind\":\"mark\",\"ts\":-0}",
    "{\"kind\":\"end\",\"events\":0,\"dropped\":0}",
    "{\"kind\":\"new\",\"ts\":1}",
    "{\"kind\":\"\"}",
    "{\"kind\":\"mark\",\"\":0,\"new\":[1,2],\"more\":\"\\t\",\"gone\":null}",
    "{\"kind\":\"mark\",\"new key\":{\"kind\":\"x\"},\"tid\":null,\"ts\":3}",
    "{\"kind\":\"kernel\",\"grid\":[],\"block\":[-1,9223372036854775807]}",
    "{\"ts\":1,\"kind\":\"mark\"}",
    "{\"\\u006bind\":\"m\\u0061rk\",\"\\u0074s\":5,\"n\\u0065w\":6}",
    "{\"kind\":\"kernel\",\"grid\":[1.0,2e3],\"dur\":1e9,\"ts\":10e-1}",
    "{ \"kind\" : \"mark\" , \"ts\" : 1 }",
};

/* a line, and what is wrong with it */
static const struct {
	const char *line, *error;
} refused[] = {
    {"x", "expected '{'"},
    {"[]", "expected '{'"},
    {"{", "expected a key"},
    {"{}", "no kind"},
    {"{\"ts\":1}", "no kind"},
    {"{\"kind\":null}", "no kind"},
    {"{\"kind\":1}", "kind: expected a string"},
    {"{\"kind\":\"mark\"", "expected ',' or '}'"},
    {"{\"kind\":\"mark\"}}", "text after the object"},
    {"{\"kind\":\"mark\"} {}", "text after the object"},
    {"{\"kind\":\"mark\",}", "expected a key"},
    {"{\"kind\":\"mark}", "string does not end"},
    {"{\"kind\":\"mark\",\"ts\"1}", "expected ':'"},
    {"{\"kind\":\"mark\",\"ts\":}", "expected a value"},
    {"{\"kind\":\"mark\",\"ts\":01}", "expected ',' or '}'"},
    {"{\"kind\":\"mark\",\"ts\":-}", "bad number"},
    {"{\"kind\":\"mark\",\"ts\":\"1\"}", "ts: expected an integer"},
    {"{\"kind\":\"mark\",\"ts\":1.5}", "ts: expected an integer"},
    {"{\"kind\":\"mark\",\"ts\":1e19}", "ts: expected an integer"},
    {"{\"kind\":\"mark\",\"ts\":9223372036854775808}",
	"ts: expected an integer"},
    {"{\"kind\":\"mark\",\"ts\":true}", "ts: expected an integer"},
    {"{\"kind\":\"mark\",\"ts\":1,\"ts\":\"\"}", "ts: expected an integer"},
    {"{\"kind\":\"mark\",\"name\":[]}", "name: expected a string"},
    {"{\"kind\":\"mark\",\"name\":\"\t\"}", "control character in a string"},
    {"{\"kind\":\"mark\",\"name\":\"" LONG "\x01\"}",
	"control character in a string"},
    {"{\"kind\":\"mark\",\"name\":\"\\x\"}", "bad escape in a string"},
    {"{\"kind\":\"mark\",\"na\tme\":1}", "control character in a string"},
    {"{\"kind\":\"sched\",\"on\":1}", "on: expected true or false"},
    {"{\"kind\":\"sched\",\"on\":tru}", "expected a value"},
    {"{\"kind\":\"counter\",\"value\":\"1\"}", "value: expected a number"},
    {"{\"kind\":\"kernel\",\"grid\":1}", "grid: expected an array of integers"},
    {"{\"kind\":\"kernel\",\"grid\":[1,\"2\"]}",
	"grid: expected an array of integers"},
    {"{\"kind\":\"kernel\",\"grid\":[1.5]}",
	"grid: expected an array of integers"},
    {"{\"kind\":\"kernel\",\"grid\":[1,]}", "expected a value"},
    {"{\"kind\":\"stack\",\"frames\":[1]}",
	"frames: expected an array of strings"},
    {"{\"kind\":\"mark\",\"args\":[]}", "args: expected an object"},
    {"{\"kind\":\"mark\",\"args\":{\"a\"}}", "expected ':'"},
    {"{\"kind\":\"mark\",\"new\":x}", "expected a value"},
};

/* the line with EVENT_PADDING bytes behind it that would mislead a scan */
static struct span
padded(struct text *t, struct span line)
{
	t->len = 0;
	text_add_span(t, line);
	text_add_str(t, "\",]}1\",]}1\",]}1}");
	return (struct span){t->p, line.len};
}

static void
test_spellings(const char *line)
{
	struct event plain = {0}, other = {0};
	struct text a = {0}, b = {0}, t = {0};

	CHECK(event_parse(&plain, padded(&a, span_of(line)), NULL), "%s: %s",
	    line, shown(plain.error));
	for (unsigned style = 0; style < RESPELL_STYLES; style++) {
		const char *difference;

		t.len = 0;
		respell(&t, span_of(line), style);
		CHECK(event_parse(&other, padded(&b, text_span(&t)), NULL),
		    "%s, style %u: %s", line, style, shown(other.error));
		difference = event_difference(&plain, &other, NULL);
		CHECK(difference == NULL, "%s, style %u: %s: %.*s", line, style,
		    shown(difference), (int)t.len, t.p);
	}
	event_free(&plain);
	event_free(&other);
	text_free(&a);
	text_free(&b);
	text_free(&t);
}

static void
test_refused(void)
{
	struct event ev = {0};
	struct text t = {0};

	for (size_t i = 0; i < COUNT(refused); i++) {
		CHECK(!event_parse(
			  &ev, padded(&t, span_of(refused[i].line)), NULL),
		    "%s: accepted", refused[i].line);
		CHECK(
		    ev.error != NULL && strcmp(ev.error, refused[i].error) == 0,
		    "%s: %s", refused[i].line, shown(ev.error));
	}
	event_free(&ev);
	text_free(&t);
}

/* what is asked for is found, in whatever spelling */
static void
test_wanted(const char *line)
{
	static const enum key asked[] = {KEY_ts, KEY_dur, KEY_name, KEY_grid,
	    KEY_frames, KEY_args, KEY_value, KEY_path, KEY_open};
	struct keyset want[KIND_COUNT + 1];
	struct event all = {0}, lazy = {0};
	struct text a = {0}, b = {0}, t = {0};

	event_parse(&all, padded(&a, span_of(line)), NULL);
	for (unsigned mask = 0; mask < 1u << COUNT(asked); mask += 3) {
		const char *difference;

		memset(want, 0, sizeof(want));
		for (size_t k = 0; k < COUNT(asked); k++)
			for (enum kind i = 0; i <= KIND_COUNT; i++)
				if (mask >> k & 1)
					keyset_add(&want[i], asked[k]);
		t.len = 0;
		respell(&t, span_of(line), mask % RESPELL_STYLES);
		CHECK(event_parse(&lazy, padded(&b, text_span(&t)), want),
		    "%.*s: %s", (int)t.len, t.p, shown(lazy.error));
		difference = event_difference(&all, &lazy, &want[all.kind]);
		CHECK(difference == NULL, "%.*s: %s", (int)t.len, t.p,
		    shown(difference));
	}
	event_free(&all);
	event_free(&lazy);
	text_free(&a);
	text_free(&b);
	text_free(&t);
}

static void
test_values(void)
{
	struct event ev = {0};
	struct text line = {0}, t = {0};

	event_parse(&ev,
	    padded(&line,
		SPAN("{\"kind\":\"range\",\"ts\":-7,\"ts\":-8,\"ts\":null,"
		     "\"open\":true,\"name\":\"a\\tb\",\"domain\":\"d\","
		     "\"dur\":1e3,\"new\":2,\"n\\u0065w\":[ 1 ]}")),
	    NULL);
	CHECK(event_int(&ev, KEY_ts, 0) == -8, "the last of equal keys");
	CHECK(event_int(&ev, KEY_dur, 0) == 1000 && ev.value[KEY_dur].len == 4,
	    "1e3 is spelt anew");
	CHECK(event_int(&ev, KEY_pid, 42) == 42, "an absent integer");
	CHECK(event_true(&ev, KEY_open) && !event_true(&ev, KEY_on), "bool");
	CHECK(span_eq(event_str(&ev, KEY_name, &t), SPAN("a\tb")) && t.len == 3,
	    "an escaped string is decoded");
	CHECK(span_eq(event_str(&ev, KEY_domain, &t), SPAN("d")) && t.len == 3,
	    "a plain string stays in the line");
	CHECK(span_eq(event_str(&ev, KEY_color, &t), SPAN("")), "no string");
	CHECK(ev.unknown_count == 1 &&
		  span_eq(ev.unknown[0].key, SPAN("new")) &&
		  span_eq(ev.unknown[0].value, SPAN("[1]")),
	    "an unknown key");
	event_parse(&ev, padded(&line, SPAN("{\"kind\":\"gpu-range\"}")), NULL);
	CHECK(ev.kind == KIND_gpu_range && ev.unknown_count == 0 &&
		  !event_has(&ev, KEY_ts),
	    "nothing is left of the last line");
	event_free(&ev);
	text_free(&line);
	text_free(&t);
}

int
main(void)
{
	for (size_t i = 0; i < COUNT(lines); i++) {
		test_spellings(lines[i]);
		test_wanted(lines[i]);
	}
	test_refused();
	test_values();
	return check_status();
}
