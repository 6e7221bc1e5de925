/*
 * sheet.h - a table in the formats of tq-advise.
 */
#ifndef SHEET_H
#define SHEET_H

#include "tq/io/output.h"
#include "tq/show/table.h"

#define SHEET_FORMATS "text|json|ndjson|csv|markdown|json1"

enum sheet_format {
	SHEET_TEXT,
	SHEET_JSON,
	SHEET_NDJSON,
	SHEET_CSV,
	SHEET_MARKDOWN,
	SHEET_JSON1
};

/*
 * Write all rows.  text and markdown have the title above them, json1 and
 * ndjson have it as the member "rule" of each row.  json1 is the elements of an
 * array, whose brackets are the caller's; o->lines counts them.  json is one
 * report of a document, whose begin and end are the caller's; first: the first
 * one.  Without rows csv is empty.
 */
void sheet_write(
    struct table *t, struct output *o, enum sheet_format format, bool first);

#endif
