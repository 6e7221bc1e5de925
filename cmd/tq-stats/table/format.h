/*
 * format.h - how tables are written.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "tq/io/output.h"

#include "table.h"

enum format {
	FORMAT_TABLE, /* for people */
	FORMAT_CSV,
	FORMAT_TSV,
	FORMAT_JSON,
	FORMAT_NDJSON,
	FORMAT_MARKDOWN,
	FORMAT_HTML
};

struct format_options {
	enum format format;
	int64_t time_unit; /* ns of the unit that times are shown in: 1, ... */
	size_t width;      /* of the terminal; 0: not bounded */
	bool human;        /* thousands separators, units that fit */
	bool compat;       /* csv as nsys writes it: quotes are not doubled */
	bool binary;  /* as nsys 2024.6 rounds: what is nearest in binary */
	bool several; /* more than one table may come: what json is then
		       * is an object of arrays, by report */
};

/* The format of that name; false if there is none. */
bool format_named(const char *name, enum format *f);

/*
 * The unit that a name means, as nsys takes them: any prefix of nanoseconds,
 * microseconds, milliseconds, seconds; nsec, usec, msec, ns, us, ms, s.  What
 * is the start of more than one of them means none.
 */
bool format_time_unit(const char *name, int64_t *ns);

/* Before the first and after the last of all tables. */
void format_begin(struct output *o, const struct format_options *f);
void format_end(struct output *o, const struct format_options *f);

/* first: no table was written before it. */
void format_table(struct output *o, const struct format_options *f,
    struct table *t, bool first);

#endif
