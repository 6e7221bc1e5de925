/* timeline.h - the events of a made-up training run */

#ifndef TIMELINE_H
#define TIMELINE_H

#include <stddef.h>
#include <stdint.h>

enum {
	T_KERNEL,
	T_MEMCPY,
	T_MEMSET,
	T_SYNC,
	T_RECORD,
	T_RUNTIME,
	T_NVTX,
	T_OSRT,
	T_SCHED,
	T_SAMPLE,
	TABLES
};

/* Threads of a process; those of process P are P * THREADS + 0 ... */
enum { MAIN, AUTOGRAD, WATCHDOG, LOADER, THREADS, PROCESSES = 2 };

/* Streams of a process, as numbered in its context. */
enum { S_COMPUTE, S_COPY, S_SIDE, S_NCCL, STREAMS };

enum {
	NVTX_CATEGORY = 33,
	NVTX_MARK = 34,
	NVTX_PUSH = 59,
	NVTX_START = 60,
	NVTX_DOMAIN = 75
};

/*
 * One row. Times are ns since the start of the session; an end of OPEN is not
 * known. What the other members mean depends on the table:
 *
 *		name		corr	data		kind
 *	KERNEL	kernel		id	graph node	-
 *	MEMCPY	-		id	bytes		copyKind
 *	MEMSET	-		id	bytes		-
 *	SYNC	-		id	event		syncType
 *	RECORD	-		id	event		-
 *	RUNTIME	call		id	-		class
 *	NVTX	range or op	op_id	rangeId		eventType
 *	OSRT	function	-	-		nesting
 *	SCHED	-		-	cpu		isSchedIn
 *	SAMPLE	-		-	cpu		-
 *
 * A range whose op_id is 0 has the text of a registered string.
 */
struct event {
	int64_t start, end;
	uint32_t corr, data;
	uint16_t name;
	uint8_t thread, end_thread;
	uint8_t kind, stream, domain;
};

#define OPEN INT64_MIN

struct table {
	struct event *rows;
	size_t count, room;
};

/*
 * Append to TABLES tables what happens until KERNELS kernels have run, half
 * of them in either process. The rows are in no order. Same KERNELS, same
 * rows. Exits when there is no memory.
 */
void timeline_make(struct table *tables, size_t kernels);

#endif
