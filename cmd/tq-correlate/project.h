/*
 * project.h - what the devices did for a range: the gpu-range records.
 */
#ifndef PROJECT_H
#define PROJECT_H

#include "tq/output.h"

#include "ranges.h"

/*
 * Add an operation [ts, end] to the share of device; operations come in order
 * of ts.  launch: it is the first one of its call there.
 */
void project_add(
    struct range *r, int64_t device, int64_t ts, int64_t end, bool launch);

/* Write a gpu-range for each device that worked for the range. */
void project_write(struct output *o, const struct range *r);

/* Append the name of a range to a JSON array: "name" or "domain:name". */
void project_add_name(struct text *path, const struct range *r);

#endif
