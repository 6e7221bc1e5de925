/* opts.c - the command line of a tool: a table with a row for each option */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/base/shell.h"
#include "tq/base/text.h"
#include "tq/io/note.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"
#include "tq/line/schema.h"

enum { MOST = 128 }; /* options of a tool */

/* ---- the synopsis ---- */

enum {
	WIDTH = 80,
	WORDS_MOST = 24 /* bytes of "a|b|c", which stand for the value's name */
};

struct synopsis {
	FILE *to;
	int indent, column; /* of the words behind the tool; of what is next */
};

static void
begin_form(struct synopsis *s, const char *before, const char *tool)
{
	s->column = fprintf(s->to, "%s%s", before, tool);
	s->indent = s->column;
}

static void
add_word(struct synopsis *s, struct span word)
{
	if (s->column + 1 + (int)word.len > WIDTH)
		s->column = fprintf(s->to, "\n%*s", s->indent, "") - 1;
	s->column += fprintf(s->to, " %.*s", (int)word.len, word.p);
}

/* words between spaces, or between brackets */
static void
add_words(struct synopsis *s, const char *words)
{
	int depth = 0;
	const char *start = words;

	for (; *words != '\0'; words++) {
		depth += (*words == '[') - (*words == ']');
		if (*words == ' ' && depth == 0) {
			add_word(s, (struct span){start, words - start});
			start = words + 1;
		}
	}
	add_word(s, span_of(start));
}

static bool
is_flag(const struct opt *opt)
{
	return opt->help != NULL && opt->letter != 0 && opt->value == NULL;
}

/* the letters of options without a value, "[-hqV]" */
static void
add_flags(struct synopsis *s, const struct opt *all)
{
	struct text t = {0};

	for (const struct opt *opt = all; opt->name != NULL; opt++)
		if (is_flag(opt))
			text_add_char(&t, opt->letter);
	if (t.len > 0) {
		char flags[2 * MOST];
		int n = sprintf(flags, "[-%.*s]", (int)t.len, t.p);

		add_word(s, (struct span){flags, (size_t)n});
	}
	text_free(&t);
}

static bool
is_one_word_of_few(const struct opt *opt)
{
	return opt->words != NULL && opt->how != OPT_BITS &&
	       strlen(opt->words) <= WORDS_MOST;
}

static void
add_option(struct synopsis *s, const struct opt *opt)
{
	const char *value = is_one_word_of_few(opt) ? opt->words : opt->value;
	bool brackets = opt->synopsis == OPT_MAY_BE;
	struct text t = {0};

	text_add_str(&t, brackets ? "[" : "");
	if (opt->letter != 0)
		text_printf(&t, "-%c", opt->letter);
	else
		text_printf(&t, "--%s", opt->name);
	if (value != NULL)
		text_printf(&t, "%s%s", *value == '[' ? "" : " ", value);
	text_add_str(&t, brackets ? "]" : "");
	add_word(s, text_span(&t));
	text_free(&t);
}

void
opts_synopsis(const struct opts *o, FILE *to)
{
	struct synopsis s = {.to = to};

	begin_form(&s, "usage: ", o->tool);
	add_flags(&s, o->all);
	for (const struct opt *opt = o->all; opt->name != NULL; opt++)
		if (opt->help != NULL && !is_flag(opt) &&
		    opt->synopsis != OPT_ELSEWHERE)
			add_option(&s, opt);
	add_words(&s, o->operands);
	for (size_t i = 0; i < 4 && o->forms[i] != NULL; i++) {
		begin_form(&s, "\n       ", o->tool);
		s.indent = --s.column; /* without the end of line */
		add_words(&s, o->forms[i]);
	}
	fprintf(to, "\n");
}

/* ---- --help and --version ---- */

static _Noreturn void
exit_written(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TQ_FAIL, "<stdout>");
	exit(TQ_OK);
}

/* the names of an option and of its value, then its text from a column on */
static void
show_option(const struct opt *opt, int column)
{
	const char *value = opt->value != NULL ? opt->value : "";
	const char *separator = *value != '\0' && *value != '[' ? " " : "";
	char letter[] = {'-', opt->letter, ',', '\0'};
	int width = printf("  %-3s --%s%s%s", opt->letter != 0 ? letter : "",
	    opt->name, separator, value);

	for (const char *line = opt->help;; width = 0) {
		int length = (int)strcspn(line, "\n");
		int gap = column - width < 2 ? 2 : column - width;

		printf("%*s%.*s\n", gap, "", length, line);
		line += length;
		if (*line++ == '\0')
			break;
	}
}

static _Noreturn void
show_help(const struct opts *o)
{
	opts_synopsis(o, stdout);
	printf("\n");
	for (const struct opt *opt = o->all; opt->name != NULL; opt++)
		if (opt->help != NULL)
			show_option(opt, o->column);
	if (o->more != NULL) {
		printf("\n");
		o->more(stdout);
	}
	exit_written();
}

static _Noreturn void
show_version(const struct opts *o)
{
	printf("%s %s", o->tool, TQ_VERSION);
	if (o->commit != NULL && *o->commit != '\0')
		printf(" (%s)", o->commit);
	printf("\n");
	exit_written();
}

_Noreturn void
opts_usage(const struct opts *o)
{
	opts_synopsis(o, stderr);
	exit(o->status);
}

void
opts_need_input(const struct opts *o, char **operands)
{
	if (*operands == NULL && isatty(STDIN_FILENO))
		opts_usage(o);
}

/* ---- values ---- */

static int
word_number(const char *words, struct span word)
{
	for (int i = 0;; i++) {
		size_t len = strcspn(words, "|");

		if (len == word.len && memcmp(words, word.p, len) == 0)
			return i;
		if (words[len] == '\0')
			return -1;
		words += len + 1;
	}
}

int
opts_word(const char *words, const char *word)
{
	return word_number(words, span_of(word));
}

struct span
opts_word_at(const char *words, int i)
{
	while (i-- > 0)
		words += strcspn(words, "|") + 1;
	return (struct span){words, strcspn(words, "|")};
}

int
opts_word_of_file(const char *words, const char *file)
{
	struct span name = zio_plain_name(file != NULL ? file : "");
	size_t dot = name.len;
	char word[16];
	int number;

	while (dot > 0 && name.p[dot - 1] != '.' && name.p[dot - 1] != '/')
		dot--;
	if (dot < 2 || name.p[dot - 1] != '.' || name.p[dot - 2] == '/' ||
	    name.len - dot >= sizeof(word))
		return 0;
	memcpy(word, name.p + dot, name.len - dot);
	word[name.len - dot] = '\0';
	number = opts_word(words, strcmp(word, "md") == 0 ? "markdown" : word);
	return number > 0 ? number : 0;
}

char *
opts_list(const char *words)
{
	struct text t = {0};

	for (const char *p = words; *p != '\0'; p++)
		if (*p != '|')
			text_add_char(&t, *p);
		else
			text_add_str(&t, strchr(p + 1, '|') ? ", " : " or ");
	text_add_char(&t, '\0');
	return t.p;
}

_Noreturn void
opts_refuse(
    int status, const char *name, struct span value, const char *problem)
{
	char *word = mem_copy(value.p, value.len);
	struct text t = {0};

	shell_add_word(&t, word);
	errx(status, "--%s %.*s: %s", name, (int)t.len, t.p, problem);
}

_Noreturn void
opts_refuse_word(
    int status, const char *name, struct span value, const char *words)
{
	char *problem;

	if (asprintf(&problem, "expected %s", opts_list(words)) < 0)
		err(status, "--%s", name);
	opts_refuse(status, name, value, problem);
}

unsigned
opts_bits(int status, const char *name, struct span list, char separator,
    const char *words)
{
	unsigned bits = 0;

	for (bool more = true; more;) {
		struct span word = list;
		const char *end = memchr(list.p, separator, list.len);
		int i;

		more = end != NULL;
		if (more)
			word.len = (size_t)(end - word.p);
		list.p += word.len + more;
		list.len -= word.len + more;
		/* as nsys spells it */
		if (span_eq(word, SPAN("false")))
			word = SPAN("none");
		if ((i = word_number(words, word)) < 0)
			opts_refuse_word(status, name, word, words);
		if (!span_eq(word, SPAN("none")))
			bits |= 1u << i;
	}
	return bits;
}

const char *
opts_numbers(const char *list, int64_t **all, size_t *count)
{
	do {
		char *end;
		int64_t v;

		errno = 0;
		v = strtoll(list, &end, 10);
		if (*list < '0' || *list > '9' || errno != 0 ||
		    (*end != ',' && *end != '\0'))
			return "expected numbers, as in 0,2,5";
		if (all != NULL) {
			*all = mem_resize(*all, *count + 1, sizeof(**all));
			(*all)[(*count)++] = v;
		}
		list = end + 1;
	} while (list[-1] == ',');
	return NULL;
}

/* ---- the words of the stream ---- */

static void
list_kinds(FILE *f)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		fprintf(f, "  %-12s %s\n", schema_kinds[k].name,
		    schema_kinds[k].doc);
}

_Noreturn void
opts_no_kind(struct span name)
{
	struct suggestion near = {.word = name};

	schema_near_kinds(&near);
	if (near.best[0].text != NULL)
		errx(TQ_USAGE, "no kind of record is named '%.*s'%s",
		    (int)name.len, name.p, suggestion_text(&near));
	warnx("no kind of record is named '%.*s'; there are:", (int)name.len,
	    name.p);
	list_kinds(stderr);
	exit(TQ_USAGE);
}

void
opts_kinds(const char *list, uint64_t *kinds)
{
	struct suggestion near = {0};

	if (strcmp(list, "help") == 0) {
		list_kinds(stdout);
		exit_written();
	}
	if (!schema_choose(list, kinds, &near.word.p, &near.word.len))
		opts_no_kind(near.word);
}

_Noreturn void
opts_no_key(const char *name, size_t len)
{
	struct suggestion near = {.word = {name, len}};

	schema_near_keys(&near);
	errx(TQ_USAGE, "'%.*s' is no key of a record%s", (int)len, name,
	    near.best[0].text != NULL ? suggestion_text(&near)
				      : ": tq-extract --schema lists them");
}

/* ---- values that have a range ---- */

static void
add_count(struct text *t, int64_t v)
{
	text_printf(t, "%" PRId64, v);
}

static void
add_percent(struct text *t, int64_t v)
{
	add_count(t, v / UNITS_PERCENT);
}

/* Refuse a value that is not what, from least to most. */
static _Noreturn void
refuse_range(const struct opts *o, const struct opt *opt, const char *value,
    const char *what, void (*add)(struct text *, int64_t))
{
	struct text t = {0};

	text_printf(&t, "expected %s", what);
	if (opt->least == 1 && add != add_count) {
		text_add_str(&t, " above 0");
	} else if (opt->least > 0 || opt->most < INT64_MAX) {
		text_add_str(&t, " from ");
		add(&t, opt->least);
	}
	if (opt->most < INT64_MAX) {
		text_add_str(&t, " to ");
		add(&t, opt->most);
	}
	text_add_char(&t, '\0');
	opts_refuse(o->status, opt->name, span_of(value), t.p);
}

static bool
is_within(const struct opt *opt, int64_t v)
{
	return v >= opt->least && v <= opt->most;
}

static int64_t
read_count(const struct opts *o, const struct opt *opt, const char *value)
{
	char *end;
	int64_t v;

	errno = 0;
	v = strtoll(value, &end, 10);
	if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 ||
	    !is_within(opt, v))
		refuse_range(o, opt, value, "a number", add_count);
	return v;
}

static int64_t
read_time(const struct opts *o, const struct opt *opt, const char *value)
{
	int64_t ns;
	const char *bad = opt->unit != NULL
			      ? units_option_time_in(value, opt->unit, &ns)
			      : units_option_time(value, &ns);

	if (bad == NULL && ns < 0 && opt->least == 0)
		bad = "a duration is not negative";
	if (bad != NULL)
		opts_refuse(o->status, opt->name, span_of(value), bad);
	if (!is_within(opt, ns))
		refuse_range(o, opt, value, "a duration", units_add_time);
	return ns;
}

static int64_t
read_size(const struct opts *o, const struct opt *opt, const char *value)
{
	int64_t bytes;

	if (value == NULL)
		return opt->number;
	if (!units_size(value, &bytes) || !is_within(opt, bytes))
		refuse_range(o, opt, value, "a size", units_add_size);
	return bytes;
}

static int64_t
read_percent(const struct opts *o, const struct opt *opt, const char *value)
{
	int64_t parts;

	if (value == NULL)
		return (int64_t)opt->number * UNITS_PERCENT;
	if (!units_percent(value, &parts) || !is_within(opt, parts) ||
	    (opt->how == OPT_PERCENT_WHOLE && parts % UNITS_PERCENT != 0))
		refuse_range(o, opt, value,
		    opt->how == OPT_PERCENT_WHOLE ? "a whole percentage"
						  : "a percentage",
		    add_percent);
	return parts;
}

static const char *
read_numbers(const struct opts *o, const struct opt *opt, const char *value)
{
	const char *bad = opts_numbers(value, NULL, NULL);

	if (bad != NULL)
		opts_refuse(o->status, opt->name, span_of(value), bad);
	return value;
}

static int
read_word(const struct opts *o, const struct opt *opt, const char *value)
{
	int number = opts_word(opt->words, value);

	if (number < 0)
		opts_refuse_word(
		    o->status, opt->name, span_of(value), opt->words);
	return number;
}

static void
apply(const struct opts *o, const struct opt *opt, void *settings,
    const char *value)
{
	void *to = (char *)settings + opt->to;
	int number = opt->number;
	const char *bad;

	if (opt->words != NULL && opt->how != OPT_BITS)
		number = read_word(o, opt, value);
	switch (opt->how) {
	case OPT_SHOW_HELP:
		show_help(o);
	case OPT_SHOW_VERSION:
		show_version(o);
	case OPT_SILENCE:
		note_silence();
		break;
	case OPT_BOOL:
		*(bool *)to = number != 0;
		break;
	case OPT_INT:
		*(int *)to = number;
		break;
	case OPT_STRING:
		*(const char **)to = value;
		break;
	case OPT_COUNT_INT:
		*(int *)to = (int)read_count(o, opt, value);
		break;
	case OPT_COUNT_INT64:
		*(int64_t *)to = read_count(o, opt, value);
		break;
	case OPT_COUNT_SIZE:
		*(size_t *)to = (size_t)read_count(o, opt, value);
		break;
	case OPT_NS:
		*(int64_t *)to = read_time(o, opt, value);
		break;
	case OPT_BYTES:
		*(int64_t *)to = read_size(o, opt, value);
		break;
	case OPT_PERCENT_WHOLE:
		*(int64_t *)to = read_percent(o, opt, value) / UNITS_PERCENT;
		break;
	case OPT_PERCENT_DOUBLE:
		*(double *)to =
		    (double)read_percent(o, opt, value) / UNITS_PERCENT;
		break;
	case OPT_PART:
		*(double *)to =
		    (double)read_percent(o, opt, value) / UNITS_PERCENT / 100;
		break;
	case OPT_BITS:
		*(unsigned *)to = opts_bits(
		    o->status, opt->name, span_of(value), ',', opt->words);
		break;
	case OPT_NUMBERS_TEXT:
		*(const char **)to = read_numbers(o, opt, value);
		break;
	case OPT_FUNCTION:
		opt->take(to, value);
		break;
	case OPT_PARSER:
		if ((bad = opt->parse(to, value)) != NULL)
			opts_refuse(o->status, opt->name, span_of(value), bad);
	}
}

void
opts_take_file(void *member, const char *value)
{
	*(const char **)member = strcmp(value, "-") == 0 ? NULL : value;
}

/* ---- getopt_long ---- */

/* what getopt_long returns for an option */
static int
code(const struct opts *o, const struct opt *opt)
{
	return opt->letter != 0 ? opt->letter : 256 + (int)(opt - o->all);
}

/* a long name that is of no option, or begins those of several */
static void
name_unknown(const struct opts *o, const struct option *names, const char *arg)
{
	struct suggestion near = {.word = {arg + 2, strcspn(arg + 2, "=")}};
	char several[MOST * 32], *end = several;

	for (; names->name != NULL; names++)
		if (strncmp(names->name, near.word.p, near.word.len) == 0)
			end += snprintf(end,
			    (size_t)(several + sizeof(several) - end),
			    " '--%s'", names->name);
	if (end != several) {
		warnx(
		    "option '%s' is ambiguous; possibilities:%s", arg, several);
		return;
	}
	warnx("unrecognized option '%s'", arg);
	for (const struct opt *opt = o->all; opt->name != NULL; opt++)
		if (opt->help != NULL)
			suggestion_consider(&near, opt->name);
	if (near.best[0].text == NULL)
		return;
	warnx("did you mean --%s?", near.best[0].text);
	exit(o->status);
}

/*
 * What is wrong with an option is said in the words of glibc's getopt_long(3),
 * which a person knows from other tools; musl has others.  found is what
 * getopt_long returned: ':' where a value is missing.
 */
static _Noreturn void
refuse_option(
    const struct opts *o, const struct option *names, int found, char *argv[])
{
	/* where a letter lacks its value, musl counts the end of argv, too */
	const char *arg =
	    argv[optind - 1] != NULL ? argv[optind - 1] : argv[optind - 2];
	const struct option *known = names;

	while (known->name != NULL && (optopt == 0 || known->val != optopt))
		known++;
	if (found == ':' && strncmp(arg, "--", 2) == 0)
		warnx("option '--%s' requires an argument", known->name);
	else if (found == ':')
		warnx("option requires an argument -- '%c'", optopt);
	else if (known->name != NULL)
		warnx("option '--%s' doesn't allow an argument", known->name);
	else if (optopt != 0)
		warnx("invalid option -- '%c'", optopt);
	else
		name_unknown(o, names, arg);
	warnx("--help lists the options");
	exit(o->status);
}

static int
by_name(const void *a, const void *b)
{
	const struct option *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/*
 * A standard stream that is closed gets a descriptor that fails with EBADF, as
 * before: else the next file that is opened would have its number, and be read
 * as stdin, or overwritten by messages.  A program that runs behind exec sees
 * the stream closed.
 */
static void
hold_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int way = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		/* the lowest number that is free: fd, as all below are not */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", way | O_CLOEXEC) < 0)
			return;
	}
}

char **
opts_parse(const struct opts *o, void *settings, int argc, char *argv[])
{
	static const char *const colons[] = {"", ":", "::"};
	struct option names[MOST + 1] = {0};
	char letters[3 * MOST + 3];
	size_t n = 0, len = 0;
	int c;

	hold_standard_streams();
	if (o->command)
		letters[len++] = '+';
	letters[len++] = ':'; /* ':' is returned where a value is missing */
	opterr = 0;
	for (const struct opt *opt = o->all; opt->name != NULL; opt++) {
		int has = opt->value == NULL   ? no_argument
			  : *opt->value == '[' ? optional_argument
					       : required_argument;

		if (n == MOST)
			abort();
		names[n++] =
		    (struct option){opt->name, has, NULL, code(o, opt)};
		if (opt->letter != 0)
			len += (size_t)sprintf(
			    letters + len, "%c%s", opt->letter, colons[has]);
	}
	letters[len] = '\0';
	/* the order in which ambiguous options are listed */
	qsort(names, n, sizeof(*names), by_name);

	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct opt *opt = o->all;

		while (opt->name != NULL && code(o, opt) != c)
			opt++;
		if (opt->name == NULL)
			refuse_option(o, names, c, argv);
		apply(o, opt, settings, optarg);
	}
	return argv + optind;
}
