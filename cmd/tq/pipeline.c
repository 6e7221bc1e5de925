/* pipeline.c - commands joined by pipes */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tq/base/shell.h"
#include "tq/io/parcel.h"
#include "tq/io/printed_command.h"
#include "tq/io/signals.h"
#include "tq/io/status.h"

#include "pipeline.h"

static struct pipeline *volatile running;
static bool explains;

/*
 * A stage that reads a pipe goes on at Ctrl-C, until its input ends.  Where the
 * first stage reads a file, nobody waits for what the others make of its half.
 */
static void
end_stages(void)
{
	for (size_t i = 0; running != NULL && i < running->count; i++)
		if (running->pids[i] > 0)
			kill(running->pids[i], SIGTERM);
}

static void
begin(struct pipeline *p)
{
	running = p;
	signals_before_death(end_stages);
	signals_reader_begins(STDIN_FILENO);
}

void
pipeline_add(struct pipeline *p, const char *const argv[])
{
	if (p->count == PIPELINE_MOST)
		abort();
	p->stages[p->count++] = argv;
}

/* ---- as a shell is given them ---- */

void
pipeline_explain(void)
{
	explains = true;
}

bool
pipeline_explains(void)
{
	return explains;
}

void
pipeline_add_words(struct text *t, const struct pipeline *p)
{
	for (size_t i = 0; i < p->count; i++) {
		text_add_str(t, i > 0 ? " | " : "");
		for (const char *const *word = p->stages[i]; *word != NULL;
		     word++) {
			text_add_str(t, word != p->stages[i] ? " " : "");
			shell_add_word(t, *word);
		}
	}
}

void
pipeline_print(struct text *line)
{
	text_add_char(line, '\n');
	fwrite(line->p, 1, line->len, stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TQ_FAIL, "<stdout>");
	text_free(line);
}

static void
print_stages(const struct pipeline *p)
{
	struct text line = {0};

	pipeline_add_words(&line, p);
	pipeline_print(&line);
}

/* ---- processes ---- */

static _Noreturn void
become(const char *const argv[])
{
	char *const *args;

	/* exec changes no argument, but its type does not say so */
	memcpy(&args, &argv, sizeof(args));
	execvp(argv[0], args);
	err(TQ_FAIL, "%s", argv[0]);
}

_Noreturn void
pipeline_become(const char *const argv[])
{
	struct pipeline p = {0};

	if (!explains)
		become(argv);
	pipeline_add(&p, argv);
	print_stages(&p);
	exit(TQ_OK);
}

/* Where the standard input and output are, and what else a stage is told. */
struct surroundings {
	int in, out;
	struct text recordings; /* that its stream is of, as words of a shell */
	bool named;             /* they are known, or none is to be named */
	bool streams;           /* they are streams: no tool extracts them */
	bool silent;
	bool parcels_in, parcels_out; /* what stands there may be parcels */
};

static void
take_surroundings(const struct surroundings *at)
{
	int nowhere = -1;

	if (dup2(at->in, STDIN_FILENO) < 0 || dup2(at->out, STDOUT_FILENO) < 0)
		err(TQ_FAIL, "dup2");
	if (at->silent &&
	    ((nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)) < 0 ||
		dup2(nowhere, STDERR_FILENO) < 0))
		err(TQ_FAIL, "/dev/null");
	if (!parcel_tell(at->parcels_in, at->parcels_out))
		err(TQ_FAIL, "setenv");
	if (at->named && !printed_command_name_pipe(
			     STDIN_FILENO, at->recordings.p, at->streams))
		err(TQ_FAIL, "setenv");
}

static pid_t
start(const char *const argv[], const struct surroundings *at)
{
	pid_t pid = fork();

	if (pid < 0)
		err(TQ_FAIL, "fork");
	if (pid > 0)
		return pid;
	take_surroundings(at);
	become(argv);
}

static int
status_of(pid_t pid, bool last)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			err(TQ_FAIL, "waitpid");
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGPIPE && !last)
		return 0;
	return 128 + WTERMSIG(status);
}

bool
pipeline_is_silent(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	while (poll(&p, 1, -1) < 0)
		if (errno != EINTR)
			err(TQ_FAIL, "poll");
	return (p.revents & POLLIN) == 0;
}

/*
 * Start the stage that reads at->in, which becomes where its output is read.
 * The descriptors of the pipes are closed by exec.
 */
static pid_t
start_next(
    const char *const argv[], struct surroundings *at, bool parcels, bool last)
{
	int ends[2] = {-1, STDOUT_FILENO};
	pid_t pid;

	at->parcels_out = parcels;
	if (!last && pipe2(ends, O_CLOEXEC) < 0)
		err(TQ_FAIL, "pipe");
	at->out = ends[1];
	pid = start(argv, at);
	if (at->in != STDIN_FILENO)
		close(at->in);
	if (!last)
		close(ends[1]);
	at->in = ends[0];
	at->parcels_in = at->parcels_out;
	return pid;
}

/* the last status that is not 0; last: the last stage has no reader here */
static int
wait_for(struct pipeline *p, bool last)
{
	int worst = 0;

	for (size_t i = 0; i < p->count; i++) {
		int status = status_of(p->pids[i], last && i + 1 == p->count);

		p->pids[i] = 0;
		if (status != 0)
			worst = status;
	}
	running = NULL;
	signals_reader_ends(STDIN_FILENO);
	return worst;
}

static bool
runs(const char *const stage[], const char *program)
{
	return strcmp(stage[0], program) == 0;
}

/* Its operands, behind "--", as words of a shell; "-" is what before has. Empty
   where a printed command cannot name one. */
static void
add_operands(
    struct text *t, const char *const stage[], const struct text *before)
{
	while (*stage != NULL && strcmp(*stage, "--") != 0)
		stage++;
	while (*stage != NULL && *++stage != NULL) {
		bool standard = strcmp(*stage, "-") == 0;

		if (standard && before->len == 0) {
			t->len = 0;
			return;
		}
		if (t->len > 0)
			text_add_char(t, ' ');
		if (standard)
			text_add_span(t, text_span(before));
		else
			shell_add_file(t, *stage);
	}
}

/* What the stream that a stage writes is of: tq-extract and tq-align name it.
 */
static void
name_recordings(struct surroundings *at, const char *const stage[], bool first)
{
	struct text all = {0};
	bool extract = runs(stage, "tq-extract");

	if (!extract && !runs(stage, "tq-align"))
		return;
	if (extract || stage[2] != NULL) {
		if (at->recordings.len > 0)
			at->recordings.len--; /* the NUL */
		add_operands(&all, stage, &at->recordings);
		text_free(&at->recordings);
		at->recordings = all;
		text_add_char(&at->recordings, '\0');
	}
	at->streams = first ? !extract : at->streams;
	at->named = true;
}

/*
 * Start the stages, each when there is something to read for it: behind a stage
 * that ended without output, none.  Returns where the output is read; with
 * a reader of it, the last stage writes to a pipe.
 */
static int
start_all(struct pipeline *p, bool reader)
{
	struct surroundings at = {.in = STDIN_FILENO,
	    .silent = p->silent,
	    .parcels_in = p->from_tool};

	begin(p);
	for (size_t i = 0; i < p->count; i++) {
		if (i > 0 && pipeline_is_silent(at.in)) {
			p->count = i;
			break;
		}
		bool last = i + 1 == p->count;

		p->pids[i] = start_next(
		    p->stages[i], &at, !last || p->to_tool, !reader && last);
		name_recordings(&at, p->stages[i], i == 0);
	}
	text_free(&at.recordings);
	return at.in;
}

int
pipeline_run(struct pipeline *p)
{
	int in;

	if (explains) {
		print_stages(p);
		return TQ_OK;
	}
	in = start_all(p, false);
	if (in >= 0)
		close(in); /* of a stage that was silent */
	return wait_for(p, true);
}

int
pipeline_open(struct pipeline *p)
{
	return start_all(p, true);
}

int
pipeline_close(struct pipeline *p)
{
	return wait_for(p, false);
}

int
pipeline_read(const char *const argv[], struct text *to, bool silent)
{
	enum { ROOM = 4096 };
	int ends[2];
	pid_t pid;
	ssize_t n;

	if (pipe2(ends, O_CLOEXEC) < 0)
		err(TQ_FAIL, "pipe");
	pid = start(
	    argv, &(struct surroundings){
		      .in = STDIN_FILENO, .out = ends[1], .silent = silent});
	close(ends[1]);
	while ((n = read(ends[0], text_reserve(to, ROOM), ROOM)) != 0)
		if (n > 0)
			to->len += (size_t)n;
		else if (errno != EINTR)
			err(TQ_FAIL, "read");
	close(ends[0]);
	return status_of(pid, true);
}
