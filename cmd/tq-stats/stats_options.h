/*
 * stats_options.h - the command line of tq-stats.
 */
#ifndef STATS_OPTIONS_H
#define STATS_OPTIONS_H

#include "live/live.h"
#include "nsys_filter.h"
#include "page/text/terminal.h"
#include "report.h"
#include "tq/show/format.h"
#include "order.h"

struct stats_options {
	int64_t digest; /* bytes that it may have; 0: none is asked for */
	char **operands;
	const char *file;   /* NULL: stdout */
	const char *pstats; /* a file of cProfile, instead of a stream */
	struct report_settings settings;
	struct format_options format;
	struct order order;
	struct nsys_filter filter;
	const struct report *like; /* see choose_reports, as for reports */
	struct reports reports;
	bool chosen;         /* they are those of -r or -g */
	size_t group_at;     /* so many of the reports stand before -g */
	int64_t every;       /* ns between live pages; 0: none */
	enum live_form form; /* of these */
	enum terminal_color color;
	bool merge, partial, tables, by_rank, no_pager;
	bool columns;   /* list the columns of the reports instead, */
	bool described; /* and their titles */
	bool needs;     /* print the needs of the reports instead */
};

/*
 * Parse the command line; exits if it makes no sense.  o is zeroed; reports are
 * made as choose_reports makes them.
 */
void stats_options_parse(
    struct stats_options *o, const struct report *like, int argc, char *argv[]);

#endif
