/*
 * report_counts.h - how many events of a report have each form, and how many
 * become records.
 */
#ifndef REPORT_COUNTS_H
#define REPORT_COUNTS_H

#include "check_sheet.h"
#include "report_tables.h"
#include "tq/base/keyed.h"

/* events that look the same; generic ones have no body */
struct report_count {
	struct report_event like; /* without its bytes */
	enum report_table table;  /* REPORT_TABLES: they are not read */
	int64_t events;
};

/* {0} is empty */
struct report_counts {
	KEYED(struct report_count) all;
};

void report_counts_free(struct report_counts *c);

void report_counts_add(struct report_counts *c, const struct report_event *e,
    enum report_table table);

/*
 * Write them to --check, a row each, with a remark where events that are not
 * read are of a known sort.
 */
void report_counts_check(const struct report_counts *c, struct check_sheet *s);

#endif
