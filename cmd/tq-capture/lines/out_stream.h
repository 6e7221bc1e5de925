/*
 * stream.h - one output of the capture: a section of lines in order of time
 *
 * A line is written into stream.line with the functions of emit.h: after
 * out_stream_begin an event, which out_stream_put hands over; a definition is
 * begun with nothing and handed over by out_stream_define, and goes out at
 * once.
 */
#ifndef TQ_CAPTURE_OUT_STREAM_H
#define TQ_CAPTURE_OUT_STREAM_H

#include "tq/io/emit.h"
#include "tq/io/sorter.h"

#include "clock.h"
#include "focus.h"
#include "writer_thread.h"

/* what is known of a line when it is its turn to go out */
enum line_class {
	LINE_EVENT,  /* judged by its time */
	LINE_API,    /* the same, and its operations with it */
	LINE_DRIVER, /* the same; nested, if its corr is of a LINE_API */
	LINE_WORK,   /* judged as the call that launched it */
	LINE_ALWAYS  /* not left out: losses, what the capture has to say */
};

struct out_stream {
	char *name;  /* of the file; NULL for stdout */
	uint64_t id; /* of this stream, among those of the capture */
	struct sorter *sorter;
	struct writer_thread *writer; /* NULL: closed */
	struct output line;           /* at hand */
	struct text ready;            /* for the sink */
	uint32_t tag;                 /* of the line at hand */
	struct focus *focus;
	int64_t lines;   /* written since the trace record */
	int64_t bytes;   /* of lines, as text */
	int64_t dropped; /* for the end record: lost by the programs */
	int64_t lost;    /* lost by the sorter: the disk is full */
	int64_t late;    /* that are not in order, after out_stream_close */
	int64_t outside; /* left out by the focus */
	int64_t nested;  /* calls of the driver that were left out */
	struct recent_calls **recent; /* calls of each process */
	size_t recent_count;
	int error;        /* the first errno, 0: all is well */
	bool live;        /* lines go out as they come */
	bool keep_nested; /* calls of the driver within one of the runtime */
};

/* what the trace record tells */
struct trace_info {
	const struct clock *clock;
	const char *command; /* NULL: not told */
	const char *mode;    /* what is traced: "cuda,nvtx" */
	int64_t rank;        /* < 0: none */
	int64_t slack;       /* 0: in order */
	bool keep_nested;    /* calls of the driver within the runtime's */
};

/*
 * Open file (NULL: stdout) and write the trace record.  False with errno
 * where that can't be.  memory is what the sorter may keep, in bytes.
 */
bool out_stream_open(struct out_stream *s, const char *file,
    enum zio_format format, const struct trace_info *about, struct focus *focus,
    size_t memory);

/*
 * Begin an event in s->line; process and corr are only for what the focus
 * judges (process is an index of the capture).
 */
void out_stream_begin(struct out_stream *s, enum line_class which,
    uint32_t process, uint32_t corr);

/* The event in s->line is complete. */
void out_stream_put(struct out_stream *s, int64_t ts, int64_t dur);

/* The definition in s->line is complete. */
void out_stream_define(struct out_stream *s);

/* A warning, of two texts with a space between, as a diagnostic record. */
void out_stream_note(
    struct out_stream *s, int64_t ts, const char *text, const char *what);

/* Let go what is older than until (ns); INT64_MAX: all. */
void out_stream_release(struct out_stream *s, int64_t until);

/*
 * Let go all, write the end record, and wait until it is written.  False
 * where anything went wrong: see error.
 */
bool out_stream_close(struct out_stream *s);

/* Close it as it is. */
void out_stream_abandon(struct out_stream *s);

void out_stream_free(struct out_stream *s);

#endif
