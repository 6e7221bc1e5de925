/*
 * range_spec.c - instances of ranges, selected by name
 *
 *	spec   = name [ "@" domain ] [ "/" index ]
 *	name   = TEXT | "~" REGEX
 *	domain = TEXT | "~" REGEX | "*"
 *	index  = NUMBER [ ".." [ NUMBER ] ] | "median"
 *	step   = spec | "serve:" class [ "/" index ]
 */

#include <errno.h>
#include <stdlib.h>

#include "tq/ask/range_spec.h"
#include "tq/base/mem.h"
#include "tq/base/units.h"

/*
 * Loops call them step, iteration or batch, with a number or without one, and
 * often with the word training.  Steps of something else, as of an optimizer,
 * are parts of a step.
 */
static const char step_names[] =
    "(?i)^(?:"
    /* the profiler of PyTorch, and Lightning */
    "profilerstep(?:#\\d+|\\*)?|\\[pl\\]\\[profile\\]run_training_batch|"
    "(?:(?:global|train|training)[ _.-]?)?"
    "(?:step|iteration|iter|(?:mini[ _-]?)?batch)"
    "(?:[ _-]?(?:idx|index|id|no|num|number))?"
    /* 12, #12, [12], _12, 0 to 1, 3/100, 3 of 100 */
    "(?:[ _.:=#-]*[(\\[]?\\d+(?: ?(?:to|of|/|-) ?\\d+)?[)\\]]?)?"
    ")$";

/* A name of theirs begins with one of these, as a capital letter or not; to ask
   for it first spares most names the regular expression. */
static const char step_initials[] = "p[gtsimb";

/* A part of the text that was given, so that its place is known. */
struct parts {
	struct span name, domain, index; /* p is NULL where there is none */
};

static size_t
count_digits(struct span s)
{
	size_t n = 0;

	while (n < s.len && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n;
}

static bool
is_index(struct span s, bool steps)
{
	size_t n = count_digits(s);

	if (steps && span_eq(s, SPAN("median")))
		return true;
	if (n == 0 || n == s.len)
		return n > 0;
	s = (struct span){s.p + n, s.len - n};
	return s.len >= 2 && memcmp(s.p, "..", 2) == 0 &&
	       count_digits((struct span){s.p + 2, s.len - 2}) == s.len - 2;
}

/* bytes of the item at i: an escape is one item */
static size_t
width(struct span s, size_t i)
{
	return s.p[i] == '\\' && i + 1 < s.len ? 2 : 1;
}

/* cut s at i: returns the text behind that byte */
static struct span
cut(struct span *s, size_t i)
{
	struct span rest = {s->p + i + 1, s->len - i - 1};

	s->len = i;
	return rest;
}

static const char *
split(struct parts *x, struct span s, bool steps, size_t *at)
{
	size_t slash = s.len, sign = s.len;

	*x = (struct parts){0};
	for (size_t i = 0; i < s.len; i += width(s, i))
		if (s.p[i] == '/')
			slash = i;
	if (slash < s.len &&
	    is_index((struct span){s.p + slash + 1, s.len - slash - 1}, steps))
		x->index = cut(&s, slash);
	for (size_t i = 0; i < s.len; i += width(s, i))
		if (s.p[i] == '@') {
			*at = i;
			if (sign < s.len)
				return "a second '@': in a name it is \\@";
			sign = i;
		}
	if (sign < s.len)
		x->domain = cut(&s, sign);
	x->name = s;
	return NULL;
}

/* the number at the start of s, which is behind it then; false: too large */
static bool
take_number(struct span *s, int64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoll(s->p, &end, 10); /* ends at a byte that is no digit */
	s->len -= (size_t)(end - s->p);
	s->p = end;
	return errno == 0;
}

static const char *
parse_index(struct range_spec *r, struct span s)
{
	bool fits;

	r->first = 0;
	r->last = RANGE_SPEC_LAST;
	if (s.p == NULL)
		return NULL;
	if (*s.p == 'm') {
		r->median = true;
		return NULL;
	}
	fits = take_number(&s, &r->first);
	if (s.len == 0)
		r->last = r->first;
	else if (s.len > 2) {
		s = (struct span){s.p + 2, s.len - 2};
		fits &= take_number(&s, &r->last);
	}
	if (!fits)
		return "an index is too large";
	return r->first <= r->last ? NULL
				   : "the last index is before the first";
}

/* True if c stands for itself behind a backslash. */
static bool
is_escaped(char c, bool regex)
{
	return memchr("@/~*\\", c, regex ? 2 : 5) != NULL;
}

static const char *
unescape(struct text *t, struct span s, bool regex, size_t *at)
{
	for (size_t i = 0; i < s.len; i += width(s, i)) {
		if (s.p[i] != '\\') {
			text_add_char(t, s.p[i]);
			continue;
		}
		*at = i;
		if (i + 1 == s.len)
			return "nothing stands behind the \\";
		if (!is_escaped(s.p[i + 1], regex)) {
			if (!regex)
				return "expected one of @ / ~ * \\ behind a \\";
			text_add_char(t, '\\');
		}
		text_add_char(t, s.p[i + 1]);
	}
	return NULL;
}

/* where in s the byte at of its unescaped form is from */
static size_t
place_in(struct span s, size_t at)
{
	size_t i = 0;

	while (i < s.len && at > 0) {
		size_t n = width(s, i), out = n;

		if (n == 2 && is_escaped(s.p[i + 1], true))
			out = 1;
		if (out > at)
			return i + at;
		at -= out;
		i += n;
	}
	return i;
}

/*
 * The pattern for a name or domain; NULL with *error set, and *at, a place
 * in text.  A TEXT is added to plain, unless that is NULL.
 */
static struct pattern *
compile(const char *text, struct span s, struct text *plain, const char **error,
    size_t *at)
{
	bool regex = s.len > 0 && *s.p == '~';
	struct pattern *p = NULL;
	struct text t = {0};

	if (regex)
		s = (struct span){s.p + 1, s.len - 1};
	*at = 0;
	/* *error is the missing part if s is empty */
	if (s.len > 0 && (*error = unescape(&t, s, regex, at)) == NULL) {
		if (!regex)
			p = pattern_exact(text_span(&t));
		else if ((p = pattern_regex(text_span(&t), false, error, at)) ==
			 NULL)
			*at = place_in(s, *at);
	}
	*at += (size_t)(s.p - text);
	if (plain != NULL && !regex)
		text_add_span(plain, text_span(&t));
	text_free(&t);
	return p;
}

static const char *
compile_domain(
    struct range_spec *r, const char *text, struct span s, size_t *at)
{
	const char *error = "expected a domain behind the '@'";

	if (s.p == NULL)
		r->domain = pattern_exact(SPAN(""));
	else if (!span_eq(s, SPAN("*")) &&
		 (r->domain = compile(text, s, NULL, &error, at)) == NULL)
		return error;
	return NULL;
}

static const char no_index[] =
    "expected an index, as 3, 0..4, NAME/3 or median";

static const char *
parse(struct range_spec *r, const char *text, bool steps, size_t *at)
{
	const char *error;
	struct parts x;

	if ((error = split(&x, span_of(text), steps, at)) != NULL)
		return error;
	if (steps && x.index.p == NULL) {
		*at = strlen(text);
		return no_index;
	}
	if ((error = parse_index(r, x.index)) != NULL) {
		*at = (size_t)(x.index.p - text);
		return error;
	}
	error = "expected the name of a range";
	if ((r->name = compile(text, x.name, &r->plain, &error, at)) == NULL)
		return error;
	return compile_domain(r, text, x.domain, at);
}

const char *
range_spec_parse(struct range_spec *r, const char *text, size_t *at)
{
	const char *error;

	*r = (struct range_spec){0};
	if ((error = parse(r, text, false, at)) != NULL)
		range_spec_free(r);
	return error;
}

static const char *
parse_serve(struct range_spec *r, const char *text, size_t *at)
{
	const size_t start = sizeof("serve:") - 1;
	struct parts x;
	const char *error;

	if ((error = split(&x, span_of(text + start), true, at)) != NULL ||
	    (error = parse_index(r, x.index)) != NULL)
		return error;
	*at = start;
	r->class = serve_rules_class_of(x.name);
	if (r->class == SERVE_CLASSES && !span_eq(x.name, SPAN("all")))
		return "expected all, prefill, decode, mixed, idle, verify, "
		       "draft, denoise or unknown";
	text_add_str(&r->plain, text);
	r->name = pattern_exact(text_span(&r->plain));
	r->serve = serve_rules_open(NULL);
	return NULL;
}

const char *
range_spec_parse_step(struct range_spec *r, const char *text, size_t *at)
{
	struct span s = span_of(text);
	const char *error;

	*r = (struct range_spec){0};
	*at = 0;
	if (span_begins(s, SPAN("serve:")))
		error = parse_serve(r, text, at);
	else if (!is_index(s, true))
		error = parse(r, text, true, at);
	else if ((error = parse_index(r, s)) == NULL) {
		r->name = pattern_regex(span_of(step_names), false, &error, at);
		r->initials = step_initials;
	}
	if (error != NULL)
		range_spec_free(r);
	return error;
}

const char *
range_spec_parse_steps(struct range_spec *r, const char *text, size_t *at)
{
	const char *error = range_spec_parse_step(r, text, at);

	if (error == no_index)
		return "expected an index, as 3, 0..4 or NAME/3";
	if (error != NULL || !r->median)
		return error;
	range_spec_free(r);
	*at = 0;
	return "the median is known at the end only: expected K or A..B";
}

static bool
begins_with_any(struct span name, const char *initials)
{
	int c = name.len > 0 ? (unsigned char)*name.p : 0;

	c = c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
	return c != 0 && strchr(initials, c) != NULL;
}

enum pattern_result
range_spec_match(
    const struct range_spec *r, struct span name, struct span domain)
{
	enum pattern_result result;
	struct serve_counts c;

	if (r->serve != NULL)
		return serve_rules_step(r->serve, name, &c) &&
			       (r->class == SERVE_CLASSES ||
				   r->class == c.class)
			   ? PATTERN_YES
			   : PATTERN_NO;
	if (r->initials != NULL && !begins_with_any(name, r->initials))
		return PATTERN_NO;
	result = pattern_match(r->name, name);
	if (result != PATTERN_YES || r->domain == NULL)
		return result;
	return pattern_match(r->domain, domain);
}

enum pattern_result
range_spec_match_event(const struct range_spec *r, const struct event *ev,
    struct text *scratch, struct span *name)
{
	struct span own, domain;

	/* both may be decoded to it: the first must not move */
	scratch->len = 0;
	text_reserve(
	    scratch, ev->value[KEY_name].len + ev->value[KEY_domain].len);
	own = event_str(ev, KEY_name, scratch);
	domain = event_str(ev, KEY_domain, scratch);
	if (name != NULL)
		*name = own;
	return range_spec_match(r, own, domain);
}

bool
range_spec_is_part(
    struct map *ends, uint64_t process, uint64_t thread, int64_t end)
{
	uint64_t *slot = map_get(ends, process, thread);
	/* so that a new slot, which is 0, is before all ends */
	int64_t last = (int64_t)(*slot ^ (uint64_t)INT64_MIN);

	if (*slot != 0 && last != INT64_MAX && end <= last)
		return true;
	*slot = (uint64_t)end ^ (uint64_t)INT64_MIN;
	return false;
}

void
range_spec_free(struct range_spec *r)
{
	pattern_free(r->name);
	pattern_free(r->domain);
	serve_rules_free(r->serve);
	text_free(&r->plain);
	*r = (struct range_spec){0};
}
