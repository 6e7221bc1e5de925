/*
 * mpi_call.h - what libtq-mpi.so and libtq-capture.so have in common
 *
 * The first one has the wrappers of MPI, which fill in a record before and
 * after a call; the second one writes it.
 */
#ifndef TQ_AGENT_MPI_CALL_H
#define TQ_AGENT_MPI_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "arena/record.h"

#pragma GCC visibility push(default)

/* Begin, before main; false if this process is not captured. */
bool tq_capture_mpi_begin(void);

/* A call begins, within another one or not: ticks of the clock of the capture,
   and its thread announces a record of that time until tq_capture_mpi_over; 0
   if calls of MPI are not recorded now. */
uint64_t tq_capture_mpi_start(bool is_nested);

/* The call that began at those ticks has its records, or needs none. */
void tq_capture_mpi_over(uint64_t from);

/* Ticks of that clock. */
uint64_t tq_capture_mpi_clock(void);

/* Write a record; keeps errno.  One without an end is not missed if there is no
   room for it. */
void tq_capture_mpi_put(struct record_mpi *r);

#pragma GCC visibility pop

#endif
