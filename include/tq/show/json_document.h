/*
 * json_document.h - tables as one JSON object, the same for all tools and
 * whatever has rows:
 *
 *	{"tq":"0.2","file":["r.sqlite"],"window":null,"reports":[
 *	{"report":"gaps_sum","title":"...","columns":[...],"rows":[
 *	{"cause":"host","idle_ns":20,"row":"host"}],
 *	"shown":1,"total":1,"base":null,"reason":null,"next":[]}]}
 *
 * tq-json(5) has the members, tq.schema.json the schema.
 */
#ifndef TQ_SHOW_JSON_DOCUMENT_H
#define TQ_SHOW_JSON_DOCUMENT_H

#include "tq/io/output.h"

#include "tq/show/table.h"

struct format_options;

/* what a document is of */
struct json_head {
	char *const *operands; /* of the tool, which NULL ends; NULL: none */
	char *const *others;   /* and more of them */
	const char *asked;     /* the window of --time, or NULL */
	const char *window;    /* how the window came about; NULL: unknown */
	int64_t from, to;      /* ns; INT64_MIN, INT64_MAX: open */
};

/* A document without any report is the begin and the end. */
void json_document_begin(struct text *t, const struct json_head *head);
void json_document_end(struct text *t);

/* A table; first: no report comes before it. */
void json_document_table(struct output *o, const struct format_options *f,
    struct table *t, bool first);

/*
 * The same where the caller writes the rows, from { to } with a comma between,
 * and each with the members that the columns have: all of the table but its
 * rows.  json_document_add_row_key() is the member "row" of one.
 */
void json_document_report(struct text *b, const struct format_options *f,
    struct table *t, bool first);
void json_document_report_end(struct text *b, const struct format_options *f,
    const struct table *t, size_t shown, size_t total);
void json_document_add_row_key(struct text *b, struct span key);

#endif
