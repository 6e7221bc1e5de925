/* signals.c - signals that end a tool */

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tq/io/signals.h"

static const int deadly[] = {
    SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

/* signal handlers read them */
static void (*volatile acts[SIGNALS_ACTS])(void);
static atomic_int pipes; /* that are read now, by any thread */
static volatile sig_atomic_t interrupted;

static void
run_acts(void)
{
	for (size_t i = 0; i < SIGNALS_ACTS && acts[i] != NULL; i++)
		acts[i]();
}

static void
die(int number)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t set;

	run_acts();
	sigaction(number, &usual, NULL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

static void
interrupt(int number)
{
	if (pipes == 0 || interrupted)
		die(number);
	interrupted = true;
}

/* A signal that nohup(1) or a shell ignores stays ignored. */
static void
handle(int number, void (*handler)(int))
{
	const struct sigaction new = {
	    .sa_handler = handler, .sa_flags = SA_RESTART};
	struct sigaction old;

	if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(number, &new, NULL);
}

void
signals_before_death(void (*act)(void))
{
	size_t n = 0;

	while (n < SIGNALS_ACTS && acts[n] != NULL && acts[n] != act)
		n++;
	if (n == SIGNALS_ACTS)
		abort();
	if (acts[n] == act)
		return;
	acts[n] = act;
	atexit(act);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(*deadly); i++)
		handle(deadly[i], deadly[i] == SIGINT ? interrupt : die);
}

static bool
is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

void
signals_reader_begins(int fd)
{
	if (!is_pipe(fd))
		return;
	pipes++;
	handle(SIGINT, interrupt);
}

void
signals_reader_ends(int fd)
{
	if (is_pipe(fd) && pipes > 0)
		pipes--;
}
