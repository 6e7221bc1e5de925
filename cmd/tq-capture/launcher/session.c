/* session.c - the sockets of a capture */

#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "arena/arena.h"
#include "session.h"

enum { BACKLOG = 4096, TROUBLE = 125 };

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

int
session_listen(char name[SESSION_NAME])
{
	unsigned long long noise = 0;

	/* not to be guessed: we trust whoever connects */
	if (getrandom(&noise, sizeof(noise), 0) != sizeof(noise))
		return -1;
	snprintf(name, SESSION_NAME, "tq-capture-%ld-%016llx", (long)getpid(),
	    noise);
	return listen_at(name);
}

/* false with errno where it is too long */
static bool
order_name(char name[SESSION_NAME], const char *session)
{
	int n = snprintf(name, SESSION_NAME, "tq-capture-orders-%ld-%s",
	    (long)getuid(), session);

	errno = ENAMETOOLONG;
	return n < SESSION_NAME;
}

int
session_listen_orders(const char *session)
{
	char name[SESSION_NAME];

	return order_name(name, session) ? listen_at(name) : -1;
}

int
session_accept(int listener, int *pid)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct ucred peer;
	socklen_t n = sizeof(peer);

	if (fd < 0)
		return -1;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) != 0 ||
	    peer.pid <= 0 || (peer.uid != getuid() && getuid() != 0)) {
		close(fd);
		errno = EACCES;
		return -1;
	}
	*pid = peer.pid;
	return fd;
}

int
session_receive(int connection)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_LEN(sizeof(int))]; /* no room for two */
	} control = {0};
	unsigned long long magic = 0;
	struct iovec io = {&magic, sizeof(magic)};
	struct msghdr m = {.msg_iov = &io,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control)};
	ssize_t n = recvmsg(connection, &m, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c;
	int fd;

	if (n < 0)
		return -1;
	c = CMSG_FIRSTHDR(&m);
	if (c == NULL || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(sizeof(int))) {
		errno = n == 0                            ? EPIPE
			: (m.msg_flags & MSG_CTRUNC) != 0 ? EMFILE
			: magic == ARENA_MAGIC            ? ENOMEM
							  : EBADMSG;
		return -1;
	}
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	if (n == sizeof(magic) && magic == ARENA_MAGIC)
		return fd;
	close(fd);
	errno = EBADMSG;
	return -1;
}

int
session_order(const char *order, const char *session)
{
	struct sockaddr_un a;
	char name[SESSION_NAME], answer[SESSION_TEXT];
	socklen_t size;
	ssize_t n;
	int fd;

	if (!order_name(name, session)) {
		warn("%s", session);
		return TROUBLE;
	}
	size = address(&a, name);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&a, size) != 0) {
		if (errno == ECONNREFUSED)
			warnx("%s: no such session", session);
		else
			warn("%s", session);
		return TROUBLE;
	}
	if (send(fd, order, strlen(order), MSG_NOSIGNAL) < 0 ||
	    (n = recv(fd, answer, sizeof(answer), 0)) <= 0) {
		warnx("%s: the session has ended", session);
		return TROUBLE;
	}
	close(fd);
	fwrite(answer, 1, (size_t)n, stdout);
	return fflush(stdout) == 0 ? 0 : TROUBLE;
}
