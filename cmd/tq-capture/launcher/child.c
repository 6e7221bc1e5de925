/* child.c - the command under capture */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "arena/program_loader.h"
#include "child.h"
#include "group_signal.h"

/* of this process when it began, and of the command again */
static sigset_t before; /* the blocked signals */
static struct rlimit files;
static struct {
	int signal;
	struct sigaction was;
} changed[] = {{.signal = SIGPIPE}, {.signal = SIGXFSZ}, {.signal = SIGCHLD}};
enum { CHANGED = sizeof(changed) / sizeof(changed[0]) };

/* SIG_IGN is inherited; it is for the command, and not for us */
static void
change_signals(void)
{
	for (size_t i = 0; i < CHANGED; i++)
		sigaction(changed[i].signal, NULL, &changed[i].was);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* writing fails with EFBIG */
	signal(SIGCHLD, SIG_DFL); /* waitpid needs it */
}

/* open closed standard descriptors, so that no other file becomes one of them;
   read-only, so that writing to them still fails */
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
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	change_signals();
	group_signal_start();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* each process needs two: its connection and its pidfd */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		all = (struct rlimit){files.rlim_max, files.rlim_max};
		setrlimit(RLIMIT_NOFILE, &all);
	}
	c->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signals >= 0;
}

/*
 * 0, and its loader; or why path is no program: ENOENT if nothing has that
 * name.
 */
static int
why_not(const char *path, enum program_loader *loader)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == EACCES ? EACCES : ENOENT;
	if (!S_ISREG(st.st_mode) || access(path, X_OK) != 0)
		return EACCES;
	*loader = program_loader_of(path);
	return 0;
}

static int
why_not_in_path(const char *name, enum program_loader *loader)
{
	const char *path = getenv("PATH");
	int error = ENOENT;

	if (*name == '\0')
		return ENOENT;
	if (path == NULL)
		path = _PATH_DEFPATH;
	for (;;) {
		size_t n = strcspn(path, ":");
		char *file;
		int why;

		if (asprintf(&file, "%.*s%s%s", (int)n, path, n > 0 ? "/" : "",
			name) < 0)
			return ENOMEM;
		why = why_not(file, loader);
		free(file);
		if (why != ENOENT)
			error = why;
		if (why == 0 || path[n] == '\0')
			return error;
		path += n + 1;
	}
}

static int
refuse(const char *name, int error)
{
	errno = error;
	warn("%s", name);
	return error == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_EXECUTABLE;
}

int
child_look_for(const char *name, enum program_loader *loader)
{
	int error = strchr(name, '/') != NULL ? why_not(name, loader)
					      : why_not_in_path(name, loader);

	return error != 0 ? refuse(name, error) : 0;
}

/* wait until the other end of the pipe is closed */
static void
wait_for_end(int pipe)
{
	char byte;
	ssize_t n;

	do
		n = read(pipe, &byte, 1);
	while (n > 0 || (n < 0 && errno == EINTR));
}

/* in the child; does not return.  It begins when the pipe go ends; errno of
   execvp goes to report. */
static _Noreturn void
exec_command(
    const struct child_command *command, char **env, int go, int report)
{
	char *const *argv = command->argv;
	int error, null;

	wait_for_end(go);

	if (command->stdout_taken && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(CHILD_TROUBLE);
	if (command->hide_output) {
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	for (size_t i = 0; i < CHANGED; i++)
		sigaction(changed[i].signal, &changed[i].was, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	setrlimit(RLIMIT_NOFILE, &files);
	execvpe(argv[0], argv, env);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(CHILD_TROUBLE);
	_exit(CHILD_NOT_FOUND);
}

/* true if "NAME=VALUE" has that name */
static bool
has_name(const char *variable, const char *name)
{
	size_t n = strlen(name);

	return strncmp(variable, name, n) == 0 && variable[n] == '=';
}

void
child_outlast(void)
{
	static const char least[] = "-900"; /* -1000 is never ended */
	int fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
	char score[8] = "";

	if (fd < 0)
		return;
	/* without the right to go below 0, a score above it becomes 0 */
	if (read(fd, score, sizeof(score) - 1) > 0 &&
	    pwrite(fd, least, sizeof(least) - 1, 0) < 0 &&
	    strtol(score, NULL, 10) > 0 && pwrite(fd, "0", 1, 0) < 0)
		errno = 0; /* it stays as it is */
	close(fd);
}

/* free(3) the array */
static char **
make_environment(const struct child_command *command)
{
	size_t count = 0, left = 0;
	char **env;

	while (environ[count] != NULL)
		count++;
	env = mem_alloc((count + 1) * sizeof(*env));
	for (size_t i = 0; i < count; i++) {
		char *const *v = command->variables;
		bool kept = !command->clean_environment;

		for (; !kept && *v != NULL; v++)
			kept = has_name(environ[i], *v);
		if (kept)
			env[left++] = environ[i];
	}
	env[left] = NULL;
	return env;
}

int
child_start(struct child *c, const struct child_command *command)
{
	int go[2], report[2], error = 0;
	char **env;
	ssize_t n;

	env = make_environment(command);
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0 ||
	    (c->pid = fork()) < 0) {
		warn("fork");
		return CHILD_TROUBLE;
	}
	if (c->pid == 0) {
		close(go[1]);
		exec_command(command, env, go[0], report[1]);
	}
	free(env);
	child_outlast();
	close(go[0]);
	close(report[1]);
	if (command->prepare != NULL)
		command->prepare(command->context, c->pid);
	close(go[1]);
	do
		n = read(report[0], &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n != sizeof(error)) {
		c->running = c->others = true;
		return 0;
	}
	waitpid(c->pid, NULL, 0);
	return refuse(command->argv[0], error);
}

bool
child_signal(struct child *c, struct signalfd_siginfo *info)
{
	return read(c->signals, info, sizeof(*info)) == sizeof(*info);
}

/* true of signals that are about this process itself */
static bool
is_own(const struct signalfd_siginfo *info)
{
	if (info->ssi_code <= 0)
		return info->ssi_pid == (uint32_t)getpid();
	return info->ssi_signo == SIGPIPE || info->ssi_signo == SIGXFSZ ||
	       info->ssi_signo == SIGXCPU;
}

/*
 * the signal to stop this process has stopped the command: stop this process
 * too
 */
static void
stop_too(struct child *c)
{
	sigset_t set;

	if (c->asked_to_stop == 0 || c->asked_to_stop != c->stopped_by)
		return;
	sigemptyset(&set);
	sigaddset(&set, c->asked_to_stop);
	kill(getpid(), c->asked_to_stop);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* here it stops */
	sigprocmask(SIG_BLOCK, &set, NULL);
	c->asked_to_stop = c->stopped_by = 0;
}

static void
pass_on(const struct child *c, const struct signalfd_siginfo *info)
{
	union sigval value = {.sival_ptr = (void *)(uintptr_t)info->ssi_ptr};

	if (info->ssi_code == SI_QUEUE)
		sigqueue(c->pid, (int)info->ssi_signo, value);
	else
		kill(c->pid, (int)info->ssi_signo);
}

void
child_forward(struct child *c, const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;

	if (!c->running) {
		if (signal == SIGHUP || signal == SIGINT || signal == SIGQUIT ||
		    signal == SIGTERM)
			c->others = false;
		return;
	}
	if (is_own(info))
		return;
	if (signal == SIGHUP && info->ssi_code == SI_KERNEL)
		c->hung_up = true;
	if (!group_signal_seen(info))
		pass_on(c, info);
	if (signal == SIGCONT)
		c->asked_to_stop = 0;
	if (signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
		c->asked_to_stop = signal;
	stop_too(c);
}

/*
 * A program that leads a session and ends when its terminal is closed takes its
 * group with it: the kernel sends SIGHUP.  It does not where this process is
 * the leader, which has to.
 */
static void
hang_up(struct child *c)
{
	c->others = false;
	if (getsid(0) == getpid())
		kill(0, SIGHUP);
}

void
child_reap(struct child *c)
{
	const int options = WNOHANG | WUNTRACED | WCONTINUED;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, options)) > 0) {
		if (pid != c->pid)
			continue;
		if (WIFSTOPPED(status) || WIFCONTINUED(status)) {
			c->stopped_by =
			    WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
			stop_too(c);
			continue;
		}
		c->running = false;
		c->status = WIFEXITED(status) ? WEXITSTATUS(status)
					      : 128 + WTERMSIG(status);
		if (c->hung_up || c->status == 128 + SIGHUP)
			hang_up(c);
	}
	if (pid < 0 && errno == ECHILD)
		c->others = false;
}
