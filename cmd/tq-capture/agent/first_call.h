/*
 * first_call.h - a fork waits until the first calls of NVTX are over
 *
 * The loader within NVTX, in each library that has NVTX, marks the first call
 * as begun, loads this library and calls one of its entry points; other calls
 * wait until that is over.  In a child that is forked in between nothing ends
 * the first call, and the next one would wait for ever.  So from the moment
 * in which this library is loaded on, fork() waits, for a bounded time, until
 * the entry point has returned.  A child of the time in which the library is
 * being loaded can't be helped.
 */
#ifndef TQ_AGENT_FIRST_CALL_H
#define TQ_AGENT_FIRST_CALL_H

/* An entry point begins, and is about to return. */
void first_call_begin(void);
void first_call_end(void);

/* The library was loaded with the program, not by a first call. */
void first_call_preloaded(void);

#endif
