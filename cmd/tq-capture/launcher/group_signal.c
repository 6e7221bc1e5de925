/* group_signal.c - was a signal sent to this process alone, or to its group? */

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arena/kernel_numbers.h"
#include "group_signal.h"

enum {
	SIGNALS = 65,
	DESCRIPTORS = 1024, /* that may be open, before Linux 5.9 */
	AT_ONCE = 64,       /* signals in a reply */
	ANSWER_MS = 100,    /* after which the witness may be stopped */
	STOPPED_MS = 1000,  /* after which it is given up */
	LATER_NS = 5000000 /* a sender may signal one process after the other */
};

/* a signal that the witness got */
struct sighting {
	int signal, sender;
};

static pid_t witness; /* 0: there is none */
static int asking = -1;
static int seen[SIGNALS]; /* sender + 1 of a signal seen, 0: not seen */

/* ---- the witness ---- */

static void
close_all_but(int fd)
{
	if (syscall(SYS_close_range, fd + 1, ~0u, 0) == 0 &&
	    (fd == 0 || syscall(SYS_close_range, 0, fd - 1, 0) == 0))
		return;
	for (int other = 0; other < DESCRIPTORS; other++)
		if (other != fd)
			close(other);
}

/* answer each request with the signals since the last one */
static _Noreturn void
keep_signals(int fd, pid_t parent)
{
	struct sighting got[AT_ONCE] = {{0, 0}};
	struct timespec now = {0};
	siginfo_t info;
	sigset_t all;
	char question;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "tq-signals");
	close_all_but(fd);
	sigfillset(&all);
	while (getppid() == parent && recv(fd, &question, 1, 0) == 1) {
		size_t n = 0;

		while (n + 1 < AT_ONCE && sigtimedwait(&all, &info, &now) > 0)
			if (info.si_code > 0)
				got[n++] = (struct sighting){info.si_signo, 0};
			else if (info.si_pid != parent)
				got[n++] = (struct sighting){
				    info.si_signo, info.si_pid};
		got[n] = (struct sighting){0, 0};
		if (send(fd, got, sizeof(got), MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

/* ---- this process ---- */

void
group_signal_start(void)
{
	pid_t parent = getpid();
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	/* fork, but it sends no SIGCHLD, and is no child for wait */
	witness = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (witness == 0)
		keep_signals(pair[1], parent);
	close(pair[1]);
	asking = pair[0];
	if (witness < 0)
		group_signal_end();
	else
		atexit(group_signal_end);
}

void
group_signal_end(void)
{
	if (witness > 0) {
		kill(witness, SIGKILL);
		waitpid(witness, NULL, __WALL);
	}
	if (asking >= 0)
		close(asking);
	witness = 0;
	asking = -1;
}

/* false if the witness does not reply */
static bool
ask_witness(void)
{
	struct pollfd answer = {asking, POLLIN, 0};
	struct sighting got[AT_ONCE];

	if (send(asking, "?", 1, MSG_NOSIGNAL) != 1)
		return false;
	if (poll(&answer, 1, ANSWER_MS) == 0) {
		kill(witness, SIGCONT);
		poll(&answer, 1, STOPPED_MS);
	}
	if (recv(asking, got, sizeof(got), MSG_DONTWAIT) != sizeof(got))
		return false;
	for (size_t i = 0; i < AT_ONCE && got[i].signal != 0; i++)
		if (got[i].signal < SIGNALS)
			seen[got[i].signal] = got[i].sender + 1;
	return true;
}

bool
group_signal_seen(const struct signalfd_siginfo *info)
{
	int sender = info->ssi_code > 0 ? 0 : (int)info->ssi_pid;
	struct timespec later = {.tv_nsec = LATER_NS};

	if (info->ssi_signo >= SIGNALS)
		return false;
	for (int i = 0; witness > 0 && i < 2; i++) {
		if (!ask_witness()) {
			group_signal_end();
		} else if (seen[info->ssi_signo] == sender + 1) {
			seen[info->ssi_signo] = 0;
			return true;
		} else if (i == 0 && sender != 0) {
			nanosleep(&later, NULL);
		}
	}
	return witness <= 0 && sender == 0;
}
