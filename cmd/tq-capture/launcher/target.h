/*
 * process.h - a process under capture: its arena read, its records as lines
 */
#ifndef TQ_CAPTURE_TARGET_H
#define TQ_CAPTURE_TARGET_H

#include "arena/arena.h"
#include "backlog.h"
#include "lines/gpu.h"
#include "lines/nvtx_lines.h"

/* what events are counted as, for what they cost */
enum count_kind {
	COUNT_RANGES,
	COUNT_MARKS, /* and counters */
	COUNT_CALLS,
	COUNT_WORK, /* operations of the device */
	COUNT_OTHER,
	COUNTS
};

extern const char *const count_names[COUNTS];

/* how far a chunk was read, while it is the seq-th */
struct chunk_progress {
	uint32_t seq, at;
};

/* a process between exec and exec; after fork a child is another */
struct target {
	int pid;
	int pidfd;      /* -1: gone, or the kernel has none */
	int connection; /* -1: closed */
	bool is_dead;   /* nothing will be written to its arena any more */
	bool ended;     /* all of it was read */
	char *about;    /* as arena.h has it */
	const char *name, *command; /* of it; NULL: not told */
	int64_t rank;               /* < 0: none */

	struct arena *arena;
	uint64_t size;
	/* as they were when checked */
	uint32_t chunks, buffers;
	uint64_t start;
	struct chunk_progress *readings;
	struct backlog backlog;
	int64_t read_until; /* ns: when all that there was had been read */
	struct dictionary names;
	struct gathered_parts gather; /* of the chunks of names */
	struct annotations ranges;
	struct map counters; /* of NVTX, to their ids in the capture */
	struct gpu gpu;
	struct symbols *symbols; /* of the capture */
	struct source from;
	int64_t counts[COUNTS]; /* events that became lines */
	int64_t lost[LOSSES];   /* that were told */
	int64_t busy;           /* ns in buffers that CUPTI completed */
	int64_t blocked;        /* ns of waiting for space */
	double cupti;           /* ns that CUPTI's own overhead records tell */
	int64_t garbage;        /* records that were none */
	int64_t salvaged;       /* out of buffers CUPTI had not given back */
};

/*
 * The process pid (as the launcher sees it) sent the memfd of its arena,
 * which is closed here.  NULL, with a constant text in *error, where it is no
 * arena.  from is copied, and completed.
 */
struct target *target_open(int memfd, int pid, const struct source *from,
    struct symbols *symbols, const char **error);

/*
 * The value of a variable that it was asked for, NULL: not set.  p NULL: of
 * this process, the launcher.
 */
const char *target_variable(const struct target *p, const char *name);

/* The first of RANK_VARIABLES that is set, in the same way. */
const char *target_rank(const struct target *p);

/* Write the definition of the process. */
void target_define(const struct target *p);

/*
 * Read what was written since the last time; with spill, what is too much
 * to be read at once is put off, but out of the way of the program.  Returns
 * the number of bytes of records.
 */
size_t drain_target(struct target *p, bool spill);

/* The same of a process that has ended, to the last record. */
void drain_rest(struct target *p);

/* One record of it, which stood in that chunk and is whole. */
void lines_dispatch(
    struct target *p, const struct chunk *c, const struct record *r);

/* What a loss is of, and why it came. */
const char *target_loss_what(enum arena_loss_kind kind);
const char *target_loss_reason(enum arena_loss_kind kind);

/* Tell what was lost since the last time, and learn what it has cost. */
void target_report_losses(struct target *p);

/*
 * It has ended: read the rest, also what CUPTI had not given back, which the
 * agent's file knows how to read; write what was left open.
 */
void target_read_rest(struct target *p, const char *agent);

/* Of a dead process: the records in the buffers that CUPTI had. */
void salvage_target(struct target *p, const char *agent);

/* Let go of what is needed only to read it. */
void target_close(struct target *p);

void target_free(struct target *p);

#endif
