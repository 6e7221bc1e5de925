/*
 * records.h - a comparison for programs: json, ndjson, csv, tsv.
 *
 * Lines are gate, verdict, check, unit (a recording of a side), part (of the
 * wall), sum (the terms of the wall's change), device, row, call, range and
 * look (the first suspect); times are ns per unit, a and b of a row ns of a
 * launch. The deltas of rows and idle parts add up to the wall's.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "gate.h"
#include "tq/show/format.h"

/*
 * ndjson: a line each.  json: one object of arrays, by kind of line.  csv, tsv:
 * one table of all lines; the keys of each kind are its columns, and the keys
 * of rows come first.
 */
void records_write(struct output *o, const struct comparison *c,
    const struct gates *gates, enum format format);

/* Append lines of one kind: of ndjson, or as the array of that name of json. */
void records_add(
    struct text *t, struct table *lines, const char *name, enum format format);

/*
 * The contribution of each row, in order of rows, then of each part, in units
 * of ns / per: they add up to the rounded difference of the walls.  free(3) it.
 */
int64_t *records_deltas(const struct comparison *c, int64_t ns);

#endif
