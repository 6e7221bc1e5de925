/*
 * counter_thread.h - values of the machine that are polled while a program runs
 *
 * A thread reads them in a period, and keeps each value that changed, and each
 * value once a second; the launcher takes them from it, and writes them.
 */
#ifndef TQ_CAPTURE_COUNTER_THREAD_H
#define TQ_CAPTURE_COUNTER_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lines/clock.h"

/* sets of counters: bits */
enum {
	COUNTERS_GPU = 1, /* of each GPU, by libnvidia-ml */
	COUNTERS_CPU = 2, /* of each process of the command, and its cgroup */
	COUNTERS_IO = 4,  /* of each process, and pressure on the machine */
	COUNTERS_NET = 8, /* of each network interface */
	COUNTERS_SETS = 4 /* how many there are */
};

/* "gpu,cpu,io,net", as the option has them; bit i is word i */
#define COUNTERS_WORDS "gpu|cpu|io|net"

/* the series of a value */
struct counter_info {
	char *name;       /* "SM utilization" */
	const char *unit; /* "%", "bytes" ... */
	int64_t device;   /* NO_ID: of no GPU */
};

struct counter_sample {
	uint64_t ticks; /* of the clock of the capture */
	uint32_t info;  /* index of counter_info */
	int pid;        /* 0: of no process */
	double value;
};

/* values, and warnings, that the launcher has not seen yet */
struct counter_batch {
	struct counter_sample *samples;
	size_t count, cap;
	int64_t lost; /* values that were dropped */
	char **notes; /* free(3) each */
	size_t note_count, note_cap;
	uint64_t until; /* ticks: values of later batches are not older */
};

struct counter_thread;

/*
 * Poll these sets, hz times a second, of the process root and its descendants.
 * NULL after a message if there is no thread; what else is missing is a note.
 */
struct counter_thread *counter_thread_start(
    uint32_t sets, int64_t hz, const struct clock *clock, pid_t root);

/* Move what there is into *batch, which is empty. */
void counter_thread_take(struct counter_thread *c, struct counter_batch *batch);

/* The series of a sample; good until counter_thread_free. */
struct counter_info counter_thread_info(
    struct counter_thread *c, uint32_t info);

/* Stop polling.  A library that does not return within 2 s is left alone. */
void counter_thread_stop(struct counter_thread *c);

void counter_thread_free(struct counter_thread *c);

#endif
