/*
 * record_values.h - a record that a source makes value by value, for rows that
 * have to be joined with others before they are written.
 */
#ifndef RECORD_VALUES_H
#define RECORD_VALUES_H

#include "key_choice.h"
#include "row_writer.h"

/* the values of a record, each a key, or a member of args */
enum record_value {
	RECORD_PID,
	RECORD_TID,
	RECORD_CORR,
	RECORD_NAME,
	RECORD_ID,
	RECORD_HOST,
	RECORD_RANK,
	RECORD_SYM,
	RECORD_API,
	RECORD_DEVICE,
	RECORD_STREAM,
	RECORD_QUEUE,
	RECORD_COUNTER,
	RECORD_GRID_X, /* set all three */
	RECORD_GRID_Y,
	RECORD_GRID_Z,
	RECORD_BLOCK_X,
	RECORD_BLOCK_Y,
	RECORD_BLOCK_Z,
	RECORD_REGS,
	RECORD_SMEM_STATIC,
	RECORD_SMEM_DYNAMIC,
	RECORD_LOCAL,
	RECORD_BYTES,
	RECORD_COPY,
	RECORD_SRC,
	RECORD_DST,
	RECORD_SRC_DEVICE,
	RECORD_DST_DEVICE,
	RECORD_MEM,
	RECORD_GRAPH,
	RECORD_GRAPH_NODE,
	RECORD_SYNC,
	RECORD_GPU,
	RECORD_MODE,
	RECORD_DOMAIN,
	RECORD_STACK,
	RECORD_VALUE,
	RECORD_ADDRESS,
	RECORD_OP,
	RECORD_WHAT,
	RECORD_BUS,
	RECORD_SMS,
	RECORD_CC,
	RECORD_VENDOR,
	RECORD_DEMANGLED,
	RECORD_MANGLED,
	RECORD_UNIT,
	RECORD_ARGS,  /* members of the object: "a":1,"b":"c" */
	RECORD_START, /* both are set by record_values_write */
	RECORD_END,
	RECORD_COUNT
};

/* {0} but for the first two */
struct record_values {
	struct row_writer *writer;
	const struct key_choice *keys;
	struct record_map maps[KIND_COUNT]; /* made when first used */
	struct record_map *map;             /* of the present record */
};

void record_values_free(struct record_values *r);

/* Begin a record without any value. */
void record_values_begin(struct record_values *r, enum kind kind);

/* Set values; the text is borrowed until record_values_write. */
void record_values_int(
    struct record_values *r, enum record_value value, int64_t v);
void record_values_real(
    struct record_values *r, enum record_value value, double v);
void record_values_text(
    struct record_values *r, enum record_value value, struct span text);

/* Write it; a dur of NEVER_ENDED makes it open. */
void record_values_write(struct record_values *r, int64_t ts, int64_t dur);

/* Write it as a definition, which has no time. */
void record_values_define(struct record_values *r);

/* Add how many events of each kind were written. */
void record_values_count(
    const struct record_values *r, int64_t counts[KIND_COUNT]);

#endif
