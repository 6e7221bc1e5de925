/*
 * format.h - the formats of tables.
 */
#ifndef TQ_SHOW_FORMAT_H
#define TQ_SHOW_FORMAT_H

#include "tq/io/output.h"

#include "tq/show/json_document.h"
#include "tq/show/table.h"

enum format {
	FORMAT_TABLE, /* for people */
	FORMAT_CSV,
	FORMAT_TSV,
	FORMAT_JSON,
	FORMAT_NDJSON,
	FORMAT_MARKDOWN,
	FORMAT_HTML,
	FORMAT_JSON1, /* json of tq 0.1: arrays of rows, see json_rows.h */
	FORMAT_OPENMETRICS, /* of a stream that goes on: no tables */
	FORMAT_PPROF        /* stacks: no tables */
};

/* their names in this order; the formats of tables */
#define FORMAT_NAMES FORMAT_TABLES "|openmetrics|pprof"
#define FORMAT_TABLES "table|csv|tsv|json|ndjson|markdown|html|json1"

struct format_options {
	enum format format;
	int64_t time_unit; /* of times, in ns: 1, 1000, ... */
	size_t width;      /* of the terminal; 0: no limit */
	size_t text_width; /* of a text in Markdown; 0: no limit */
	bool human;        /* thousands separators, units that fit */
	bool compat;       /* csv as nsys writes it: quotes are not doubled */
	bool binary;       /* round as nsys 2024.6, by the value in binary */
	bool plain_keys;   /* titles that need no quotes, see title_key.h: json
			    * and ndjson always have them */
	const char *page;  /* title of a page of HTML, or NULL */
	bool bare;         /* a title, no name of a report; no rule below the
			    * titles of columns */
	const char *label; /* NULL, or the member that has the table's title in
			    * each row of json1 and ndjson; rows of json1 are
			    * elements then, o->lines counts them */
	bool several;      /* more than one table may come: json1 then is an
			    * object of arrays, by report */
	struct json_head head; /* of json */
};

/*
 * The unit of time of a name, by the rules of nsys: any prefix of nanoseconds,
 * microseconds, milliseconds, seconds; nsec, usec, msec, ns, us, ms, s.  False
 * for a prefix of more than one of them.
 */
bool format_time_unit(const char *name, int64_t *ns);

/* True if titles of columns can be keys. */
bool format_has_keys(const struct format_options *f);

/* Before the first and after the last of all tables. */
void format_begin(struct output *o, const struct format_options *f);
void format_end(struct output *o, const struct format_options *f);

/* first: no table comes before it. */
void format_table(struct output *o, const struct format_options *f,
    struct table *t, bool first);

#endif
