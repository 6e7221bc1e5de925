/*
 * dumps.h - when the flight recorder (--keep) writes its lines
 *
 * A dump is requested by a signal, an order, a key or the end of a range.  It
 * is written a little later, once records from before it have arrived.
 */
#ifndef TQ_CAPTURE_DUMPS_H
#define TQ_CAPTURE_DUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture;

struct dumps {
	bool asked;
	int64_t from, due; /* ns: of the requested dump */
	int64_t ends;      /* of ranges that requested one */
	int *callers;      /* connections that wait until it is written */
	size_t count, cap;
	size_t told;    /* callers before that one wait for the writer */
	int64_t events; /* of the last dump */
};

/*
 * Request a dump of the time before ts (ns).  Unless caller is -1, a reply is
 * sent there when the dump is written, and it is closed.
 */
void dumps_ask(struct capture *c, int64_t ts, int caller);

/* True if a dump is to be written now, with the events that are open. */
bool dumps_due(struct capture *c);
void dumps_write(struct capture *c);

/*
 * Reply to the callers of a dump that is written.  Returns ms until the next
 * dump, or at most most.
 */
int dumps_reply(struct capture *c, int most);

/* The last dump was written, at the end: reply to all. */
void dumps_finish(struct capture *c);

#endif
