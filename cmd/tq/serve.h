/*
 * serve.h - hand one file to a page in a browser on this machine.
 */
#ifndef TQ_SERVE_H
#define TQ_SERVE_H

/* The port from which Perfetto's page may load a trace. */
enum { SERVE_PORT = 9001 };

/*
 * Listen on 127.0.0.1, before the address is printed; returns the descriptor.
 * Exits on an error.
 */
int serve_listen(int port);

/*
 * Serve requests until the file was sent once.  Only GET /NAME gets it, for the
 * host 127.0.0.1 or localhost, and only a page of origin may read the
 * response.  Returns a status.
 */
int serve_file(int listener, const char *path, const char *name, int port,
    const char *origin);

#endif
