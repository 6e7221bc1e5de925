/* session.c - the sockets of a capture */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tq/base/hash.h"

#include "session.h"

enum { BACKLOG = 4096, TROUBLE = 125, NOISE = 8, ERRNO_MOST = 4096 };

/* the abstract address: a NUL, then the name without one */
static socklen_t
address(struct sockaddr_un *a, const char *name)
{
	size_t n = strlen(name);

	_Static_assert(SESSION_NAME < sizeof(a->sun_path), "names fit");
	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	memcpy(a->sun_path + 1, name, n);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
}

static int
listen_at(const char *name)
{
	struct sockaddr_un a;
	socklen_t n = address(&a, name);
	int fd =
	    socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int error;

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&a, n) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* bytes as hexadecimal digits, with a NUL */
static void
spell(char *to, const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		snprintf(to + 2 * i, 3, "%02x", bytes[i]);
}

int
session_listen(struct session_key *key)
{
	unsigned char noise[NOISE + ARENA_SECRET / 2];
	char digits[2 * NOISE + 1];

	if (getrandom(noise, sizeof(noise), 0) != sizeof(noise))
		return -1;
	spell(digits, noise, NOISE);
	spell(key->secret, noise + NOISE, ARENA_SECRET / 2);
	snprintf(key->name, sizeof(key->name), "tq-capture-%ld-%s",
	    (long)getpid(), digits);
	return listen_at(key->name);
}

/* ---- orders ---- */

/*
 * The name of the socket for orders is this and then digits that nobody can
 * guess: so nobody can take it before.  A session has any bytes and any length,
 * so its hash stands for it.
 */
static void
orders_prefix(char prefix[SESSION_NAME], const char *session)
{
	snprintf(prefix, SESSION_NAME, "tq-capture-orders-%ld-%016llx-",
	    (long)getuid(), (unsigned long long)hash_text(span_of(session)));
}

/* true if root or this user listens at the other end of the connection, or
   connected there */
static bool
is_trusted(int fd, struct ucred *peer)
{
	socklen_t n = sizeof(*peer);

	*peer = (struct ucred){0};
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &n) == 0 &&
	       (peer->uid == 0 || peer->uid == getuid());
}

static int
connect_to(const char *name)
{
	struct ucred peer;
	struct sockaddr_un a;
	socklen_t n = address(&a, name);
	/* a stranger's socket that accepts nobody may not hold us up */
	int fd =
	    socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&a, n) == 0 &&
	    is_trusted(fd, &peer) && fcntl(fd, F_SETFL, 0) == 0)
		return fd;
	close(fd);
	return -1;
}

/*
 * A connection to the session of that name, of this user.  -1: there is none,
 * or with errno the list of sockets can't be read.
 */
static int
find_session(const char *session)
{
	char prefix[SESSION_NAME + 1] = "@", *line = NULL, *name;
	FILE *list = fopen("/proc/net/unix", "re");
	size_t size = 0;
	int fd = -1;

	if (list == NULL)
		return -1;
	orders_prefix(prefix + 1, session);
	while (fd < 0 && getline(&line, &size, list) > 0) {
		if ((name = strstr(line, prefix)) == NULL)
			continue;
		name[strcspn(name, "\n")] = '\0';
		if (strlen(name + 1) < SESSION_NAME)
			fd = connect_to(name + 1);
	}
	free(line);
	fclose(list);
	errno = 0;
	return fd;
}

int
session_listen_orders(const char *session)
{
	unsigned char noise[NOISE];
	char name[SESSION_NAME];
	int other = find_session(session);

	if (other >= 0) {
		close(other);
		errno = EADDRINUSE;
		return -1;
	}
	if (getrandom(noise, sizeof(noise), 0) != sizeof(noise))
		return -1;
	orders_prefix(name, session);
	spell(name + strlen(name), noise, NOISE);
	return listen_at(name);
}

/* ---- connections ---- */

int
session_accept(int listener, bool for_orders, struct ucred *peer)
{
	int fd;

	while ((fd = accept4(
		    listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		bool trusted = is_trusted(fd, peer);

		if (peer->pid > 0 &&
		    (trusted || (getuid() == 0 && !for_orders)))
			return fd;
		close(fd);
	}
	return -1;
}

int
session_receive(int connection, const struct session_key *key)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_LEN(sizeof(int))]; /* no room for two */
	} control = {0};
	struct arena_greeting greeting = {0};
	struct iovec io = {&greeting, sizeof(greeting)};
	struct msghdr m = {.msg_iov = &io,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control)};
	/* it is taken only if there was a descriptor for its memfd */
	ssize_t n = recvmsg(connection, &m, MSG_CMSG_CLOEXEC | MSG_PEEK);
	struct cmsghdr *c;
	int fd = -1;

	if (n < 0)
		return -1;
	c = CMSG_FIRSTHDR(&m);
	if (c == NULL && (m.msg_flags & MSG_CTRUNC) != 0)
		return SESSION_NO_ROOM;
	recv(connection, &greeting, 0, MSG_DONTWAIT);
	if (c != NULL && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	if (n != sizeof(greeting) || greeting.magic != ARENA_MAGIC ||
	    memcmp(greeting.secret, key->secret, ARENA_SECRET) != 0) {
		if (fd >= 0)
			close(fd);
		fd = -1;
		errno = n == 0 ? EPIPE : EACCES;
	} else if (fd < 0) {
		errno = greeting.error > 0 && greeting.error < ERRNO_MOST
			    ? (int)greeting.error
			    : ENOMEM;
	}
	return fd;
}

int
session_order(const char *order, const char *session)
{
	char answer[SESSION_TEXT] = "";
	int fd = find_session(session);
	ssize_t n;

	if (fd < 0) {
		if (errno == 0)
			warnx("%s: no such session", session);
		else
			warn("/proc/net/unix");
		return TROUBLE;
	}
	if (send(fd, order, strlen(order), MSG_NOSIGNAL) < 0 ||
	    (n = recv(fd, answer, sizeof(answer) - 1, 0)) <= 0) {
		warnx("%s: the session has ended", session);
		return TROUBLE;
	}
	close(fd);
	if (answer[0] == *SESSION_REFUSED) {
		warnx("%s: %.*s", session, (int)strcspn(answer + 1, "\n"),
		    answer + 1);
		return TROUBLE;
	}
	fwrite(answer, 1, (size_t)n, stdout);
	return fflush(stdout) == 0 ? 0 : TROUBLE;
}
