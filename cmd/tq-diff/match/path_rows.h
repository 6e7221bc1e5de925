/*
 * path_rows.h - rows that are paths of ranges: the operations launched in them.
 */
#ifndef PATH_ROWS_H
#define PATH_ROWS_H

#include "match.h"

/*
 * The paths of all recordings as rows, and one for operations outside of
 * ranges.
 */
void path_rows_make(struct match *m);

/* Add a recording. */
void path_rows_cells(
    const struct match *m, const struct account *a, struct match_cells *c);

/* Append a path, a JSON array of strings, as "step * > backward". */
void path_rows_add_name(struct text *t, struct span path);

#endif
