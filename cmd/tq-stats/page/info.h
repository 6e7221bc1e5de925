/*
 * info.h - the part of the report info that the report run does not have: calls
 * by role, the evidence of the recording, and which reports have rows.
 *
 * One pass; memory grows as that of evidence/evidence.h does.
 */
#ifndef INFO_H
#define INFO_H

#include "run_report.h"

struct info;

/* Memory is r->life, until info_free(). */
struct info *info_open(struct report *r);

void info_wanted(struct keyset *want);

/* A record. */
void info_event(struct info *x, const struct event *ev);

/* A GPU with operations, by its model; a process that has events, and whether
   operations are among them. */
void info_gpu(struct info *x, struct span model);
void info_process(struct info *x, bool works);

/* The section is over. */
void info_section_end(struct info *x);

/* The rows, in few lines. */
void info_table(
    struct info *x, const struct run_report_total *total, struct table *t);

/* The rows as lines; false if there are none. */
bool info_text(struct table *t, struct output *o);

void info_free(struct info *x);

#endif
