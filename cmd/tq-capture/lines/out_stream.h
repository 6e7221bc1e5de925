/*
 * out_stream.h - one output of the capture: a section of lines in order of time
 *
 * Lines are written into s->line with the functions of emit.h: the members of
 * an event between out_stream_begin and out_stream_put; a definition between
 * emit_open and out_stream_define, with which it goes out at once.
 */
#ifndef TQ_CAPTURE_OUT_STREAM_H
#define TQ_CAPTURE_OUT_STREAM_H

#include "tq/io/emit.h"
#include "tq/io/sorter.h"

#include "clock.h"
#include "flight_recorder.h"
#include "focus.h"
#include "parked_calls.h"
#include "writer_thread.h"

/* how a line is selected when its turn comes to go out */
enum line_class {
	LINE_EVENT,  /* by its time */
	LINE_API,    /* by its time, and with it its operations */
	LINE_DRIVER, /* the same; nested if a LINE_API has its corr */
	LINE_WORK,   /* as the call that launched it */
	LINE_ALWAYS, /* always: losses, costs */
	LINE_NOTE    /* the same; a recorder never forgets it: diagnostics */
};

/* the last definition of a process or thread; all 0: none */
struct stream_name {
	int64_t pid, tid;
	uint64_t name; /* hash */
	bool ranked;
};

enum { OUT_STREAM_NAMES = 1024 }; /* that are remembered */

struct out_stream {
	char *name;  /* of the file; NULL for stdout */
	uint64_t id; /* number in the capture, from 1 */
	struct sorter *sorter;
	struct writer_thread *writer;     /* NULL: closed */
	struct flight_recorder *recorder; /* NULL: lines go out at once */
	struct output line;               /* being written */
	struct text ready;                /* lines for the writer */
	uint32_t tag;                     /* class and process of the line */
	struct focus *focus;
	int64_t lines;       /* written since the trace record */
	int64_t events;      /* put, without losses, costs and diagnostics */
	int64_t earlier;     /* in sections before this one */
	int64_t bytes;       /* of lines, as text */
	int64_t dropped;     /* records that programs lost */
	int64_t lost;        /* lines that the sorter lost: disk full */
	int64_t undelivered; /* lines put and not written, once it is closed */
	int64_t told;        /* of them, in end records of earlier dumps */
	int64_t late;        /* lines out of order, once it is closed */
	int64_t outside;     /* lines outside of the focus */
	int64_t nested;      /* calls of the driver that were dropped */
	struct parked_calls parked;   /* of the driver, while they are live */
	int64_t until;                /* ns: the latest release */
	struct recent_calls **recent; /* by process */
	size_t recent_count;
	int error;        /* the first errno, 0: all is well */
	bool temporary;   /* it is of a temporary file, not of the output */
	bool live;        /* lines go out as they come, unsorted */
	bool keep_nested; /* calls of the driver within one of the runtime */
	struct stream_name named[OUT_STREAM_NAMES]; /* by a hash of both ids */
};

/* records that a program, or the launcher, could not keep */
struct lost_records {
	const char *reason, *what;
	int64_t count;
};

/* members of the trace record */
struct trace_info {
	const struct clock *clock;
	const char *command; /* NULL: unknown */
	const char *mode;    /* kinds of records: "cuda,nvtx" */
	int64_t rank;        /* < 0: none */
	int64_t slack;       /* 0: in order */
	bool recorder;       /* true if lines are kept until they are dumped */
	bool keep_nested;    /* calls of the driver within the runtime's */
};

/*
 * Open file (NULL: stdout) and write the trace record.  False with errno if
 * that fails.  The sorter keeps up to memory bytes.
 */
bool out_stream_open(struct out_stream *s, const char *file,
    enum zio_format format, const struct trace_info *info, struct focus *focus,
    size_t memory);

/*
 * Begin an event in s->line, which is returned.  By process (an index of the
 * capture) and corr the focus finds the call that launched an operation.
 */
struct output *out_stream_begin(struct out_stream *s, enum kind kind,
    enum line_class which, uint32_t process, uint32_t corr);

/* The event in s->line has all its members. */
void out_stream_put(struct out_stream *s, int64_t ts, int64_t dur);

/* The event in s->line is none: forget it. */
void out_stream_drop(struct out_stream *s);

/*
 * Write a record of kind lost, and count its number as dropped.  process is its
 * index in the capture, pid its id; NO_ID: of no process.
 */
void out_stream_lost(struct out_stream *s, int64_t ts, uint32_t process,
    int64_t pid, const struct lost_records *lost);

/* The definition in s->line has all its members. */
void out_stream_define(struct out_stream *s);

/*
 * Define a process, or with a tid a thread of it.  Nothing is written where the
 * last definition said the same, as far as it is remembered: programs, the
 * kernel and looks all tell names.  rank < 0: none.
 */
void out_stream_name(struct out_stream *s, int64_t pid, int64_t tid,
    struct span name, int64_t rank);

/* Write a diagnostic record, a warning of two texts with a space between. */
void out_stream_note(
    struct out_stream *s, int64_t ts, const char *text, const char *what);

/* Release the lines from before until (ns); INT64_MAX: all. */
void out_stream_release(struct out_stream *s, int64_t until);

/*
 * Of a stream with a recorder: release all lines, and write a section of the
 * events that were not over at from (ns).  Returns how many lines it has.
 */
int64_t out_stream_dump(struct out_stream *s, int64_t from);

/*
 * Release all lines, write the end record, and wait until it is written.  False
 * if anything failed: see error.  With a recorder that is the last dump, from
 * that time on.
 */
bool out_stream_close(struct out_stream *s, int64_t from);

/* Close it without an end record. */
void out_stream_abandon(struct out_stream *s);

void out_stream_free(struct out_stream *s);

#endif
