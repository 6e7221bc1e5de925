/*
 * made_record.h - a record that a source makes value by value, for rows that
 * have to be joined with others before they are written.
 */
#ifndef MADE_RECORD_H
#define MADE_RECORD_H

#include "key_choice.h"
#include "row_writer.h"

/* the values of a record, each a key, or a member of args */
enum made_value {
	MADE_PID,
	MADE_TID,
	MADE_CORR,
	MADE_NAME,
	MADE_ID,
	MADE_HOST,
	MADE_RANK,
	MADE_SYM,
	MADE_API,
	MADE_DEVICE,
	MADE_STREAM,
	MADE_QUEUE,
	MADE_COUNTER,
	MADE_GRID_X, /* set all three */
	MADE_GRID_Y,
	MADE_GRID_Z,
	MADE_BLOCK_X,
	MADE_BLOCK_Y,
	MADE_BLOCK_Z,
	MADE_REGS,
	MADE_SMEM_STATIC,
	MADE_SMEM_DYNAMIC,
	MADE_LOCAL,
	MADE_BYTES,
	MADE_COPY,
	MADE_SRC,
	MADE_DST,
	MADE_SRC_DEVICE,
	MADE_DST_DEVICE,
	MADE_MEM,
	MADE_GRAPH,
	MADE_GRAPH_NODE,
	MADE_SYNC,
	MADE_GPU,
	MADE_MODE,
	MADE_DOMAIN,
	MADE_STACK,
	MADE_VALUE,
	MADE_ADDRESS,
	MADE_OP,
	MADE_WHAT,
	MADE_BUS,
	MADE_SMS,
	MADE_CC,
	MADE_VENDOR,
	MADE_DEMANGLED,
	MADE_MANGLED,
	MADE_UNIT,
	MADE_ARGS,  /* members of the object: "a":1,"b":"c" */
	MADE_START, /* both are set by made_record_write */
	MADE_END,
	MADE_COUNT
};

/* {0} but for the first two */
struct made_record {
	struct row_writer *writer;
	const struct key_choice *keys;
	struct record_map maps[KIND_COUNT]; /* made when first used */
	struct record_map *map;             /* of the record at hand */
};

void made_record_free(struct made_record *r);

/* Begin a record without any value. */
void made_record_begin(struct made_record *r, enum kind kind);

/* Set values; the text is borrowed until made_record_write. */
void made_record_int(struct made_record *r, enum made_value value, int64_t v);
void made_record_real(struct made_record *r, enum made_value value, double v);
void made_record_text(
    struct made_record *r, enum made_value value, struct span text);

/* Write it; a dur of NEVER_ENDED makes it open. */
void made_record_write(struct made_record *r, int64_t ts, int64_t dur);

/* Write it as a definition, which has no time. */
void made_record_define(struct made_record *r);

/* Add how many events of each kind were written. */
void made_record_count(const struct made_record *r, int64_t counts[KIND_COUNT]);

#endif
