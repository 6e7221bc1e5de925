/*
 * expr.c - an expression in the first line, records in the others: what is
 * accepted answers the same however it is asked.
 */

#include <fcntl.h>
#include <unistd.h>

#include "../unit/respell.h"
#include "fuzz.h"
#include "tq/ask/expr.h"

/* an event, and its line with hostile bytes behind it */
struct parsed {
	struct event event;
	char *line;
};

static bool
parse(struct parsed *p, struct span line, const struct keyset *want)
{
	*p = (struct parsed){.line = malloc(line.len + EVENT_PADDING)};
	if (line.len > 0)
		memcpy(p->line, line.p, line.len);
	memcpy(p->line + line.len, "\",]}1\"]},1:\"n]}1", EVENT_PADDING);
	return event_parse(&p->event, (struct span){p->line, line.len}, want);
}

static void
parsed_free(struct parsed *p)
{
	event_free(&p->event);
	free(p->line);
}

static bool
find_symbol(void *arg, int64_t sym, bool mangled, struct span *name)
{
	(void)arg;
	*name = mangled ? SPAN("_Z4gemmv") : SPAN("void gemm\xff");
	return sym % 2 == 0;
}

static const struct expr_symbols symbols = {find_symbol, NULL};

/* what an expression says of a record */
struct answer {
	bool yes, has;
	const char *error;
	struct text json;
};

static struct answer
ask(const struct expr *e, const struct event *ev)
{
	struct answer a = {0};

	a.yes = expr_match(e, ev, &symbols, &a.error);
	REQUIRE(!a.yes || a.error == NULL);
	a.has = expr_evaluate(e, ev, &symbols, &a.json, &a.error);
	REQUIRE(!a.has || a.error == NULL);
	REQUIRE(!a.has || json_valid(text_span(&a.json)));
	return a;
}

static void
require_same(const struct expr *e, const struct event *ev,
    const struct answer *expect, bool spelling)
{
	struct answer a = ask(e, ev);

	REQUIRE(a.error == expect->error);
	REQUIRE(a.yes == expect->yes && a.has == expect->has);
	/* what the schema does not know stays as it is spelt */
	REQUIRE(!spelling || expr_type(e) == TYPE_OBJ ||
		span_eq(text_span(&a.json), text_span(&expect->json)));
	text_free(&a.json);
}

/* the same record in another spelling, and with the wanted keys alone */
static void
check_spellings(const struct expr *e, const struct event *ev,
    const struct answer *expect, unsigned style)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct text t = {0};
	struct parsed p;

	expr_keys(e, want);
	if (respell(&t, ev->line, style)) {
		REQUIRE(parse(&p, text_span(&t), NULL));
		require_same(e, &p.event, expect, true);
		parsed_free(&p);
		REQUIRE(parse(&p, text_span(&t), want));
		require_same(e, &p.event, expect, true);
		parsed_free(&p);
		REQUIRE(parse(&p, ev->line, want));
		require_same(e, &p.event, expect, true);
		parsed_free(&p);
	}
	text_free(&t);
}

static void
check_kind(
    const struct expr *e, const struct event *ev, const struct answer *expect)
{
	enum expr_answer kind = expr_of_kind(e, ev->kind);

	if (kind != EXPR_DEPENDS)
		REQUIRE(expect->yes == (kind == EXPR_TRUE));
	if (expr_type(e) == TYPE_BOOL && expect->has)
		REQUIRE(expect->json.p[0] == 't' || expect->json.p[0] == 'f');
}

/* not e is true where e is false, and the other way round */
static void
check_negation(
    struct span text, const struct event *ev, const struct answer *expect)
{
	struct expr_error error;
	struct text t = {0};
	struct answer a;
	struct expr *e;

	text_add_str(&t, "!(");
	text_add_span(&t, text);
	text_add_str(&t, ")");
	if ((e = expr_condition(text_span(&t), &error)) != NULL) {
		a = ask(e, ev);
		REQUIRE(a.error == expect->error);
		REQUIRE(a.error != NULL || a.yes != expect->yes);
		text_free(&a.json);
	}
	expr_free(e);
	text_free(&t);
}

/* print it to where nobody looks */
static void
complain(struct span text, const struct expr_error *error)
{
	static int null = -1;
	int saved = dup(STDERR_FILENO);

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	REQUIRE(error->at <= text.len);
	REQUIRE(*error->message != '\0' &&
		memchr(error->message, '\0', sizeof(error->message)) != NULL);
	dup2(null, STDERR_FILENO);
	expr_complain(text, error);
	dup2(saved, STDERR_FILENO);
	close(saved);
}

/* from a text that is gone once it is compiled */
static struct expr *
compile(struct span text, bool condition, struct expr_error *error)
{
	char *copy = malloc(text.len > 0 ? text.len : 1);
	struct span s = {copy, text.len};
	struct expr *e;

	if (text.len > 0)
		memcpy(copy, text.p, text.len);
	e = condition ? expr_condition(s, error) : expr_value(s, error);
	free(copy);
	return e;
}

static void
check(struct span text, struct span records, bool condition)
{
	struct expr_error error;
	struct expr *e = compile(text, condition, &error);
	unsigned style = (unsigned)(text.len + records.len);

	if (e == NULL)
		complain(text, &error);
	while (e != NULL && records.len > 0) {
		const char *end = memchr(records.p, '\n', records.len);
		size_t n =
		    end != NULL ? (size_t)(end - records.p) : records.len;
		struct parsed p;

		if (parse(&p, (struct span){records.p, n}, NULL)) {
			struct answer a = ask(e, &p.event);

			check_spellings(
			    e, &p.event, &a, style % RESPELL_STYLES);
			check_kind(e, &p.event, &a);
			if (condition)
				check_negation(text, &p.event, &a);
			text_free(&a.json);
		}
		parsed_free(&p);
		n += end != NULL;
		records = (struct span){records.p + n, records.len - n};
	}
	expr_free(e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end;
	struct span text = {p, size}, records = {p, 0};

	if (size > 0 && (end = memchr(p, '\n', size)) != NULL) {
		text.len = (size_t)(end - p);
		records = (struct span){end + 1, size - text.len - 1};
	}
	check(text, records, true);
	check(text, records, false);
	return 0;
}
