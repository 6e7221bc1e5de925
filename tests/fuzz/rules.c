/*
 * rules.c - any bytes as a file of rules: what is accepted has all that a rule
 * needs, is the same a second time, and matches the records of which its
 * condition is true.
 */

#include <string.h>

#include "tq/advice/condition.h"
#include "tq/advice/rule_file.h"
#include "tq/advice/rule_match.h"
#include "tq/names/model.h"

#include "fuzz.h"
#include "fuzz_exit.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* rule_lines.c prints and exits through this */
void
expr_complain(struct span text, const struct expr_error *error)
{
	REQUIRE(error->at <= text.len);
	longjmp(ended, 1);
}

static struct rules
read_rules(struct span text)
{
	static struct rules r;

	r = (struct rules){0};
	if (setjmp(ended) == 0)
		rule_file_parse(&r, "fuzz", text);
	else
		r = (struct rules){0};
	return r;
}

static void
check_rule(const struct rule *a, const struct rule *b)
{
	REQUIRE(a->when != NULL && a->title.len > 0 && a->claims != 0);
	REQUIRE(a->name.len > 0 && a->least >= 0 && a->count >= 0);
	REQUIRE(span_eq(a->name, b->name) && span_eq(a->title, b->title));
	REQUIRE(a->least == b->least && a->claims == b->claims);
	REQUIRE(a->also_count <= RULE_CONDITIONS);
	REQUIRE(rule_band(a, a->least) > SEVERITY_NONE);
}

/* ---- records ---- */

static const char *const records[] = {
    "{\"kind\":\"trace\",\"version\":1}",
    "{\"kind\":\"symbol\",\"name\":\"k\",\"id\":1,"
    "\"demangled\":\"void k<int>()\",\"mangled\":\"_Z1k\"}",
    "{\"kind\":\"range\",\"ts\":1,\"dur\":900,\"pid\":1,\"tid\":1,"
    "\"name\":\"step 1\",\"id\":1}",
    "{\"kind\":\"range\",\"ts\":1,\"dur\":9,\"pid\":1,\"tid\":1,"
    "\"name\":\"step 2\",\"id\":2,\"args\":{\"a\":[1,2]}}",
    "{\"kind\":\"api\",\"ts\":2,\"dur\":3,\"pid\":1,\"tid\":1,\"corr\":1,"
    "\"name\":\"cudaLaunchKernel\",\"ret\":0}",
    "{\"kind\":\"kernel\",\"ts\":5,\"dur\":20,\"pid\":1,\"corr\":1,"
    "\"name\":\"k\",\"sym\":1,\"device\":0,\"stream\":7,\"grid\":[2,1,1],"
    "\"block\":[32,1,1],\"api_name\":\"cudaLaunchKernel\"}",
    "{\"kind\":\"kernel\",\"ts\":30,\"dur\":20,\"pid\":1,\"corr\":2,"
    "\"name\":\"nccl 7\",\"device\":0,\"category\":\"c\"}",
    "{\"kind\":\"memcpy\",\"ts\":60,\"dur\":5,\"pid\":1,\"device\":0,"
    "\"bytes\":64,\"copy\":\"HtoD\",\"src\":\"Pageable\"}",
    "{\"kind\":\"osrt\",\"ts\":70,\"dur\":5,\"pid\":1,\"tid\":2,"
    "\"name\":\"read\",\"file\":\"/a\"}",
};

enum { RECORDS = sizeof(records) / sizeof(*records) };

/* True if the rule's condition is, asked alone. */
static bool
is_true(const struct rule *r, struct rule_match *m, const struct event *ev,
    const char **error)
{
	const struct expr_symbols symbols = {names_find_symbol, &m->symbols};

	return expr_match(r->when, ev, &symbols, error);
}

/* Each rule that matches a record is one whose condition is true of it; but
   .role is decided by the name, and the record has none here. */
static void
match_record(struct rule_names *names, struct rule_match *m,
    const struct derived *none, struct event *ev)
{
	struct rules_held held = rule_names_get(names, ev, &m->error);
	uint64_t mask = rule_match_record(m, &held, none, ev);

	for (size_t i = 0; i < m->rules->matching && m->error == NULL; i++) {
		const struct rule *r = &m->rules->all[i];
		bool yes = is_true(r, m, ev, &m->error);

		REQUIRE(m->error != NULL || (mask >> i & 1) == yes ||
			expr_asks_member(r->when, SPAN("role")));
	}
}

static void
match_records(const struct rules *r)
{
	static const struct derived none;
	struct rule_names names = {0};
	struct rule_match match = {0};
	struct model model = {0};
	struct event ev = {.model = &model};
	struct text line = {0};

	rule_names_open(&names, r);
	rule_match_open(&match, r);
	for (size_t i = 0; i < 2 * RECORDS; i++) {
		line.len = 0;
		text_add_str(&line, records[i % RECORDS]);
		text_reserve(&line, EVENT_PADDING);
		REQUIRE(event_parse(&ev, text_span(&line), NULL));
		model_event(&model, &ev);
		if (ev.kind == KIND_symbol)
			rule_match_define(&match, &ev);
		match_record(&names, &match, &none, &ev);
	}
	text_free(&line);
	event_free(&ev);
	model_free(&model);
	rule_match_free(&match);
	rule_names_free(&names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct rules r = read_rules(text), again = read_rules(text);
	struct condition_text c;

	REQUIRE(r.count == again.count && r.matching <= RULES_MOST);
	for (size_t i = 0; i < r.count; i++)
		check_rule(&r.all[i], &again.all[i]);
	match_records(&r);
	if (size > 0 && condition_parse(text, &c) == NULL)
		REQUIRE(c.what.p >= text.p && c.limit >= 0);
	rule_free(&r);
	rule_free(&again);
	return 0;
}
