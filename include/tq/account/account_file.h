/*
 * account_file.h - accounts as text: "tq-stats --partial -r account".
 *
 * Each line is a JSON object; common/account/account_file.c has the grammar.
 * Files that are written behind each other are one file of several accounts.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_FILE_H
#define TQ_ACCOUNT_ACCOUNT_FILE_H

#include "tq/account/account.h"

enum { ACCOUNT_VERSION = 2 };

/* Append the lines of an account: equal accounts are equal bytes. */
void account_file_write(struct text *t, const struct account *a);

/* True if a line begins an account. */
bool account_file_begins(struct span line);

/* while lines are read; {0} at first */
struct account_file {
	struct account *a; /* that is being read, or NULL */
	const char *error; /* a constant text */
	int64_t version;   /* that is not ours, with an error */
	size_t lines;
	struct {
		size_t devices, units, rows, calls, paths, copies, sequences,
		    facts;
	} cap;
	struct text key, scratch;
};

/*
 * The next line: true if it is good.  The last line of an account adds it to
 * *all; a->a is NULL then.
 */
bool account_file_read(
    struct account_file *f, struct span line, struct accounts *all);

/* Free the part of an account without its end. */
void account_file_free(struct account_file *f);

#endif
