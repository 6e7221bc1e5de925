/*
 * nsys_columns.h - how the columns that many tables have are mapped, and the
 * maps that stand in files of their own.
 */
#ifndef NSYS_COLUMNS_H
#define NSYS_COLUMNS_H

#include "nsys_map.h"

#define INTERVAL \
	{"start", KEY_ts, AS_TIME}, \
	{ \
		"end", KEY_dur, AS_END \
	}
#define THREAD \
	{ \
		"globalTid", KEY_tid, AS_TID \
	}
#define ON_DEVICE_AS(how) \
	INTERVAL, {"globalPid", KEY_pid, AS_PID}, \
	    {"deviceId", KEY_device, how}, {"contextId", KEY_context, AS_INT}, \
	    {"streamId", KEY_stream, AS_ID}, \
	    {"correlationId", KEY_corr, AS_INT}, \
	{ \
		"greenContextId", KEY_green_context, AS_NONZERO \
	}
#define ON_DEVICE ON_DEVICE_AS(AS_ID)
#define IGNORE(column) \
	{ \
		column, KEY_NONE, AS_NOTHING \
	}
#define ARG(column, how) \
	{ \
		column, KEY_args, how \
	}

/* nsys_faults.c: page faults of unified memory */
extern const struct nsys_column nsys_cpu_fault[], nsys_gpu_fault[];

#endif
