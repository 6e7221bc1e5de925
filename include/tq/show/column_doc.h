/*
 * column_doc.h - what the columns of tables mean: a row for each, for
 * --help-reports and for -f json.
 */
#ifndef TQ_SHOW_COLUMN_DOC_H
#define TQ_SHOW_COLUMN_DOC_H

#include "tq/show/table.h"

/* what a cell says about its row */
enum column_role {
	COLUMN_VALUE,
	COLUMN_KEY,   /* which thing the row is of, in any recording */
	COLUMN_MOMENT /* when it happened: no other recording has the row */
};

struct column_doc {
	const char *report; /* the only one, without arguments; NULL: any */
	const char *name;   /* of the column; "*": all of the report */
	enum column_role role;
	const char *doc;
	const char *unit; /* of a number whose column has none, or NULL */
};

/* Rows of an array of them, which {0} ends.  Of tables of any report: */
#define DOC_KEY(name, doc) \
	{ \
		NULL, name, COLUMN_KEY, doc, NULL \
	}
#define DOC_VALUE(name, doc) DOC_NUMBER(name, NULL, doc)
#define DOC_NUMBER(name, unit, doc) \
	{ \
		NULL, name, COLUMN_VALUE, doc, unit \
	}

/* Of those of one report: */
#define DOC_IN(report, name, role, doc) \
	{ \
		report, name, COLUMN_##role, doc, NULL \
	}

/* The parts of idle time, see tq/account/account.h. */
#define DOC_IDLE_PARTS \
	DOC_NUMBER("sync", "ns", "idle: the host waits for a device"), \
	    DOC_NUMBER("host", "ns", "idle: the host does something else"), \
	    DOC_NUMBER("launch", "ns", "idle: the launching call runs"), \
	    DOC_NUMBER("next", "ns", "idle: below 10 us between operations"), \
	    DOC_NUMBER("queue", "ns", "idle: launched, and not begun"), \
	    DOC_NUMBER("unknown", "ns", "idle: the launch is unknown")

/*
 * The doc of a column of t->docs, which a row without a name ends, the one of
 * its report first.  Without one a text is a key, and all else a value.
 */
const struct column_doc *column_doc_find(
    const struct table *t, const struct column *c);

/* The same for a table that has no docs yet. */
const struct column_doc *column_doc_in(
    const struct column_doc *docs, const char *report, const struct column *c);

#endif
