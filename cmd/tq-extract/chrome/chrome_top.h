/*
 * chrome_top.h - a trace without its events: members of its outermost object,
 * and the definitions made of them
 */
#ifndef CHROME_TOP_H
#define CHROME_TOP_H

#include "chrome_records.h"

/* The member that the reader has. */
void chrome_top_take(struct chrome *c);

/* All is read: messages of the profiler become records, at the origin. */
void chrome_top_messages(struct chrome *c);

/* Write the trace record, and all definitions. */
void chrome_top_write(struct chrome *c);

void chrome_top_free(struct chrome_top *t);

/* The writer of the format: kineto, xprof, or chrome for any other. */
const char *chrome_top_source(const struct chrome *c);

#endif
