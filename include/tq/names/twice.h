/*
 * twice.h - API calls that an export has twice: a call and in it, with the same
 * correlation id on the same thread, the versioned entry point of that name.
 */
#ifndef TQ_NAMES_TWICE_H
#define TQ_NAMES_TWICE_H

#include "tq/base/numbered.h"
#include "tq/line/event.h"

/* the last call of a thread without a version */
struct twice_call {
	int64_t corr, end;
	uint64_t name; /* its hash */
};

/* {0} is empty; of a section */
struct twice {
	NUMBERED(struct twice_call) calls; /* of threads */
	int64_t end; /* of the one that ends last, if one is open */
	bool open;
};

/* the keys of a call that twice_seen reads, for a list of keys */
#define TWICE_KEYS \
	KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_corr, KEY_name, KEY_raw, KEY_open

/* True if the call is in one that came before, and is the same with a version.
 */
bool twice_seen(struct twice *t, const struct event *ev);

/* A new section. */
void twice_reset(struct twice *t);

void twice_free(struct twice *t);

#endif
