/* diff_format.h - the forms of output. */
#ifndef DIFF_FORMAT_H
#define DIFF_FORMAT_H

enum diff_format {
	DIFF_TABLE,
	DIFF_CSV,
	DIFF_TSV,
	DIFF_JSON,
	DIFF_NDJSON,
	DIFF_MARKDOWN,
	DIFF_HTML
};

/* their names in this order */
#define DIFF_FORMATS "table|csv|tsv|json|ndjson|markdown|html"

#endif
