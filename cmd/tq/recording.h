/*
 * recording.h - the format of a file, by its first bytes; a file with the name
 * of a report of Nsight Systems counts as one, so that tq-extract prints what
 * is wrong with it.
 */
#ifndef TQ_RECORDING_H
#define TQ_RECORDING_H

enum recording {
	RECORDING_NONE,     /* there is no such file, or it is a folder */
	RECORDING_EXPORT,   /* of Nsight Systems, or another database */
	RECORDING_JSON,     /* perhaps a Chrome trace, for it or for a viewer */
	RECORDING_STREAM,   /* records of tq-events(5) */
	RECORDING_PERFETTO, /* a trace for a viewer, or for tq-extract */
	RECORDING_TOTALS,   /* of cProfile, for tq-stats */
	RECORDING_TRACE     /* anything else: for a viewer */
};

/* Looks through zstd and gzip. */
enum recording recording_of(const char *path);

#endif
