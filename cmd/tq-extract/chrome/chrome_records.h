/*
 * chrome_records.h - records that wait for the end of the file
 *
 * The keys before tid are written when a record leaves the sorter; c->tail has
 * the rest, from tid on, in canonical order.
 */
#ifndef CHROME_RECORDS_H
#define CHROME_RECORDS_H

#include "chrome.h"
#include "tq/io/emit.h"

/* whose the record is */
enum chrome_owner {
	OWNER_PID,    /* the process that it names */
	OWNER_CALLER, /* the process whose call has its correlation id */
	OWNER_HOST    /* the host, unless its process is one */
};

struct chrome_record {
	enum kind kind;
	int64_t ts, dur;   /* ns; dur is NO_ID of an instant, NEVER_ENDED of an
			      open range */
	int64_t pid, corr; /* NO_ID: none */
	enum chrome_owner owner;
	bool implied;   /* it is left out of a trace of Kineto's */
	bool connected; /* corr is a connection of Ascend's profiler, which
			   becomes that of the call; the tail has none */
};

/* Begin the tail of a record of a kind. */
void chrome_records_begin(struct chrome *c, enum kind kind);

/* Hold the record whose tail is complete, unless its kind is not chosen. */
void chrome_records_add(struct chrome *c, const struct chrome_record *r);

/* All records are held, and the host is known: write them, in order. */
void chrome_records_write(struct chrome *c);

/* The time that becomes 0. */
int64_t chrome_records_origin(const struct chrome *c);

/*
 * Append a key to the tail, if it is chosen: an integer unless it is NO_ID, a
 * string of the file, JSON.
 */
void chrome_records_int(struct chrome *c, enum key key, int64_t v);
void chrome_records_str(struct chrome *c, enum key key, struct span value);
void chrome_records_json(struct chrome *c, enum key key, struct span json);

/*
 * The same for the remaining args, and other members without a key of their
 * own.
 */
void chrome_records_args(struct chrome *c);

#endif
