/*
 * lines.h - the records of one process under capture become lines
 *
 * Everything that is kept from one record to the next is in struct lines: the
 * names behind ids, ranges that are open, contexts and streams of CUDA.
 */
#ifndef TQ_CAPTURE_LINES_H
#define TQ_CAPTURE_LINES_H

#include "arena/arena.h"

#include "call_line.h"
#include "call_stacks.h"
#include "gil_lines.h"
#include "dictionary.h"
#include "domain_choice.h"
#include "gpu.h"
#include "mpi_lines.h"
#include "nccl_lines.h"
#include "nvtx_lines.h"
#include "open_calls.h"
#include "osrt_lines.h"
#include "out_stream.h"
#include "python/python_look.h"
#include "sample_lines.h"
#include "stack_lines.h"

/* classes of events, counted for their cost */
enum count_kind {
	COUNT_RANGES,
	COUNT_MARKS, /* and counters */
	COUNT_CALLS,
	COUNT_WORK, /* operations of the device */
	COUNT_OSRT, /* calls of the C library */
	COUNT_MPI,
	COUNT_NCCL,
	COUNT_SAMPLES, /* by timers */
	COUNT_OTHER,
	COUNTS
};

extern const char *const lines_count_names[COUNTS];

/* ids that no two processes of the capture share: the last one of each kind */
struct capture_ids {
	int64_t ranges, counters, symbols;
	struct map symbol_ids; /* (hash of the mangled name, stream) -> id */
};

struct lines {
	/* set by the caller, the rest zeroed */
	int pid;
	uint32_t process; /* index of the process in the capture */
	const char *name; /* of the program; NULL: unknown */
	const struct clock *clock;
	struct focus *focus;
	const struct domain_choice *domains; /* NULL: all */
	struct capture_ids *ids;
	struct stack_lines *stacks;
	struct out_stream *out;
	int64_t open_least; /* ns: shorter calls are not recorded as open */

	int64_t rank; /* in a parallel job, as far as it is known; < 0: none */
	struct dictionary names;
	struct gathered_parts gathered; /* of chunks of names */
	struct annotations annotations;
	struct map counters; /* of NVTX -> their ids in the capture */
	struct gpu gpu;
	struct call_stacks call_stacks;
	struct code_map code; /* by records of the program, or by /proc */
	struct code_look code_look;
	struct open_calls open_calls;
	struct python_look python; /* stacks of open calls */
	struct mpi_lines mpi;
	struct gil_holder gil;
	struct nccl_lines nccl;
	int64_t counts[COUNTS]; /* events that became lines */
	double overhead;        /* ns that CUPTI reports as its own overhead */
	int64_t garbage;        /* records that could not be read */
	int64_t latest;         /* ns: the records were there by then */
	int64_t untimely;       /* events that lines_put has dropped */
};

/* Write the lines of one whole record, which stood in chunk c. */
void lines_dispatch(
    struct lines *l, const struct chunk *c, const struct record *r);

/* Write a diagnostic, and print it as well unless it is just information. */
void lines_note(struct lines *l, int64_t ts, int32_t tid,
    enum note_severity severity, struct span note);

/* All records that were there at a moment have been read. */
void lines_settle(struct lines *l);

/* The process has ended: write the events that still wait, and open ranges. */
void lines_finish(struct lines *l);

void lines_free(struct lines *l);

/* ---- for the modules that write lines ---- */

enum { LINES_GARBAGE = -1 };

/*
 * The functions of the column read of records.def: write the lines that a whole
 * record, which stood in chunk c, completes.  They return how many events these
 * are, or LINES_GARBAGE.
 */
#define RECORD(TYPE, read, ...) \
	int read( \
	    struct lines *l, const struct chunk *c, const struct record *r);
#define INSTRUMENT(TYPE, name, read, count) RECORD(TYPE, read, )
#define NAME(TYPE, read) RECORD(TYPE, read, )
#include "arena/records.def"

/* The thread of a chunk, which has its definition in the stream. */
struct target_thread *lines_thread(struct lines *l, const struct chunk *c);

/* Write the definition of the process, as far as it is known now. */
static inline void
lines_define(struct lines *l)
{
	out_stream_name(l->out, l->pid, 0,
	    l->name != NULL ? span_of(l->name) : (struct span){NULL, 0},
	    l->rank);
}

/* in place of the length of an event, whose line has no dur */
#define DUR_OPEN INT64_MAX /* it has not ended */
#define DUR_NONE (-1)      /* it is an instant */

/* the length (ns) of what began at ts (ns) and ended at end (ticks) */
static inline int64_t
lines_dur(const struct lines *l, int64_t ts, uint64_t end)
{
	int64_t dur = clock_ns(l->clock, end) - ts;

	return dur > 0 ? dur : 0;
}

/* Begin the line of an event of a thread in l->out->line, which is returned;
   dur: its length, DUR_OPEN or DUR_NONE. */
static inline struct output *
lines_begin(
    struct lines *l, enum kind kind, int64_t ts, int64_t dur, int32_t tid)
{
	struct output *o =
	    out_stream_begin(l->out, kind, LINE_EVENT, l->process, 0);

	emit_int(o, KEY_ts, ts);
	if (dur != DUR_OPEN && dur != DUR_NONE)
		emit_int(o, KEY_dur, dur);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, tid);
	return o;
}

/*
 * The event in l->out->line, of the program's clock, has all its members.  One
 * that begins before the capture or ends after l->latest, by more than a
 * second, has no time: it is dropped, and counted.  dur: its length, or
 * DUR_OPEN.
 */
static inline void
lines_put(struct lines *l, int64_t ts, int64_t dur)
{
	const int64_t slack = 1000000000; /* ns */
	int64_t end = dur == DUR_OPEN ? ts : ts + dur;

	if (ts >= -slack && end <= l->latest + slack) {
		out_stream_put(l->out, ts, dur);
		return;
	}
	out_stream_drop(l->out);
	l->untimely++;
}

#endif
