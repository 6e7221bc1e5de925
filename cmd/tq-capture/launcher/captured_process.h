/*
 * captured_process.h - the arena of a process, and how far it was read
 */
#ifndef TQ_CAPTURE_CAPTURED_PROCESS_H
#define TQ_CAPTURE_CAPTURED_PROCESS_H

#include "announced_records.h"
#include "arena/arena.h"
#include "backlog.h"
#include "lines/lines.h"

/* how far a chunk was read, while it is in use */
struct chunk_progress {
	uint32_t at;
	bool is_begun;
	int32_t tid; /* of the thread of the next record, with its name */
	char name[16];
};

/* a process between exec and exec; after fork a child is another target */
struct captured_process {
	int pidfd;           /* -1: gone, or the kernel has none */
	int connection;      /* -1: closed */
	bool is_dead;        /* nothing writes to its arena any more */
	bool ended;          /* all of its arena was read */
	char *about;         /* see arena.h */
	const char *command; /* with its arguments; NULL: unknown */

	struct arena *arena;
	uint64_t size;
	/* of the arena, as they were when they were checked */
	uint32_t chunks, buffers;
	uint64_t start;
	struct chunk_progress *progress; /* by chunk */
	struct backlog backlog;
	bool is_full_noted;
	struct announced_records announced;
	/* ns: every record from before it was read, but for those of threads
	   that stand still in the midst of one; and with those, too */
	int64_t read_until, complete_until;
	struct lines lines;
	int64_t lost[LOSSES]; /* as far as they were reported */
	int64_t busy;         /* ns that completed CUPTI buffers took */
	int64_t blocked;      /* ns of waiting for space */
	int64_t short_calls;  /* of the C library, timed and not recorded */
	int64_t salvaged;     /* records found in buffers of the dead process */
};

/*
 * The process pid (as the launcher sees it) sent the memfd of its arena,
 * which is closed here.  lines has what its caller sets, but for pid and name.
 * NULL, with a constant text in *error, if it is no arena.
 */
struct captured_process *captured_process_open(
    int memfd, int pid, const struct lines *lines, const char **error);

/*
 * The value of an environment variable of the process, if its agent sent it;
 * NULL: not set.  t NULL: of this process, the launcher.
 */
const char *captured_process_variable(
    const struct captured_process *t, const char *name);

/* The value of the first of RANK_VARIABLES that is set, in the same way. */
const char *captured_process_rank(const struct captured_process *t);

/* The records lost with a loss of that kind, and the reason. */
const char *captured_process_loss_what(enum arena_loss_kind kind);
const char *captured_process_loss_reason(enum arena_loss_kind kind);

/* Write a record for each kind of loss since the last call; update busy and
   blocked. */
void captured_process_report_losses(struct captured_process *t);

/*
 * The process has ended: write the rest, with the records that the library
 * `agent` salvages out of buffers of CUPTI.
 */
void captured_process_read_rest(struct captured_process *t, const char *agent);

/* Unmap the arena, and free what reading it needs. */
void captured_process_close(struct captured_process *t);

void captured_process_free(struct captured_process *t);

#endif
