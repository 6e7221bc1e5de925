/*
 * recording.h - the format of a file, by its first bytes; a file with the name
 * of a report of Nsight Systems and a git-lfs pointer count as exports, so that
 * tq-extract prints what is wrong with them.
 */
#ifndef TQ_RECORDING_H
#define TQ_RECORDING_H

#include <stdbool.h>

enum recording {
	RECORDING_NONE,     /* there is no such file, or it is a folder */
	RECORDING_EXPORT,   /* of Nsight Systems, or another database */
	RECORDING_JSON,     /* perhaps a Chrome trace, for it or for a viewer */
	RECORDING_STREAM,   /* records of tq-events(5) */
	RECORDING_UNSORTED, /* the same, whose trace record has a slack */
	RECORDING_PERFETTO, /* a trace for a viewer, or for tq-extract */
	RECORDING_TOTALS,   /* of cProfile, for tq-stats */
	RECORDING_PART,     /* of tq-stats --partial, of any report */
	RECORDING_FOREIGN,  /* anything else, which tq-extract judges: text of
			     * perf, folded stacks, a pickle */
	RECORDING_EMPTY
};

/* Looks through zstd and gzip. */
enum recording recording_of(const char *path);

/*
 * The same of what stdin has, a file or a pipe, for which it waits and which it
 * leaves there.
 */
enum recording recording_of_stdin(void);

/* True if tq-extract makes the stream of it, but for RECORDING_FOREIGN. */
bool recording_is_extracted(enum recording r);

/* True if a file of JSON is a Chrome trace: reads up to its events. */
bool recording_has_events(const char *path);

/* True if it is compressed with zstd, which viewers cannot read. */
bool recording_is_zstd(const char *path);

#endif
