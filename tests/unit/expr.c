/* expr.c - expressions: answers, values, and the keys that they want */

#include <inttypes.h>

#include "check.h"
#include "respell.h"
#include "tq/ask/expr.h"
#include "tq/line/json.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

#define KERNEL \
	"{\"kind\":\"kernel\",\"ts\":1000,\"dur\":2000000,\"pid\":7," \
	"\"corr\":9,\"name\":\"sgemm\",\"sym\":3,\"device\":0," \
	"\"grid\":[128,2,1],\"path\":[\"step 1\",\"fo\\\"rward\"]," \
	"\"args\":{\"a\":{\"b c\":[1,\"x\",true,2.5,null]},\"n\":null," \
	"\"big\":12345678901234567890,\"s\":\"t\",\"s\":\"u\",\"s\":null}," \
	"\"new\":{\"k\":\"v\"},\"num\":5,\"yes\":true,\"odd key\":\"\\n\"," \
	"\"num\":6}"
#define RANGE \
	"{\"kind\":\"range\",\"ts\":-5,\"tid\":8,\"name\":" \
	"\"\\t\xc3\xa9\\\\\"," \
	"\"domain\":\"\",\"open\":true}"
#define COUNTER "{\"kind\":\"counter\",\"ts\":0,\"value\":-1.5}"
#define SYMBOL \
	"{\"kind\":\"symbol\",\"name\":\"sgemm\",\"id\":3," \
	"\"demangled\":\"void sgemm<int>()\"}"
#define MARK "{\"kind\":\"mark\",\"ts\":9223372036854775807,\"dur\":1}"
#define OTHER "{\"kind\":\"other\",\"ts\":7,\"frames\":[]}"

static const struct {
	const char *expr, *record;
	bool yes;
} answers[] = {
    {"true", KERNEL, true},
    {"false", KERNEL, false},
    {"kind == \"kernel\" && dur > 1ms", KERNEL, true},
    {"kind == \"kernel\" && dur > 2ms", KERNEL, false},
    {"kind == 'kernel' and dur>=2ms", KERNEL, true},
    {"kind != \"kernel\"", KERNEL, false},
    {"kind in (\"mark\", \"kernel\")", KERNEL, true},
    {"kind not in (\"mark\", \"kernel\")", KERNEL, false},
    {"kind ~ /^k/ || kind glob 'x*'", KERNEL, true},
    {"kind == \"other\"", OTHER, true},
    {"kind == \"kernel\"", OTHER, false},
    {"kind in (\"kernel\", \"other\")", OTHER, true},
    {"kind not in (\"kernel\", \"other\")", OTHER, false},
    {"kind not in (\"kernel\")", OTHER, true},
    {"kind > \"kernel\" and .kind == kind", OTHER, true},
    {".kind == \"kernel\" && has(kind)", KERNEL, true},
    {"dur == 2000000 and dur == 2ms", KERNEL, true},
    {"dur != 2ms", KERNEL, false},
    {"dur < 2ms or dur <= 2000us", KERNEL, true},
    {"1ms < dur", KERNEL, true},
    {"2ms <= dur && 2ms >= dur && !(2ms < dur) && !(2ms > dur)", KERNEL, true},
    {"dur > 1.5 && dur < 1e7 && dur > 0.5e6", KERNEL, true},
    {"dur in (1, 2ms, 3)", KERNEL, true},
    {"dur in (2000000.5, 2e6)", KERNEL, true},
    {"dur not in (1, -2, 3)", KERNEL, true},
    {"ts == -5 && ts in (-5) && -ts == 5", RANGE, true},
    {"ts + 1 == -4 && ts - -1 == -4 && 2 * ts == -10", RANGE, true},
    {"ts / 2 == -2 && ts % 2 == -1", RANGE, true},
    {"(ts + 2) * 3 == -9 && ts + 2 * 3 == 1", RANGE, true},
    {"10 - ts - 3 == 12 && 100 / ts / 2 == -10", RANGE, true},
    {"ts * 1.5 == -7.5 && ts / 2.0 == -2", RANGE, true},
    {"7.5 % 2 == 1.5 && 4KiB == 4096 && 1s20ms == 1020 * 1ms", RANGE, true},
    {"ts + 1 > 0 || ts + 1 <= 0", MARK, false},
    {"ts / (ts - ts) == 1", MARK, false},
    {"end > 0 or end <= 0", MARK, false},
    {"end == 2001000 && end - ts == dur", KERNEL, true},
    {"has(end) or end > -100", RANGE, false},
    {"end == 0 && has(end)", COUNTER, true},
    {"end == 7", OTHER, true},
    {"has(end)", SYMBOL, false},
    {"value == -1.5 && value < 0 && value > -2", COUNTER, true},
    {"value + 1.5 == 0 && value != 1", COUNTER, true},
    {"value == 0 || value > 0", KERNEL, false},
    {"name == \"sgemm\"", KERNEL, true},
    {"name == \"sgem\" || name == \"sgemms\" || name == \"\"", KERNEL, false},
    {"name != \"sgemm\"", KERNEL, false},
    {"name != \"x\" && name >= \"sg\" && \"t\" > name", KERNEL, true},
    {"name == \"\\t\\u00e9\\\\\" && '\\t\xc3\xa9\\\\' == name", RANGE, true},
    {"name ~ /^\\t.\\\\$/", RANGE, true},
    {"domain == \"\" && domain glob \"\" && domain ~ \"\"", RANGE, true},
    {"name ~ /GEMM/i and name !~ /GEMM/", KERNEL, true},
    {"name ~ \"^s\" && name ~ '\\\\w+'", KERNEL, true},
    {"name ~ /s\\/|\\/|m$/", KERNEL, true},
    {"name glob \"s*m\" && name not glob \"*x*\"", KERNEL, true},
    {"name in (\"a\", 'sgemm') && name not in (\"b\")", KERNEL, true},
    {"name == raw || name != raw || raw ~ /x/ || raw !~ /x/", KERNEL, false},
    {"raw in (\"x\") || raw not in (\"x\")", KERNEL, false},
    {"raw glob \"*\" || raw not glob \"x\"", KERNEL, false},
    {"!(raw == \"x\") && !has(raw) && has(name)", KERNEL, true},
    {"not not has(ts) and !!has(ts)", KERNEL, true},
    {"open", RANGE, true},
    {"open || open == false || open != true", KERNEL, false},
    {"open == true && open != false && !(open != true)", RANGE, true},
    {"open == (ts < 0)", RANGE, true},
    {"(dur > 1) == true && (dur > 1) != has(raw)", KERNEL, true},
    {"grid[0] == 128 && grid[1] == 2 && grid[-1] == 1", KERNEL, true},
    {"grid[ - 3 ] * grid [1] == 256", KERNEL, true},
    {"has(grid[3]) || has(grid[-4]) || grid[3] != 1", KERNEL, false},
    {"path == \"step 1\" && path == 'fo\"rward'", KERNEL, true},
    {"\"step 1\" == path && path ~ /^fo/ && path glob \"*1\"", KERNEL, true},
    {"path == \"x\" || path != \"step 1\" || path !~ /w/", KERNEL, false},
    {"path != \"x\" && path !~ /q/ && path not glob 'x'", KERNEL, true},
    {"path in (\"step 1\") && path not in (\"step 2\")", KERNEL, true},
    {"path[1] ~ /\"/ && path[-1] == 'fo\"rward'", KERNEL, true},
    {"frames == \"x\" || frames ~ /x/ || frames in (\"x\")", OTHER, false},
    {"frames != \"x\" && frames !~ /x/ && has(frames)", OTHER, true},
    {"frames != \"x\" || frames !~ /x/ || has(frames)", KERNEL, false},
    {".num == 6 && .num > 5.5 && .num in (6) && .num + 1 == 7", KERNEL, true},
    {".num == \"6\" || .num != \"6\" || .num ~ /6/ || .num", KERNEL, false},
    {".num not in (\"6\") || .num == true || .num < \"7\"", KERNEL, false},
    {".yes && .yes == true && !(.yes == 1)", KERNEL, true},
    {".new.k == \"v\" && .new.\"k\" ~ /v/ && !has(.new.x)", KERNEL, true},
    {".\"odd key\" == \"\\n\" && .'odd key' == \"\\u000a\"", KERNEL, true},
    {".new == \"v\" || .new != \"v\" || .new.k.k == 1", KERNEL, false},
    {".dur == 2ms && .name == \"sgemm\" && .path == \"step 1\"", KERNEL, true},
    {".grid[1] == 2 && .grid == 128 && .grid != 3", KERNEL, true},
    {".demangled == \"x\" || has(.demangled) || .end > 0", KERNEL, false},
    {"args.a.\"b c\"[0] == 1 && args.a.'b c'[1] == \"x\"", KERNEL, true},
    {"args.a.\"b c\"[2] && .args.a.\"b c\"[3] == 2.5", KERNEL, true},
    {"args.a.\"b c\" == \"x\" && args.a.\"b c\" in (2.5)", KERNEL, true},
    {"has(args.n) || has(args.a.\"b c\"[4]) || has(args.z)", KERNEL, false},
    {"args.big > 1e19 && args.big < 1.3e19 && args.s == 'u'", KERNEL, true},
    {"has(args) && has(args.a)", KERNEL, true},
    {"args.a < args.a || args.a == args.a || args.a.b == 1", KERNEL, false},
    {".num == .num && .yes == .yes && .new.k == .new.k", KERNEL, true},
    {".yes < .yes || .yes <= .yes", KERNEL, false},
    {"demangled == \"<3>\" && mangled == \"_3\"", KERNEL, true},
    {"demangled == \"void sgemm<int>()\" && !has(mangled)", SYMBOL, true},
    {"has(demangled) || mangled != \"x\"", RANGE, false},
    {"ts > 0 || ts > 0 && ts > 0 or ts < 0", RANGE, true},
    {"(ts > 0 || ts < 0) && ts > 0", RANGE, false},
    {"true || dur < 1", KERNEL, true},
    {"true and true && ts == -5 and !false", RANGE, true},
    {"false or false || ts == 5", RANGE, false},
};

/* what a value is in a record, NULL where it has none */
static const struct {
	const char *expr, *record, *json;
	enum type type;
} values[] = {
    {"dur", KERNEL, "2000000", TYPE_INT},
    {"dur / 1us", KERNEL, "2000", TYPE_INT},
    {"dur / 0.75", KERNEL, "2666666.6666666665", TYPE_NUM},
    {"dur / 1.5e6", KERNEL, "1", TYPE_INT},
    {"dur + 1.0 - 1e0", KERNEL, "2000000", TYPE_INT},
    {"end", KERNEL, "2001000", TYPE_INT},
    {"-end", RANGE, NULL, TYPE_INT},
    {"ts + 1", MARK, NULL, TYPE_INT},
    {"-ts", RANGE, "5", TYPE_INT},
    {"value", COUNTER, "-1.5", TYPE_NUM},
    {"value * 2", COUNTER, "-3", TYPE_NUM},
    {"value", KERNEL, NULL, TYPE_NUM},
    {"0.1", KERNEL, "0.1", TYPE_NUM},
    {"1e400 * ts", KERNEL, NULL, TYPE_NUM},
    {"kind", KERNEL, "\"kernel\"", TYPE_STR},
    {"kind", OTHER, "\"other\"", TYPE_STR},
    {"name", RANGE, "\"\\t\xc3\xa9\\\\\"", TYPE_STR},
    {"'a\"'", RANGE, "\"a\\\"\"", TYPE_STR},
    {"domain", KERNEL, NULL, TYPE_STR},
    {"demangled", KERNEL, "\"<3>\"", TYPE_STR},
    {"open", RANGE, "true", TYPE_BOOL},
    {"open", KERNEL, NULL, TYPE_BOOL},
    {"dur > 1", KERNEL, "true", TYPE_BOOL},
    {"dur > 1", RANGE, "false", TYPE_BOOL},
    {"has(dur) || kind == \"x\"", RANGE, "false", TYPE_BOOL},
    {"grid", KERNEL, "[128,2,1]", TYPE_INTS},
    {"grid[1]", KERNEL, "2", TYPE_INT},
    {"grid[3]", KERNEL, NULL, TYPE_INT},
    {"path", KERNEL, "[\"step 1\",\"fo\\\"rward\"]", TYPE_STRS},
    {"path[1]", KERNEL, "\"fo\\\"rward\"", TYPE_STR},
    {"frames", OTHER, "[]", TYPE_STRS},
    {".num", KERNEL, "6", TYPE_OBJ},
    {".num + 1", KERNEL, "7", TYPE_NUM},
    {".num + .new", KERNEL, NULL, TYPE_NUM},
    {".yes", KERNEL, "true", TYPE_OBJ},
    {".new", KERNEL, "{\"k\":\"v\"}", TYPE_OBJ},
    {"args.big", KERNEL, "1.2345678901234567e+19", TYPE_OBJ},
    {"args.a.\"b c\"", KERNEL, "[1,\"x\",true,2.5,null]", TYPE_OBJ},
};

/* of a kind: the answer, and the keys that are wanted if it depends */
static const struct {
	const char *expr;
	enum kind kind;
	enum expr_answer answer;
	const char *keys;
} kinds[] = {
    {"kind == \"kernel\" && dur > 1", KIND_kernel, EXPR_DEPENDS, "dur"},
    {"kind == \"kernel\" && dur > 1", KIND_memcpy, EXPR_FALSE, ""},
    {"kind == \"kernel\" && dur > 1", KIND_UNKNOWN, EXPR_FALSE, ""},
    {"kind == \"kernel\" || dur > 1", KIND_kernel, EXPR_TRUE, ""},
    {"kind == \"kernel\" || dur > 1", KIND_UNKNOWN, EXPR_DEPENDS, "dur"},
    {"\"mark\" != kind", KIND_mark, EXPR_FALSE, ""},
    {"\"mark\" != kind", KIND_UNKNOWN, EXPR_TRUE, ""},
    {"kind == \"other\"", KIND_mark, EXPR_FALSE, ""},
    {"kind == \"other\"", KIND_UNKNOWN, EXPR_DEPENDS, "kind"},
    {"kind in (\"mark\", \"api\")", KIND_api, EXPR_TRUE, ""},
    {"kind in (\"mark\", \"api\")", KIND_UNKNOWN, EXPR_FALSE, ""},
    {"kind not in (\"mark\", \"api\")", KIND_UNKNOWN, EXPR_TRUE, ""},
    {"kind in (\"mark\", \"other\")", KIND_UNKNOWN, EXPR_DEPENDS, "kind"},
    {"kind ~ /^mem/", KIND_memset, EXPR_TRUE, ""},
    {"kind ~ /^mem/", KIND_mark, EXPR_FALSE, ""},
    {"kind ~ /^mem/", KIND_UNKNOWN, EXPR_DEPENDS, "kind"},
    {"kind not glob \"mem*\"", KIND_memset, EXPR_FALSE, ""},
    {"!(kind > \"l\")", KIND_kernel, EXPR_TRUE, ""},
    {".kind == 5 || .kind[0] == 1 || -.kind > 1", KIND_api, EXPR_FALSE, ""},
    {"(kind == \"mark\") == open", KIND_mark, EXPR_DEPENDS, "open"},
    {"has(kind)", KIND_UNKNOWN, EXPR_TRUE, ""},
    {"1 < 2 && \"a\" in ('a') && !(3 > 4)", KIND_UNKNOWN, EXPR_TRUE, ""},
    {"ts > 1 && 1 > 2", KIND_mark, EXPR_FALSE, ""},
    {"end > 5", KIND_mark, EXPR_DEPENDS, "ts dur"},
    {"mangled ~ /x/", KIND_kernel, EXPR_DEPENDS, "name sym mangled"},
    {"args.x.y > 1", KIND_mark, EXPR_DEPENDS, "args"},
    {".dur > 1 && has(name)", KIND_mark, EXPR_DEPENDS, "dur name"},
    {"ts + tid * 2 > -pid", KIND_mark, EXPR_DEPENDS, "ts pid tid"},
    {".new > 1 && kind == \"mark\"", KIND_api, EXPR_FALSE, ""},
    {".new > 1 && kind == \"mark\"", KIND_mark, EXPR_DEPENDS, NULL},
};

/* ---- records ---- */

static bool
find_symbol(void *arg, int64_t sym, bool mangled, struct span *name)
{
	struct text *t = arg;

	t->len = 0;
	text_printf(t, mangled ? "_%d" : "<%d>", (int)sym);
	*name = text_span(t);
	return sym == 3;
}

struct record {
	struct event event;
	struct text line, names;
	struct expr_symbols symbols;
};

static void
record_parse(struct record *r, struct span line, const struct keyset *want)
{
	*r = (struct record){.symbols = {find_symbol, NULL}};
	r->symbols.arg = &r->names;
	text_add_span(&r->line, line);
	text_add_str(&r->line, "\",]}1\",]}1\",]}1}");
	CHECK(event_parse(&r->event, (struct span){r->line.p, line.len}, want),
	    "%.*s: %s", (int)line.len, line.p, shown(r->event.error));
}

static void
record_free(struct record *r)
{
	event_free(&r->event);
	text_free(&r->line);
	text_free(&r->names);
}

/* what e says of a record, in whatever spelling, and with its keys alone */
static void
test_spellings(const char *text, const struct expr *e, const char *line,
    void (*test)(
	const char *, const struct expr *, struct record *, const void *),
    const void *arg)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct text t = {0};
	struct record r;

	expr_keys(e, want);
	for (unsigned style = 0; style < RESPELL_STYLES; style++) {
		t.len = 0;
		if (!respell(&t, span_of(line), style) &&
		    (style & RESPELL_REVERSED))
			continue;
		record_parse(&r, text_span(&t), style & 1 ? NULL : want);
		test(text, e, &r, arg);
		record_free(&r);
	}
	record_parse(&r, span_of(line), NULL);
	test(text, e, &r, arg);
	record_free(&r);
	text_free(&t);
}

/* ---- tests ---- */

/* from a text that is gone once it is compiled */
static struct expr *
compile(struct expr *(*how)(struct span, struct expr_error *), const char *s)
{
	struct expr_error error = {0};
	char *copy = mem_copy(s, strlen(s));
	struct expr *e = how(span_of(copy), &error);

	free(copy);
	CHECK(e != NULL, "%s: %s, at %zu", s, error.message, error.at);
	return e;
}

static void
test_answer(
    const char *text, const struct expr *e, struct record *r, const void *arg)
{
	const char *error = NULL;
	bool yes = expr_match(e, &r->event, &r->symbols, &error);

	CHECK(yes == *(const bool *)arg && error == NULL, "%s: %d of %.*s",
	    text, yes, (int)r->event.line.len, r->event.line.p);
}

static void
test_value(
    const char *text, const struct expr *e, struct record *r, const void *arg)
{
	const char *expect = arg, *error = NULL;
	struct text t = {0};
	bool is = expr_evaluate(e, &r->event, &r->symbols, &t, &error);

	CHECK(is == (expect != NULL) && error == NULL &&
		  (!is || text_is(&t, expect)),
	    "%s: %.*s of %.*s", text, (int)t.len, shown(t.p),
	    (int)r->event.line.len, r->event.line.p);
	text_free(&t);
}

static void
test_tables(void)
{
	struct expr *e;

	for (size_t i = 0; i < COUNT(answers); i++)
		if ((e = compile(expr_condition, answers[i].expr)) != NULL) {
			test_spellings(answers[i].expr, e, answers[i].record,
			    test_answer, &answers[i].yes);
			expr_free(e);
		}
	for (size_t i = 0; i < COUNT(values); i++)
		if ((e = compile(expr_value, values[i].expr)) != NULL) {
			CHECK(expr_type(e) == values[i].type, "%s: a %s",
			    values[i].expr, schema_type(expr_type(e)));
			test_spellings(values[i].expr, e, values[i].record,
			    test_value, values[i].json);
			expr_free(e);
		}
}

static void
test_kinds(void)
{
	const struct keyset all = keyset_all();

	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct expr *e = compile(expr_condition, kinds[i].expr);
		struct keyset want[KIND_COUNT + 1] = {0}, *w;
		struct text t = {0};
		enum expr_answer answer = expr_of_kind(e, kinds[i].kind);

		expr_keys(e, want);
		w = &want[kinds[i].kind];
		for (enum key k = 0; k < KEY_COUNT; k++)
			if (keyset_has(w, k))
				text_printf(&t, "%s%s", t.len > 0 ? " " : "",
				    schema_keys[k].name);
		CHECK(answer == kinds[i].answer, "%s: row %zu: %u",
		    kinds[i].expr, i, answer);
		if (kinds[i].keys != NULL)
			CHECK(text_is(&t, kinds[i].keys), "%s: row %zu: %.*s",
			    kinds[i].expr, i, (int)t.len, t.p);
		else
			CHECK(keyset_equals(w, &all), "%s: not all keys",
			    kinds[i].expr);
		text_free(&t);
		expr_free(e);
	}
}

static void
test_asks(void)
{
	struct expr *e =
	    compile(expr_condition, "demangled ~ /x/ or end > 1 and .new == 1");

	CHECK(expr_asks(e, KEY_demangled) && expr_asks(e, KEY_sym) &&
		  expr_asks(e, KEY_ts) && !expr_asks(e, KEY_mangled) &&
		  !expr_asks(e, KEY_args) && expr_asks_member(e, SPAN("new")) &&
		  !expr_asks_member(e, SPAN("demangled")),
	    "keys that are asked for");
	expr_free(e);
}

/* the keys without which a condition is false, those to be true with a '+', and
   the bounds of integers */
static void
add_need(void *arg, const struct expr_need *need)
{
	text_printf(arg, "%s%.*s ", need->is_true ? "+" : "",
	    (int)need->key.len, need->key.p);
	if (need->from > INT64_MIN)
		text_printf(arg, ">=%" PRId64 " ", need->from);
	if (need->to < INT64_MAX)
		text_printf(arg, "<=%" PRId64 " ", need->to);
}

static void
test_needs(void)
{
	static const struct {
		const char *expr, *needs;
	} rows[] = {
	    {".a > 1 and kind == \"kernel\" and .b == true", "a >=2 +b "},
	    {".a < 5 and .b <= 5 and .c >= -5", "a <=4 b <=5 c >=-5 "},
	    {".a == 7 and .b != 7 and 7 > .c", "a >=7 <=7 b c <=6 "},
	    {".a > 9223372036854775807", "a >=9223372036854775807 "},
	    {".a < 1.5 and .b == \"1\" and .c.d < 1", "a b c "},
	    {".a == false and .b != true and .c ~ /x/", "a b c "},
	    {"has(.a) and .b and not (.c == 1)", "a +b "},
	    {".a > 1 or .b > 1", ""},
	    {"kind == \"mark\" and .a > 1", ""},
	    {"(kind == \"mark\" and .a > 1) or (kind == \"kernel\" and .b)",
		"+b "},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct expr *e = compile(expr_condition, rows[i].expr);
		struct text t = {0};

		expr_needs(e, KIND_kernel, add_need, &t);
		CHECK(text_is(&t, rows[i].needs), "%s: %.*s", rows[i].expr,
		    (int)t.len, shown(t.p));
		text_free(&t);
		expr_free(e);
	}
}

static void
test_digits(void)
{
	static const struct {
		const char *expr;
		bool tells;
	} rows[] = {
	    {"name ~ /x[0-9]+\\d/ and dur > 12", false},
	    {"name in (\"a\", \"b\") and .k12 > 1.5ms", false},
	    {"name ~ \"[^0-9]\"", false},
	    {"name == \"a1\"", true},
	    {"name in (\"a\", \"\\u0031\")", true},
	    {"name ~ /[0-95]/", true},
	    {"name ~ /0-9/", true},
	    {"name ~ /(a)\\1/", true},
	    {"name ~ /\\x31/i", true},
	    {"name glob 'a?1'", true},
	    {"name glob 'a*'", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct expr *e = compile(expr_condition, rows[i].expr);

		CHECK(
		    expr_tells_digits(e) == rows[i].tells, "%s", rows[i].expr);
		expr_free(e);
	}
}

/* an answer of some keys is that of all, and what is true has what it needs */
struct needs_of_record {
	const struct event *ev;
	bool all;
};

static void
look_for_need(void *arg, const struct expr_need *need)
{
	struct needs_of_record *x = arg;
	bool has = false;

	for (size_t i = 0; i < x->ev->unknown_count; i++) {
		struct span value = x->ev->unknown[i].value;
		int64_t v;

		if (!span_eq(x->ev->unknown[i].key, need->key))
			continue;
		has = !need->is_true || !span_eq(value, SPAN("false"));
		if (json_int(value, &v))
			has &= v >= need->from && v <= need->to;
	}
	x->all &= has;
}

static void
test_known(
    const char *text, const struct expr *e, struct record *r, const void *arg)
{
	const bool yes = *(const bool *)arg;
	struct needs_of_record x = {&r->event, true};
	struct keyset known = {0};
	const char *error = NULL;

	for (enum key k = 0; k <= KEY_COUNT; k++) {
		enum expr_answer a = expr_of_keys(e, &r->event, &known, &error);

		CHECK(a == EXPR_DEPENDS || (a == EXPR_TRUE) == yes,
		    "%s: %u keys known", text, k);
		if (k < KEY_COUNT)
			keyset_add(&known, k);
	}
	expr_needs(e, r->event.kind, look_for_need, &x);
	CHECK(x.all || !yes, "%s: true without what it needs", text);
}

static void
test_partial_answers(void)
{
	struct expr *e;

	for (size_t i = 0; i < COUNT(answers); i++)
		if ((e = compile(expr_condition, answers[i].expr)) != NULL) {
			test_spellings(answers[i].expr, e, answers[i].record,
			    test_known, &answers[i].yes);
			expr_free(e);
		}
}

/* a regular expression that takes too long makes any answer false */
static void
test_gave_up(void)
{
	static const char *const exprs[] = {"name ~ /(a+)+[=~]$/",
	    "name !~ /(a+)+[=~]$/", "!(name ~ /(a+)+[=~]$/)",
	    "name ~ /(a+)+[=~]$/ || ts == 1"};
	struct record r;
	struct text t = {0};

	text_add_str(&t, "{\"kind\":\"mark\",\"ts\":1,\"name\":\"");
	for (int i = 0; i < 60; i++)
		text_add_char(&t, 'a');
	text_add_str(&t, "\"}");
	record_parse(&r, text_span(&t), NULL);
	for (size_t i = 0; i < COUNT(exprs); i++) {
		struct expr *e = compile(expr_condition, exprs[i]);
		const char *error = "";

		CHECK(!expr_match(e, &r.event, NULL, &error) &&
			  strcmp(error, "a regular expression took too many "
					"steps") == 0,
		    "%s: %s", exprs[i], error);
		expr_free(e);
	}
	record_free(&r);
	text_free(&t);
}

int
main(void)
{
	test_tables();
	test_kinds();
	test_asks();
	test_needs();
	test_digits();
	test_partial_answers();
	test_gave_up();
	expr_free(NULL);
	return check_status();
}
