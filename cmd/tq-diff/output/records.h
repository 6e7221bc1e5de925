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
 * ndjson: a line each.  json: one document, a report for each kind of line.
 * json1: one object of arrays.  csv, tsv: one table of all lines; the keys of
 * each kind are its columns, and the keys of rows come first.
 */
void records_write(struct output *o, const struct json_head *head,
    const struct comparison *c, const struct gates *gates, enum format format);

/* Lines of one kind, as all of ndjson, json or json1; the reason if none. */
void records_write_one(struct output *o, const struct json_head *head,
    struct table *lines, const char *name, const char *reason,
    enum format format);

/*
 * The contribution of each row, in order of rows, then of each part, in units
 * of ns / per: they add up to the rounded difference of the walls.  free(3) it.
 */
int64_t *records_deltas(const struct comparison *c, int64_t ns);

#endif
