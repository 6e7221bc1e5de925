/*
 * record_map.h - how the columns of a row become the keys of a record.
 */
#ifndef RECORD_MAP_H
#define RECORD_MAP_H

#include "typed_row.h"
#include "sqlite/name_list.h"
#include "tq/line/schema.h"

/*
 * The meaning of the value of a column; a key is left out where it is NULL.
 * Those marked * may also leave the key out for some values that are not 0:
 * they are not for members of args.
 */
enum how {
	AS_TIME,        /* ns; the key is ts */
	AS_END,         /* ns; the key is dur, from end - start */
	AS_PID,         /* globalPid * */
	AS_TID,         /* globalTid: pid and tid * */
	AS_END_TID,     /* globalTid: tid alone, where it is another one * */
	AS_ANY_PID,     /* globalPid or globalTid: pid, 0 included */
	AS_ANY_TID,     /* globalTid: tid, 0 included */
	AS_HOST,        /* globalPid: the host, unless it is the first * */
	AS_INT,         /* integer */
	AS_INT32,       /* 32 bits with a sign */
	AS_ID,          /* integer, but 2^32-1 means none */
	AS_NONZERO,     /* integer, but 0 and 2^32-1 mean none */
	AS_UINT,        /* 64 bits without a sign; a member of args */
	AS_BOOL,        /* not 0 */
	AS_NUMBER,      /* integer or real */
	AS_DIMS,        /* three columns that end in X, Y and Z; not all 0 */
	AS_HEX,         /* an address; 0 means none */
	AS_TEXT,        /* text in the column itself */
	AS_STRING,      /* id in StringIds */
	AS_API,         /* id in StringIds; the version suffix goes to raw */
	AS_NAME,        /* text in the column, or by aux, an id in StringIds */
	AS_ENUM,        /* one of values, "" means none *; else the label in the
			   table aux */
	AS_CONST,       /* aux, for any value of the column */
	AS_SYMBOL,      /* three ids in StringIds: the names of a kernel * */
	AS_STACK,       /* id in the table of call chains aux * */
	AS_GPU,         /* correlation id: operations that were launched * */
	AS_DOMAIN,      /* NVTX domain of the process * */
	AS_CATEGORY,    /* NVTX category of the domain * */
	AS_COLOR,       /* ARGB */
	AS_RANGE_ID,    /* rowid */
	AS_MODE,        /* event type: push/pop or start/end */
	AS_DEVICE8,     /* device in the low 8 bits */
	AS_DEVICE,      /* device, or the one known of the context */
	AS_SYNC,        /* see sync_calls.h; values as of AS_ENUM */
	AS_WAIT_STREAM, /* correlation id of a wait for an event: stream, */
	AS_WAIT_CONTEXT, /* context if it is another, and correlation id */
	AS_WAIT_CORR,    /* of the call that recorded it * */
	AS_FILE,         /* globalTid, if the table has aux: file of a call * */
	AS_FILE_BYTES,   /* the same: bytes that were read or written * */
	AS_BINARY,       /* bytes as hexadecimal digits */
	AS_MEMBERS,      /* text that is members of an object; the key is args
			  */
	AS_NOTHING,      /* known, and left out on purpose */
};

struct column_map {
	const char *column;
	enum key key; /* KEY_args: a member of args, named like arg */
	enum how how;
	const char *aux;
	const char *const *values; /* of AS_ENUM, ends with NULL */
	const char *arg;           /* default: the name of the column */
};

enum { KEY_VALUES = 6 }; /* of a row that make one key, at most */

/* one key of a record, from the values of a row */
struct key_source {
	const struct column_map *from;
	const char *arg;
	int value[KEY_VALUES]; /* indices; -1 where the table lacks the column
				*/
};

struct record_map {
	enum kind kind;
	struct keyset chosen; /* see key_choice.h */
	bool launches;        /* rows that launched nothing are left out */
	const struct column_map *columns; /* ends with a NULL column */
	struct key_source *keys;          /* in the order of the record */
	size_t key_count, key_cap;
	struct name_list names; /* columns, in the order of a row's values */
	enum value_use *uses;   /* of a row's values */
	int end;                /* the value of AS_END, or -1 */
	const struct key_source *device; /* AS_DEVICE, or NULL */
	const struct key_source *sync;   /* AS_SYNC, or NULL */
	bool defines;          /* symbols or stacks, in front of the record */
	struct typed_row flat; /* a row that is written by its values */
	int64_t records;       /* written */
};

/*
 * Find the chosen keys that rows of a table with these columns have; only
 * columns that these keys need become values.  m has kind, chosen and columns,
 * which is borrowed.  first: columns that become the first values; NULL is
 * ignored.
 */
void record_map_init(struct record_map *m, const struct name_list *available,
    const char *const *first, size_t count);
void record_map_free(struct record_map *m);

/* True if a key of the record has this meaning. */
bool record_map_has(const struct record_map *m, enum how how);

/* The index of a column among the values of a row; -1 if it is not read. */
int record_map_value(const struct record_map *m, const char *column);

#endif
