/*
 * rocpd_args.h - members of args, which r->args collects, and stacks
 */
#ifndef ROCPD_ARGS_H
#define ROCPD_ARGS_H

#include "rocpd.h"

/* "name": of a further member. */
void rocpd_args_member(struct rocpd *r, struct span name);

/* Set args of the record, unless there are none. */
void rocpd_args_put(struct rocpd *r);

/* The message of a roctx range, in r->text; empty for none. */
struct span rocpd_args_message(
    struct rocpd *r, const struct sql_value *extdata);

/* All members of extdata. */
void rocpd_args_extdata(struct rocpd *r, const struct sql_value *extdata);

/* The arguments of a call; of two with one name, the second gets its position.
 */
void rocpd_args_call(struct rocpd *r, struct rocpd_chain *c, int64_t event);

/* JSON, unless it is {} or the kind is written without args. */
void rocpd_args_json(struct rocpd *r, enum kind kind, const char *name,
    const struct sql_value *v);

/* An address, unless it is 0. */
void rocpd_args_address(struct rocpd *r, const char *name, int64_t address);

/* The stack of a record: frames in JSON; any other value is an argument. */
void rocpd_args_stack(
    struct rocpd *r, enum kind kind, const struct sql_value *v);

#endif
