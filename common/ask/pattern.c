/*
 * pattern.c - regular expressions, globs, and exact texts
 *
 * Regular expressions are compiled twice.  The fast code runs first, within
 * limits that only ordinary work stays below; but PCRE2 counts anew at each
 * start of a match, and not all that it does.  Where these limits are hit, or
 * the text is long, the careful code decides: it stops before each item of the
 * expression (an automatic callout), so that all work can be counted.
 */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "glob.h"
#include "tq/base/hash.h"
#include "tq/base/mem.h"
#include "tq/ask/pattern.h"

enum {
	REGEX_BYTES = 1 << 16,  /* longest expression */
	REGEX_NESTING = 200,    /* of its parentheses */
	REGEX_MEMORY = 1 << 20, /* largest block that compiling may allocate */
	REGEX_STEPS = 4000000,  /* work that careful code may do */
	REGEX_HEAP = 32 << 10,  /* KiB that matching without JIT may use */
	REGEX_STACK = 32 << 20, /* bytes that matching with JIT may use */
	FAST_TEXT = 4096,       /* longest text that fast code looks at */
	FAST_WORK = 250000000,  /* its limit times the text squared */
	FAST_LIMIT = 100000,    /* its limit where the text is short */
	MEMO_TEXTS = 64,        /* whose results are held, a power of two */
	MEMO_BYTES = 1024,      /* of each of them, at most */
	JIT_AFTER = 16          /* matches */
};

enum form { EXACT, CONTAINS, GLOB, REGEX };

/* results by text: names repeat */
struct regex_memo {
	struct text text;
	enum pattern_result result;
	bool set;
};

struct regex {
	struct span text; /* of the pattern */
	uint32_t options;
	pcre2_code *fast, *careful; /* careful: NULL until it is needed */
	pcre2_match_context *fast_limits, *careful_limits;
	pcre2_match_data *data, *groups; /* groups: with all ( ), or NULL */
	pcre2_jit_stack *stack;          /* made when it is first needed */
	unsigned matched;                /* how often, up to JIT_AFTER */
	bool is_jit;                     /* fast is machine code */
	bool compares;       /* items may compare unseen, as \1 does */
	size_t repeat;       /* how often an item may repeat unseen */
	size_t steps, place; /* of the match at hand */
	struct regex_memo *memo;
};

struct pattern {
	enum form form;
	struct text text;
	struct regex *regex;
};

static struct pattern *
new_pattern(enum form form, struct span text)
{
	struct pattern *p = mem_alloc(sizeof(*p));

	p->form = form;
	text_reserve(&p->text, text.len + 1); /* so that it is not NULL */
	text_add_span(&p->text, text);
	return p;
}

struct pattern *
pattern_exact(struct span text)
{
	return new_pattern(EXACT, text);
}

struct pattern *
pattern_glob(struct span text, const char **error, size_t *at)
{
	const char *problem = glob_check(text, at);

	if (problem != NULL) {
		*error = problem;
		return NULL;
	}
	return new_pattern(GLOB, text);
}

/* ---- regular expressions ---- */

static void *
allocate(size_t n, void *arg)
{
	(void)arg;
	return mem_alloc(n);
}

/*
 * Blocks larger than any sane expression needs are refused, so that no
 * (((a{1,500}){1,500}){1,500}) is expanded.
 */
static void *
allocate_limited(size_t n, void *arg)
{
	(void)arg;
	return n > REGEX_MEMORY ? NULL : mem_alloc(n);
}

static void
release(void *p, void *arg)
{
	(void)arg;
	free(p);
}

/*
 * The error.  The usual mistakes have texts that do not change with the version
 * of PCRE2; the others are its own, in a buffer that is good until the next
 * mistake.
 */
static const char *
regex_error(int code)
{
	static char buf[160];

	switch (code) {
	case PCRE2_ERROR_END_BACKSLASH:
		return "nothing follows the last \\";
	case PCRE2_ERROR_MISSING_SQUARE_BRACKET:
		return "a [ is not closed";
	case PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS:
		return "a ( is not closed";
	case PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS:
		return "a ) closes nothing";
	case PCRE2_ERROR_QUANTIFIER_INVALID:
		return "there is nothing to repeat";
	case PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP:
		return "nested too deeply";
	case PCRE2_ERROR_PATTERN_TOO_LARGE:
	case PCRE2_ERROR_PATTERN_STRING_TOO_LONG:
	case PCRE2_ERROR_HEAP_FAILED:
		return "the regular expression is too large";
	}
	if (code < 0) /* of the encoding; the positive ones are of the syntax */
		return "the regular expression is not UTF-8";
	if (pcre2_get_error_message(code, (PCRE2_UCHAR *)buf, sizeof(buf)) < 0)
		return "not a regular expression";
	return buf;
}

static pcre2_code *
compile(struct span text, uint32_t options, const char **error, size_t *at)
{
	pcre2_general_context *memory =
	    pcre2_general_context_create(allocate_limited, release, NULL);
	pcre2_compile_context *limits = pcre2_compile_context_create(memory);
	pcre2_code *code;
	size_t place;
	int problem;

	pcre2_set_max_pattern_length(limits, REGEX_BYTES);
	pcre2_set_parens_nest_limit(limits, REGEX_NESTING);
	code = pcre2_compile((PCRE2_SPTR)text.p, text.len,
	    options | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
		PCRE2_NEVER_BACKSLASH_C,
	    &problem, &place, limits);
	if (code == NULL) {
		*error = regex_error(problem);
		*at = place < text.len ? place : text.len;
	} else if ((options & PCRE2_AUTO_CALLOUT) != 0)
		pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* or does not */
	pcre2_compile_context_free(limits);
	pcre2_general_context_free(memory);
	return code;
}

/* called by careful code before each item */
static int
count_steps(pcre2_callout_block *block, void *arg)
{
	struct regex *r = arg;
	size_t place = block->current_position;

	/* an item that moved has matched the bytes it moved over */
	r->steps +=
	    1 + r->repeat +
	    (place > r->place ? place - r->place : r->place - place) / 16;
	if (r->compares && place > block->start_match)
		r->steps += (place - block->start_match) / 4;
	r->place = place;
	return r->steps > REGEX_STEPS ? PCRE2_ERROR_MATCHLIMIT : 0;
}

static pcre2_jit_stack *
jit_stack(void *arg)
{
	struct regex *r = arg;

	if (r->stack == NULL)
		r->stack = pcre2_jit_stack_create(1 << 15, REGEX_STACK, NULL);
	return r->stack;
}

/* the largest number in braces, as a part of a step */
static size_t
largest_repeat(struct span text)
{
	size_t most = 0, n = 0;
	bool inside = false;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.p[i];

		if (c == '{' || c == '}')
			inside = c == '{';
		n = inside && c >= '0' && c <= '9' && n < 65536
			? n * 10 + (size_t)(c - '0')
			: 0;
		most = n > most ? n : most;
	}
	return most / 32;
}

/* where fast code gives up on a text of len bytes */
static uint32_t
fast_limit(const struct regex *r, size_t len)
{
	size_t work = r->compares ? FAST_WORK / 8 : FAST_WORK;
	size_t square = len * len + 1;

	return square > work / FAST_LIMIT ? (uint32_t)(work / square)
					  : FAST_LIMIT;
}

static void
regex_free(struct regex *r)
{
	if (r == NULL)
		return;
	pcre2_code_free(r->fast);
	pcre2_code_free(r->careful);
	pcre2_match_context_free(r->fast_limits);
	pcre2_match_context_free(r->careful_limits);
	pcre2_match_data_free(r->data);
	pcre2_match_data_free(r->groups);
	pcre2_jit_stack_free(r->stack);
	for (size_t i = 0; r->memo != NULL && i < MEMO_TEXTS; i++)
		text_free(&r->memo[i].text);
	free(r->memo);
	free(r);
}

static void
set_limits(struct regex *r, struct span text)
{
	pcre2_general_context *memory =
	    pcre2_general_context_create(allocate, release, NULL);
	uint32_t references = 0;

	r->data = pcre2_match_data_create(1, memory);
	r->fast_limits = pcre2_match_context_create(memory);
	pcre2_set_heap_limit(r->fast_limits, REGEX_HEAP);
	r->careful_limits = pcre2_match_context_create(memory);
	pcre2_set_heap_limit(r->careful_limits, REGEX_HEAP);
	pcre2_set_callout(r->careful_limits, count_steps, r);
	pcre2_jit_stack_assign(r->careful_limits, jit_stack, r);
	pcre2_general_context_free(memory);

	pcre2_pattern_info(r->fast, PCRE2_INFO_BACKREFMAX, &references);
	r->compares = references > 0 ||
		      memmem(text.p, text.len, "(*", 2) != NULL; /* (*sr: */
	r->repeat = largest_repeat(text);
}

/* does text stand for itself as a regular expression? */
static bool
is_literal(struct span text)
{
	static const char special[] = "\\^$.[|()?*+{#";

	for (size_t i = 0; i < text.len; i++)
		if (memchr(special, text.p[i], sizeof(special)) != NULL)
			return false;
	return true;
}

struct pattern *
pattern_regex(
    struct span text, bool ignore_case, const char **error, size_t *at)
{
	struct pattern *p = new_pattern(REGEX, text);
	struct regex *r = p->regex = mem_alloc(sizeof(*r));
	uint32_t options = ignore_case ? PCRE2_CASELESS : 0;

	r->fast = compile(text_span(&p->text), options, error, at);
	if (r->fast != NULL && !ignore_case && is_literal(text)) {
		regex_free(r);
		p->regex = NULL;
		p->form = CONTAINS;
		return p;
	}
	if (r->fast == NULL) {
		pattern_free(p);
		return NULL;
	}
	r->text = text_span(&p->text);
	r->options = options;
	set_limits(r, r->text);
	return p;
}

/*
 * Make machine code of the expression, where that can be: once it is matched
 * often.  To make it takes as long as many matches, and most expressions have
 * few.
 */
static void
count_match(struct regex *r)
{
	size_t size = 0;

	if (r->matched == JIT_AFTER || ++r->matched < JIT_AFTER)
		return;
	pcre2_jit_compile(r->fast, PCRE2_JIT_COMPLETE); /* or does not */
	pcre2_pattern_info(r->fast, PCRE2_INFO_JITSIZE, &size);
	r->is_jit = size > 0;
}

/* The careful code, made when it is first needed; NULL where it is too large.
 */
static const pcre2_code *
careful(struct regex *r)
{
	const char *error;
	size_t at;

	if (r->careful == NULL)
		r->careful = compile(
		    r->text, r->options | PCRE2_AUTO_CALLOUT, &error, &at);
	return r->careful;
}

/* The result of pcre2_match() in text from a place on, within the limits. */
static int
find_match(struct regex *r, struct span text, size_t from, uint32_t options,
    pcre2_match_data *data)
{
	PCRE2_SPTR subject = (PCRE2_SPTR)text.p;
	int found = PCRE2_ERROR_MATCHLIMIT;

	if (text.len <= FAST_TEXT) {
		count_match(r);
		pcre2_set_match_limit(r->fast_limits, fast_limit(r, text.len));
		found = (r->is_jit ? pcre2_jit_match : pcre2_match)(r->fast,
		    subject, text.len, from, options, data, r->fast_limits);
	}
	if (found < 0 && found != PCRE2_ERROR_NOMATCH && careful(r) != NULL)
		found = pcre2_match(r->careful, subject, text.len, from,
		    options, data, r->careful_limits);
	return found;
}

static enum pattern_result
regex_result(int found)
{
	return found >= 0                     ? PATTERN_YES
	       : found == PCRE2_ERROR_NOMATCH ? PATTERN_NO
					      : PATTERN_GAVE_UP;
}

/* Where the result of the text is held, if it is; NULL: nowhere. */
static struct regex_memo *
find_memo(struct regex *r, struct span text)
{
	if (text.len > MEMO_BYTES)
		return NULL;
	if (r->memo == NULL)
		r->memo = mem_alloc(MEMO_TEXTS * sizeof(*r->memo));
	return &r->memo[hash_text(text) % MEMO_TEXTS];
}

static enum pattern_result
match_regex(struct regex *r, struct span text)
{
	struct regex_memo *memo = find_memo(r, text);

	if (memo != NULL && memo->set && span_eq(text_span(&memo->text), text))
		return memo->result;
	r->steps = r->place = 0;
	if (memo == NULL)
		return regex_result(find_match(r, text, 0, 0, r->data));
	memo->result = regex_result(find_match(r, text, 0, 0, r->data));
	memo->set = true;
	memo->text.len = 0;
	text_add_span(&memo->text, text);
	return memo->result;
}

/* Append a replacement, with $1 to $9 of the match. */
static void
add_replacement(struct regex *r, struct span text, int found, struct span with,
    struct text *out)
{
	const size_t *ends = pcre2_get_ovector_pointer(r->groups);

	for (size_t i = 0; i < with.len; i++) {
		int group = i + 1 < with.len ? with.p[i + 1] - '0' : 0;

		if (with.p[i] != '$' || group < 1 || group > 9) {
			text_add_char(out, with.p[i]);
			continue;
		}
		i++;
		if (group < found && ends[2 * group] != PCRE2_UNSET)
			text_add(out, text.p + ends[2 * group],
			    ends[2 * group + 1] - ends[2 * group]);
	}
}

static enum pattern_result
replace_regex(
    struct regex *r, struct span text, struct span with, struct text *out)
{
	size_t at = 0, start = out->len;
	const size_t *ends;
	int found;

	if (r->groups == NULL)
		r->groups = pcre2_match_data_create_from_pattern(r->fast, NULL);
	if (r->groups == NULL)
		return PATTERN_GAVE_UP;
	ends = pcre2_get_ovector_pointer(r->groups);
	r->steps = r->place = 0;
	while (
	    (found = find_match(r, text, at, PCRE2_NOTEMPTY, r->groups)) > 0) {
		if (ends[0] < at || ends[1] <= at)
			break; /* \K in a look-ahead */
		text_add(out, text.p + at, ends[0] - at);
		add_replacement(r, text, found, with, out);
		at = ends[1];
	}
	if (found < 0 && found != PCRE2_ERROR_NOMATCH)
		out->len = start; /* not half of them */
	else
		text_add(out, text.p + at, text.len - at);
	return found < 0 && at > 0 && found == PCRE2_ERROR_NOMATCH
		   ? PATTERN_YES
		   : regex_result(found);
}

static struct span
part_of(const struct regex *r, struct span text, const char *name, int found)
{
	const size_t *ends = pcre2_get_ovector_pointer(r->groups);
	int n = pcre2_substring_number_from_name(r->fast, (PCRE2_SPTR)name);

	if (n <= 0 || n >= found || ends[2 * n] == PCRE2_UNSET ||
	    ends[2 * n] > ends[2 * n + 1])
		return (struct span){NULL, 0};
	return (struct span){
	    text.p + ends[2 * n], ends[2 * n + 1] - ends[2 * n]};
}

static enum pattern_result
find_parts(struct regex *r, struct span text, const char *const *names,
    size_t count, struct span *parts)
{
	int found;

	if (r->groups == NULL)
		r->groups = pcre2_match_data_create_from_pattern(r->fast, NULL);
	if (r->groups == NULL)
		return PATTERN_GAVE_UP;
	r->steps = r->place = 0;
	found = find_match(r, text, 0, 0, r->groups);
	for (size_t i = 0; i < count && found > 0; i++)
		parts[i] = part_of(r, text, names[i], found);
	return regex_result(found);
}

static enum pattern_result
replace_literal(
    struct span text, struct span what, struct span with, struct text *out)
{
	enum pattern_result result = PATTERN_NO;
	const char *at;

	while (what.len > 0 && text.len > 0 &&
	       (at = memmem(text.p, text.len, what.p, what.len)) != NULL) {
		text_add(out, text.p, (size_t)(at - text.p));
		text_add_span(out, with);
		text.len -= (size_t)(at - text.p) + what.len;
		text.p = at + what.len;
		result = PATTERN_YES;
	}
	text_add_span(out, text);
	return result;
}

/* ---- all of them ---- */

enum pattern_result
pattern_match(const struct pattern *p, struct span text)
{
	bool found = false;

	if (text.len == 0)
		text.p = ""; /* which may be NULL */
	switch (p->form) {
	case EXACT:
		found = span_eq(text_span(&p->text), text);
		break;
	case CONTAINS:
		found =
		    memmem(text.p, text.len, p->text.p, p->text.len) != NULL;
		break;
	case GLOB:
		found = glob_match(text_span(&p->text), text);
		break;
	case REGEX:
		return match_regex(p->regex, text);
	}
	return found ? PATTERN_YES : PATTERN_NO;
}

enum pattern_result
pattern_replace(const struct pattern *p, struct span text, struct span with,
    struct text *out)
{
	if (text.len == 0)
		text.p = ""; /* which may be NULL */
	return p->form == REGEX
		   ? replace_regex(p->regex, text, with, out)
		   : replace_literal(text, text_span(&p->text), with, out);
}

enum pattern_result
pattern_parts(const struct pattern *p, struct span text,
    const char *const *names, size_t count, struct span *parts)
{
	if (text.len == 0)
		text.p = ""; /* which may be NULL */
	for (size_t i = 0; i < count; i++)
		parts[i] = (struct span){NULL, 0};
	return p->form == REGEX
		   ? find_parts(p->regex, text, names, count, parts)
		   : pattern_match(p, text);
}

void
pattern_free(struct pattern *p)
{
	if (p == NULL)
		return;
	regex_free(p->regex);
	text_free(&p->text);
	free(p);
}
