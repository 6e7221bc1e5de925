/*
 * nsys_map.h - how the tables of an nsys export map to records: the one
 * place in tq-extract that names tables and columns of events.
 *
 * The schema is NVIDIA's; it is documented in the "SQLite Schema Reference"
 * of the Nsight Systems Analysis Guide.  Columns are found by name: any may
 * be missing, then its key is absent.
 */
#ifndef NSYS_MAP_H
#define NSYS_MAP_H

#include <stdbool.h>

#include "tq/line/schema.h"

/* what becomes of the value of a column; NULL leaves the key out */
enum how {
	AS_TIME,     /* ns; the key is ts */
	AS_END,      /* ns; the key is dur, from end - start */
	AS_PID,      /* globalPid */
	AS_TID,      /* globalTid: pid and tid */
	AS_END_TID,  /* globalTid: tid alone, where it is another one */
	AS_INT,      /* as it is */
	AS_ID,       /* as it is, but 2^32-1 means none */
	AS_NONZERO,  /* as it is, but 0 and 2^32-1 mean none */
	AS_UINT,     /* 64 bits without a sign */
	AS_BOOL,     /* not 0 */
	AS_NUMBER,   /* may be fractional */
	AS_DIMS,     /* three columns that end in X, Y and Z */
	AS_HEX,      /* an address */
	AS_TEXT,     /* text in the column itself */
	AS_STRING,   /* id in StringIds */
	AS_API,      /* id in StringIds; the version suffix goes to raw */
	AS_NAME,     /* text in the column, or by aux, an id in StringIds */
	AS_ENUM,     /* one of values; else the label in the table aux */
	AS_CONST,    /* aux, whatever the column says */
	AS_SYMBOL,   /* three ids in StringIds: the names of a kernel */
	AS_STACK,    /* id in the table of call chains aux */
	AS_GPU,      /* correlation id: operations that were launched */
	AS_DOMAIN,   /* NVTX domain of the process */
	AS_CATEGORY, /* NVTX category of the domain */
	AS_COLOR,    /* ARGB */
	AS_RANGE_ID, /* the row itself */
	AS_MODE,     /* event type: push/pop or start/end */
	AS_DEVICE8,  /* device in the low 8 bits */
	AS_DEVICE,   /* device, but that of the context where it is known */
	AS_BINARY,   /* bytes as hexadecimal digits */
	AS_NOTHING,  /* known, and left out on purpose */
};

struct nsys_column {
	const char *column;
	enum key key; /* KEY_args: a member of args, named like arg */
	enum how how;
	const char *aux;
	const char *const *values; /* of AS_ENUM, ends with NULL */
	const char *arg;           /* default: the name of the column */
};

struct nsys_table {
	const char *table; /* may have a suffix _V2...; * stands for any end */
	enum kind kind;
	const struct nsys_column *columns; /* ends with a NULL column */
	/* only rows with one of these values, or none of them, where there is
	 * such a column */
	const char *filter;
	int64_t values[4];
	int value_count;
	bool none_of;
	const char *other; /* what the remaining rows are; NULL: not ours */
};

/* In the order in which records of equal time and duration are written. */
extern const struct nsys_table nsys_tables[];
extern const size_t nsys_table_count;

/*
 * Is this a table of an nsys export that holds no events: definitions, meta
 * data, enumerations, and what belongs to events of other tables?
 */
bool nsys_support_table(const char *name);

/* Does the name start like that of a table with events? */
bool nsys_event_table(const char *name);

/* The column of a table that has this meaning, NULL if none has. */
const char *nsys_column_as(const struct nsys_table *map, enum how how);

#endif
