/* wprof_types.h - the records that events of wprof become, by type */
#ifndef WPROF_TYPES_H
#define WPROF_TYPES_H

#include "tq/line/schema.h"

/* how a member becomes a key of a record */
enum wprof_how {
	WPROF_INT,
	WPROF_TEXT,
	WPROF_THREE,    /* integers */
	WPROF_FUNCTION, /* without its version */
	WPROF_RAW,      /* where that differs */
	WPROF_API,      /* the interface of the function */
	WPROF_KERNEL,   /* the base name */
	WPROF_SYMBOL,   /* and its number */
	WPROF_MEMORY,   /* a kind of memory */
	WPROF_SYNC      /* the object that was synchronised */
};

struct wprof_lift {
	const char *member; /* NULL ends a list */
	enum key key;
	enum wprof_how how;
};

enum wprof_meaning {
	WPROF_RECORD, /* becomes a record */
	WPROF_BEGIN,  /* begins a range, whose name and domain it has */
	WPROF_END,
	WPROF_SWITCH /* a thread leaves a processor, another one gets it */
};

struct wprof_type {
	const char *name; /* of the member t */
	enum wprof_meaning meaning;
	enum kind kind;
	const char *task;               /* the member with its thread */
	const struct wprof_lift *lifts; /* in canonical order */
	const char *domain;             /* of a range */
	bool of_process;                /* the record has no thread */
};

/* The type of a name; one that is not known becomes a mark. */
const struct wprof_type *wprof_types_find(struct span name);

#endif
