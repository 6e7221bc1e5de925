/*
 * chrome_top.h - what a trace says beside its events: members of its outermost
 * object, and the definitions that come out of it
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

/* Whose format it is: kineto, xprof, or chrome for what is of neither. */
const char *chrome_top_source(const struct chrome *c);

#endif
