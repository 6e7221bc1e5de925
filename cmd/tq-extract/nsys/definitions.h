/*
 * definitions.h - the records in front of all events: the trace, processes,
 * threads, devices, contexts, streams and counters
 */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "write/row_writer.h"

void definitions_write(struct row_writer *w);

/* True if the context of each row of the table is defined, with its device. */
bool definitions_have_contexts(const struct database *db, const char *table);

#endif
