/*
 * serve.h - hand one file to a page in a browser on this machine.
 */
#ifndef TQ_SERVE_H
#define TQ_SERVE_H

/* The port from which Perfetto's page may load a trace. */
enum { SERVE_PORT = 9001 };

/* A file that is served. */
struct serve {
	const char *path;
	const char *target; /* of its URL, with a secret in it: "/..." */
	const char *origin; /* of the page that may read it: "https://..." */
	int port;
};

/* Room for the secret, and a NUL. */
enum { SERVE_SECRET = 33 };

/* 128 random bits as hexadecimal digits; exits where there are none. */
void serve_secret(char secret[SERVE_SECRET]);

/*
 * Listen on 127.0.0.1, before the address is printed; returns the descriptor.
 * Exits on an error.
 */
int serve_listen(int port);

/*
 * Answer requests until the file was sent once; returns a status.  Only GET of
 * the target gets it, for the host 127.0.0.1 or localhost, from a page of the
 * origin.  Several connections are served at a time; one ends where its request
 * is not there after ten seconds, or takes nothing for ten seconds.
 */
int serve_file(int listener, const struct serve *s);

#endif
