/* file_accesses.c - the files of OS calls, read side by side with the calls */

#include <stdlib.h>

#include "file_accesses.h"
#include "tq/base/array.h"

enum {
	THREAD_BITS = 48, /* process and thread of a global id */
	SAME_TIME = 1024  /* accesses that start together, at most */
};

void
file_accesses_free(struct file_accesses *f)
{
	sqlite3_finalize(f->st);
	for (size_t i = 0; i < f->room; i++)
		text_free(&f->all[i].path);
	free(f->all);
}

/* to the next row that has a time */
static void
step(struct file_accesses *f)
{
	while (!f->ended) {
		f->ended = f->st == NULL || !database_step(f->db, f->st);
		if (!f->ended &&
		    !__builtin_sub_overflow(
			sqlite3_column_int64(f->st, 0), f->shift, &f->next))
			return;
	}
}

static void
begin(struct file_accesses *f)
{
	f->opened = true;
	f->st = database_prepare(f->db,
	    "SELECT startedAt, (processId & 0xffffff) << 24 | "
	    "(threadId & 0xffffff), filePath, "
	    "CASE WHEN eventType IN (3, 4) THEN bytesProcessed END "
	    "FROM OSRT_FILE_ACCESS_EVENTS JOIN OSRT_FILE_ACCESS_DESCRIPTORS "
	    "USING (fileAccessId) WHERE startedAt IS NOT NULL "
	    "ORDER BY startedAt");
	step(f);
}

/* keep the current row */
static void
add_row(struct file_accesses *f)
{
	struct file_access *a;

	if (f->count == f->room)
		*array_add(&f->all, &f->room, &f->cap) =
		    (struct file_access){0};
	a = &f->all[f->count++];
	a->thread = (uint64_t)sqlite3_column_int64(f->st, 1);
	a->bytes = sqlite3_column_type(f->st, 3) == SQLITE_INTEGER
		       ? sqlite3_column_int64(f->st, 3)
		       : -1;
	a->path.len = 0;
	text_add_span(&a->path, database_text(f->st, 2));
}

/* the accesses that start at ts, which is later than before */
static void
advance(struct file_accesses *f, int64_t ts)
{
	f->ts = ts;
	f->count = 0;
	while (!f->ended && f->next < ts)
		step(f);
	for (; !f->ended && f->next == ts; step(f))
		if (f->count < SAME_TIME)
			add_row(f);
}

const struct file_access *
file_accesses_find(struct file_accesses *f, uint64_t global, int64_t ts)
{
	bool first = !f->opened;

	if (first)
		begin(f);
	if (first || ts != f->ts)
		advance(f, ts);
	global &= ((uint64_t)1 << THREAD_BITS) - 1;
	for (size_t i = 0; i < f->count; i++)
		if (f->all[i].thread == global)
			return &f->all[i];
	return NULL;
}
