/* arguments.c - the words of a tool's command line */

#include <string.h>

#include "tq/base/mem.h"
#include "tq/io/output.h"

#include "arguments.h"

/* options of the tools whose value is a file; the first one is written to */
static const struct {
	char letter;
	const char *name;
} files[] = {
    {'o', "output"},
    {'R', "rules-from"},
    {0, "apply"},
    {0, "color-map"},
    {0, "graph-eager"},
    {'g', "graph-file"}, /* -g of tq-stats has no recording either */
    {0, "names"},
    {0, "pstats"},
    {0, "serve-rules"},
    {0, "tag"},
};

enum { FILES = sizeof(files) / sizeof(files[0]) };

/* letters of options without a value, in all tools */
static const char flags[] = "hVqvz";

/* long options without a value: a file behind one is a recording, whatever it
   has */
static const char *const long_flags[] = {"approx", "auto",
    "between-profiler-calls", "by-rank", "check", "clip", "count",
    "cpu-profile", "gaps", "graph", "graph-loose", "gzip", "help", "hive",
    "invert", "kinds", "launches", "list-sources", "live", "marks", "merge",
    "needs", "no-args", "no-closure", "no-flows", "no-pager", "only", "or-pass",
    "partial", "path", "plain-keys", "points", "quiet", "rank-flows",
    "raw-metrics", "redact", "rules", "salvage", "solve", "tables", "verbose",
    "version", "via-nsys", "zstd"};

static bool
is_long_flag(const char *name)
{
	for (size_t i = 0; i < sizeof(long_flags) / sizeof(*long_flags); i++)
		if (strcmp(long_flags[i], name) == 0)
			return true;
	return false;
}

/* the row of files for "--name" or "--name=value", or FILES */
static size_t
find_long(const char *word)
{
	size_t n = strcspn(word, "="), row = 0;

	/* getopt_long(3) takes the beginning of a name, if it is of no other */
	while (row < FILES && (strncmp(files[row].name, word, n) != 0 ||
				  (row > 0 && files[row].name[n] != '\0')))
		row++;
	return n > 0 ? row : FILES;
}

static size_t
find_letter(char letter)
{
	size_t row = 0;

	while (row < FILES && files[row].letter != letter)
		row++;
	return row;
}

/*
 * The option of files in a word that begins with "-", or FILES.  *value becomes
 * its value, or NULL where that is the next word.
 */
static size_t
find_option(const char *word, const char **value)
{
	size_t row;

	if (word[1] == '-') {
		row = find_long(word + 2);
		*value = strchr(word, '=');
		if (*value != NULL)
			++*value;
		return row;
	}
	word += 1 + strspn(word + 1, flags);
	row = *word != '\0' ? find_letter(*word) : FILES;
	*value = *word != '\0' && word[1] != '\0' ? word + 1 : NULL;
	return row;
}

/* what the words before the present one say about it */
struct expectation {
	size_t expected; /* row of files whose value this is, or FILES */
	bool option;     /* that may take a value came before */
	bool ended;      /* there was "--" */
};

/* an option that may take the next word: not "--name=value", "--zstd", "-q",
   "-rvalue" */
static bool
may_take_next(const char *word)
{
	if (word[1] == '-')
		return strchr(word, '=') == NULL && !is_long_flag(word + 2);
	word += 1 + strspn(word + 1, flags);
	return word[0] != '\0' && word[1] == '\0';
}

static struct argument
next_argument(struct expectation *at, const char *word)
{
	struct argument a = {word, ARGUMENT_OPERAND, at->option, NULL};
	const char *value = NULL;
	size_t row = at->expected;

	at->expected = FILES;
	at->option = false;
	if (row < FILES) {
		a.is = ARGUMENT_VALUE;
		value = word;
	} else if (!at->ended && strcmp(word, "--") == 0) {
		a.is = ARGUMENT_END;
		at->ended = true;
	} else if (!at->ended && word[0] == '-' && word[1] != '\0') {
		a.is = ARGUMENT_OPTION;
		at->option = may_take_next(word);
		row = find_option(word, &value);
		if (value == NULL)
			at->expected = row;
	}
	if (row == 0)
		a.output = value;
	return a;
}

struct argument *
arguments_parse(int argc, char *argv[])
{
	struct argument *all = mem_resize(NULL, (size_t)argc + 1, sizeof(*all));
	struct expectation at = {.expected = FILES};

	for (int i = 0; i < argc; i++)
		all[i] = next_argument(&at, argv[i]);
	return all;
}

void
arguments_refuse_output(
    const struct argument *all, size_t count, const char *input)
{
	if (strcmp(input, "-") == 0)
		input = "/dev/stdin";
	for (size_t i = 0; i < count; i++)
		if (all[i].output != NULL)
			output_refuse_input(all[i].output, input);
}
