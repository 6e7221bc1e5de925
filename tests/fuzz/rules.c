/*
 * rules.c - any bytes as a file of rules: what is accepted has all that a rule
 * needs, and is the same a second time.
 */

#include <string.h>

#include "tq/advice/condition.h"
#include "tq/advice/rule_file.h"

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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct rules r = read_rules(text), again = read_rules(text);
	struct condition_text c;

	REQUIRE(r.count == again.count && r.matching <= RULES_MOST);
	for (size_t i = 0; i < r.count; i++)
		check_rule(&r.all[i], &again.all[i]);
	if (size > 0 && condition_parse(text, &c) == NULL)
		REQUIRE(c.what.p >= text.p && c.limit >= 0);
	rule_free(&r);
	rule_free(&again);
	return 0;
}
