/* pager.c - text that is longer than the terminal */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tq/io/note.h"
#include "tq/io/pager.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 }; /* as a shell exits */

bool
pager_terminal_is_dumb(void)
{
	const char *term = getenv("TERM");

	return term == NULL || strcmp(term, "dumb") == 0;
}

/* The pager of the environment; NULL: none is named there. */
static const char *
named_pager(void)
{
	const char *pager = getenv("TQ_PAGER");

	return pager != NULL ? pager : getenv("PAGER");
}

/* The pager to run; NULL: none. */
static const char *
find_pager(void)
{
	const char *pager = named_pager();

	if (pager == NULL && !pager_terminal_is_dumb())
		pager = "less";
	return pager == NULL || *pager == '\0' || strcmp(pager, "cat") == 0
		   ? NULL
		   : pager;
}

/* ---- signals ---- */

/* The signals of a terminal are the pager's; one that ends early is none. */
static const int ignored[] = {SIGINT, SIGQUIT, SIGPIPE};
enum { IGNORED = sizeof(ignored) / sizeof(*ignored) };

static void
ignore_signals(struct sigaction old[IGNORED])
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};

	for (size_t i = 0; i < IGNORED; i++)
		sigaction(ignored[i], &ignore, &old[i]);
}

static void
restore_signals(const struct sigaction old[IGNORED])
{
	for (size_t i = 0; i < IGNORED; i++)
		sigaction(ignored[i], &old[i], NULL);
}

/* ---- the process ---- */

/* Does not return; errno of execlp goes to report. */
static _Noreturn void
become_pager(const char *pager, int from, int report)
{
	int error;

	dup2(from, STDIN_FILENO);
	if (strpbrk(pager, " \t\n|&;<>()$`\\\"'*?[#~=%") == NULL)
		execlp(pager, pager, (char *)NULL);
	else
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(NOT_EXECUTABLE);
	_exit(NOT_FOUND);
}

/* The lines that a pager did not read before it was quit are not written. */
static void
write_page(int to, struct span page)
{
	while (page.len > 0) {
		ssize_t n = write(to, page.p, page.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		page = (struct span){page.p + n, page.len - (size_t)n};
	}
	close(to);
}

/* False if it did not run. */
static bool
wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return !WIFEXITED(status) || (WEXITSTATUS(status) != NOT_FOUND &&
					 WEXITSTATUS(status) != NOT_EXECUTABLE);
}

/* True if the other end of the pipe, which exec(3) closes, reports no error. */
static bool
has_begun(int report)
{
	int error;
	ssize_t n;

	do
		n = read(report, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == 0;
}

/* fork(2) and exec(3): the number of the process, or -1. */
static pid_t
spawn(const char *pager, int from, const struct sigaction old[IGNORED])
{
	int report[2];
	pid_t pid;

	if (pipe2(report, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		restore_signals(old);
		become_pager(pager, from, report[1]);
	}
	close(report[1]);
	if (pid > 0 && !has_begun(report[0])) {
		wait_for(pid);
		pid = -1;
	}
	close(report[0]);
	return pid;
}

/* Start a pager, which reads what is written to *to; its number, or -1. */
static pid_t
start(const char *pager, int *to, struct sigaction old[IGNORED])
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	fcntl(ends[1], F_SETPIPE_SZ, PAGER_PIPE);
	setenv("LESS", "FRX", 0);
	ignore_signals(old);
	pid = spawn(pager, ends[0], old);
	close(ends[0]);
	*to = ends[1];
	if (pid < 0) {
		close(ends[1]);
		restore_signals(old);
	}
	return pid;
}

static void
note_failure(const char *pager)
{
	if (named_pager() != NULL)
		note("the pager '%s' could not be run", pager);
}

bool
pager_show(struct span page)
{
	const char *pager = find_pager();
	struct sigaction old[IGNORED];
	bool shown;
	pid_t pid;
	int to;

	if (pager == NULL)
		return false;
	pid = start(pager, &to, old);
	if (pid > 0)
		write_page(to, page);
	shown = pid > 0 && wait_for(pid);
	if (pid > 0)
		restore_signals(old);
	if (!shown)
		note_failure(pager);
	return shown;
}

/* ---- of standard output ---- */

static pid_t running;
static int terminal = -1; /* standard output before pager_begin */
static struct sigaction before[IGNORED];

bool
pager_begin(void)
{
	const char *pager = find_pager();
	int to;

	if (pager == NULL)
		return false;
	if ((running = start(pager, &to, before)) < 0) {
		note_failure(pager);
		return false;
	}
	terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	dup2(to, STDOUT_FILENO);
	close(to);
	atexit(pager_end);
	return true;
}

/* Standard output is the terminal again. */
static void
take_back(void)
{
	dup2(terminal, STDOUT_FILENO);
	close(terminal);
	terminal = -1;
}

bool
pager_has_run(void)
{
	bool ran = running <= 0 || wait_for(running);

	if (running > 0)
		restore_signals(before);
	running = 0;
	if (ran || terminal < 0)
		return true;
	take_back();
	note_failure(find_pager());
	return false;
}

void
pager_end(void)
{
	if (running <= 0)
		return;
	close(STDOUT_FILENO);
	wait_for(running);
	running = 0;
	restore_signals(before);
}
