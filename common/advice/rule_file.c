/* rule_file.c - files of rules; the grammar is in rule_file.h */

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tq/ask/rule_lines.h"
#include "tq/base/array.h"
#include "tq/base/suggestion.h"
#include "tq/base/units.h"
#include "tq/io/status.h"
#include "tq/line/schema.h"

#include "tq/advice/condition.h"
#include "tq/advice/derived.h"
#include "tq/advice/long_way.h"
#include "tq/advice/rule_file.h"
#include "tq/evidence/evidence.h"

/* a file that is read */
struct rule_source {
	struct rules *rules;
	struct rule_lines at; /* its number is that of the value */
	struct span file;
	struct rule rule;  /* that is being read */
	struct text lines; /* of it */
	bool open;
	size_t fresh; /* new rules of the file so far */
};

static _Noreturn void
complain(const struct rule_source *s, const char *what, struct span value)
{
	rule_lines_fail(&s->at, "%s%s%.*s%s", what, value.len > 0 ? " '" : "",
	    (int)(value.len < 60 ? value.len : 60),
	    value.len > 0 ? value.p : "", value.len > 0 ? "'" : "");
}

/* ---- values ---- */

static void
take_text(struct rule_source *s, struct span value, void *to)
{
	*(struct span *)to = region_copy(&s->rules->texts, value);
}

static void
take_name(struct rule_source *s, struct span value, void *to)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

	for (size_t i = 0; i < value.len; i++)
		if (strchr(letters, value.p[i]) == NULL || value.p[i] == '\0')
			complain(s,
			    "expected a name of small letters, digits, '-' and "
			    "'_', not",
			    value);
	take_text(s, value, to);
}

/* True if the expression has a key of other ranks. */
static bool
asks_ranks(const struct expr *e)
{
	return expr_asks_member(e, SPAN("late")) ||
	       expr_asks_member(e, SPAN("peers")) ||
	       expr_asks_member(e, SPAN("last_share"));
}

/* What the rule asks for in an expression. */
static void
note_keys(struct rule *r, const struct expr *e)
{
	r->asks_digits |= expr_tells_digits(e);
	r->asks_runs |= expr_asks_member(e, SPAN("run"));
	r->asks_ranks |= asks_ranks(e);
}

static struct expr *
compile(struct rule_source *s, struct span text)
{
	struct expr_error error;
	struct expr *e = expr_condition_of(text, derived_number, &error);

	if (e != NULL) {
		note_keys(&s->rule, e);
		return e;
	}
	rule_lines_fail_at(&s->at, text, &error);
}

static void
take_when(struct rule_source *s, struct span value, void *to)
{
	struct rule *r = to;

	take_text(s, value, &r->when_text);
	r->when = compile(s, r->when_text);
	r->asks_launches |= expr_asks_member(r->when, SPAN("launching"));
}

/* The next word of a list with blanks or commas between; false at its end. */
static bool
next_word(struct span *list, const char *between, struct span *word)
{
	while (list->len > 0 && *list->p != '\0' &&
	       (*list->p == ' ' || strchr(between, *list->p) != NULL))
		*list = (struct span){list->p + 1, list->len - 1};
	*word = (struct span){list->p, 0};
	while (word->len < list->len &&
	       (list->p[word->len] == '\0' ||
		   strchr(between, list->p[word->len]) == NULL))
		word->len++;
	list->p += word->len;
	list->len -= word->len;
	while (word->len > 0 && word->p[word->len - 1] == ' ')
		word->len--;
	return word->len > 0;
}

static const char *const claims[CLAIM_COUNT] = {
    [CLAIM_NONE] = "none",
    [CLAIM_EXPOSED] = "exposed",
    [CLAIM_GAPS] = "gaps",
    [CLAIM_AFTER] = "host after",
    [CLAIM_BY] = "gaps by",
    [CLAIM_OVER] = "gaps over",
    [CLAIM_SINCE] = "gaps since",
    [CLAIM_SLACK_SMS] = "slack(sm_share)",
    [CLAIM_SLACK_WAVES] = "slack(wave_share)",
    [CLAIM_SLACK_RATE] = "slack(rate_share)",
    [CLAIM_EXCESS] = "excess",
    [CLAIM_LATE] = "late",
    [CLAIM_FIRST_STEP] = "first step",
    [CLAIM_EVIDENCE] = "evidence",
};

/* excess(K) */
static bool
take_excess(struct span word, struct rule *r)
{
	static const struct span begin = {"excess(", 7};

	if (!span_begins(word, begin) || word.p[word.len - 1] != ')')
		return false;
	word.p += begin.len;
	word.len -= begin.len + 1;
	return condition_number(word, &r->times) && r->times > 0;
}

static _Noreturn void
complain_of_claim(struct rule_source *s, struct span word)
{
	struct text t = {0};

	if (span_eq(word, SPAN("gaps after")))
		complain(s,
		    "write 'gaps over, host after': a gap belongs to what the "
		    "host did in it, no more to the call that it began in, as "
		    "with",
		    word);
	text_add_str(&t, "expected claims (");
	for (size_t c = 0; c < CLAIM_COUNT; c++)
		text_printf(&t, "%s%s%s", c > 0 ? ", " : "", claims[c],
		    c == CLAIM_EXCESS ? "(K)" : "");
	text_add_str(&t, "), not");
	text_add_char(&t, '\0');
	complain(s, t.p, word);
}

static void
take_claims(struct rule_source *s, struct span value, void *to)
{
	struct rule *r = to;
	struct span word;

	r->claims = 0;
	while (next_word(&value, ",", &word)) {
		unsigned c = CLAIM_EXCESS;

		if (!take_excess(word, r))
			for (c = 0; c < CLAIM_COUNT; c++)
				if (span_eq(word, span_of(claims[c])))
					break;
		if (c == CLAIM_COUNT || (c == CLAIM_EXCESS && r->times == 0))
			complain_of_claim(s, word);
		r->claims |= 1u << c;
		r->asks_ranks |= c == CLAIM_LATE;
	}
}

static void
take_cost(struct rule_source *s, struct span value, void *to)
{
	struct rule *r = to;

	take_text(s, value, &r->cost);
	if (!span_begins(r->cost, SPAN(".")) ||
	    derived_bit((struct span){r->cost.p + 1, r->cost.len - 1}) == 0)
		complain(
		    s, "expected a key that begins with a point, not", r->cost);
	r->cost.p++;
	r->cost.len--;
}

/* The keys of the groups of excess(K). */
static void
take_by(struct rule_source *s, struct span value, void *to)
{
	struct rule *r = to;
	struct span word;

	r->by_count = 0;
	while (next_word(&value, ", ", &word)) {
		enum key k = schema_key(word.p, word.len);

		if (k == KEY_NONE)
			complain(s, "expected keys of records, not", word);
		if (r->by_count == RULE_BY)
			complain(s, "more than 4 keys:", word);
		r->by[r->by_count++] = k;
	}
}

static void
take_share(struct rule_source *s, struct span value, void *to)
{
	if (!condition_share(value, to))
		complain(s, "expected a share like 5% or 0.5%, not", value);
}

static void
take_number(struct rule_source *s, struct span value, void *to)
{
	if (!condition_number(value, to))
		complain(s, "expected a number, not", value);
}

static void
take_needs(struct rule_source *s, struct span value, void *to)
{
	struct rule *r = to;
	struct span word;

	while (next_word(&value, ", ", &word)) {
		enum kind k = schema_kind(word.p, word.len);

		if (k != KIND_UNKNOWN)
			r->needs |= (uint64_t)1 << k;
		else if (span_eq(word, SPAN("steps")))
			r->needs_steps = true;
		else if (span_eq(word, SPAN("cc")))
			r->needs_cc = true;
		else
			complain(s,
			    "expected kinds of records, steps or cc, not",
			    word);
	}
}

static void
take_confidence(struct rule_source *s, struct span value, void *to)
{
	enum rule_confidence *c = to;

	for (*c = RULE_SURE; *c <= RULE_HINT; (*c)++)
		if (span_eq(value, span_of(rule_confidence_name(*c))))
			return;
	complain(s, "expected sure, likely or hint, not", value);
}

static void
take_most(struct rule_source *s, struct span value, void *to)
{
	if (!span_eq(value, SPAN("note")))
		complain(s, "expected note, not", value);
	*(bool *)to = true;
}

static void
take_only(struct rule_source *s, struct span value, void *to)
{
	if (!span_eq(value, SPAN("waited")))
		complain(s, "expected waited, not", value);
	*(bool *)to = true;
}

static void
take_group(struct rule_source *s, struct span value, void *to)
{
	bool *once = to;

	*once = span_eq(value, span_of(rule_group_name(true)));
	if (!*once && !span_eq(value, span_of(rule_group_name(false))))
		complain(s, "expected steady or one-time, not", value);
}

static void
take_condition(struct rule_source *s, struct span value, struct rule *r,
    struct rule_condition *all, size_t *count)
{
	struct condition_text t;
	const char *error = condition_parse(value, &t);

	if (error != NULL)
		complain(s, error, value);
	if (*count == RULE_CONDITIONS)
		complain(s, "more than 8 conditions", (struct span){"", 0});
	all[*count] = (struct rule_condition){
	    .of = t.of, .below = t.below, .limit = t.limit};
	r->asks_runs |= t.of == CONDITION_RUNS;
	if (t.of < CONDITION_RUNS)
		all[*count].what = compile(s, t.what);
	if (t.all.len > 0)
		all[*count].all = compile(s, t.all);
	++*count;
}

static void
take_also(struct rule_source *s, struct span value, void *to)
{
	struct rule *r = to;

	take_condition(s, value, r, r->also, &r->also_count);
}

static void
take_second(struct rule_source *s, struct span value, void *to)
{
	struct rule *r = to;

	take_condition(s, value, r, r->second, &r->second_count);
}

static const struct {
	const char *name;
	size_t to;
	void (*take)(struct rule_source *s, struct span value, void *to);
} keys[] = {
    {"rule", offsetof(struct rule, name), take_name},
    {"class", offsetof(struct rule, class), take_name},
    {"group", offsetof(struct rule, once), take_group},
    {"needs", 0, take_needs},
    {"when", 0, take_when},
    {"claim", 0, take_claims},
    {"cost", 0, take_cost},
    {"gain", offsetof(struct rule, gain), take_share},
    {"by", 0, take_by},
    {"least", offsetof(struct rule, least), take_share},
    {"count", offsetof(struct rule, count), take_number},
    {"only", offsetof(struct rule, waited), take_only},
    {"also", 0, take_also},
    {"second", 0, take_second},
    {"confidence", offsetof(struct rule, confidence), take_confidence},
    {"most", offsetof(struct rule, note), take_most},
    {"title", offsetof(struct rule, title), take_text},
    {"why", offsetof(struct rule, why), take_text},
    {"do", offsetof(struct rule, to_do), take_text},
    {"not", offsetof(struct rule, but), take_text},
    {"look", offsetof(struct rule, look), take_text},
};

enum { KEYS = sizeof(keys) / sizeof(*keys) };

/* ---- rules ---- */

/* The rules that claim excess(K), with the one that is being read. */
static size_t
count_excess(const struct rule_source *s)
{
	size_t n = s->rule.claims >> CLAIM_EXCESS & 1;

	for (size_t i = 0; n > 0 && i < s->rules->count; i++)
		if (!span_eq(s->rules->all[i].name, s->rule.name))
			n += s->rules->all[i].claims >> CLAIM_EXCESS & 1;
	return n;
}

static bool
is_evidence(struct span name)
{
	for (int c = 0; c < EVIDENCE_CHECKS; c++)
		if (span_eq(
			name, span_of(evidence_name((enum evidence_check)c))))
			return true;
	return false;
}

static void
free_rule(struct rule *r)
{
	struct rules one = {.all = mem_alloc(sizeof(*r)), .count = 1};

	*one.all = *r;
	rule_free(&one);
}

static void
remove_rule(struct rule_source *s, struct rule *r)
{
	struct rules *all = s->rules;
	size_t at = (size_t)(r - all->all);

	free_rule(r);
	all->count--;
	memmove(r, r + 1, (all->count - at) * sizeof(*r));
	all->matching -= at < all->matching;
	s->fresh -= at < s->fresh;
}

/* The new rules of the file come first, and evidence last. */
static void
insert_rule(struct rule_source *s, const struct rule *r)
{
	struct rules *all = s->rules;
	size_t at = rule_is_evidence(r) ? all->count : s->fresh++;

	all->matching += !rule_is_evidence(r);
	array_add(&all->all, &all->count, &all->cap);
	memmove(&all->all[at + 1], &all->all[at],
	    (all->count - 1 - at) * sizeof(*all->all));
	all->all[at] = *r;
}

static void
close_rule(struct rule_source *s)
{
	struct rules *all = s->rules;
	struct rule *r = &s->rule, *old;

	if (!s->open)
		return;
	s->open = false;
	r->text = region_copy(&all->texts, text_span(&s->lines));
	if (rule_is_evidence(r) && !is_evidence(r->name) &&
	    !span_eq(r->name, SPAN(LONG_WAY_RULE)))
		complain(s, "no evidence has the name", r->name);
	if ((r->when == NULL && !rule_is_evidence(r)) || r->claims == 0 ||
	    r->title.len == 0)
		complain(s,
		    "a rule needs when, claim and title, which it lacks:",
		    r->name);
	if (r->gain > 0 && (r->claims != 1u << CLAIM_NONE || r->cost.len > 0))
		complain(s, "gain needs claim none, and no cost:", r->name);
	if (r->gain > PPM)
		complain(s, "a gain is 100% at most:", r->name);
	if (count_excess(s) > RULES_EXCESS)
		complain(s, "more than 4 rules claim excess(K):", r->name);
	old = rule_find(all, r->name);
	if (old != NULL && rule_is_evidence(old) == rule_is_evidence(r)) {
		free_rule(old);
		*old = *r;
		return;
	}
	if (old != NULL)
		remove_rule(s, old);
	if (!rule_is_evidence(r) && all->matching == RULES_MOST)
		complain(s, "more than 64 rules match records:", r->name);
	insert_rule(s, r);
}

static void
open_rule(struct rule_source *s)
{
	close_rule(s);
	s->open = true;
	s->lines.len = 0;
	s->rule = (struct rule){.file = s->file,
	    .line = s->at.number,
	    .least = 5 * (PPM / 100),
	    .count = 1,
	    .by = {KEY_name},
	    .by_count = 1};
}

/* a key and all of its value */
static void
take_entry(struct rule_source *s, struct span entry)
{
	struct span key, value = entry;
	size_t i;

	next_word(&value, " \t", &key);
	while (value.len > 0 && (*value.p == ' ' || *value.p == '\t'))
		value = (struct span){value.p + 1, value.len - 1};
	for (i = 0; i < KEYS; i++)
		if (span_eq(key, span_of(keys[i].name)))
			break;
	if (i == KEYS) {
		struct suggestion near = {.word = key};
		struct text t = {0};

		for (size_t k = 0; k < KEYS; k++)
			suggestion_consider(&near, keys[k].name);
		text_add_str(&t, "no key of a rule");
		suggestion_add(&near, &t);
		text_add_char(&t, '\0');
		complain(s, t.p, key);
	}
	if (value.len == 0)
		complain(s, "expected a value behind", key);
	if (i == 0)
		open_rule(s);
	else if (!s->open)
		complain(s, "expected a rule before", key);
	keys[i].take(s, value, (char *)&s->rule + keys[i].to);
	text_add_span(&s->lines, entry);
	text_add_char(&s->lines, '\n');
}

/* The next line without blanks at its end. */
static bool
next_line(struct rule_lines *l, struct span *line)
{
	if (!rule_lines_any(l, line))
		return false;
	while (line->len > 0 && strchr(" \t\r", line->p[line->len - 1]) &&
	       line->p[line->len - 1] != '\0')
		line->len--;
	return true;
}

static bool
goes_on(struct span text)
{
	return text.len > 0 && (*text.p == ' ' || *text.p == '\t');
}

/* the entry that begins with the line, and the lines that it goes on with */
static void
take_lines(struct rule_source *s, struct rule_lines *l, struct span line)
{
	struct text entry = {0};

	text_add_span(&entry, line);
	while (goes_on(l->rest) && next_line(l, &line)) {
		while (goes_on(line))
			line = (struct span){line.p + 1, line.len - 1};
		text_add_char(&entry, ' ');
		text_add_span(&entry, line);
	}
	take_entry(s, text_span(&entry));
	text_free(&entry);
}

static void
parse(struct rules *r, struct rule_lines *l)
{
	struct rule_source s = {
	    .rules = r, .file = region_copy(&r->texts, span_of(l->file))};
	struct span line;

	while (next_line(l, &line)) {
		s.at = *l;
		if (line.len > 0 && *line.p == '#')
			continue;
		if (line.len == 0)
			close_rule(&s);
		else if (goes_on(line))
			complain(&s, "expected a key before the blank", line);
		else
			take_lines(&s, l, line);
	}
	close_rule(&s);
	text_free(&s.lines);
}

void
rule_file_parse(struct rules *r, const char *file, struct span text)
{
	struct rule_lines l = {.file = file, .rest = text};

	parse(r, &l);
}

void
rule_file_read(struct rules *r, const char *file)
{
	bool built_in = strcmp(file, "default") == 0;
	struct rule_lines l;

	if (strcmp(file, "none") == 0)
		return;
	rule_lines_open(
	    &l, built_in ? NULL : file, "default", rule_file_defaults);
	parse(r, &l);
	rule_lines_close(&l);
}

/* The lines of a rule, and one more, which counts. */
static void
add_line(struct rules *r, struct rule *rule, struct span key, struct span value)
{
	struct text t = {0};

	text_add_span(&t, rule->text);
	text_add_span(&t, key);
	text_add_char(&t, ' ');
	text_add_span(&t, value);
	text_add_char(&t, '\n');
	rule->text = region_copy(&r->texts, text_span(&t));
	text_free(&t);
}

void
rule_file_set(struct rules *r, const char *assignment)
{
	const char *dot = strchr(assignment, '.');
	const char *equal = dot != NULL ? strchr(dot, '=') : NULL;
	struct span name = {assignment, 0}, key, value;
	struct rule_source s = {
	    .rules = r, .at = {.file = "--set", .number = 1}};
	struct rule *rule;

	if (equal == NULL)
		errx(TQ_USAGE, "expected RULE.KEY=VALUE, not '%s'", assignment);
	name.len = (size_t)(dot - assignment);
	key = (struct span){dot + 1, (size_t)(equal - dot - 1)};
	value = span_of(equal + 1);
	if ((rule = rule_find(r, name)) == NULL)
		errx(
		    TQ_USAGE, "no rule is named '%.*s'", (int)name.len, name.p);
	if (span_eq(key, SPAN("least")))
		take_share(&s, value, &rule->least);
	else if (span_eq(key, SPAN("count")))
		take_number(&s, value, &rule->count);
	else
		errx(TQ_USAGE, "'%.*s' can't be set (least, count)",
		    (int)key.len, key.p);
	add_line(r, rule, key, value);
}
