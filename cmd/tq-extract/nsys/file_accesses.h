/*
 * file_accesses.h - the files that OS calls opened, read, wrote and closed, in
 * order of time.
 */
#ifndef FILE_ACCESSES_H
#define FILE_ACCESSES_H

#include "sqlite/database.h"

struct file_access {
	uint64_t thread; /* process and thread, as in a global id */
	int64_t bytes;   /* -1: neither read nor written */
	struct text path;
};

/* {0} but for db and shift is at the first access */
struct file_accesses {
	const struct database *db;
	int64_t shift; /* to be subtracted from all times */
	sqlite3_stmt *st;
	bool opened, ended;
	int64_t ts, next;        /* of the accesses in all; of the row of st */
	struct file_access *all; /* that start at ts */
	size_t count, cap, room; /* room: have a path to be freed */
};

void file_accesses_free(struct file_accesses *f);

/*
 * The access of the OS call that starts at ts on the thread of a global id;
 * NULL where it has none.  ts is not less than in the call before.  Good until
 * the next call.
 */
const struct file_access *file_accesses_find(
    struct file_accesses *f, uint64_t global, int64_t ts);

#endif
