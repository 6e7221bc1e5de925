/*
 * account_file.h - accounts as records: "tq-stats --partial -r account".
 *
 * An account is a section of the stream; common/account/account_file.c has the
 * grammar.  Files that are written behind each other are one file of several
 * accounts.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_FILE_H
#define TQ_ACCOUNT_ACCOUNT_FILE_H

#include "tq/account/account.h"
#include "tq/io/output.h"
#include "tq/line/event.h"

enum { ACCOUNT_VERSION = 3 };

/* Write the records of an account: equal accounts are equal bytes. */
void account_file_write(struct output *o, const struct account *a);

/* while records are read; {0} at first */
struct account_file {
	struct account *a; /* that is being read, or NULL */
	const char *error; /* a constant text */
	int64_t version;   /* that is not ours, with an error */
	bool old;          /* of version 2: */
	size_t lines;
	struct {
		size_t devices, units, rows, calls, paths, copies, sequences,
		    facts;
	} cap;
	struct text key, scratch;
};

/* True if the record is of an account, as far as it was read. */
bool account_file_has(const struct account_file *f, const struct event *ev);

/*
 * The next record of an account, all of which was parsed: true if it is good.
 * The end record adds the account to *all; f->a is NULL then.
 */
bool account_file_read(
    struct account_file *f, const struct event *ev, struct accounts *all);

/*
 * Version 2, whose lines are no records, until the release after 0.2: true if a
 * line is of an account, and the next line, likewise.
 */
bool account_file_has_line(const struct account_file *f, struct span line);
bool account_file_read_line(
    struct account_file *f, struct span line, struct accounts *all);

/* Free the part of an account without its end. */
void account_file_free(struct account_file *f);

#endif
