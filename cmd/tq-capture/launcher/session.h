/*
 * session.h - the socket at which programs say that they are there, and the
 * one at which people say start and stop
 *
 * Both are AF_UNIX, SOCK_SEQPACKET, with abstract names, so that nothing is
 * left in a file system.
 */
#ifndef TQ_CAPTURE_SESSION_H
#define TQ_CAPTURE_SESSION_H

#include <stddef.h>

enum { SESSION_NAME = 96, SESSION_TEXT = 512 };

/*
 * Listen under a name that nobody else has; it is put into name.  -1 with
 * errno.
 */
int session_listen(char name[SESSION_NAME]);

/*
 * Listen for the orders of this user's `tq-capture start --session NAME`; -1
 * with errno, ENAMETOOLONG where no address can have that name.
 */
int session_listen_orders(const char *session);

/*
 * The next connection, whose process is *pid as this process sees it; -1:
 * there is none (EAGAIN), or an error.
 */
int session_accept(int listener, int *pid);

/*
 * The memfd that came over a connection; -1: nothing has come, errno is
 * EAGAIN, or EPIPE where the other side has closed, EMFILE where there is no
 * room for it, EBADMSG where what came is something else.
 */
int session_receive(int connection);

/*
 * Send the order ("start", "stop", "status") to a session and print its
 * answer on stdout; returns the exit status.
 */
int session_order(const char *order, const char *session);

#endif
