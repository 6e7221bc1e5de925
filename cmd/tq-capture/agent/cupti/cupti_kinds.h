/* cupti_kinds.h - which kinds of records CUPTI is to make */
#ifndef TQ_AGENT_CUPTI_KINDS_H
#define TQ_AGENT_CUPTI_KINDS_H

#include "arena/record.h"
#include "cupti_lib.h"

enum kinds_result {
	KINDS_DONE,
	KINDS_LATE,   /* it is too late to enable some */
	KINDS_REFUSED /* libcupti refuses one that each libcupti has */
};

/*
 * Enable the kinds of these bits of arena.on, and disable others that an
 * earlier call enabled.  Once there is a context, the kinds of ARENA_GPU stay
 * as they are: enabling them then can stall the program for seconds, since
 * CUPTI instruments all code anew.  So the first call has the bit if it may be
 * needed later.  One thread at a time.
 */
enum kinds_result cupti_kinds_follow(
    const struct cupti_lib *lib, uint32_t bits, bool context);

/*
 * True for calls that are frequent, short and uninteresting.  A libcupti
 * from 12.5 on does not record them; records of older ones are dropped.
 */
bool cupti_kinds_silent(enum api_source source, uint32_t callback);

/*
 * True for calls of the driver that launch kernels or graphs.  source: enum
 * api_source, or any other kind of CUPTI.
 */
bool cupti_kinds_launches(uint32_t source, uint32_t callback);

/* True while calls of the driver are recorded.  Any thread. */
bool cupti_kinds_driver(void);

#endif
