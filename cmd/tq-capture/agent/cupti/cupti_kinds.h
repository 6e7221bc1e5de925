/* cupti_kinds.h - which kinds of records CUPTI is to make */
#ifndef TQ_AGENT_CUPTI_KINDS_H
#define TQ_AGENT_CUPTI_KINDS_H

#include "arena/record.h"
#include "cupti_lib.h"

enum kinds_result {
	KINDS_DONE,
	KINDS_LATE,   /* it is too late for some */
	KINDS_REFUSED /* libcupti refuses some that are in all of them */
};

/*
 * Enable the kinds of these bits of arena.on, and disable others that were
 * enabled by an earlier call.  But the kinds of ARENA_GPU stay as they are
 * once there is a context: to enable them then can stall the program for
 * seconds, since all code is instrumented anew, so the first call is to have
 * the bit if it may ever be wanted.  Calls for one lib are to be made by one
 * thread at a time.
 */
enum kinds_result cupti_kinds_follow(
    const struct cupti_lib *lib, uint32_t bits, bool context);

/*
 * Calls that programs make all the time, that take no time, and that nobody
 * wants to see.  Where libcupti can be told so (from 12.5 on), it does not
 * record them; others are left out when their records come.
 */
bool cupti_kinds_silent(enum api_source source, uint32_t callback);

#endif
