/*
 * choose.h - which reports were asked for.
 */
#ifndef CHOOSE_H
#define CHOOSE_H

#include <stdio.h>

#include "report.h"

/* Print a line for each report that there is. */
void choose_list(FILE *f);

/*
 * Add the reports of a comma separated list, each as report_parse takes it, to
 * *rs; a page becomes its parts.  All are like the given one, but for what the
 * list says.  What is no report ends the program with status 2.
 */
void choose_reports(
    struct reports *rs, const struct report *like, const char *list);

/* Add to want, a set for each kind, the keys that the reports look at. */
void choose_keys(const struct reports *rs, struct keyset *want);

/*
 * Only those that can be merged stay.  If must is set, there are no others, or
 * the program ends with status 2.
 */
void choose_mergeable(struct reports *rs, bool must);

#endif
