/*
 * kernel_parts.c - the parts of the name of a kernel by which people recognise
 * it
 *
 *	name     = [TYPE " "] {QUALIFIER "::"} BASE ["<" args ">"] [parameters]
 *	args     = argument {"," argument}
 *	argument = NUMBER | element type | name | name "::" lambda ...
 *	lambda   = "[lambda(" TYPE ") (instance " NUMBER ")]"
 *	         | "{lambda(" TYPE ")#" NUMBER "}"
 *
 * A name in arguments is an identity, followed by the parts of its own
 * arguments.  The name around lambdas has their numbers: pow_kernel#3.1.  Names
 * without a meaning for a kernel, its plumbing, are left out; so is an identity
 * whose words have all occurred.
 */

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "tq/base/array.h"
#include "tq/base/ascii.h"

#include "kernel_parts.h"

enum { DEEPEST = 32 }; /* arguments in arguments that are looked at */

static const char *const types[][2] = {{"float", "f32"}, {"double", "f64"},
    {"int", "i32"}, {"long", "i64"}, {"unsigned int", "u32"},
    {"unsigned long", "u64"}, {"bool", "bool"}, {"c10::Half", "f16"},
    {"__half", "f16"}, {"half_t", "f16"}, {"half", "f16"},
    {"c10::BFloat16", "bf16"}, {"bfloat16_t", "bf16"},
    {"__nv_bfloat16", "bf16"}, {"BFloat16", "bf16"}, {"Half", "f16"},
    {"Float32", "f32"}, {"Float64", "f64"}, {"signed char", "i8"},
    {"unsigned char", "u8"}, {"char", "char"}, {"short", "i16"}};

/* a name of plumbing: it begins and ends so, with a word between */
static const char *const plumbing[][2] = {{"gpu_kernel_impl", ""},
    {"Load", "Cast"}, {"Store", "Cast"}, {"", "_traits"}, {"policy", ""},
    {"Policy", ""}};
static const char *const plumbing_names[] = {"array", "Array",
    "TrivialOffsetCalculator", "OffsetCalculator", "TensorIteratorBase",
    "tuple", "pair", "basic_string", "allocator", "char", "const", "memory",
    "thrust"};

/* words that every kernel may have */
static const char *const common[] = {"kernel", "cuda", "functor", "op"};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- spans ---- */

static struct span
part(struct span s, size_t from, size_t to)
{
	return (struct span){s.p + from, to - from};
}

static bool
is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' ||
	       (unsigned char)c >= 0x80;
}

static struct span
trim_blanks(struct span s)
{
	while (s.len > 0 && s.p[0] == ' ')
		s = part(s, 1, s.len);
	while (s.len > 0 && s.p[s.len - 1] == ' ')
		s.len--;
	return s;
}

static void
add_part(struct part_list *l, struct span s)
{
	*array_add(&l->all, &l->count, &l->cap) = s;
}

static bool
has_part(const struct part_list *l, struct span s)
{
	for (size_t i = 0; i < l->count; i++)
		if (span_eq(l->all[i], s))
			return true;
	return false;
}

/* ---- spelling ---- */

/* The length of a cast of a number at the start of s, as "(int)"; else 0. */
static size_t
cast_length(struct span s)
{
	static const char *const casts[] = {"(int)", "(bool)", "(unsigned int)",
	    "(unsigned long)", "(long)", "(char)"};

	for (size_t i = 0; i < COUNT(casts); i++) {
		size_t n = strlen(casts[i]), digit = n;

		if (!span_begins(s, span_of(casts[i])))
			continue;
		digit += digit < s.len && s.p[digit] == '-';
		return digit < s.len && ascii_is_digit(s.p[digit]) ? n : 0;
	}
	return 0;
}

/* The name without casts, and with short words for long ones. */
static struct span
respell(struct span s, struct region *life)
{
	static const char *const words[][2] = {{"(anonymous namespace)", "@"},
	    {"<unnamed>", "@"}, {"operator ()", "operator()"}};
	char *p = region_get(life, s.len + 1);
	size_t n = 0;

	while (s.len > 0) {
		size_t skip = cast_length(s), w = 0;

		while (skip == 0 && w < COUNT(words) &&
		       !span_begins(s, span_of(words[w][0])))
			w++;
		if (skip == 0 && w < COUNT(words)) {
			size_t len = strlen(words[w][1]);

			memcpy(p + n, words[w][1], len);
			n += len;
			skip = strlen(words[w][0]);
		} else if (skip == 0) {
			p[n++] = s.p[0];
			skip = 1;
		}
		s = part(s, skip, s.len);
	}
	return (struct span){p, n};
}

/* ---- a name and its arguments ---- */

static int
nesting(char c)
{
	if (c == '<' || c == '(' || c == '[' || c == '{')
		return 1;
	return c == '>' || c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* a name taken apart */
struct name_parts {
	struct span last; /* the text behind the last "::" */
	struct span args; /* of its template */
};

/* The text behind the last "::" in n bytes at p. */
static struct span
last_of(const char *p, size_t n, struct region *life)
{
	size_t start = n;

	while (start > 0 &&
	       (start < 2 || p[start - 1] != ':' || p[start - 2] != ':'))
		start--;
	return region_copy(life, (struct span){p + start, n - start});
}

/* The arguments in s, which open at < and end before the last > before end. */
static struct span
args_of(struct span s, size_t open, size_t end)
{
	size_t close = end;

	if (open == SIZE_MAX)
		return SPAN("");
	while (close > open + 1 && s.p[close - 1] != '>')
		close--;
	return close > open + 1 ? part(s, open + 1, close - 1)
				: part(s, open + 1, end);
}

static struct name_parts
split_name(struct span s, struct region *life)
{
	struct text name = {0};
	struct name_parts parts;
	size_t open = SIZE_MAX, i = 0;
	long depth = 0;

	for (; i < s.len; i++) {
		char c = s.p[i];

		if (c == '(' && depth == 0 && i > 0)
			break;
		if (c == '<' && depth == 0)
			open = i;
		depth += nesting(c);
		if (c == ' ' && depth == 0) {
			name.len = 0;
			open = SIZE_MAX;
		} else if (depth == 0 && nesting(c) == 0) {
			text_add_char(&name, c);
		}
	}
	parts.last = last_of(name.p != NULL ? name.p : "", name.len, life);
	parts.args = args_of(s, open, i);
	text_free(&name);
	return parts;
}

/* The next argument of *args, which are those behind it then. */
static bool
next_argument(struct span *args, struct span *arg)
{
	long depth = 0;
	size_t i = 0;

	if (args->len == 0)
		return false;
	for (; i < args->len && (depth != 0 || args->p[i] != ','); i++)
		if (args->p[i] != '>' || i == 0 || args->p[i - 1] != '-')
			depth += nesting(args->p[i]);
	*arg = trim_blanks(part(*args, 0, i));
	*args = part(*args, i < args->len ? i + 1 : i, args->len);
	return true;
}

/* ---- lambdas ---- */

/* The number of a lambda whose text, up to its bracket, is s; else empty. */
static struct span
lambda_number(struct span s)
{
	bool instance = s.p[0] == '[';
	struct span before;
	size_t end = s.len, start;

	if (instance && (end == 0 || s.p[--end] != ')'))
		return SPAN("");
	for (start = end; start > 0 && ascii_is_digit(s.p[start - 1]);)
		start--;
	before = part(s, 0, start);
	if (start == end ||
	    !span_ends(before, instance ? SPAN(") (instance ") : SPAN(")#")))
		return SPAN("");
	return part(s, start, end);
}

/* Append the numbers of all lambdas in s, separated by dots. */
static void
add_lambdas(struct text *t, struct span s)
{
	for (size_t i = 0; i + 8 < s.len; i++) {
		struct span number;
		size_t end = i + 1;

		if (!span_begins(part(s, i, s.len), SPAN("[lambda(")) &&
		    !span_begins(part(s, i, s.len), SPAN("{lambda(")))
			continue;
		while (end < s.len && s.p[end] != s.p[i] &&
		       s.p[end] != (s.p[i] == '[' ? ']' : '}'))
			end++;
		if (end == s.len || s.p[end] == s.p[i])
			continue;
		number = lambda_number(part(s, i, end));
		if (number.len == 0)
			continue;
		text_add_char(t, t->len > 0 ? '.' : '#');
		text_add_span(t, number);
		i = end;
	}
}

/* The start of the first lambda in s; its length if there is none. */
static size_t
first_lambda(struct span s)
{
	size_t i = 0;

	while (i < s.len && !span_begins(part(s, i, s.len), SPAN("[lambda")) &&
	       !span_begins(part(s, i, s.len), SPAN("{lambda")))
		i++;
	return i;
}

/* ---- arguments ---- */

static const char *
type_of(struct span s)
{
	for (size_t i = 0; i < COUNT(types); i++)
		if (span_eq(s, span_of(types[i][0])))
			return types[i][1];
	return NULL;
}

static bool
is_plumbing(struct span s)
{
	size_t digits = 1;

	for (size_t i = 0; i < COUNT(plumbing_names); i++)
		if (span_eq(s, span_of(plumbing_names[i])))
			return true;
	for (size_t i = 0; i < COUNT(plumbing); i++)
		if (span_begins(s, span_of(plumbing[i][0])) &&
		    span_ends(s, span_of(plumbing[i][1])))
			return true;
	if (s.len == 0 || s.p[0] < 'A' || s.p[0] > 'Z')
		return false;
	while (digits < s.len && ascii_is_digit(s.p[digits]))
		digits++;
	return digits == s.len && (s.len == 1 || s.p[0] == 'T');
}

static bool
is_number(struct span s)
{
	size_t i = s.len > 0 && s.p[0] == '-', start = i;

	while (i < s.len && ascii_is_digit(s.p[i]))
		i++;
	return i == s.len && i > start;
}

static bool
is_identifier(struct span s)
{
	if (s.len == 0 || ascii_is_digit(s.p[0]) ||
	    (s.p[0] != '@' && !is_word_char(s.p[0])))
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (!is_word_char(s.p[i]))
			return false;
	return true;
}

/* the parts of an argument, and where their texts live */
struct leaves {
	struct kernel_parts *p;
	struct part_list words; /* that have occurred */
	struct region *life;
};

/* The next word of a name from *i on: it ends where a lowercase letter does. */
static bool
next_word(struct span s, size_t *i, struct span *word)
{
	size_t start;

	while (*i < s.len && !isalpha((unsigned char)s.p[*i]))
		++*i;
	start = *i;
	while (*i < s.len && isalpha((unsigned char)s.p[*i]) &&
	       (*i == start || !islower((unsigned char)s.p[*i - 1]) ||
		   !isupper((unsigned char)s.p[*i])))
		++*i;
	*word = part(s, start, *i);
	return word->len > 0;
}

static bool
is_known(const struct leaves *l, struct span word)
{
	for (size_t i = 0; i < COUNT(common); i++)
		if (word.len == strlen(common[i]) &&
		    strncasecmp(word.p, common[i], word.len) == 0)
			return true;
	for (size_t i = 0; i < l->words.count; i++)
		if (l->words.all[i].len == word.len &&
		    strncasecmp(l->words.all[i].p, word.p, word.len) == 0)
			return true;
	return false;
}

/* The words of a name have occurred; true if one had not before. */
static bool
learn_words(struct leaves *l, struct span name)
{
	struct span word;
	size_t i = 0, known = l->words.count;

	while (next_word(name, &i, &word))
		if (!is_known(l, word))
			add_part(&l->words, word);
	return l->words.count > known;
}

static void
add_identity(struct leaves *l, struct span name, struct span lambdas)
{
	struct text whole = {0};
	bool new = lambdas.len > 0;

	text_add_span(&whole, name);
	text_add_span(&whole, lambdas);
	if (!has_part(&l->p->identities, text_span(&whole)) &&
	    (learn_words(l, name) || new))
		add_part(
		    &l->p->identities, region_copy(l->life, text_span(&whole)));
	text_free(&whole);
}

/* The type of the last parameter list of a lambda in s, if it is one. */
static const char *
lambda_type(struct span s)
{
	const char *type = NULL;

	for (size_t i = 0; i + 7 <= s.len; i++) {
		size_t end = i + 7;

		if (!span_begins(part(s, i, s.len), SPAN("lambda(")))
			continue;
		while (end < s.len && s.p[end] != '(' && s.p[end] != ')')
			end++;
		if (end < s.len && s.p[end] == ')')
			type = type_of(part(s, i + 7, end));
	}
	return type;
}

static void add_arguments(struct leaves *l, struct span args, int depth);

/* An argument that has lambdas with these numbers. */
static void
add_function(struct leaves *l, struct span arg, struct span lambdas, int depth)
{
	struct span around = part(arg, 0, first_lambda(arg));
	struct name_parts name;
	const char *type = lambda_type(arg);

	while (around.len > 0 && around.p[around.len - 1] == ':')
		around.len--;
	name = split_name(around, l->life);
	if (is_plumbing(name.last)) {
		add_arguments(l, name.args, depth);
		return;
	}
	add_identity(
	    l, name.last.len > 0 ? name.last : SPAN("lambda"), lambdas);
	if (type != NULL)
		add_part(&l->p->types, span_of(type));
}

static void
add_argument(struct leaves *l, struct span arg, int depth)
{
	struct text lambdas = {0};
	struct name_parts name;

	if (is_number(arg)) {
		add_part(&l->p->numbers, arg);
		return;
	}
	if (type_of(arg) != NULL) {
		add_part(&l->p->types, span_of(type_of(arg)));
		return;
	}
	add_lambdas(&lambdas, arg);
	if (lambdas.len > 0) {
		add_function(l, arg, text_span(&lambdas), depth);
		text_free(&lambdas);
		return;
	}
	name = split_name(arg, l->life);
	if (type_of(name.last) != NULL) {
		add_part(&l->p->types, span_of(type_of(name.last)));
		return;
	}
	if (!is_plumbing(name.last) && is_identifier(name.last))
		add_identity(l, name.last, SPAN(""));
	add_arguments(l, name.args, depth);
}

static void
add_arguments(struct leaves *l, struct span args, int depth)
{
	struct span arg;

	while (depth < DEEPEST && next_argument(&args, &arg))
		if (arg.len > 0)
			add_argument(l, arg, depth + 1);
}

void
kernel_parts_find(struct kernel_parts *p, struct span name, struct region *life)
{
	struct leaves l = {.p = p, .life = life};
	struct name_parts parts = split_name(respell(name, life), life);

	*p = (struct kernel_parts){
	    .base = parts.last.len > 0 ? parts.last : region_copy(life, name)};
	learn_words(&l, p->base);
	add_arguments(&l, parts.args, 0);
	free(l.words.all);
}

void
kernel_parts_free(struct kernel_parts *p)
{
	free(p->identities.all);
	free(p->types.all);
	free(p->numbers.all);
}
