/*
 * group_signal.h - was a signal sent to this process alone, or to its group?
 *
 * A signal to the process group reaches the command too, one to tq-capture
 * alone does not.  The kernel does not tell them apart.  So a second process in
 * the group, the witness, does nothing but keep its signals pending until the
 * launcher requests them.
 */
#ifndef TQ_CAPTURE_GROUP_SIGNAL_H
#define TQ_CAPTURE_GROUP_SIGNAL_H

#include <stdbool.h>
#include <sys/signalfd.h>

/*
 * Start the witness, with all signals blocked; before there are threads.
 * wait(2) for any child does not see it.  Without one the sender decides: a
 * signal of the kernel went to the group.
 */
void group_signal_start(void);

/* True if that signal, which this process got, went to the group. */
bool group_signal_seen(const struct signalfd_siginfo *info);

/* End the witness, which exit(3) does too. */
void group_signal_end(void);

#endif
