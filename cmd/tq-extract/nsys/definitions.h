/*
 * definitions.h - the records in front of all events: the trace, processes,
 * threads, devices, contexts, streams and counters
 */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "write/row_writer.h"

void definitions_write(struct row_writer *w);

#endif
