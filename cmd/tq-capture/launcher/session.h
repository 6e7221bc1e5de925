/*
 * session.h - the socket that agents connect to, and the one for orders: start,
 * stop, status
 *
 * Both are AF_UNIX, SOCK_SEQPACKET, with abstract names, which leave no files.
 * Any user can read these names (/proc/net/unix) and connect, so a name proves
 * nothing: an agent shows the secret of the capture, and orders are taken
 * from, and given to, root and the same user only.
 */
#ifndef TQ_CAPTURE_SESSION_H
#define TQ_CAPTURE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "arena/arena.h"

/* a reply that begins so has the reason why an order failed */
#define SESSION_REFUSED "!"

enum { SESSION_NAME = 96, SESSION_TEXT = 512, SESSION_NO_ROOM = -2 };

/* what TQ_CAPTURE carries, so that agents find the capture and belong to it */
struct session_key {
	char name[SESSION_NAME]; /* of the socket; nobody can guess it */
	char secret[ARENA_SECRET + 1];
};

/* Make a key, and listen under its name.  -1 with errno. */
int session_listen(struct session_key *key);

/*
 * Listen for the orders of this user's `tq-capture start --session NAME`; -1
 * with errno, EADDRINUSE if the user has a session of that name.
 */
int session_listen_orders(const char *session);

/*
 * The next connection from a process that may connect there: for orders, of
 * this user or root; else of this user, or any if this is root.  *peer becomes
 * that process, as this one sees it.  -1: there is none (EAGAIN), or an error.
 */
int session_accept(int listener, bool for_orders, struct ucred *peer);

/*
 * The memfd that came over a connection; -1 with errno: EAGAIN, no message has
 * come; EPIPE, the other side has closed; EACCES, the message is not from an
 * agent with this key; or why the agent could not make one.  SESSION_NO_ROOM:
 * we have no descriptor for the memfd, and the message stays where it is.
 */
int session_receive(int connection, const struct session_key *key);

/*
 * Send the order ("start", "stop", "dump", "status") to a session and print its
 * reply on stdout; returns the exit status.
 */
int session_order(const char *order, const char *session);

#endif
