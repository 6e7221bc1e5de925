/*
 * chrome_records.h - whose the records of a trace are
 *
 * A device record is its launching process's, and which that is, is known at
 * the end of the file only: a patch of sorted_records.h writes it.
 */
#ifndef CHROME_RECORDS_H
#define CHROME_RECORDS_H

#include "chrome.h"

/* whose the record is */
enum chrome_owner {
	OWNER_PID,    /* the process that it names */
	OWNER_CALLER, /* the process whose call has its correlation id */
	OWNER_HOST    /* the host, unless its process is one */
};

struct chrome_record {
	enum kind kind;
	int64_t ts, dur;   /* ns; as in struct sorted_record */
	int64_t pid, corr; /* NO_ID: none */
	enum chrome_owner owner;
	bool implied;   /* it is left out of a trace of Kineto's */
	bool connected; /* corr is a connection of Ascend's profiler: the key
			   corr becomes the corr of its call */
};

/* Begin a record; its keys from tid on are added to c->section.records. */
void chrome_records_begin(struct chrome *c, const struct chrome_record *r);

/*
 * End it with the remaining args, and other members without a key of their
 * own; sorted_records_end() leaves them out.
 */
void chrome_records_end(struct chrome *c);

/* All records are held, and the host is known: they can be written. */
void chrome_records_settle(struct chrome *c);

#endif
