/*
 * records.h - a comparison for programs: json, ndjson, csv, tsv.
 *
 * Lines are verdict, check, unit (a recording of a side), part (of the wall)
 * and row; times are ns per unit, a and b of a row ns of a launch.  The deltas
 * of rows and idle parts add up to the wall's.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "comparison.h"

/* a line each */
void records_ndjson(struct text *t, const struct comparison *c);

/* one object of arrays, by kind of line */
void records_json(struct text *t, const struct comparison *c);

/* the rows, with titles */
void records_csv(struct text *t, const struct comparison *c);
void records_tsv(struct text *t, const struct comparison *c);

/*
 * The contribution of each row, in order of rows, then of each part, in units
 * of ns / per: they add up to the rounded difference of the walls.  free(3) it.
 */
int64_t *records_deltas(const struct comparison *c, int64_t ns);

#endif
