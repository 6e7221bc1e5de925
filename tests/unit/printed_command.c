/* printed_command.c - commands for the input of a tool */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/io/printed_command.h"

#include "check.h"

struct printed_row {
	const char *operands[3]; /* NULL ends them */
	const char *recordings;  /* of tq(1), or NULL */
	const char *command, *want;
	bool streams;              /* recordings are streams */
	const char *window, *step; /* or NULL */
};

static const struct printed_row rows[] = {
    /* a pipe from somewhere */
    {{0}, NULL, "tq-stats -r gaps FILE", "tq-stats -r gaps FILE"},
    {{"-"}, NULL, "tq-stats FILE", "tq-stats FILE"},
    {{"a.tq", "-"}, NULL, "tq-stats FILE", "tq-stats FILE"},
    /* files */
    {{"a.tq"}, NULL, "tq-stats FILE | tq-stats", "tq-stats a.tq | tq-stats"},
    {{"a.tq", "b c"}, NULL, "tq-advise FILE", "tq-advise a.tq 'b c'"},
    {{"-"}, "'r s'", "tq-perfetto -o t FILE", "tq perfetto -o t 'r s'"},
    {{0}, "r", "tq-stats FILE", "tq stats r"},
    {{"-", "b"}, "r", "tq-stats FILE", "tq stats r b"},
    {{"a"}, "r", "tq-stats FILE", "tq-stats a"}, /* it was not piped */
    /* the word FILE alone, outside of quotes */
    {{"a"}, NULL, "x FILES xFILE 'FILE' \"FILE\" FILE",
	"x FILES xFILE 'FILE' \"FILE\" a"},
    {{"a"}, NULL, "x 'it'\\''s FILE' FILE", "x 'it'\\''s FILE' a"},
    {{"a"}, NULL, "x \\'FILE", "x \\'a"},
    {{"a"}, NULL, "x 'open FILE", "x 'open FILE"},
    {{"a"}, NULL, "x \\", "x \\"},
    {{"a"}, NULL, "", ""},
    /* commands of tq(1) where a command begins */
    {{0}, "r", "tq-stats --help-reports", "tq stats --help-reports"},
    {{0}, "r", "tq-filter 'x | tq-y' FILE | tq-stats -g a",
	"tq extract r | tq correlate | tq filter 'x | tq-y' | tq stats -g a"},
    {{0}, "r", "tq-filter -k api", "tq filter -k api"},
    {{0}, "r", "A tq-stats FILE", "A tq-stats r"},
    /* streams of tq(1) */
    {{0}, "a b", "tq-stats -r gaps FILE", "tq stats -r gaps a b", true},
    {{0}, "a b", "tq-filter -k api FILE | tq-stats -g name",
	"tq filter -k api a b | tq stats -g name", true},
    /* a window, for the tool that reads the file */
    {{"a"}, NULL, "tq-stats -r gaps FILE", "tq-stats -r gaps --time 1s:2s a",
	false, "1s:2s"},
    {{"a"}, NULL, "tq-stats FILE", "tq-stats --time=-1s: a", false, "-1s:"},
    {{"a"}, NULL, "tq-stats FILE", "tq-stats --time 1s:2s a", false, "1s/2s"},
    {{0}, NULL, "tq-advise FILE", "tq-advise --time :5ms FILE", false, ":5ms"},
    {{"a"}, NULL, "tq-filter -k api FILE | tq-stats -g a",
	"tq-filter -k api --time 1s: a | tq-stats -g a", false, "1s:"},
    {{0}, "r", "tq-filter -k api FILE | tq-stats -g a",
	"tq extract r | tq correlate | tq filter -k api --time 1s: | "
	"tq stats -g a",
	false, "1s:"},
    {{"a"}, NULL, "tq-advise --time 3us: FILE", "tq-advise --time 3us: a",
	false, "1s:"},
    {{"a"}, NULL, "tq-chrome FILE", "tq-chrome a", false, "1s:"},
    /* steps, where they mean the same: in pages, tables of steps and rules */
    {{"a"}, NULL, "tq-stats FILE", "tq-stats --step 2..3 a", false, NULL,
	"2..3"},
    {{"a"}, NULL, "tq-stats -f html -o p FILE",
	"tq-stats -f html -o p --step '~a b/1' --time 1s: a", false,
	"1s:", "~a b/1"},
    {{0}, "r", "tq-advise FILE", "tq advise --step 2 r", false, NULL, "2"},
    {{"a"}, NULL, "tq-stats -r step,device_time FILE",
	"tq-stats -r step,device_time --step=-x/2 a", false, NULL, "-x/2"},
    {{"a"}, NULL, "tq-stats -r gaps FILE", "tq-stats -r gaps a", false, NULL,
	"2"},
    {{"a"}, NULL, "tq-advise --step 1.. FILE", "tq-advise --step 1.. a", false,
	NULL, "2"},
    {{"a"}, NULL, "tq-filter -k api FILE", "tq-filter -k api a", false, NULL,
	"2"},
    {{"a"}, NULL, "tq-stats --help-reports", "tq-stats --help-reports", false,
	NULL, "2"},
};

static void
read_nothing(void)
{
	int fd = open("/dev/null", O_RDONLY);

	CHECK(dup2(fd, STDIN_FILENO) == STDIN_FILENO, "dup2");
	close(fd);
}

static void
read_pipe(const char *recordings, bool streams)
{
	int ends[2];

	CHECK(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO,
	    "pipe");
	close(ends[0]);
	close(ends[1]);
	CHECK(recordings == NULL ||
		  printed_command_name_pipe(STDIN_FILENO, recordings, streams),
	    "setenv");
}

static void
check_title(const char *first, const char *second, const char *want)
{
	char *operands[] = {NULL, NULL, NULL};
	struct text t = {0};

	operands[0] = first != NULL ? strdup(first) : NULL;
	operands[1] = second != NULL ? strdup(second) : NULL;
	printed_command_title(&t, operands);
	CHECK(span_eq(text_span(&t), span_of(want)), "%s: %.*s", want,
	    (int)t.len, t.p);
	text_free(&t);
	free(operands[0]);
	free(operands[1]);
}

static void
check_name(const char *operand, const char *want)
{
	const char *name = printed_command_name(operand);

	CHECK(strcmp(name, want) == 0, "%s: %s", operand, name);
}

static void
check_command(const char *operand, const char *command, const char *want)
{
	char *operands[] = {strdup(operand), NULL};
	struct printed_command_input in;
	struct text t = {0};

	printed_command_input(&in, operands);
	printed_command_add(&t, &in, span_of(command));
	CHECK(span_eq(text_span(&t), span_of(want)), "%s: %.*s", want,
	    (int)t.len, t.p);
	printed_command_input_free(&in);
	text_free(&t);
	free(operands[0]);
}

static void
check_titles(void)
{
	read_nothing();
	check_title(NULL, NULL, "");
	check_title("-", NULL, "");
	check_title("a/b.tq", NULL, "b.tq");
	check_title("a/b.tq", "c", "b.tq and 1 more");
	check_title("/dev/fd/0", NULL, "0");
	read_pipe("'a/r s' t u", false);
	check_title(NULL, NULL, "r s and 2 more");
	check_title("x", "-", "x and 3 more");
	read_pipe(NULL, false); /* which nobody has named */
	check_title(NULL, NULL, "");
	check_name("/dev/fd/0", "/dev/fd/0");
	check_command("/dev/fd/0", "tq-stats FILE", "tq-stats FILE");
	CHECK(printed_command_name_feed(STDIN_FILENO, "a/r.sqlite"), "setenv");
	check_title("/dev/fd/0", NULL, "r.sqlite");
	check_name("/dev/fd/0", "a/r.sqlite");
	check_command("/dev/fd/0", "tq-stats FILE", "tq stats a/r.sqlite");
	check_command("/dev/fd/0", "tq-filter 'x' FILE",
	    "tq extract a/r.sqlite | tq correlate | tq filter 'x'");
	check_name("/dev/fd/", "/dev/fd/");
	check_name("/dev/fd/0x", "/dev/fd/0x");
	check_name("/dev/fd/99999999999", "/dev/fd/99999999999");
	check_name("r", "r");
}

int
main(void)
{
	check_titles();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct printed_row *row = &rows[i];
		struct printed_command_input in;
		struct text t = {0};
		char *operands[3] = {NULL};

		for (size_t k = 0; k < 3 && row->operands[k] != NULL; k++)
			operands[k] = strdup(row->operands[k]);
		if (row->recordings != NULL)
			read_pipe(row->recordings, row->streams);
		else
			read_nothing();
		printed_command_input(&in, operands);
		in.window = row->window;
		in.step = in.rules_step = row->step;
		printed_command_add(&t, &in, span_of(row->command));
		CHECK(span_eq(text_span(&t), span_of(row->want)), "%s: %.*s",
		    row->command, (int)t.len, t.p);
		printed_command_input_free(&in);
		text_free(&t);
		for (size_t k = 0; k < 3; k++)
			free(operands[k]);
	}
	return check_status();
}
