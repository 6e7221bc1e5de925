/*
 * derived.h - keys in conditions of rules that records lack, since they need
 * other records.  In a condition they begin with a point: ".steady == true".
 *
 *	of all
 *	.steady		false before the second step of the process, without
 *			steps in the first 20 % of the active span of its
 *			devices
 *	of operations
 *	.queued		ns from the end of their call to their start
 *	.blocking	true if its call returns when the copy or fill is done
 *	of kernels
 *	.sm_share	blocks per 100 multiprocessors
 *	.threads	threads of a block
 *	.occ		percent of the warps of a multiprocessor that its blocks
 *			may have at once, see occupancy.h
 *	.waves		blocks per 100 places for a block on the device
 *	.wave_share	percent of the places of its waves that have a block; a
 *			wave is as many blocks as have a place at once
 *	.name_share	percent of the work of its device that kernels of its
 *			symbol have
 *	.name_first	true if no symbol computes longer on its device
 *	.shared_stream	true if its stream computes and communicates
 *	.serial_stream	true if streams of its device compute one after the
 *			other, and another one has more of it; see workload.h
 *	.tensor_cores	true if its device has units that multiply matrices,
 *			absent where that is unknown
 *	.fp32_matrix	true if it multiplies matrices in FP32, by its name and
 *			that of its symbol, see names/symbol_class.h
 *	.peers		ranks of the collective or message that it is of
 *	.late		ns that it waited for another rank
 *	.last_share	of the collectives of that rank it was the last in so
 *			many percent
 *	of copies
 *	.rate		bytes per second
 *	.rate_share	of 1 MiB or more: percent of the best rate of its
 *			direction on its device
 *	.trips		how often so many bytes went to the host and came back
 *			in one step
 *	of copies and fills
 *	.load_phase	true if they are of the first phase, which copies and
 *			does not compute, see survey.c
 *	of gaps
 *	.span_share	percent of the active span of the device
 *	.waited		true if the thread that launches waited for a device,
 *			before it launched what ends the gap
 *	.first_use	only where true: it is in a launch that loads its
 *kernel, see account/device_pieces.h
 *	.of_graph	true if the operation that ends it is of a graph
 *	.queued_share	percent of it in a queue, behind the call of its launch;
 *			0 below 30 us
 *	.run		launches of the run that it is in, see runs.h; where a
 *			rule asks for it
 *	of counters of a device, while it works, see clocks.h
 *	.clock_share	of a clock: percent of its highest value
 *	.throttled	of throttle reasons: true if there is one
 *	of sched, where a thread gets a processor
 *	.off		ns that it could run before, and had none
 *	of overhead, see evidence/overhead.h
 *	.profiler	true if it is the profiler's own time
 *	.loading	true if code is loaded or compiled
 *	of api
 *	.role		what the function does, see names/api_call.h: "launch",
 *			"alloc", ...
 *	.waits		true if the name is of a call that waits for a device
 *	.has_work	of one that frees memory: true if a device of the
 *			process works when it begins, or has been given work
 *	.launched	of one that waits: kernels that its thread has launched
 *			since it waited before
 *	.polls		of one that asks whether a device is done: how often its
 *			thread has asked in a row, each time within 50 us
 *	.spun		ns from the end of the one before to its end
 *	of records of sched and samples that show that the thread ran in a call
 *	that waits, and of calls that wait behind one in which it ran
 *	.busy_wait	ns that it ran there, since the record before that
 *			showed it, in calls of CUDA and HIP; samples count
 *			where there is no sched, two of one call that are at
 *			most 10 ms apart
 *	of ranges
 *	.launching	true if kernels are launched in ranges of its name
 *	of api, on the thread of the steps, see steps.h
 *	.step_phase		how far into its step it begins, 0 to 99 percent
 *	.step_syncs	calls that synchronise in its step, before the last 10 %
 *	of ranges that are steps
 *	.step		its number, from 0
 *	.step_share	percent of the median of its process, but for the first
 *	.step_excess	ns above that median
 *	.imbalance	ns that the device computes longer than the median of
 *			all devices with a step of that number does in it: of
 *			the process whose device computes longest
 *	.imbalance_share	the same in percent of what it computes
 *	.drift		how much longer ten steps later, in ppm of the median
 *	.level		percent that kernels of this step and of all behind it
 *			are slower than before
 *	.level_excess	ns that they take longer
 *	.rises		steps on end whose peak of memory rose
 */
#ifndef TQ_ADVICE_DERIVED_H
#define TQ_ADVICE_DERIVED_H

#include "tq/advice/survey.h"

enum derived_key {
	DERIVED_STEADY,
	DERIVED_QUEUED,
	DERIVED_SM_SHARE,
	DERIVED_THREADS,
	DERIVED_SPAN_SHARE,
	DERIVED_OCC,
	DERIVED_WAVES,
	DERIVED_WAVE_SHARE,
	DERIVED_NAME_SHARE,
	DERIVED_NAME_FIRST,
	DERIVED_SHARED_STREAM,
	DERIVED_SERIAL_STREAM,
	DERIVED_TENSOR_CORES,
	DERIVED_FP32_MATRIX,
	DERIVED_PEERS,
	DERIVED_LATE,
	DERIVED_LAST_SHARE,
	DERIVED_RATE,
	DERIVED_RATE_SHARE,
	DERIVED_TRIPS,
	DERIVED_LOAD_PHASE,
	DERIVED_CLOCK_SHARE,
	DERIVED_THROTTLED,
	DERIVED_WAITED,
	DERIVED_FIRST_USE,
	DERIVED_QUEUED_SHARE,
	DERIVED_OF_GRAPH,
	DERIVED_RUN,
	DERIVED_BLOCKING,
	DERIVED_HAS_WORK,
	DERIVED_LAUNCHED,
	DERIVED_POLLS,
	DERIVED_SPUN,
	DERIVED_BUSY_WAIT,
	DERIVED_LAUNCHES,
	DERIVED_ROLE,
	DERIVED_WAITS,
	DERIVED_PROFILER,
	DERIVED_LOADING,
	DERIVED_STEP_PHASE,
	DERIVED_STEP_SYNCS,
	DERIVED_STEP,
	DERIVED_STEP_SHARE,
	DERIVED_STEP_EXCESS,
	DERIVED_IMBALANCE,
	DERIVED_IMBALANCE_SHARE,
	DERIVED_OFF,
	DERIVED_DRIFT,
	DERIVED_LEVEL,
	DERIVED_LEVEL_EXCESS,
	DERIVED_RISES,
	DERIVED_KEYS
};

enum { DERIVED_POLLS_APART = 50000 }; /* ns, at most */

/* calls of a thread in a row that ask whether a device is done */
struct derived_polls {
	uint32_t symbol;
	int64_t count, end;
};

/* the last call of a thread that waits */
struct derived_wait {
	int64_t from, end; /* from: nothing is known before */
	int64_t on;        /* since then the thread has a processor; or NO_ID */
	int64_t sampled;   /* the last sample in it, or NO_ID */
	uint32_t symbol;   /* of the call; 0: none yet */
};

/* what a thread launches */
struct derived_launches {
	int64_t end;     /* of the last call that gives work to a device */
	int64_t kernels; /* launched since it waited */
};

/* the last call of a process that gives work to a device, and the last such one
   whose operation has started */
struct derived_given {
	int64_t called, started;
};

struct derived {
	uint64_t asked[KIND_COUNT + 1]; /* 1 << key, see derived_ask() */
	bool is_watched; /* the record at hand: a rule asks if it launches */
	struct survey *survey;
	size_t section; /* as in the survey */

	/* keys of the current record, see derived_bit(): that it has, false
	   ones of these, and the values of all but .role */
	uint64_t has, is_false;
	struct event_extra extra;

	/* of the current operation; 0: unknown */
	size_t device; /* index in the survey */
	int64_t blocks, sms;
	int64_t places; /* for a block, of all waves that it takes */
	enum occupancy_limit limit;
	int64_t rate, best_rate;
	const struct kernel_wait *wait; /* NULL: it is of one rank */
	int64_t slowest; /* device of a step with .imbalance; NO_ID: none */
	KEYED(bool) full_fp32_matrix; /* by section, and id of symbol */
	NUMBERED(bool) fp32_matrix;   /* by symbol */
	NUMBERED(int64_t) off; /* by thread: since when; NO_ID: it runs */

	NUMBERED(struct derived_polls) polls;       /* by thread */
	NUMBERED(struct derived_wait) waits;        /* by thread */
	NUMBERED(struct derived_launches) launches; /* by thread */
	NUMBERED(struct derived_given) given;       /* by process */
	int64_t launched;         /* of the record at hand, if it waits */
	uint32_t busy_symbol;     /* of the record at hand: of the call of
				   * .busy_wait, or 0, */
	int64_t busy_from;        /* and when that begins */
	NUMBERED(bool) waited;    /* by thread: since it last allocated */
	int64_t allocate, refill; /* ns of calls that allocate and free; and of
				   * those that come first behind a wait */

	/* of the process of the last record */
	uint32_t process; /* 0: none yet */
	int64_t steady_from;
};

/* Its number, if it is one of the above, without the point; else -1. */
int derived_number(struct span key);

/* 1 << its number, if it is one of the above, without the point; else 0. */
uint64_t derived_bit(struct span key);

/*
 * Records of the kind get the key from now on; keys that no rule has are left
 * out.  False if it is none of the above (without the point).
 */
bool derived_ask(struct derived *d, enum kind kind, struct span key);

/* A section begins. */
void derived_section(struct derived *d);

/* The definition of a symbol. */
void derived_define(struct derived *d, const struct event *symbol);

/* A call of an API: of each, before derived_add. */
void derived_call(struct derived *d, const struct event *ev);

/* Add the keys to the record; good until the next one. */
void derived_add(struct derived *d, struct event *ev);

/* The record at hand is one that had the keys of d->extra. */
void derived_again(struct derived *d);

/* Add .waited, .first_use, .of_graph and .queued_share, or .run, to a gap that
   has its other keys.  queued: ns of it after its call, of the cause launch, or
   0 */
void derived_add_launch(struct derived *d, struct event *ev, bool waited,
    bool first_use, bool of_graph, int64_t queued);
void derived_add_run(struct derived *d, struct event *ev, int64_t run);

void derived_free(struct derived *d);

#endif
