/*
 * serve.h - hand one file to a page in a browser on this machine.
 */
#ifndef TQ_SERVE_H
#define TQ_SERVE_H

/* The port from which Perfetto's page may load a trace. */
enum { SERVE_PORT = 9001 };

/*
 * Listen on 127.0.0.1 before anybody is told the address; the descriptor.
 * Does not return on an error.
 */
int serve_listen(int port);

/*
 * Answer until the file was handed over once.  Only GET /NAME is answered, for
 * the host that a browser names 127.0.0.1 or localhost, and only a page of
 * origin may read the answer.  Returns a status.
 */
int serve_file(int listener, const char *path, const char *name, int port,
    const char *origin);

#endif
