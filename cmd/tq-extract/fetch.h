/*
 * fetch.h - databases that are not files yet: those from a pipe or
 * compressed, and reports that nsys has to convert.  Both go to TMPDIR, and
 * are removed however the program ends.
 */
#ifndef FETCH_H
#define FETCH_H

#include "tq/io/zio.h"

/*
 * Copy what r reads to a file; returns it, open.
 * It has a name, for SQLite to open it by, until it is forgotten.  Ends the
 * program where r has far more than size bytes (-1: unknown), or compressed
 * data grow beyond all measure.
 */
int fetch_copy(const char *name, struct zio_reader *r, int64_t size);
const char *fetch_copied(void); /* the name; NULL if there is none */
void fetch_forget_copied(void);

/* Convert a report; returns the path of the database, good until removed. */
const char *fetch_converted(const char *report);
void fetch_remove_converted(void);

#endif
