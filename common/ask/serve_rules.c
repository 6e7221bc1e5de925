/* serve_rules.c - the steps of inference servers, and what their kernels are
 * for
 */

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "tq/ask/pattern.h"
#include "tq/ask/rule_lines.h"
#include "tq/ask/serve_rules.h"
#include "tq/base/array.h"
#include "tq/base/intern.h"
#include "tq/base/time.h"
#include "tq/line/json.h"

enum serve_what { WHAT_STEP, WHAT_DENOISE, WHAT_IGNORE };

/* a line; its expression is compiled when it is first needed */
struct serve_rule {
	struct span engine, regex;
	struct span start; /* with which all that match begin; may be empty */
	enum serve_what what;
	enum serve_work work; /* of one for kernels or operators */
	struct pattern *pattern;
};

struct serve_list {
	struct serve_rule *all;
	size_t count, cap;
};

struct serve_rules {
	struct serve_list steps, kernels, operators;
	bool first[UCHAR_MAX + 1]; /* bytes that names of steps begin with */
	bool any;                  /* they may begin with any byte */
	struct intern engines;
	struct rule_lines lines;
};

static const struct span classes[SERVE_CLASSES] = {
    {"prefill", 7},
    {"decode", 6},
    {"mixed", 5},
    {"idle", 4},
    {"verify", 6},
    {"draft", 5},
    {"denoise", 7},
    {"unknown", 7},
};

static const struct span works[SERVE_WORKS] = {
    {"attention", 9},
    {"gemm", 4},
    {"moe", 3},
    {"comm", 4},
    {"norm-act", 8},
    {"sampling", 8},
    {"copy", 4},
    {"other", 5},
};

/* words that engines use for a class, whatever the case */
static const struct {
	const char *word;
	enum serve_class class;
} modes[] = {
    {"prefill", SERVE_PREFILL},
    {"extend", SERVE_PREFILL},
    {"decode", SERVE_DECODE},
    {"mixed", SERVE_MIXED},
    {"idle", SERVE_IDLE},
    {"empty", SERVE_IDLE},
    {"verify", SERVE_VERIFY},
    {"target_verify", SERVE_VERIFY},
    {"draft", SERVE_DRAFT},
    {"draft_extend", SERVE_DRAFT},
};

struct span serve_rules_class(enum serve_class class)
{
	return classes[class];
}

enum serve_class
serve_rules_class_of(struct span word)
{
	enum serve_class c = 0;

	while (c < SERVE_CLASSES && !span_eq(classes[c], word))
		c++;
	return c;
}

/* ---- the lines ---- */

static void
compile(const struct serve_rules *r, struct serve_rule *rule, bool ignore_case)
{
	const char *error;
	size_t at;

	if (rule->pattern != NULL)
		return;
	rule->pattern = pattern_regex(rule->regex, ignore_case, &error, &at);
	if (rule->pattern == NULL)
		rule_lines_fail(&r->lines, "%s", error);
}

/* the column before the next tab; false if there is none */
static bool
take_column(struct span *line, struct span *column)
{
	const char *tab =
	    line->len > 0 ? memchr(line->p, '\t', line->len) : NULL;

	if (tab == NULL)
		return false;
	*column = (struct span){line->p, (size_t)(tab - line->p)};
	line->p = tab + 1;
	line->len -= column->len + 1;
	return true;
}

/* does an expression have alternatives outside of its parentheses? */
static bool
has_alternatives(struct span regex)
{
	size_t depth = 0;
	bool in_set = false;

	for (size_t i = 0; i < regex.len; i++) {
		char c = regex.p[i];

		if (c == '\\') {
			i++;
			continue;
		}
		in_set = in_set ? c != ']' : c == '[';
		depth += !in_set && c == '(';
		depth -= !in_set && c == ')' && depth > 0;
		if (c == '|' && depth == 0 && !in_set)
			return true;
	}
	return false;
}

/* the byte that stands for itself at a place of an expression; NUL: none */
static char
literal_at(struct span regex, size_t i, size_t *next)
{
	bool escaped = i < regex.len && regex.p[i] == '\\';

	i += escaped;
	*next = i + 1;
	if (i >= regex.len ||
	    (escaped ? !ispunct((unsigned char)regex.p[i])
		     : strchr("^$.[|()?*+{", regex.p[i]) != NULL) ||
	    (i + 1 < regex.len && strchr("?*{", regex.p[i + 1]) != NULL))
		return '\0';
	return regex.p[i];
}

/*
 * The text that all matches of an anchored expression begin with, so that most
 * names need no match; it may be shorter than it could be.
 */
static struct span
start_of(struct serve_rules *r, struct span regex)
{
	const struct span mode = SPAN("(?<mode>");
	struct text start = {0};
	struct span kept;
	size_t i = 1;
	char c;

	if (regex.len == 0 || *regex.p != '^' || has_alternatives(regex))
		return (struct span){"", 0};
	if (span_begins((struct span){regex.p + i, regex.len - i}, mode)) {
		struct span rest = {
		    regex.p + i + mode.len, regex.len - i - mode.len};
		const char *close = memchr(rest.p, ')', rest.len);

		if (close == NULL ||
		    memchr(rest.p, '|', (size_t)(close - rest.p)) != NULL ||
		    close[1] == '?' || close[1] == '*' || close[1] == '{')
			return (struct span){"", 0};
		i += mode.len;
	}
	while ((c = literal_at(regex, i, &i)) != '\0')
		text_add_char(&start, c);
	kept = intern_text(
	    &r->engines, intern_get(&r->engines, text_span(&start)));
	text_free(&start);
	return kept;
}

static enum serve_work
work_of(const struct serve_rules *r, struct span word)
{
	enum serve_work w = 0;

	while (w < SERVE_WORKS && !span_eq(works[w], word))
		w++;
	if (w == SERVE_WORKS)
		rule_lines_fail(&r->lines,
		    "expected one of attention gemm moe comm norm-act "
		    "sampling copy other, not '%.*s'",
		    (int)word.len, word.p);
	return w;
}

static enum serve_what
what_of(const struct serve_rules *r, struct span word)
{
	static const char *const words[] = {"step", "denoise", "ignore"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_eq(word, span_of(words[i])))
			return (enum serve_what)i;
	rule_lines_fail(&r->lines,
	    "expected step, denoise or ignore, not '%.*s'", (int)word.len,
	    word.p);
}

static void
add_rule(struct serve_rules *r, struct span line, bool checked)
{
	struct serve_rule rule = {0};
	struct span first, second;
	struct serve_list *to = &r->steps;

	if (!take_column(&line, &first))
		rule_lines_fail(
		    &r->lines, "expected columns with tabs between");
	if (take_column(&line, &second)) {
		rule.engine =
		    intern_text(&r->engines, intern_get(&r->engines, first));
		rule.what = what_of(r, second);
	} else if (span_begins(first, SPAN("@"))) {
		to = &r->operators;
		first = (struct span){first.p + 1, first.len - 1};
	} else
		to = &r->kernels;
	if (to != &r->steps)
		rule.work = work_of(r, first);
	rule.regex = line;
	rule.start = to == &r->steps ? start_of(r, line) : (struct span){"", 0};
	if (to == &r->steps && rule.start.len > 0)
		r->first[(unsigned char)*rule.start.p] = true;
	else
		r->any |= to == &r->steps;
	if (checked)
		compile(r, &rule, to != &r->steps);
	*array_add(&to->all, &to->count, &to->cap) = rule;
}

struct serve_rules *
serve_rules_open(const char *file)
{
	struct serve_rules *r = mem_alloc(sizeof(*r));
	struct span line;

	rule_lines_open(&r->lines, file, "serve.rules", serve_rules_default);
	while (rule_lines_next(&r->lines, &line))
		add_rule(r, line, file != NULL);
	return r;
}

static void
free_list(struct serve_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		pattern_free(l->all[i].pattern);
	free(l->all);
}

void
serve_rules_free(struct serve_rules *r)
{
	if (r == NULL)
		return;
	free_list(&r->steps);
	free_list(&r->kernels);
	free_list(&r->operators);
	intern_free(&r->engines);
	rule_lines_close(&r->lines);
	free(r);
}

/* ---- steps ---- */

/* parts of a name; see serve.rules */
enum serve_part { CR, CT, GR, GT, BS, TK, MODE, PARTS };
static const char *const part_names[PARTS] = {
    "cr", "ct", "gr", "gt", "bs", "tk", "mode"};

static int64_t
number_of(struct span digits)
{
	int64_t v;

	return digits.len > 0 && json_int(digits, &v) && v >= 0 ? v : NO_ID;
}

static bool
same_word(struct span s, const char *word)
{
	size_t i;

	for (i = 0; i < s.len && word[i] != '\0'; i++)
		if ((s.p[i] | 32) != word[i] && s.p[i] != word[i])
			return false;
	return i == s.len && word[i] == '\0';
}

static enum serve_class
class_of_mode(struct span mode)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (same_word(mode, modes[i].word))
			return modes[i].class;
	return SERVE_UNKNOWN;
}

/* a sum of which no part is unknown */
static int64_t
sum_of(int64_t a, int64_t b)
{
	int64_t sum;

	if (a == NO_ID || b == NO_ID || __builtin_add_overflow(a, b, &sum))
		return NO_ID;
	return sum;
}

/* bs and tk of a step of one class are its requests and tokens */
static void
apply_mode(enum serve_class class, int64_t n[PARTS])
{
	switch (class) {
	case SERVE_PREFILL:
		n[CR] = n[CR] == NO_ID ? n[BS] : n[CR];
		n[CT] = n[CT] == NO_ID ? n[TK] : n[CT];
		n[GR] = n[GT] = 0;
		break;
	case SERVE_DECODE:
		n[GR] = n[GR] == NO_ID ? n[BS] : n[GR];
		if (n[GT] == NO_ID)
			n[GT] = n[TK] != NO_ID ? n[TK] : n[GR];
		n[CR] = n[CT] = 0;
		break;
	case SERVE_IDLE:
		n[CR] = n[CT] = n[GR] = n[GT] = 0;
		break;
	default:
		break;
	}
}

static enum serve_class
class_of_counts(int64_t context, int64_t generates)
{
	if (context == NO_ID && generates == NO_ID)
		return SERVE_UNKNOWN;
	if (context > 0 && generates > 0)
		return SERVE_MIXED;
	return context > 0     ? SERVE_PREFILL
	       : generates > 0 ? SERVE_DECODE
			       : SERVE_IDLE;
}

static void
count(const struct serve_rule *rule, const struct span parts[PARTS],
    struct serve_counts *c)
{
	enum serve_class mode = class_of_mode(parts[MODE]);
	int64_t n[PARTS];

	for (size_t i = 0; i < MODE; i++)
		n[i] = number_of(parts[i]);
	apply_mode(mode, n);
	c->engine = rule->engine;
	c->class = rule->what == WHAT_DENOISE ? SERVE_DENOISE
		   : mode != SERVE_UNKNOWN    ? mode
					      : class_of_counts(n[CR], n[GR]);
	if (mode == SERVE_UNKNOWN && c->class == SERVE_PREFILL)
		n[GT] = n[GT] == NO_ID ? 0 : n[GT];
	if (mode == SERVE_UNKNOWN && c->class == SERVE_DECODE)
		n[CT] = n[CT] == NO_ID ? 0 : n[CT];
	c->requests = sum_of(n[CR], n[GR]);
	if (c->requests == NO_ID)
		c->requests = n[BS];
	c->batch = n[BS] != NO_ID ? n[BS] : c->requests;
	c->context = n[CT];
	c->generated = n[GT];
	c->tokens = sum_of(n[CT], n[GT]);
	if (c->tokens == NO_ID)
		c->tokens = n[TK];
}

bool
serve_rules_step(
    struct serve_rules *r, struct span name, struct serve_counts *c)
{
	struct span parts[PARTS];

	if (name.len == 0 || (!r->any && !r->first[(unsigned char)*name.p]))
		return false;
	for (size_t i = 0; i < r->steps.count; i++) {
		struct serve_rule *rule = &r->steps.all[i];

		if (!span_begins(name, rule->start))
			continue;
		compile(r, rule, false);
		if (pattern_parts(rule->pattern, name, part_names, PARTS,
			parts) != PATTERN_YES)
			continue;
		if (rule->what != WHAT_IGNORE)
			count(rule, parts, c);
		return rule->what != WHAT_IGNORE;
	}
	return false;
}

/* ---- kernels ---- */

static enum serve_work
find_work(const struct serve_rules *r, struct serve_list *l, struct span name,
    enum serve_work otherwise)
{
	for (size_t i = 0; i < l->count; i++) {
		compile(r, &l->all[i], true);
		if (pattern_match(l->all[i].pattern, name) == PATTERN_YES)
			return l->all[i].work;
	}
	return otherwise;
}

enum serve_work
serve_rules_kernel(struct serve_rules *r, struct span name)
{
	return find_work(r, &r->kernels, name, SERVE_OTHER);
}

enum serve_work
serve_rules_operator(struct serve_rules *r, struct span name)
{
	return find_work(r, &r->operators, name, SERVE_WORKS);
}
