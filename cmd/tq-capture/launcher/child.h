/*
 * child.h - the command under capture
 */
#ifndef TQ_CAPTURE_CHILD_H
#define TQ_CAPTURE_CHILD_H

#include <stdbool.h>
#include <sys/signalfd.h>

#include "arena/program_loader.h"

enum {
	CHILD_TROUBLE = 125, /* exit statuses, as env(1) has them */
	CHILD_NOT_EXECUTABLE = 126,
	CHILD_NOT_FOUND = 127
};

struct child {
	int pid;
	int status; /* exit status, once it has ended */
	bool running;
	bool others;  /* true if some of its descendants may be running */
	bool hung_up; /* the terminal was closed */
	int signals;  /* signalfd */
	int asked_to_stop, stopped_by; /* SIGTSTP, SIGTTIN, SIGTTOU; 0 */
};

/* Become the reaper of orphans, and get all signals over c->signals; before
   child_start, and before there are threads. */
bool child_prepare(struct child *c);

/*
 * Look for a program of that name, as execvp(3) does; and for its loader.
 * Returns 0, or the status to exit with, after a message: so a mistyped name
 * overwrites no output.
 */
int child_look_for(const char *name, enum program_loader *loader);

struct child_command {
	char *const *argv;
	bool stdout_taken;
	bool hide_output;
	bool clean_environment; /* it gets only some variables: */
	char *const *variables; /* names, NULL at the end */
	/* Called with its process id before it runs, unless NULL. */
	void (*prepare)(void *context, int pid);
	void *context; /* of prepare */
};

/*
 * Start the command.  stdout_taken: the stream is on stdout, so stderr becomes
 * the stdout of the command.  Returns 0, or the status to exit with, after a
 * message.
 */
int child_start(struct child *c, const struct child_command *command);

/*
 * Where memory is short, the kernel ends other processes before this one, which
 * would leave a recording without its end.  Processes that are there already
 * keep their score.  Where the kernel allows a user no less, nothing changes.
 */
void child_outlast(void);

/* The next signal; false: none has come. */
bool child_signal(struct child *c, struct signalfd_siginfo *info);

/*
 * Pass a signal on to the command, unless it was sent to both of us.  Stops
 * this process if the signal stopped the command.  Once the command has ended,
 * SIGHUP, SIGINT, SIGQUIT and SIGTERM end the wait for its descendants.
 */
void child_forward(struct child *c, const struct signalfd_siginfo *info);

/*
 * Reap the children that have ended.  A command that ended as its terminal was
 * closed ends the wait for its descendants, and SIGHUP reaches its group, as it
 * does where the command leads the session itself.
 */
void child_reap(struct child *c);

#endif
