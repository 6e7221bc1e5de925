/*
 * pstats.h - the totals of a Python program that cProfile wrote, as a table.
 */
#ifndef PSTATS_H
#define PSTATS_H

#include "tq/base/region.h"

#include "tq/show/table.h"

struct pstats_function {
	int64_t calls;     /* recursive ones, too */
	int64_t primitive; /* calls that are not recursive */
	int64_t own, all;  /* ns: in it, and with its callees */
	struct span file, name;
	int64_t line; /* 0 of a built-in function */
};

/* {0} has none */
struct pstats {
	struct pstats_function *functions; /* the largest "all" first */
	size_t count, cap;
};

/*
 * Read the bytes of a file, which texts are part of afterwards.  NULL, or the
 * error, with *at set to the place behind it, in bytes.
 */
const char *pstats_read(struct pstats *p, struct span file, size_t *at);

/* Columns and rows, as the module pstats of Python prints them. */
void pstats_table(const struct pstats *p, struct table *t);

/*
 * Both, of a file by its name, "-" for the standard input; through zstd and
 * gzip.  An error is printed, and the program ends with status 1.
 */
void pstats_table_of(const char *path, struct table *t);

void pstats_free(struct pstats *p);

#endif
