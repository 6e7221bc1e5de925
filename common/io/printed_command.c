/* printed_command.c - commands that people are to run on the input of a tool */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/ascii.h"
#include "tq/base/shell.h"
#include "tq/io/printed_command.h"

/* ---- pipes of tq(1) ---- */

struct variable {
	char name[sizeof(PRINTED_COMMAND_VARIABLE) + 20];
};

static bool
find_variable(int fd, const char *begin, struct variable *v)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode))
		return false;
	snprintf(
	    v->name, sizeof(v->name), "%s%ju", begin, (uintmax_t)st.st_ino);
	return true;
}

static const char *
value_of(int fd, const char *begin)
{
	struct variable v;

	return find_variable(fd, begin, &v) ? getenv(v.name) : NULL;
}

static const char *
streams_of_stdin(void)
{
	return value_of(STDIN_FILENO, PRINTED_COMMAND_STREAMS);
}

static const char *
recordings_of_stdin(void)
{
	const char *all = value_of(STDIN_FILENO, PRINTED_COMMAND_VARIABLE);

	return all != NULL ? all : streams_of_stdin();
}

bool
printed_command_name_pipe(int fd, const char *recordings, bool streams)
{
	struct variable v;

	return !find_variable(fd,
		   streams ? PRINTED_COMMAND_STREAMS : PRINTED_COMMAND_VARIABLE,
		   &v) ||
	       setenv(v.name, recordings, 1) == 0;
}

bool
printed_command_name_feed(int fd, const char *recording)
{
	struct variable v;

	return !find_variable(fd, PRINTED_COMMAND_FEED, &v) ||
	       setenv(v.name, recording, 1) == 0;
}

static const char pipes[] = "/dev/fd/";

static bool
is_pipe_name(const char *operand)
{
	return strncmp(operand, pipes, strlen(pipes)) == 0 &&
	       ascii_is_digit(operand[strlen(pipes)]);
}

/* ---- the input ---- */

/* A file, or the recording of which tq(1) makes a pipe that is an operand. */
static void
add_operand(struct printed_command_input *in, const char *operand)
{
	const char *name = printed_command_name(operand);

	if (name != operand)
		in->of_tq = in->recordings = true;
	shell_add_file(&in->files, name);
}

/* True if it is a pipe that nobody has named: that of a shell's <(command). */
static bool
is_unknown_pipe(const char *operand)
{
	return is_pipe_name(operand) &&
	       printed_command_name(operand) == operand;
}

void
printed_command_input(struct printed_command_input *in, char *const *operands)
{
	bool pipe = *operands == NULL;
	const char *recordings;

	*in = (struct printed_command_input){0};
	for (size_t i = 0; operands[i] != NULL; i++) {
		if (is_unknown_pipe(operands[i]))
			return;
		pipe |= strcmp(operands[i], "-") == 0;
	}
	recordings = pipe ? recordings_of_stdin() : NULL;
	*in = (struct printed_command_input){.of_tq = recordings != NULL,
	    .recordings = recordings != NULL && streams_of_stdin() == NULL};
	if (pipe && recordings == NULL)
		return;
	if (recordings != NULL && *operands == NULL)
		text_add_str(&in->files, recordings);
	for (; *operands != NULL; operands++) {
		if (in->files.len > 0)
			text_add_char(&in->files, ' ');
		if (recordings != NULL && strcmp(*operands, "-") == 0)
			text_add_str(&in->files, recordings);
		else
			add_operand(in, *operands);
	}
}

void
printed_command_input_free(struct printed_command_input *in)
{
	text_free(&in->files);
}

/* ---- names ---- */

const char *
printed_command_name(const char *operand)
{
	const char *name = NULL;
	char *end;
	long fd;

	if (!is_pipe_name(operand))
		return operand;
	fd = strtol(operand + strlen(pipes), &end, 10);
	if (*end == '\0' && fd <= INT32_MAX)
		name = value_of((int)fd, PRINTED_COMMAND_FEED);
	return name != NULL ? name : operand;
}

static void
each_recording(void (*take)(void *arg, struct span name), void *arg)
{
	const char *words = recordings_of_stdin();
	struct text word = {0};

	while (words != NULL && shell_next_word(&words, &word))
		take(arg, text_span(&word));
	text_free(&word);
}

void
printed_command_each(
    char *const *operands, void (*take)(void *arg, struct span name), void *arg)
{
	if (*operands == NULL)
		each_recording(take, arg);
	for (; *operands != NULL; operands++)
		if (strcmp(*operands, "-") == 0)
			each_recording(take, arg);
		else
			take(arg, span_of(printed_command_name(*operands)));
}

struct printed_title {
	struct text first;
	size_t count;
};

static void
take_name(void *arg, struct span name)
{
	struct printed_title *title = arg;

	if (title->count++ == 0)
		text_add_span(&title->first, name);
}

void
printed_command_title(struct text *t, char *const *operands)
{
	struct printed_title title = {0};

	printed_command_each(operands, take_name, &title);
	text_add_char(&title.first, '\0');
	if (title.count > 0)
		text_add_str(t, basename(title.first.p));
	if (title.count > 1)
		text_printf(t, " and %zu more", title.count - 1);
	text_free(&title.first);
}

/* ---- words ---- */

static bool
begins(struct span s, size_t i, struct span with)
{
	return span_begins((struct span){s.p + i, s.len - i}, with);
}

/* True if the word FILE stands there. */
static bool
is_file(struct span s, size_t i)
{
	return begins(s, i, SPAN("FILE")) &&
	       (i == 0 || !ascii_is_word(s.p[i - 1])) &&
	       (i + 4 == s.len || !ascii_is_word(s.p[i + 4]));
}

/* True if a command begins there. */
static bool
is_command(struct span s, size_t i)
{
	return i == 0 || (i > 1 && s.p[i - 1] == ' ' && s.p[i - 2] == '|');
}

/* Where quotes that begin there end; the same place where none do. */
static size_t
skip_quoted(struct span s, size_t i)
{
	const char *end;

	if (s.p[i] == '\\')
		return i + 1 < s.len ? i + 2 : s.len;
	if (s.p[i] != '\'' && s.p[i] != '"')
		return i;
	end = memchr(s.p + i + 1, s.p[i], s.len - i - 1);
	return end != NULL ? (size_t)(end - s.p) + 1 : s.len;
}

/* The place of FILE; the length without it. */
static size_t
find_file(struct span s)
{
	size_t i = 0, end;

	while (i < s.len && !is_file(s, i)) {
		end = skip_quoted(s, i);
		i = end > i ? end : i + 1;
	}
	return i;
}

/* A part of a command, with the commands of tq(1) for its tools. */
static void
add_part(struct text *t, const struct printed_command_input *in, struct span s,
    size_t from, size_t to)
{
	while (from < to) {
		size_t end = skip_quoted(s, from);

		if (end == from)
			end++;
		if (in->of_tq && is_command(s, from) &&
		    begins(s, from, SPAN("tq-"))) {
			text_add_str(t, "tq ");
			end = from + 3;
		} else
			text_add(t, s.p + from, end - from);
		from = end;
	}
}

/* True if tq(1) puts no tq-correlate before it. */
static bool
reads_streams(struct span command)
{
	return begins(command, 0, SPAN("tq-filter "));
}

static bool
has_word(struct span command, const char *word)
{
	return memmem(command.p, command.len, word, strlen(word)) != NULL;
}

/* True if the tool that reads FILE can be told a window, and is not. */
static bool
takes_window(const struct printed_command_input *in, struct span command)
{
	return in->window != NULL &&
	       (reads_streams(command) ||
		   begins(command, 0, SPAN("tq-stats ")) ||
		   begins(command, 0, SPAN("tq-advise "))) &&
	       !has_word(command, " --time");
}

static void
add_window(struct text *t, const struct printed_command_input *in)
{
	const char *slash = strchr(in->window, '/'); /* as nsys has it */
	size_t n = slash != NULL ? (size_t)(slash - in->window) : 0;

	text_add_str(t, *in->window == '-' ? "--time=" : "--time ");
	text_add(t, in->window, n);
	text_add_str(t, slash != NULL ? ":" : in->window);
	text_add_str(t, slash != NULL ? slash + 1 : "");
}

/* True if what tq-stats prints depends on which ranges are steps: a page, and a
   table of steps. */
static bool
shows_steps(struct span command)
{
	return (!has_word(command, " -r") && !has_word(command, " -g")) ||
	       has_word(command, " -r step") ||
	       has_word(command, " -r account");
}

/* The value of --step for the tool that reads FILE, or NULL. */
static const char *
step_for(const struct printed_command_input *in, struct span command)
{
	if (has_word(command, " --step"))
		return NULL;
	if (begins(command, 0, SPAN("tq-advise ")))
		return in->rules_step;
	return begins(command, 0, SPAN("tq-stats ")) && shows_steps(command)
		   ? in->step
		   : NULL;
}

static void
add_step(struct text *t, const char *step)
{
	text_add_str(t, *step == '-' ? "--step=" : "--step ");
	shell_add_word(t, step);
	text_add_char(t, ' ');
}

/* The command up to the file, with a blank behind it. */
static void
add_before_file(struct text *t, const struct printed_command_input *in,
    struct span command, size_t file)
{
	const char *step = step_for(in, command);

	add_part(t, in, command, 0, file);
	if (step != NULL)
		add_step(t, step);
	if (takes_window(in, command)) {
		add_window(t, in);
		text_add_char(t, ' ');
	}
}

void
printed_command_add(
    struct text *t, const struct printed_command_input *in, struct span command)
{
	struct span files = text_span(&in->files);
	size_t file = find_file(command), after = file + 4;

	if (file == command.len) {
		add_part(t, in, command, 0, command.len);
		return;
	}
	if (files.len > 0 && in->recordings && reads_streams(command)) {
		text_add_str(t, "tq extract ");
		text_add_span(t, files);
		text_add_str(t, " | tq correlate | ");
		add_before_file(t, in, command, file);
		t->len--; /* the blank */
	} else {
		add_before_file(t, in, command, file);
		text_add_span(t, files.len > 0 ? files : SPAN("FILE"));
	}
	add_part(t, in, command, after, command.len);
}
