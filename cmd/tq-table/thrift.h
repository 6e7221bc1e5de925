/*
 * thrift.h - structs in Thrift's compact protocol, appended to a text field by
 * field: the headers of pages and the footer of a Parquet file.
 *
 *	struct = { field } 0x00
 *	field  = byte of step << 4 | type, value
 *	step   = its id less that of the field before it, 1 to 15
 *	value  = integer: zigzag varint | boolean: none, the type says it
 *	       | bytes: varint of length, bytes | struct
 *	       | list: byte of count << 4 | type, from 15 on 0xf0 | type and
 *	         varint of count; elements
 */
#ifndef TQ_TABLE_THRIFT_H
#define TQ_TABLE_THRIFT_H

#include <stdbool.h>

#include "tq/base/text.h"

enum thrift_type {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I16 = 4,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BYTES = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12
};

enum { THRIFT_DEPTH = 8 };

/* {.to = text} is before the first field of a struct */
struct thrift {
	struct text *to;
	int depth;
	int last[THRIFT_DEPTH]; /* id of the last field, by depth */
};

void thrift_int(struct thrift *t, int id, enum thrift_type type, int64_t v);
void thrift_bool(struct thrift *t, int id, bool v);
void thrift_bytes(struct thrift *t, int id, struct span s);

/* A struct as a field, up to thrift_close(), which ends any struct. */
void thrift_open(struct thrift *t, int id);
void thrift_close(struct thrift *t);

/* A list of count elements of a type, which the next calls append. */
void thrift_list(struct thrift *t, int id, enum thrift_type type, size_t count);
void thrift_add_int(struct thrift *t, int64_t v);
void thrift_add_bytes(struct thrift *t, struct span s);
void thrift_add_open(struct thrift *t);

#endif
