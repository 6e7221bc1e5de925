/* child.c - the command under capture */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

static const int taken[] = {
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};

/* as it was when we began, and is for the command */
static sigset_t before; /* what was blocked */
static struct rlimit files;

/* nothing that we open is to be taken for one of them; writing fails still */
static void
fill_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

bool
child_prepare(struct child *c)
{
	struct rlimit all;
	sigset_t set;

	*c = (struct child){.signals = -1};
	fill_standard();
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(&set, taken[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* the spool says what it means */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* each process takes some: its connection, its pidfd */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		all = (struct rlimit){files.rlim_max, files.rlim_max};
		setrlimit(RLIMIT_NOFILE, &all);
	}
	c->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signals >= 0;
}

/* in the child; does not return.  report: where errno goes to */
static _Noreturn void
run(char *const argv[], bool stdout_taken, int report)
{
	int error;

	if (stdout_taken && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(CHILD_TROUBLE);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	setrlimit(RLIMIT_NOFILE, &files);
	execvp(argv[0], argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(CHILD_TROUBLE);
	_exit(CHILD_NOT_FOUND);
}

int
child_start(struct child *c, char *const argv[], bool stdout_taken)
{
	int report[2], error = 0;
	ssize_t n;

	if (pipe2(report, O_CLOEXEC) != 0 || (c->pid = fork()) < 0) {
		warn("fork");
		return CHILD_TROUBLE;
	}
	if (c->pid == 0)
		run(argv, stdout_taken, report[1]);
	close(report[1]);
	do
		n = read(report[0], &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n != sizeof(error)) {
		c->running = c->others = true;
		return 0;
	}
	waitpid(c->pid, NULL, 0);
	errno = error;
	warn("%s", argv[0]);
	return error == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_EXECUTABLE;
}

bool
child_signal(struct child *c, struct signalfd_siginfo *info)
{
	return read(c->signals, info, sizeof(*info)) == sizeof(*info);
}

void
child_forward(struct child *c, const struct signalfd_siginfo *info)
{
	/* what the terminal sends has a positive code, and went to all */
	if (!c->running)
		c->others = false;
	else if (info->ssi_code <= 0)
		kill(c->pid, (int)info->ssi_signo);
}

void
child_reap(struct child *c)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != c->pid)
			continue;
		c->running = false;
		c->status = WIFEXITED(status) ? WEXITSTATUS(status)
					      : 128 + WTERMSIG(status);
	}
	if (pid < 0 && errno == ECHILD)
		c->others = false;
}
