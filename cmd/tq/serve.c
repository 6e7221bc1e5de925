/* serve.c - hand one file to a page in a browser on this machine */

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tq/base/text.h"
#include "tq/io/status.h"

#include "http_request.h"
#include "serve.h"

enum {
	REQUEST_MOST = 16384, /* bytes */
	CLIENTS = 16,         /* connections at a time */
	PATIENCE = 10000,     /* ms for a request, and for a send */
	PART = 1 << 20        /* bytes of the file, before others have a turn */
};

/* what a connection does; it goes on in this order */
enum phase { FREE, READ_REQUEST, SEND_HEAD, SEND_BODY, DRAIN };

struct client {
	enum phase phase;
	int fd;
	int64_t deadline;  /* ms */
	bool has_body;     /* behind the head of the response */
	struct text bytes; /* the request, then the head of the response */
	size_t sent;       /* of them */
	off_t at;          /* in the file */
};

struct server {
	const struct serve *what;
	int listener, file;
	int64_t size;
	bool done; /* the file went out, and its reader has closed */
	struct client clients[CLIENTS];
};

void
serve_secret(char secret[SERVE_SECRET])
{
	unsigned char bytes[(SERVE_SECRET - 1) / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		err(TQ_FAIL, "getrandom");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
}

int
serve_listen(int port)
{
	struct sockaddr_in to = {
	    .sin_family = AF_INET,
	    .sin_port = htons((uint16_t)port),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
	    on = 1;

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    bind(fd, (struct sockaddr *)&to, sizeof(to)) < 0 ||
	    listen(fd, CLIENTS) < 0)
		err(TQ_FAIL, "127.0.0.1:%d", port);
	return fd;
}

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- a request ---- */

/* A page elsewhere that has a name for 127.0.0.1 is not let in. */
static bool
names_this_host(struct span host, int port)
{
	static const char *const hosts[] = {"127.0.0.1", "localhost"};

	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		char name[32];
		int n = snprintf(name, sizeof(name), "%s:%d", hosts[i], port);

		if (host.len == (size_t)n &&
		    strncasecmp(host.p, name, host.len) == 0)
			return true;
	}
	return false;
}

/* The time that this takes does not depend on how far they agree. */
static bool
is_target(struct span target, const char *wanted)
{
	unsigned char differ = 0;

	if (target.len != strlen(wanted))
		return false;
	for (size_t i = 0; i < target.len; i++)
		differ |= (unsigned char)(target.p[i] ^ wanted[i]);
	return differ == 0;
}

/* The status of the response to a whole request. */
static const char *
judge(const struct server *s, const struct http_request *r, bool *body)
{
	if (!names_this_host(r->host, s->what->port) ||
	    !span_eq(r->origin, span_of(s->what->origin)))
		return "403 Forbidden";
	if (!is_target(r->target, s->what->target))
		return "404 Not Found";
	if (span_eq(r->method, SPAN("OPTIONS")))
		return "204 No Content";
	*body = span_eq(r->method, SPAN("GET"));
	return *body || span_eq(r->method, SPAN("HEAD"))
		   ? "200 OK"
		   : "405 Method Not Allowed";
}

/* The head of the response takes the place of the request. */
static void
respond(struct server *s, struct client *c, const char *status, bool allowed)
{
	struct text *t = &c->bytes;

	t->len = 0;
	text_printf(t, "HTTP/1.1 %s\r\nContent-Length: %" PRId64 "\r\n", status,
	    strncmp(status, "200", 3) == 0 ? s->size : 0);
	if (allowed)
		text_printf(t,
		    "Access-Control-Allow-Origin: %s\r\n"
		    "Access-Control-Allow-Private-Network: true\r\n",
		    s->what->origin);
	text_add_str(t,
	    "Content-Type: application/octet-stream\r\nVary: Origin\r\n"
	    "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
	    "Connection: close\r\n\r\n");
	c->phase = SEND_HEAD;
	c->deadline = now_ms() + PATIENCE;
}

static void
answer(struct server *s, struct client *c)
{
	struct http_request r;
	const char *status;

	switch (http_request_parse(&r, text_span(&c->bytes))) {
	case HTTP_CUT:
		if (c->bytes.len >= REQUEST_MOST)
			respond(
			    s, c, "431 Request Header Fields Too Large", false);
		break;
	case HTTP_WRONG:
		respond(s, c, "400 Bad Request", false);
		break;
	case HTTP_WHOLE:
		status = judge(s, &r, &c->has_body);
		respond(s, c, status, strncmp(status, "403", 3) != 0);
	}
}

/* ---- a connection ---- */

static void
leave(struct client *c)
{
	close(c->fd);
	text_free(&c->bytes);
	*c = (struct client){0};
}

/* true where the call is to be tried again later */
static bool
is_later(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static void
read_request(struct server *s, struct client *c)
{
	size_t room = REQUEST_MOST - c->bytes.len;
	ssize_t n = recv(c->fd, text_reserve(&c->bytes, room), room, 0);

	if (n > 0) {
		c->bytes.len += (size_t)n;
		answer(s, c);
	} else if (n == 0 || !is_later()) {
		leave(c);
	}
}

/* Bytes that are left unread when a socket is closed take the response along:
   wait until the other side closes. */
static void
drain(struct client *c)
{
	shutdown(c->fd, SHUT_WR);
	c->phase = DRAIN;
	c->deadline = now_ms() + PATIENCE;
}

static void
send_head(struct client *c)
{
	ssize_t n = send(
	    c->fd, c->bytes.p + c->sent, c->bytes.len - c->sent, MSG_NOSIGNAL);

	if (n < 0) {
		if (!is_later())
			leave(c);
		return;
	}
	c->sent += (size_t)n;
	c->deadline = now_ms() + PATIENCE;
	if (c->sent < c->bytes.len)
		return;
	if (c->has_body)
		c->phase = SEND_BODY;
	else
		drain(c);
}

static void
send_body(struct server *s, struct client *c)
{
	ssize_t n = 0;

	if (c->at < s->size)
		n = sendfile(c->fd, s->file, &c->at, PART);
	if (n < 0 && is_later())
		return;
	if (c->at >= s->size)
		drain(c);
	else if (n <= 0)
		leave(c);
	else
		c->deadline = now_ms() + PATIENCE;
}

/* The connection has ended; the file went out if all of it was sent. */
static void
end(struct server *s, struct client *c)
{
	s->done |= c->phase == DRAIN && c->has_body;
	leave(c);
}

static void
read_rest(struct server *s, struct client *c)
{
	char rest[4096];
	ssize_t n = recv(c->fd, rest, sizeof(rest), 0);

	if (n == 0)
		end(s, c);
	else if (n < 0 && !is_later())
		leave(c); /* it may not have read all */
}

static void
go_on(struct server *s, struct client *c)
{
	switch (c->phase) {
	case FREE:
		break;
	case READ_REQUEST:
		read_request(s, c);
		break;
	case SEND_HEAD:
		send_head(c);
		break;
	case SEND_BODY:
		send_body(s, c);
		break;
	case DRAIN:
		read_rest(s, c);
	}
}

/* ---- all of them ---- */

/* A free place, or the one of the connection that ends first without a file. */
static struct client *
find_place(struct server *s)
{
	struct client *first = NULL;

	for (size_t i = 0; i < CLIENTS; i++) {
		struct client *c = &s->clients[i];

		if (c->phase == FREE)
			return c;
		if (!c->has_body &&
		    (first == NULL || c->deadline < first->deadline))
			first = c;
	}
	if (first != NULL)
		leave(first);
	return first;
}

static void
accept_client(struct server *s)
{
	int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct client *c;

	if (fd < 0) {
		if (!is_later() && errno != ECONNABORTED)
			err(TQ_FAIL, "accept");
		return;
	}
	if ((c = find_place(s)) == NULL) {
		close(fd);
		return;
	}
	*c = (struct client){
	    .phase = READ_REQUEST, .fd = fd, .deadline = now_ms() + PATIENCE};
}

/* Wait until something can be done, at most until the first deadline. */
static void
wait_for_events(const struct server *s, struct pollfd polled[CLIENTS + 1])
{
	int64_t now = now_ms(), wait = -1;

	for (size_t i = 0; i < CLIENTS; i++) {
		const struct client *c = &s->clients[i];
		int64_t left = c->deadline > now ? c->deadline - now : 0;
		bool sends = c->phase == SEND_HEAD || c->phase == SEND_BODY;

		polled[i] = (struct pollfd){.fd = c->phase == FREE ? -1 : c->fd,
		    .events = sends ? POLLOUT : POLLIN};
		if (c->phase != FREE && (wait < 0 || left < wait))
			wait = left;
	}
	polled[CLIENTS] = (struct pollfd){.fd = s->listener, .events = POLLIN};
	if (poll(polled, CLIENTS + 1, (int)wait) < 0 && errno != EINTR)
		err(TQ_FAIL, "poll");
}

static void
serve_once(struct server *s)
{
	struct pollfd polled[CLIENTS + 1];
	int64_t now;

	wait_for_events(s, polled);
	now = now_ms();
	for (size_t i = 0; i < CLIENTS; i++) {
		struct client *c = &s->clients[i];

		if (c->phase != FREE && polled[i].revents != 0)
			go_on(s, c);
		else if (c->phase != FREE && now >= c->deadline)
			end(s, c);
	}
	if (polled[CLIENTS].revents != 0)
		accept_client(s);
}

int
serve_file(int listener, const struct serve *what)
{
	struct server s = {.what = what, .listener = listener};
	struct stat st;

	s.file = open(what->path, O_RDONLY | O_CLOEXEC);
	if (s.file < 0 || fstat(s.file, &st) < 0)
		err(TQ_FAIL, "%s", what->path);
	s.size = st.st_size;
	signal(SIGPIPE, SIG_IGN); /* sendfile(2) has no MSG_NOSIGNAL */
	while (!s.done)
		serve_once(&s);
	for (size_t i = 0; i < CLIENTS; i++)
		if (s.clients[i].phase != FREE)
			leave(&s.clients[i]);
	close(s.file);
	close(listener);
	return TQ_OK;
}
