/*
 * name_rules.c - rules by which kernels with different names are one
 *
 *	file = { line }
 *	line = [ "#" TEXT | level "/" REGEX "/" [ REPLACEMENT ] ] [ CR ] LF
 *	level = "2" | "3"
 */

#include <stdlib.h>

#include "tq/ask/pattern.h"
#include "tq/ask/rule_lines.h"
#include "tq/base/array.h"
#include "tq/base/cpp_name.h"

#include "name_rules.h"

struct name_rule {
	char level;
	struct pattern *pattern;
	struct span replacement; /* of a line */
};

struct name_rules {
	struct rule_lines lines;
	struct text scratch; /* a name between two rules */
	struct name_rule *all;
	size_t count, cap;
};

/* where the regular expression at s ends: an unescaped slash, or s.len */
static size_t
find_slash(struct span s)
{
	size_t i = 0;

	while (i < s.len && s.p[i] != '/')
		i += s.p[i] == '\\' && i + 1 < s.len ? 2 : 1;
	return i;
}

static void
add_rule(struct name_rules *r, struct span line)
{
	struct name_rule rule = {0};
	const char *error;
	struct span regex;
	size_t at;

	rule.level = *line.p;
	regex = span_trimmed((struct span){line.p + 1, line.len - 1});
	if ((rule.level != '2' && rule.level != '3') || regex.len < 2 ||
	    *regex.p != '/')
		rule_lines_fail(&r->lines, "expected 2 or 3, and /REGEX/");
	regex = (struct span){regex.p + 1, regex.len - 1};
	at = find_slash(regex);
	if (at == regex.len)
		rule_lines_fail(&r->lines, "a / is not closed");
	rule.replacement =
	    span_trimmed((struct span){regex.p + at + 1, regex.len - at - 1});
	regex.len = at;
	rule.pattern = pattern_regex(regex, false, &error, &at);
	if (rule.pattern == NULL)
		rule_lines_fail(&r->lines, "%s", error);
	*array_add(&r->all, &r->count, &r->cap) = rule;
}

struct name_rules *
name_rules_open(const char *file)
{
	struct name_rules *r = mem_alloc(sizeof(*r));
	struct span line;

	rule_lines_open(&r->lines, file, "names.rules", name_rules_default);
	while (rule_lines_next(&r->lines, &line))
		add_rule(r, span_trimmed(line));
	return r;
}

void
name_rules_free(struct name_rules *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->count; i++)
		pattern_free(r->all[i].pattern);
	free(r->all);
	rule_lines_close(&r->lines);
	text_free(&r->scratch);
	free(r);
}

/* Apply a rule to what *t has from a place on; true if it matched. */
static bool
apply(struct name_rules *r, const struct name_rule *rule, struct text *t,
    size_t from)
{
	struct span name;

	if (t->len == from)
		return false; /* t->p may be NULL */
	name = (struct span){t->p + from, t->len - from};
	r->scratch.len = 0;
	if (pattern_replace(rule->pattern, name, rule->replacement,
		&r->scratch) != PATTERN_YES)
		return false;
	t->len = from;
	text_add_span(t, text_span(&r->scratch));
	return true;
}

void
name_rules_clean(struct name_rules *r, struct span full, struct text *clean)
{
	size_t from = clean->len;

	text_add_span(clean, full);
	if (full.len > NAME_RULES_LONGEST)
		return;
	for (size_t i = 0; i < r->count; i++)
		if (r->all[i].level == '2')
			apply(r, &r->all[i], clean, from);
}

struct span
name_rules_base(struct span clean)
{
	return clean.len > NAME_RULES_LONGEST ? clean : cpp_name_base(clean);
}

void
name_rules_family(struct name_rules *r, struct span base, struct text *family)
{
	size_t from = family->len;

	text_add_span(family, base);
	if (base.len > NAME_RULES_LONGEST)
		return;
	for (size_t i = 0; i < r->count; i++)
		if (r->all[i].level == '3' &&
		    apply(r, &r->all[i], family, from))
			return;
}
