/*
 * child.h - the command under capture
 */
#ifndef TQ_CAPTURE_CHILD_H
#define TQ_CAPTURE_CHILD_H

#include <stdbool.h>
#include <sys/signalfd.h>

enum {
	CHILD_TROUBLE = 125, /* exit statuses, as env(1) has them */
	CHILD_NOT_EXECUTABLE = 126,
	CHILD_NOT_FOUND = 127
};

struct child {
	int pid;
	int status; /* exit status, once it has ended */
	bool running;
	bool others; /* of its descendants, some may be waited for */
	int signals; /* signalfd */
};

/* Orphans come to us, and signals to c->signals; before child_start. */
bool child_prepare(struct child *c);

/*
 * Is there a program of that name, to be found as execvp(3) does?  Returns 0,
 * or the status to exit with, after a message: so that nothing is touched
 * for a name that was mistyped.
 */
int child_look_for(const char *name);

/*
 * Start the command.  Its stdout is stderr where the stream is on stdout.
 * Returns 0, or the status to exit with, after a message.
 */
int child_start(struct child *c, char *const argv[], bool stdout_taken);

/* The next signal that came; false: none. */
bool child_signal(struct child *c, struct signalfd_siginfo *info);

/*
 * A signal for us is one for the command too, but for what the terminal
 * has sent to both of us.  Once the command has ended, nobody waits any more
 * for its descendants.
 */
void child_forward(struct child *c, const struct signalfd_siginfo *info);

/* Collect who has ended. */
void child_reap(struct child *c);

#endif
