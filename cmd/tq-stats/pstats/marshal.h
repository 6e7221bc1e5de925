/*
 * marshal.h - the values in a file of Python's marshal, one after the other.
 *
 * Of its types, the ones in totals of a profiler: numbers, texts, tuples,
 * dictionaries, and references to them.  Sizes, depth and references are
 * checked; memory is for the references, 8 bytes or less per byte of the file.
 */
#ifndef MARSHAL_H
#define MARSHAL_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/span.h"

enum marshal_type {
	MARSHAL_END, /* of a dictionary, in the place of a key */
	MARSHAL_NONE,
	MARSHAL_INT,
	MARSHAL_REAL, /* the bits of a double */
	MARSHAL_TEXT,
	MARSHAL_TUPLE, /* so many values follow */
	MARSHAL_DICT,  /* keys and values follow, and MARSHAL_END */
};

struct marshal_value {
	enum marshal_type type;
	bool elsewhere;   /* a tuple or dictionary that was read before: its
			   * values do not follow */
	size_t inside;    /* where they begin */
	uint32_t count;   /* of a tuple, or of the bytes of a text */
	int64_t i;        /* of an int */
	uint64_t bits;    /* of a real */
	struct span text; /* of a text: bytes of the file */
};

struct marshal {
	struct span file; /* borrowed; {.file = f} is at its beginning */
	size_t at;
	const char *error; /* the error before the place at, or NULL */
	bool again;        /* it reads an earlier value again */
	size_t *refs;      /* places of values that references may name */
	size_t count, cap;
};

/* The next value; false on an error, with m->error set. */
bool marshal_next(struct marshal *m, struct marshal_value *v);

/*
 * A tuple of n values; likewise.  Of a tuple or dictionary in it only the
 * beginning is read: marshal_skip is not for values in items.
 */
bool marshal_tuple(struct marshal *m, struct marshal_value *items, uint32_t n);

/* Pass over a value and all in it; likewise. */
bool marshal_skip(struct marshal *m);

void marshal_free(struct marshal *m);

#endif
