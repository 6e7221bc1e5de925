/*
 * session.h - the socket that agents connect to, and the one for orders: start,
 * stop, status
 *
 * Both are AF_UNIX, SOCK_SEQPACKET, with abstract names, which leave no files.
 */
#ifndef TQ_CAPTURE_SESSION_H
#define TQ_CAPTURE_SESSION_H

#include <stddef.h>

enum { SESSION_NAME = 96, SESSION_TEXT = 512 };

/*
 * Listen under a name that nobody can guess; it is copied to name.  -1 with
 * errno.
 */
int session_listen(char name[SESSION_NAME]);

/*
 * Listen for the orders of this user's `tq-capture start --session NAME`; -1
 * with errno, ENAMETOOLONG where no address can have that name.
 */
int session_listen_orders(const char *session);

/*
 * The next connection; *pid becomes the id of its process, as this process sees
 * it.  -1: there is none (EAGAIN), or an error.
 */
int session_accept(int listener, int *pid);

/*
 * The memfd that came over a connection; -1 with errno: EAGAIN, no message has
 * come; EPIPE, the other side has closed; EMFILE, we have no descriptor for it;
 * ENOMEM, the agent could not make an arena; EBADMSG, another message came.
 */
int session_receive(int connection);

/*
 * Send the order ("start", "stop", "status") to a session and print its
 * answer on stdout; returns the exit status.
 */
int session_order(const char *order, const char *session);

#endif
