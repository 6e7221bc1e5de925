/*
 * choose.h - the reports of a command line.
 */
#ifndef CHOOSE_H
#define CHOOSE_H

#include <stdio.h>

#include "report.h"

/* Print a line for each report. */
void choose_list(FILE *f);

/* The same line of one, and the kinds of records that it reads. */
void choose_describe(FILE *f, const struct report *r);

/*
 * Add the reports of a comma separated list, each as for report_parse, to *rs;
 * a page becomes its parts.  They are copies of *like but for settings in the
 * list.  A name of no report ends the program with status 2.
 */
void choose_reports(
    struct reports *rs, const struct report *like, const char *list);

/* Add the reports of a page, which a part without a name ends. */
void choose_page(struct reports *rs, const struct report *like,
    const struct report_part *part);

/*
 * For -f pprof: replace reports by those that make their profiles.  One that
 * has none ends the program with status 2.
 */
void choose_profile(struct reports *rs, const struct report *like);

/* Add to want the keys that the reports read, a set for each kind. */
void choose_keys(const struct reports *rs, struct keyset *want);

/*
 * Keep the reports that can be merged; or whose tables can be written, with
 * tables.  If must is set, another one ends the program with status 2.
 */
void choose_mergeable(struct reports *rs, bool must, bool tables);

#endif
