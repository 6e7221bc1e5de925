/* expr_errors.c - what is said of texts that are no expression */

#include <errno.h>
#include <unistd.h>

#include "check.h"
#include "tq/ask/expr.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* a text that is no condition, what is said of it, and where */
static const struct {
	const char *expr, *message;
	size_t at;
} refused[] = {
    {"", "expected a condition, not the end", 0},
    {" \n", "expected a condition, not the end", 2},
    {"dur > ", "expected a number or a \"string\", not the end", 6},
    {"end > && name", "expected a number or a \"string\"", 6},
    {"dur >> 5", "expected a number or a \"string\"", 5},
    {"dur + > 5", "expected a number", 6},
    {"ts > 1 && || x", "expected a condition", 10},
    {"! in", "expected a condition", 2},
    {"dur", "expected a comparison, not the end", 3},
    {"dur && open", "expected a comparison", 4},
    {"open && name", "expected a comparison, not the end", 12},
    {"!\"x\"", "expected a comparison, not the end", 4},
    {"frames", "expected a comparison, not the end", 6},
    {"args", "expected a comparison, not the end", 4},
    {"dur > 1 dur", "expected an operator", 8},
    {"dur > 1)", "a ) closes nothing", 7},
    {"(dur > 1", "expected ')', not the end", 8},
    {"(dur > 1 2)", "expected ')'", 9},
    {"dur > 1 & open", "use && for and", 8},
    {"(dur > 1 | open)", "use || for or", 9},
    {"dur = 1", "use == to compare", 4},
    {"dur <> 1", "use != to compare", 4},
    {"name =~ /x/", "use ~ to match", 5},
    {"dur not 5", "expected in or glob", 8},
    {"1 < dur < 2", "comparisons do not chain: use &&", 8},
    {"name ~ /x/ == true", "comparisons do not chain: use &&", 11},
    {"dur in (1) not in (2)", "comparisons do not chain: use &&", 11},
    {"dur in 5", "expected '('", 7},
    {"dur in ()", "expected a number or a \"string\"", 8},
    {"dur in (1 2)", "expected ',' or ')'", 10},
    {"dur in (1, ts)", "expected a number or a \"string\"", 11},
    {"dur in (-\"x\")", "expected a number", 9},
    {"name ~ 5", "expected a /regular expression/ or a \"string\"", 7},
    {"name glob /x/", "expected a \"string\"", 10},
    {"has", "expected '(', not the end", 3},
    {"has(5)", "expected a key", 4},
    {"has(dur", "expected ')', not the end", 7},
    {"xyz > 1", "no key is named 'xyz' (.xyz is a key outside of the schema)",
	0},
    {"ts > 1 and durr > 1", "no key is named 'durr': did you mean dur?", 11},
    {"smem_dinamyc > 1",
	"no key is named 'smem_dinamyc': did you mean smem_dynamic?", 0},
    {"ende > 1", "no key is named 'ende': did you mean end?", 0},
    {"kind == kernel", "no key is named 'kernel': did you mean \"kernel\"?", 8},
    {"name > 5", "name is a string: it cannot be compared with a number", 5},
    {"5 == kind", "kind is a string: it cannot be compared with a number", 2},
    {"name in (\"a\", 5)",
	"name is a string: it cannot be compared with a number", 14},
    {"grid[0] == \"x\"",
	"grid[0] is a number: it cannot be compared with a string", 8},
    {"open > 1", "open is true or false: it cannot be compared with a number",
	5},
    {"1 == (dur > 1)", "a number cannot be compared with true or false", 2},
    {"open < true", "only == and != compare true and false", 5},
    {".x >= false", "only == and != compare true and false", 3},
    {"dur ~ /x/", "dur is a number: ~ needs a string", 4},
    {"5 !~ /x/", "!~ needs a string, not a number", 2},
    {"dur not glob \"x\"", "dur is a number: glob needs a string", 4},
    {"name + 1 > 2", "name is a string: + needs a number", 5},
    {"1 % \"x\" == 2", "% needs a number, not a string", 2},
    {"-open", "open is true or false: - needs a number", 0},
    {"grid == 1", "grid is an array: grid[0] is its first element", 5},
    {"-frames == 1", "frames is an array: frames[0] is its first element", 0},
    {"frames < \"x\"", "frames is an array: frames[0] is its first element", 7},
    {"frames == path", "frames is an array: frames[0] is its first element", 7},
    {"grid ~ /1/", "grid is an array: grid[0] is its first element", 5},
    {"args == 1", "args is an object: args.KEY is one of its members", 5},
    {"dur[0] == 1", "dur is not an array", 3},
    {"args[0] == 1", "args is not an array", 4},
    {"dur.x == 1", "dur has no members", 3},
    {"grid[x] == 1", "expected the number of an element", 5},
    {"grid[1 == 1", "expected ']'", 7},
    {"grid[9223372036854775808] == 1", "number is too large", 5},
    {".5 > ts", "expected a name after the '.'", 1},
    {"args. x", "expected a name after the '.'", 5},
    {"dur > 9223372036854775808", "number is too large", 6},
    {"dur > 9999999h", "number is too large", 6},
    {"dur > 1e5000", "number is too large", 6},
    {"9223372036854775807 + 1 < dur", "number is too large", 20},
    {"dur / 0 > 1", "division by zero", 4},
    {"dur % (1 - 1) > 1", "division by zero", 4},
    {"dur > 5q",
	"the units of numbers are ns us ms s m h,"
	" B K M G T kB MB GB TB KiB MiB GiB TiB",
	6},
    {"name == \"x", "the string does not end", 8},
    {"name == \"x\\q\"", "bad escape in a string", 10},
    {"name == \"\\u12x4\"", "bad escape in a string", 9},
    {"name ~ /x", "the regular expression does not end", 7},
    {"name ~ /x/x", "the only flag of a regular expression is i", 10},
    {"name ~ /a\\/(/", "a ( is not closed", 12},
    {"name ~ '\\u0041\\/('", "a ( is not closed", 17},
    {"name ~ \"*a\"", "there is nothing to repeat", 8},
    {"name glob 'a[b'", "a [ is not closed", 12},
};

static void
test_refused(void)
{
	for (size_t i = 0; i < COUNT(refused); i++) {
		struct expr_error error = {0};

		CHECK(expr_condition(span_of(refused[i].expr), &error) == NULL,
		    "%s: accepted", refused[i].expr);
		CHECK(strcmp(error.message, refused[i].message) == 0 &&
			  error.at == refused[i].at,
		    "%s: %s, at %zu", refused[i].expr, error.message, error.at);
	}
}

/* unit repeated between the two others, until it is len bytes */
static struct text
repeated(const char *before, const char *unit, const char *after, size_t len)
{
	struct text t = {0};

	text_add_str(&t, before);
	while (t.len + strlen(unit) + strlen(after) <= len)
		text_add_str(&t, unit);
	text_add_str(&t, after);
	return t;
}

/* what repeated is accepted, or not */
static const struct {
	const char *before, *unit, *after, *error;
	size_t len;
} lengths[] = {
    {"ts > 0", " && ts > 0", "", NULL, 65536},
    {"ts > 5", " || ts > 5", " or ts > 0", NULL, 65536},
    {"ts", "-ts+ts", "> 0", NULL, 65536},
    {"ts", "*1", "> 0", NULL, 65536},
    {"ts in (1", ",2", ")", NULL, 65536},
    {"ts > 0", " && ts > 0", "    ", "the expression is too long", 65550},
    {"", "!", "has(ts)", NULL, 107},
    {"", "!", "has(ts)", "nested too deeply", 108},
    {"", "(", "ts > 0", "nested too deeply", 107},
    {"ts > ", "-", "ts", "nested too deeply", 109},
    {".", "a.", "a > 1", "nested too deeply", 140},
};

static void
test_long(void)
{
	char line[] =
	    "{\"kind\":\"mark\",\"ts\":1}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
	struct event ev = {0};

	event_parse(&ev, span_of(line), NULL);
	for (size_t i = 0; i < COUNT(lengths); i++) {
		struct text t = repeated(lengths[i].before, lengths[i].unit,
		    lengths[i].after, lengths[i].len);
		struct expr_error error = {0};
		struct expr *e = expr_condition(text_span(&t), &error);
		const char *gave_up = NULL;

		if (lengths[i].error == NULL)
			CHECK(e != NULL && expr_match(e, &ev, NULL, &gave_up),
			    "row %zu: %s", i, error.message);
		else
			CHECK(strcmp(error.message, lengths[i].error) == 0,
			    "row %zu: %s", i, error.message);
		expr_free(e);
		text_free(&t);
	}
	event_free(&ev);
}

/* ---- what is printed ---- */

static const struct {
	const char *text;
	size_t at;
	const char *printed;
} complaints[] = {
    {"", 0, "\t\n\t^\n"},
    {"dur > ", 6, "\tdur > \n\t      ^\n"},
    {"a\tb\nc\rd", 6, "\ta b c d\n\t      ^\n"},
    {"\x1b[1m\x7f x", 6, "\t?[1m? x\n\t      ^\n"},
    {"\xc3\xa9\xe2\x82\xac\xff x", 7, "\t\xc3\xa9\xe2\x82\xac? x\n\t    ^\n"},
    {"\xc2\x9b\xe2\x82", 4, "\t???\n\t   ^\n"},
    {"\xc3\xa9x", 1, "\t\xc3\xa9x\n\t^\n"},
    {"x", 9, "\tx\n\t ^\n"},
};

/* what expr_complain prints, with a NUL at its end */
static struct text
complaint(struct span text, const struct expr_error *error)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO), c;
	struct text t = {0};

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	expr_complain(text, error);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	while ((c = getc(file)) != EOF)
		text_add_char(&t, (char)c);
	text_add_char(&t, '\0');
	fclose(file);
	return t;
}

static void
test_complaints(void)
{
	struct expr_error error = {0, "what is \x1b wrong"};
	struct text expect = {0};

	for (size_t i = 0; i < COUNT(complaints); i++) {
		struct text t;

		error.at = complaints[i].at;
		t = complaint(span_of(complaints[i].text), &error);
		expect.len = 0;
		text_printf(&expect, "%s: what is ? wrong\n%s",
		    program_invocation_short_name, complaints[i].printed);
		CHECK(text_is(&expect, t.p), "row %zu: %s", i, t.p);
		text_free(&t);
	}
	text_free(&expect);
}

/* of a long text a part is printed, and the caret stays where it was */
static void
test_window(void)
{
	static const size_t places[] = {0, 50, 70, 71, 99, 100, 150, 250, 299};
	struct expr_error error = {0, "wrong"};
	char text[300];

	for (size_t i = 0; i < COUNT(places); i++) {
		const char *line, *caret;
		struct text t;

		memset(text, '.', sizeof(text));
		text[places[i]] = 'E';
		error.at = places[i];
		t = complaint((struct span){text, sizeof(text)}, &error);
		line = strchr(t.p, '\n') + 1;
		caret = strchr(line, '\n') + 1;
		CHECK(caret - line <= 108 &&
			  line[strchr(caret, '^') - caret] == 'E',
		    "at %zu: %s", places[i], t.p);
		text_free(&t);
	}
}

int
main(void)
{
	test_refused();
	test_long();
	test_complaints();
	test_window();
	return check_status();
}
