/* serve.c - hand one file to a page in a browser on this machine */

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/text.h"
#include "tq/io/status.h"

#include "serve.h"

enum { REQUEST_MOST = 16384, PATIENCE = 5 }; /* bytes; seconds for a request */

struct served {
	const char *path, *target, *origin;
	int port;
};

int
serve_listen(int port)
{
	struct sockaddr_in to = {
	    .sin_family = AF_INET,
	    .sin_port = htons((uint16_t)port),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    bind(fd, (struct sockaddr *)&to, sizeof(to)) < 0 ||
	    listen(fd, 8) < 0)
		err(TQ_FAIL, "127.0.0.1:%d", port);
	return fd;
}

/* ---- a request ---- */

/* the head of a request, with a NUL behind it; false: none came in time */
static bool
read_request(int fd, char *buf)
{
	struct timeval patience = {.tv_sec = PATIENCE};
	size_t n = 0;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	while (n < REQUEST_MOST) {
		ssize_t got = recv(fd, buf + n, REQUEST_MOST - n, 0);

		if (got <= 0)
			return false;
		n += (size_t)got;
		buf[n] = '\0';
		if (strstr(buf, "\r\n\r\n") != NULL)
			return strlen(buf) == n;
	}
	return false;
}

/* a page elsewhere that has a name for 127.0.0.1 is not let in */
static bool
names_this_host(const char *request, int port)
{
	static const char *const hosts[] = {"127.0.0.1", "localhost"};
	const char *line = strcasestr(request, "\r\nHost:");
	char line_of[64];

	if (line == NULL)
		return false;
	line += strlen("\r\nHost:");
	line += strspn(line, " ");
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		int n = snprintf(
		    line_of, sizeof(line_of), "%s:%d\r\n", hosts[i], port);

		if (strncasecmp(line, line_of, (size_t)n) == 0)
			return true;
	}
	return false;
}

/* "METHOD TARGET HTTP/1..." */
static bool
asks_for(const char *request, const char *method, const char *target)
{
	size_t n = strlen(method), len = strlen(target);

	return strncmp(request, method, n) == 0 && request[n] == ' ' &&
	       strncmp(request + n + 1, target, len) == 0 &&
	       request[n + 1 + len] == ' ';
}

/* ---- the response ---- */

static bool
send_text(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		p += sent;
		n -= (size_t)sent;
	}
	return true;
}

static bool
send_head(int fd, const struct served *s, const char *status, int64_t length)
{
	struct text t = {0};
	bool done;

	text_printf(&t,
	    "HTTP/1.1 %s\r\nContent-Length: %lld\r\n"
	    "Content-Type: application/octet-stream\r\n"
	    "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n"
	    "Access-Control-Allow-Private-Network: true\r\n"
	    "Cache-Control: no-store\r\nConnection: close\r\n\r\n",
	    status, (long long)length, s->origin);
	done = send_text(fd, t.p, t.len);
	text_free(&t);
	return done;
}

/* true once the whole file has gone out */
static bool
send_whole(int fd, const struct served *s, bool body)
{
	int file = open(s->path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	off_t at = 0;
	ssize_t n = 1;

	if (file < 0 || fstat(file, &st) < 0)
		err(TQ_FAIL, "%s", s->path);
	if (!send_head(fd, s, "200 OK", st.st_size))
		n = 0;
	while (body && n != 0 && at < st.st_size) {
		n = sendfile(fd, file, &at, (size_t)(st.st_size - at));
		if (n < 0 && errno != EINTR)
			break;
	}
	close(file);
	return body && at == st.st_size;
}

static bool
answer(int fd, const struct served *s)
{
	char request[REQUEST_MOST + 1];

	if (!read_request(fd, request))
		return false;
	if (!names_this_host(request, s->port))
		send_head(fd, s, "403 Forbidden", 0);
	else if (strncmp(request, "OPTIONS ", 8) == 0)
		send_head(fd, s, "204 No Content", 0);
	else if (asks_for(request, "GET", s->target))
		return send_whole(fd, s, true);
	else if (asks_for(request, "HEAD", s->target))
		send_whole(fd, s, false);
	else
		send_head(fd, s, "404 Not Found", 0);
	return false;
}

int
serve_file(int listener, const char *path, const char *name, int port,
    const char *origin)
{
	struct text target = {0};
	struct served s = {path, NULL, origin, port};
	bool done = false;

	text_add_char(&target, '/');
	text_add_str(&target, name);
	text_add_char(&target, '\0');
	s.target = target.p;
	signal(SIGPIPE, SIG_IGN); /* sendfile(2) has no MSG_NOSIGNAL */
	while (!done) {
		int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0)
			err(TQ_FAIL, "accept");
		done = answer(fd, &s);
		shutdown(fd, SHUT_WR);
		close(fd);
	}
	text_free(&target);
	return TQ_OK;
}
